"""Accuracy that was reached once does not fall, on pages that nothing was trained on: held-out sites, and sets for testing only."""

import gzip
import importlib.util
import json
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any

import pytest

from benchmarks.trainable import ARTICLE_SETS, is_held_out
from extractors.article import decay_text, main_text
from extractors.page import Page
from testbed.shared_data import SHARED

pytestmark = pytest.mark.shared
FLOORS = {
    "aeb": (0.972, 0.78),
    "fundus": (0.965, 0.65),
    "magic-article": (0.83, 0.45),
    "wcxb": (0.885, 0.51),
    "zh-news": (0.985, 0.9),
    "zh-cleaneval": (0.9, 0.72),
    "zh-daniel": (0.955, 0.76),
    "daniel-ru": (0.85, 0.43),
    "daniel-pl": (0.845, 0.42),
    "daniel-el": (0.95, 0.65),
}
"""Least mean F1, least share of right pages."""
PAGES = 60


@cache
def scorer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("articles_scorer", SHARED / "score" / "articles.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def unseen(name: str) -> Iterator[tuple[dict[str, Any], bytes]]:
    """Gold and source of a set's pages that nothing was trained on."""
    folder = SHARED / "data" / "articles" / name
    with gzip.open(folder / "gold.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if name not in ARTICLE_SETS or is_held_out(row):
                yield row, gzip.decompress((folder / "pages" / f"{row['id']}.html.gz").read_bytes())


def score(row: dict[str, Any], text: str) -> tuple[float, bool]:
    """F1, and whether the text is right."""
    tokens = scorer().tokens
    precision, recall, f1 = scorer().overlap(tokens(text), tokens(row["text"]))
    return f1, recall >= 0.98 and precision >= 1 / 1.1


def scores(name: str, extract: object = main_text) -> tuple[float, float]:
    """(mean F1, share right) of unseen pages of all parts of a set."""
    pages = list(unseen(name))
    found = [score(row, extract(body)) for row, body in pages[:: max(1, len(pages) // PAGES)]]  # type: ignore[operator]
    return sum(f1 for f1, _ in found) / len(found), sum(right for _, right in found) / len(found)


@pytest.mark.parametrize("name", FLOORS)
def test_no_set_falls_below_its_floor(name: str) -> None:
    f1, right = scores(name)
    least_f1, least_right = FLOORS[name]
    assert f1 >= least_f1
    assert right >= least_right


def test_threads() -> None:
    found = [
        score(row, main_text(body))[0]
        for row, body in unseen("wcxb")
        if row["page_type"] == "forum" and row.get("text")
    ]
    assert len(found) >= 20
    assert sum(found) / len(found) >= 0.9


def test_short_chinese_articles() -> None:
    pages = [each for name in ("zh-news", "zh-blogs", "zh-cleaneval", "zh-daniel") for each in unseen(name)]
    right = [score(row, main_text(body))[1] for row, body in pages if len(row["text"]) < 400]
    assert len(right) >= 10
    assert sum(right) / len(right) >= 0.55


def test_the_default_beats_the_published_method() -> None:
    assert scores("aeb")[0] > scores("aeb", decay_text)[0] + 0.03


def test_articles_are_told_from_other_pages() -> None:
    kinds = [(row["page_type"], Page(body, row.get("url") or "").kind.name) for row, body in unseen("wcxb")]
    assert sum((known == "article") == (found == "article") for known, found in kinds) / len(kinds) >= 0.87
