"""Threads, thread lists, comments, reviews, questions and answers: every record on a page, with its fields."""

import re

import numpy as np

from extractors.html.document import Document
from extractors.links.paging import first_page, next_page
from extractors.records.candidates import called
from extractors.records.choosing import Choice, choose
from extractors.records.model import Record, RecordKind, RecordSet
from extractors.records.published import layout_records, leafpath_records
from extractors.records.signals import Signals

__all__ = ("Record", "RecordSet", "extract", "find_records", "layout_records", "leafpath_records")

_KINDS: tuple[tuple[RecordKind, re.Pattern[str]], ...] = (
    ("reviews", re.compile(r"review|rating|评价|点评")),
    ("qa", re.compile(r"answer|question|回答")),
    ("comments", re.compile(r"comment|disqus|评论")),
)


def extract(page: Document) -> RecordSet:
    """The page's records in document order; kind "none" where it has none."""
    choice = _chosen(page)
    if choice is None:
        return RecordSet("none")
    label = called(choice.group, page.columns)
    kind: RecordKind = (
        "thread_list" if choice.is_list else next((name for name, words in _KINDS if words.search(label)), "thread")
    )
    found = tuple(choice.records), next_page(page), first_page(page), choice.likelihood
    return RecordSet(kind, *found, choice.reader.spoken(), np.flatnonzero(choice.reader.around >= 0))


def _chosen(page: Document) -> Choice | None:
    return choose(page, Signals(page.columns)) if page.columns.texts else None


def find_records(body: bytes, *, url: str = "") -> list[Record]:
    """The records of a page given as bytes."""
    choice = _chosen(Document(body, url))
    return [] if choice is None else choice.records
