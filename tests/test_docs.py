"""What the documents name is there: commands with their options, benchmarks, settings, and what links lead to.

Guides stay short: words, numbers and lines have limits, and phrases that no engineer would write are refused.
"""

import argparse
import importlib
import importlib.util
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from scrapy.settings import Settings, default_settings

from settings.reference import read_settings, write_chinese_reference, write_reference

ROOT = Path(__file__).resolve().parent.parent
GUIDES = sorted(path for path in ROOT.glob("docs/*.md") if path.name != "settings.md")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
RESULTS = sorted(ROOT.glob("benchmarks/results/*.md"))
COMMAND = re.compile(r"(?:^ *|`)(scrapy|python -m benchmarks\.\w+) ([^`|\n]*)", re.M)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
SETTING = re.compile(r"\b[A-Z]+(?:_[A-Z]+)+\b")
SOURCES = [
    path
    for room in ("settings", "analysis", "crawler", "pipelines", "extractors", "console", "deploy", "testbed/servers")
    for path in (ROOT / room).rglob("*")
]
FOLDERS = (
    "console",
    "crawler",
    "extractors",
    "pipelines",
    "settings",
    "tests",
    "testbed",
    "deploy",
    "benchmarks",
    "requirements",
    "docs",
)
MADE_OF_NAMES = {"SCRAPY_PROJECT", "LOGIN_USERNAME_READER", "LOGIN_PASSWORD_READER"}
"""Variables of the environment that no source has whole: Scrapy's own, those of an identity, and one of the tests."""
BENCHMARKS = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "benchmarks").rglob("*.py"))
LONGEST_LINE_CHARS = 160
MAX_WORDS = 1_300
MAX_NUMBERS = 30
MAX_README_LINES = 75
OUTSIDE_PROSE = re.compile(r"```.*?```|`[^`\n]*`|\]\([^)]*\)|^ *\d+\. |\b\d{4}-\d\d-\d\d\b", re.M | re.S)
"""Code, addresses of links, numbers of list items and dates."""
FORBIDDEN = re.compile(
    r"\b(anew|so many|told|is had|can(?:not)? be had|gone on with|goes on by itself|what was said|is away"
    r"|from [^.,;:|()\n]{1,40} on(?=[.,;:)]))\b",
    re.I,
)
names = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
guides = pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.name)
everywhere = pytest.mark.parametrize("document", [*DOCUMENTS, *RESULTS], ids=lambda path: str(path.relative_to(ROOT)))


class RefusedError(Exception):
    """What the parser says of a command."""


class Parser(argparse.ArgumentParser):
    """Says what is wrong and lives on."""

    def error(self, message: str) -> None:  # type: ignore[override]  # ends a process elsewhere
        raise RefusedError(message)


def commands(document: Path) -> Iterator[tuple[str, list[str]]]:
    """Program and words of each command; what a shell or a reader adds is left out."""
    for program, rest in COMMAND.findall(document.read_text(encoding="utf-8")):
        yield program, shlex.split(re.split(r" +#| > |  +|--help", rest.replace("[", "").replace("]", ""))[0])


def parser_of(name: str) -> Parser:
    for package in ("console.commands", "scrapy.commands"):
        if importlib.util.find_spec(f"{package}.{name}"):
            parser, command = Parser(conflict_handler="resolve"), importlib.import_module(f"{package}.{name}").Command()
            command.settings = Settings()
            command.add_options(parser)
            return parser
    raise RefusedError(f"there is no command {name}")


@everywhere
def test_commands_and_their_options_exist(document: Path) -> None:
    for program, words in commands(document):
        if program == "scrapy":
            unknown = [word for word in parser_of(words[0]).parse_known_args(words[1:])[1] if word.startswith("-")]
        else:
            assert importlib.util.find_spec(program.split()[-1]), program
            unknown = [word for word in words if word.startswith("--") and f'"{word}"' not in BENCHMARKS]
        assert not unknown, (program, words)


@everywhere
def test_links_lead_to_files(document: Path) -> None:
    missing = [link for link in LINK.findall(document.read_text("utf-8")) if not (document.parent / link).exists()]
    assert not missing


@names
def test_settings_exist(document: Path) -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in SOURCES if path.suffix in (".py", ".yaml", ".env"))
    known = set(SETTING.findall(sources)) | set(dir(default_settings))
    named = set(SETTING.findall(document.read_text(encoding="utf-8")))
    assert named - known - MADE_OF_NAMES == set()


def test_every_guide_is_named_by_the_list_of_guides_and_the_list_by_the_readmes() -> None:
    listed = set(LINK.findall((ROOT / "docs" / "README.md").read_text(encoding="utf-8")))
    assert {path.name for path in ROOT.glob("docs/*.md")} - {"README.md"} <= listed
    for readme, guides in (("README.md", "docs/README.md"), ("README.zh-CN.md", "docs/zh/README.md")):
        text = (ROOT / readme).read_text(encoding="utf-8")
        assert guides in LINK.findall(text)
        assert text.count("\n") <= MAX_README_LINES


@guides
def test_a_guide_is_read_in_five_minutes(guide: Path) -> None:
    text = guide.read_text(encoding="utf-8")
    assert len(text.split()) <= MAX_WORDS
    assert len(re.findall(r"\d+(?:[.,]\d+)*", OUTSIDE_PROSE.sub(" ", text))) <= MAX_NUMBERS
    assert max(len(line) for line in text.splitlines()) <= LONGEST_LINE_CHARS


@names
def test_documents_are_plain_english(document: Path) -> None:
    assert FORBIDDEN.findall(OUTSIDE_PROSE.sub(" ", document.read_text(encoding="utf-8"))) == []


def test_the_list_of_settings_is_that_of_the_code() -> None:
    settings = [*read_settings(ROOT / "settings" / "base.py"), *read_settings(ROOT / "settings" / "cluster.py")]
    pages = {"docs/settings.md": write_reference(), "docs/zh/settings.md": write_chinese_reference()}
    for page, text in pages.items():
        assert (ROOT / page).read_text(encoding="utf-8") == text, "run python -m settings.reference"
    assert [setting.name for setting in settings if not setting.meaning or not setting.group] == []


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "NOTICE", "docs/architecture.md"])
def test_paths_and_modules_exist(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    paths = re.findall(rf"(?<![\w/.])(?:{'|'.join(FOLDERS)})(?:/[\w.*-]+)+", text)
    missing = [path for path in paths if not any(ROOT.glob(path.rstrip(".")))]
    modules = re.findall(rf"`((?:{'|'.join(FOLDERS)})(?:\.\w+)+)`", text)
    unknown = [module for module in modules if not any(ROOT.glob(f"{module.replace('.', '/')}*"))]
    assert paths
    assert not missing + unknown


def test_names_of_the_library_are_there_and_public() -> None:
    rows = re.findall(r"^\| (`\w+\.[^|]*) \| (.*) \|$", (ROOT / "docs" / "library.md").read_text("utf-8"), re.M)
    assert len(rows) == 7
    for modules, names in rows:
        lists = names.split("; ")
        for module, listed in zip(re.findall(r"`([\w.]+)`", modules), lists, strict=True):
            room = importlib.import_module(module)
            for name in re.findall(r"`(\w+)`", listed):
                assert name in getattr(room, "__all__", dir(room)), (module, name)
