"""Threads, thread lists, comments, reviews, questions and answers: every record on a page, with its fields."""

import re
from collections.abc import Sequence

from extractors.page import Page
from extractors.paging import first_page, next_page
from extractors.records.candidates import Signals
from extractors.records.choosing import choose
from extractors.records.model import Record, RecordKind, RecordSet
from extractors.records.published import layout_records, leafpath_records
from extractors.records.reading import Reader

__all__ = ("Record", "RecordSet", "extract", "find_records", "layout_records", "leafpath_records")

_KINDS: tuple[tuple[RecordKind, re.Pattern[str]], ...] = (
    ("reviews", re.compile(r"review|rating|评价|点评")),
    ("qa", re.compile(r"answer|question|回答")),
    ("comments", re.compile(r"comment|disqus|评论")),
)

_LEAST_UNTOLD = 0.4
"""The expected F1 from which records are believed that tell neither who wrote them nor when: paragraphs are like that too."""
_FEW = 0.3


def extract(page: Page) -> RecordSet:
    """The page's records in document order; kind "none" where it has none."""
    if not page.columns.texts:
        return RecordSet("none")
    signals = Signals(page.columns)
    group, expected = choose(signals)
    if group is None:
        return RecordSet("none")
    reader = Reader(page, signals, group)
    records = tuple(reader.records())
    if not records or (expected < _LEAST_UNTOLD and _told(records) < _FEW):
        return RecordSet("none")
    kind: RecordKind = (
        "thread_list"
        if reader.is_list
        else next((name for name, words in _KINDS if words.search(group.label)), "thread")
    )
    return RecordSet(kind, records, next_page(page), first_page(page), min(1.0, max(0.0, expected)))


def _told(records: Sequence[Record]) -> float:
    """The share of records that tell their author or their time."""
    return sum(bool(record.author or record.time_text) for record in records) / len(records)


def find_records(body: bytes, *, url: str = "") -> list[Record]:
    """The records of a page given as bytes."""
    return list(extract(Page(body, url)).records)
