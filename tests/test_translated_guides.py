"""Each guide exists in English and Chinese, with the same headings, code, tables, names and links."""

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ENGLISH = ROOT / "docs"
CHINESE = ENGLISH / "zh"
IN_BOTH_LANGUAGES = {"glossary.md"}
GUIDES = sorted({path.name for path in ENGLISH.glob("*.md")} - IN_BOTH_LANGUAGES)
PAIRS = [
    *((ENGLISH / name, CHINESE / name) for name in GUIDES),
    (ROOT / "README.md", ROOT / "README.zh-CN.md"),
    (ENGLISH / "console" / "README.md", ENGLISH / "console" / "zh" / "README.md"),
]
DRAWINGS = ("mermaid", "text")
"""Blocks whose words are translated."""
BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^ *```$|((?:^ {4,}(?![`*-])[^\n]*\n)+)", re.M | re.S)
COMMENT = re.compile(r"(?:^|\s+)#.*")
LINK = re.compile(r"\]\(([^)\s]+)\)")
SPAN = re.compile(r"`([^`\n]+)`")
HEADING = re.compile(r"^(#+) (.+)$", re.M)
SENTENCE = re.compile(r"(?:\b[A-Za-z][a-z']*,? ){4,}[a-z']+")
BETWEEN_LANGUAGES = {"README.md", "docs/README.md", "docs/console/README.md"}
"""What the line that leads to the other language names."""
pairs = pytest.mark.parametrize(("english", "chinese"), PAIRS, ids=lambda path: path.name)


def blocks(text: str) -> list[list[str]]:
    """Lines of code without comments and indents; of a drawing only that it is there."""
    found = []
    for _, language, fenced, indented in BLOCK.findall(text):
        lines = (COMMENT.sub("", line).strip() for line in (fenced or indented).splitlines())
        found.append([language] if language in DRAWINGS else [line for line in lines if line])
    return found


def prose(text: str) -> str:
    return BLOCK.sub("", text)


def links(document: Path) -> Counter[str]:
    """Targets from the root, of a Chinese one those of its English twin."""
    targets = (target for target in LINK.findall(document.read_text("utf-8")) if not target.startswith("#"))
    return Counter(name for target in targets if (name := twin(document, target)) not in BETWEEN_LANGUAGES)


def twin(document: Path, target: str) -> str:
    if "://" in target:
        return target
    path = (document.parent / target.partition("#")[0]).resolve().relative_to(ROOT).as_posix()
    return path.replace("docs/zh/", "docs/").replace("docs/console/zh/", "docs/console/").replace(".zh-CN", "")


def slug(heading: str) -> str:
    """The fragment that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "", heading.lower())).replace(" ", "-")


def test_every_guide_has_a_chinese_twin() -> None:
    assert [path.name for path in sorted(CHINESE.glob("*.md"))] == GUIDES


@pairs
def test_twins_have_the_same_shape(english: Path, chinese: Path) -> None:
    texts = [prose(path.read_text("utf-8")) for path in (english, chinese)]
    for pattern in (r"^(#+) ", r"^(\|)", r"^ *(-|\d+\.) "):
        first, second = (re.findall(pattern, text, re.M) for text in texts)
        assert first == second, pattern


@pairs
def test_twins_have_the_same_code_and_links(english: Path, chinese: Path) -> None:
    first, second = (path.read_text("utf-8") for path in (english, chinese))
    assert blocks(first) == blocks(second)
    assert set(SPAN.findall(prose(first))) == set(SPAN.findall(prose(second)))
    assert links(english) == links(chinese)


@pairs
def test_chinese_guides_have_no_english_sentence(english: Path, chinese: Path) -> None:
    assert SENTENCE.findall(SPAN.sub("", prose(chinese.read_text("utf-8")))) == []
    assert re.findall(r"[\u4e00-\u9fff][,;:?!]", SPAN.sub("`", prose(chinese.read_text("utf-8")))) == []


@pytest.mark.parametrize("document", [path for pair in PAIRS for path in pair], ids=lambda path: path.parent.name)
def test_fragments_lead_to_headings(document: Path) -> None:
    for path, _, fragment in (target.partition("#") for target in LINK.findall(document.read_text("utf-8"))):
        if fragment and "://" not in path:
            text = (document.parent / path if path else document).read_text("utf-8")
            assert fragment in {slug(heading) for _, heading in HEADING.findall(text)}, (path, fragment)
