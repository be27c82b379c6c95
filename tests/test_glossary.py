"""Console and reports use the terms of docs/glossary.md: where the English has one, the Chinese has its counterpart."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

import yaml

from console.frame.word_catalogue import catalogue

ROOT = Path(__file__).resolve().parent.parent
OF_MANY_SENSES = {
    "copy",
    "crawl",
    "comment",
    "console",
    "first report",
    "list",
    "original",
    "plan",
    "record",
    "report",
    "run",
    "source",
    "store",
}
"""Words that are also used in plain speech, such as "make a copy"."""
CHOICE = re.compile(r"\{\w+\|([^|{}]*)\|[^|{}]*\}")
PLACE = re.compile(r"\{\w+\}")
UNUSED = ("提醒", "警报", "信息源", "爬取", "门槛", "讨论串", "待抓队列", "站点地图", "元搜寻")
"""Other words for terms of the glossary."""


def terms() -> Iterator[tuple[str, tuple[str, ...]]]:
    for line in (ROOT / "docs" / "glossary.md").read_text("utf-8").splitlines()[6:]:
        english, chinese, _ = line.strip("| ").split(" | ")
        for term in english.split(", "):
            yield term, tuple(chinese.split("、"))


@cache
def words() -> dict[str, tuple[str, str]]:
    report = yaml.safe_load((files("analysis.report") / "report_words.yaml").read_text("utf-8"))
    return {**catalogue(), **{f"report.{key}": (chinese, english) for key, (chinese, english) in report.items()}}


def test_a_term_has_its_counterpart() -> None:
    checked = [(term, chinese) for term, chinese in terms() if term not in OF_MANY_SENSES]
    english = {key: PLACE.sub("", CHOICE.sub(r"\1", both[1])) for key, both in words().items()}
    assert len(checked) > 35
    assert [wrong for term, chinese in checked if (wrong := list(without(term, chinese, english)))] == []


def without(term: str, chinese: tuple[str, ...], english: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Keys whose English has the term, and whose Chinese has none of its counterparts."""
    found = re.compile(rf"(?<![\w.-]){re.escape(term)}(?:s|es)?(?![\w.-])", re.I)
    for key, (shown, _) in words().items():
        if found.search(english[key]) and not any(word in shown for word in chinese):
            yield term, key, shown


def test_no_other_word_stands_for_a_term() -> None:
    texts = {key: chinese for key, (chinese, _) in words().items()}
    texts |= {path.name: path.read_text("utf-8") for path in [ROOT / "README.zh-CN.md", *ROOT.glob("docs/zh/*.md")]}
    assert {(name, word) for name, text in texts.items() for word in UNUSED if word in text} == set()
