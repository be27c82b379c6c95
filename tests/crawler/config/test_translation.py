"""Sentences that commands, files and errors say are known in Chinese, and those that are known are still said."""

import argparse
import inspect
import re
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
import scrapy.commands.settings
import scrapy.core.engine
import scrapy.crawler
import yaml
from scrapy.downloadermiddlewares import robotstxt

from crawler.config import environment_language, in_chinese, with_values

ROOT = Path(__file__).resolve().parents[3]
NEXT_LITERAL = re.compile(r'"\s*\n\s*f?"')
VALUE = re.compile(r"(?<!\{)\{[^{}\n]+\}(?!\})")
SAID = re.compile(
    r"(raise \w+\(|\.fail\(|\bsay\(|\bsay_aside\(|\b_say\(|\bshown\(|logger\.(?:info|warning|error|exception)\("
    r"|is_confirmed\(|\bstopped=|\bmessage = \(?)"
    r'\s*(?:[^"()]{1,60},\s*)?f?"((?:[^"\\\n]|\\.)+)"'
)
SUBJECTS = re.compile(r'Finding\(\s*"\w+",\s*f?"(?!Python"|Redis"|[A-Z_]+")([^"]+)"')
HEADS = re.compile(r"(?:print_table\(|_RULES =|_HISTORY =|_HEADS =)\s*\(([^)]*)\)")
CLAUSE = re.compile(r"\{\}|[;:,()]|\. |\b(?:of|in|or|is)\b")
"""Between parts of a sentence that may stand apart in the source."""
PRINTED = re.compile(r"%(?:\(\w+\))?[-.,\d]*[sdrf]")
ROOMS = ("console", "analysis", "crawler", "pipelines", "extractors")
FOR_PROGRAMMERS = (
    "analysis/summary", "console/assistants", "crawler/command_line.py", "crawler/download/one_shot.py", "crawler/extensions/heap.py",
    "crawler/frontier/", "crawler/parse_workers", "crawler/spiders/metasearch.py", "extractors/article/model", "extractors/html/joining.py",
    "extractors/html/subtrees.py", "extractors/kernels", "extractors/titles", "pipelines/lease.py", "pipelines/rankings.py",
    "pipelines/redis_cluster.py", "pipelines/storage.py", "pipelines/stores/mongo/mongo_documents.py", "pipelines/stores/sqlite/readers.py",
    "pipelines/titles", "crawler/engines/", "crawler/commands/_backup_file.py",
)  # fmt: skip
"""Modules whose errors are caught inside, or say that a function was called wrongly."""
LIBRARIES = (argparse, scrapy.commands, scrapy.commands.settings, scrapy.core.engine, scrapy.crawler, robotstxt)
OF_LIBRARIES = (
    "Input ", "String ", "List ", "Tuple ", "Field ", "Extra ", "Value error, ", "Unable to ", "argument {}", "No such file",
    "Permission denied", "Connection refused", "database ", "No space left",
    "Name or service", "Temporary failure",
)  # fmt: skip
"""How sentences of pydantic and the operating system begin."""
OF_NAMES = ("Ending: ", "{} off topic", "{} kept ({} harvest)", "There is no site {}", "There is no identity {}")
"""Sentences whose words are values in the source."""


@cache
def known() -> dict[str, str]:
    text = (files("crawler.config") / "chinese_sentences.yaml").read_text("utf-8")
    return dict(yaml.load(text, yaml.CSafeLoader))


@cache
def sources() -> dict[str, str]:
    """The text of each module, with literals that stand behind each other joined."""
    paths = (path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): NEXT_LITERAL.sub("", path.read_text("utf-8")) for path in paths}


def said(text: str, *, with_errors: bool) -> list[str]:
    """Lines of errors, of what commands say, of the log, heads of tables and subjects of checks."""
    sentences = [sentence for kind, sentence in SAID.findall(text) if with_errors or not kind.startswith("raise")]
    heads = [head for group in HEADS.findall(text) for head in re.findall(r'"([^"]+)"', group)]
    found = (line.strip() for each in sentences for line in PRINTED.sub("X", VALUE.sub("X", each)).split("\\n"))
    return [
        *heads,
        *SUBJECTS.findall(text),
        *(line for line in found if re.search(r"[a-z]{2,} \S", line) and "{" not in line),
    ]


def test_every_sentence_that_people_see_is_known_in_chinese() -> None:
    unknown = {
        (name, text)
        for name, source in sources().items()
        for text in said(source, with_errors=not name.startswith(FOR_PROGRAMMERS))
        if in_chinese(text) == text and not text.startswith(("scrapy ", "There is no X X."))
    }
    assert sorted(unknown) == []


def test_every_known_sentence_is_still_said() -> None:
    libraries = (NEXT_LITERAL.sub("", inspect.getsource(module)) for module in LIBRARIES)
    texts = "\n".join([*sources().values(), *libraries])
    texts = "\n".join((texts, PRINTED.sub("{}", VALUE.sub("{}", texts)), texts.replace("_", " ").replace('\\"', '"')))
    pieces = {
        english: [part for part in map(str.strip, CLAUSE.split(VALUE.sub("{}", english))) if part]
        for english in known()
    }
    gone = [english for english, parts in pieces.items() if not all(piece in texts for piece in parts)]
    assert [english for english in gone if not english.startswith((*OF_LIBRARIES, *OF_NAMES))] == []


def test_chinese_sentences_have_no_english_ones_in_them() -> None:
    said_so = re.compile(r"(?:[a-z']+,? ){4,}[a-z']+")
    code = re.compile(r"`[^`]*`|(?:scrapy|pip|python|apt) [^，；。）]*|--.*")
    assert [chinese for chinese in known().values() if said_so.search(code.sub("", chinese))] == []


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("settings/topics/tax.yaml, line 3, terms: must be a list of texts", "settings/topics/tax.yaml 第 3 行 terms：应为文本列表"),
        ("a refuses: HTTP 500; b does not answer: Connection refused", "a 拒绝：HTTP 500；b 没有应答：连接被拒绝"),
        ("its form has no field x, which login.fields.username names", "其表单没有 login.fields.username 指定的字段 x"),
        ("5 pages read  0 kept  5 off topic", "读取 5 页  保留 0  不属于专题 5"),
        ("nobody has said this before", "nobody has said this before"),
        ("word", "word"),
        ("a: " * 5_000, "a: " * 5_000),
    ],
)  # fmt: skip
def test_values_keep_their_places(english: str, chinese: str) -> None:
    assert in_chinese(english) == chinese


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_US.UTF-8", "TOPICRAWL_LANG": "zh"}, "zh"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": ""}, "en"),
    ],
)
def test_the_environment_decides(environment: dict[str, str], language: str) -> None:
    assert environment_language(environment) == language


def test_words_fit_their_numbers() -> None:
    assert with_values("{n} {n|page waits|pages wait}", {"n": 1}) == "1 page waits"
    assert with_values("{n} {n|page waits|pages wait}", {"n": 1_200}) == "1,200 pages wait"
    assert with_values("{name} {0}", {"name": "{n|a|b}", "0": 0.5}) == "{n|a|b} 0.5"
    with pytest.raises(KeyError):
        with_values("{n}", {})
