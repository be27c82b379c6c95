"""Accuracy that was reached once does not fall: part of each set, with floors just under the measured figures."""

import gzip
import importlib.util
import json
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from extractors.records import find_records

SHARED = Path(__file__).resolve().parents[4] / "shared"
EVERY = 3
"""Every third page of each set is read."""

pytestmark = pytest.mark.skipif(
    not (SHARED / "data/records").is_dir(), reason="the pages with known records are not here"
)


@pytest.fixture(scope="module")
def scorer() -> ModuleType:
    """The program that compares records."""
    spec = importlib.util.spec_from_file_location("record_scorer", SHARED / "score/records.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _rows(name: str) -> list[dict[str, Any]]:
    with gzip.open(SHARED / "data/records" / name / "gold.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines][::EVERY]


def _read(name: str, row: dict[str, Any]) -> list[dict[str, Any]]:
    body = gzip.decompress((SHARED / "data/records" / name / "pages" / f"{row['id']}.html.gz").read_bytes())
    found = find_records(body, url=row.get("url") or f"http://{row['site']}/")
    return [asdict(record) | {"time": record.time_text} for record in found]


@pytest.mark.parametrize(
    ("name", "f1", "author"), [("mixed", 0.94, 0.83), ("sites", 0.84, 0.72), ("webforum52", 0.93, 0.68)]
)
def test_records_and_their_authors(scorer: ModuleType, name: str, f1: float, author: float) -> None:
    scores, authors = [], []
    for row in _rows(name):
        found = _read(name, row)
        pairs = scorer.match(row["records"], found, row["page_type"])
        scores.append(2 * len(pairs) / max(1, len(found) + len(row["records"])))
        right = [
            scorer.right("author", row["records"][there].get("author"), found[here]["author"]) for there, here in pairs
        ]
        authors += [answer for answer in right if answer is not None]
    assert sum(scores) / len(scores) >= f1
    assert sum(authors) / len(authors) >= author
