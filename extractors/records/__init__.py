"""Threads, thread lists, comments, reviews, questions and answers: every record on a page, with its fields."""

import re
from typing import cast

from extractors.html.document import Document
from extractors.links.list_paging import first_page, next_page
from extractors.records.choose import choose
from extractors.records.groups import Members, RecordGroup, group_names
from extractors.records.groups.layout import layout_of
from extractors.records.published_methods import layout_records, leafpath_records
from extractors.records.read import read_group, records_of, ruled_chunks, ruled_members, ruled_records
from extractors.records.read.model import Record, RecordKind, RecordSet

__all__ = [
    "Record",
    "RecordSet",
    "extract",
    "fields",
    "find_records",
    "layout_records",
    "leafpath_records",
]

_KINDS: tuple[tuple[RecordKind, re.Pattern[str]], ...] = (
    ("reviews", re.compile(r"review|rating|评价|点评")),
    ("qa", re.compile(r"answer|question|回答")),
    ("comments", re.compile(r"comment|disqus|评论")),
)


def extract(page: Document) -> RecordSet:
    """The page's records in document order; kind "none" if it has none."""
    usual = _usual(page)
    members = ruled_members(page)
    return _ruled(page, members, usual) if len(members) else usual


def _ruled(page: Document, members: Members, usual: RecordSet) -> RecordSet:
    """The records that the rules of the site name; the usual ones if these have neither text nor title."""
    named = page.rules.record_kind if page.rules else ""
    kind = named or ("comments" if usual.kind == "none" else usual.kind)
    reading = read_group(layout_of(page, RecordGroup(members, "")))
    read = dict(zip(reading.numbers, records_of(reading), strict=True))
    records = tuple(ruled_records(page, members, read, is_list=kind == "thread_list"))
    if not records:
        return usual
    return RecordSet(cast(RecordKind, kind), records, next_page(page), first_page(page), 1.0, *ruled_chunks(page))


def _usual(page: Document) -> RecordSet:
    choice = choose(page)
    if choice is None:
        return RecordSet("none")
    names = group_names(choice.group, page.columns)
    kind: RecordKind = (
        "thread_list" if choice.is_list else next((kind for kind, words in _KINDS if words.search(names)), "thread")
    )
    return RecordSet(
        kind, tuple(choice.records), next_page(page), first_page(page), choice.likelihood, *choice.chunks()
    )


def find_records(body: bytes, *, url: str = "") -> list[Record]:
    """The records of a page given as bytes."""
    choice = choose(Document(body, url))
    return [] if choice is None else choice.records
