"""Accuracy that was reached once does not fall: part of each set, with floors just under the measured figures."""

import gzip
import importlib.util
import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict
from types import ModuleType
from typing import Any

import pytest

from extractors.page import Page
from extractors.records import find_records
from testbed.shared_data import SHARED

EVERY = 3
"""Every third page of each set is read."""
FLOORS: Mapping[str, Mapping[str, float]] = {
    "mixed": {
        "F1": 0.985, "zh": 0.99, "region": 0.99,
        "author": 0.985, "time": 0.90, "title": 0.985, "url": 0.99, "replies": 0.99, "views": 0.99,
    },
    "sites": {
        "F1": 0.90, "zh": 0.96, "region": 0.82,
        "author": 0.975, "time": 0.985, "title": 0.99, "url": 0.99, "replies": 0.98,
    },
    "webforum52": {"F1": 0.965, "region": 0.94, "author": 0.71, "time": 0.98},
}  # fmt: skip
"""Of each set: mean F1 of its pages, of its Chinese ones, the share of right regions, the share of right fields."""
ARTICLES = ("zh-news", "zh-gb", "zh-cleaneval", "aeb")
EACH = 15
MOST_FALSE = 0.017
WITH_COMMENTS = ("zh-news/gne-guancha-3", "aeb/c582d3b772578e8f")
"""Those of the articles that readers have commented on."""

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def scorer() -> ModuleType:
    """The program that compares records."""
    spec = importlib.util.spec_from_file_location("record_scorer", SHARED / "score/records.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _rows(folder: str) -> list[dict[str, Any]]:
    with gzip.open(SHARED / "data" / folder / "gold.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _body(folder: str, row: dict[str, Any]) -> bytes:
    return gzip.decompress((SHARED / "data" / folder / "pages" / f"{row['id']}.html.gz").read_bytes())


def _read(name: str, row: dict[str, Any]) -> list[dict[str, Any]]:
    found = find_records(_body(f"records/{name}", row), url=row.get("url") or f"http://{row['site']}/")
    return [asdict(record) | {"time": record.time_text} for record in found]


@pytest.mark.parametrize("name", FLOORS)
def test_records_and_their_fields(scorer: ModuleType, name: str) -> None:
    measured: dict[str, list[float]] = defaultdict(list)
    for row in _rows(f"records/{name}")[::EVERY]:
        found, gold = _read(name, row), row["records"]
        pairs = scorer.match(gold, found, row["page_type"])
        f1 = 2 * len(pairs) / max(1, len(found) + len(gold))
        measured["F1"].append(f1)
        if row["lang"] == "zh":
            measured["zh"].append(f1)
        measured["region"].append(len(pairs) >= 0.8 * max(len(found), len(gold), 1))
        for field in scorer.FIELDS:
            answers = [scorer.right(field, gold[there].get(field), found[here][field]) for there, here in pairs]
            measured[field] += [answer for answer in answers if answer is not None]
    means = {what: round(sum(values) / len(values), 4) for what, values in measured.items() if values}
    assert {what: means[what] for what, floor in FLOORS[name].items() if means[what] < floor} == {}, means


def test_articles_have_no_records() -> None:
    found = []
    for name in ARTICLES:
        rows = _rows(f"articles/{name}")
        for row in rows[:: max(1, len(rows) // EACH)][:EACH]:
            page = Page(_body(f"articles/{name}", row), row.get("url") or "http://site.example/")
            if page.records.records and f"{name}/{row['id']}" not in WITH_COMMENTS:
                found.append(f"{name}/{row['id']}")
    assert len(found) <= MOST_FALSE * EACH * len(ARTICLES), found
