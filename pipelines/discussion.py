"""Posts, comments, reviews, answers and lines of thread lists, each under its page."""

import re
from collections.abc import Iterator, Sequence

from extractors import article
from extractors.html.document import Document
from extractors.links.urls import url_key, web_address
from extractors.page import Page
from extractors.records import Record, RecordSet, extract
from extractors.records.fields.counts import COUNT_UNITS
from pipelines.items import Item, PageItem
from pipelines.stores.base import MutableRow, Row
from pipelines.stores.instant_columns import instants, utc_text
from pipelines.stores.tables import RECORDS

_RECORD_COLUMNS = ("key", "author", "time", "time_text", "title", "text", "quote", "floor", "last_time")
"""Columns that have the name and the value of a record's field."""
_COUNT = re.compile(r"(?<!\d)(\d[\d.,]{0,23})(?![\d.,])\s{0,3}((?:[kKwWmM](?![a-zA-Z\u00c0-\u024f])|[千万萬亿億])?)")
_MAX_COUNT = 2**63 - 1
"""The largest integer that a store keeps."""


class DiscussionPipeline:
    """Adds a row for each record of a page; reading a page again adds new records and updates known ones."""

    def process_item(self, item: Item) -> Item:
        """Add the rows to an item that carries a page of the topic."""
        if isinstance(item, PageItem) and item.relevant:
            now = utc_text(item.page.fetched_at)
            key, nothing = url_key(item.part_of or item.url), tuple[MutableRow, ...]()
            rows = item.page.attempt("records", lambda: _rows(item.page, key, now), nothing)
            item.rows.extend((RECORDS, row) for row in (_continued(item, rows) if item.part_of else rows))
        return item


def _continued(item: PageItem, rows: Sequence[Row]) -> Iterator[Row]:
    """The rows of a page that continues a thread, without those that another page of the thread has."""
    left_out = tuple(item.left_out - {""})
    yield from (dict(row) | {"part": item.part, "is_first": 0} for row in rows if not row["key"].startswith(left_out))


def _rows(page: Page, key: str, now: str) -> tuple[MutableRow, ...]:
    of_visit = {"page": key, "first_seen": now, "fetched_at": now}
    rows = tuple(page.once(rows_of_records))
    for row in rows:  # in place: copies of ten thousand rows would block the event loop for 18 ms
        row.update(of_visit)
    return rows


def rows_of_records(page: Document) -> Sequence[MutableRow]:
    """The rows of a page's records; the columns that depend on the visit are not set. See `Document.once`."""
    return record_rows(page.once(extract), "", "", page.once(article.extract).language)


def record_rows(found: RecordSet, page: str, now: str, language: str = "") -> list[MutableRow]:
    """The rows of a page's records, under the page's key; times are ISO 8601. The language gives the zone of times that name none."""
    return [
        {name: getattr(record, name) for name in _RECORD_COLUMNS}
        | instants("time", record.time, language)
        | {
            "page": page,
            "kind": found.kind,
            "url": web_address(record.url),
            "author_url": web_address(record.author_url),
            "parent": _parent(found, record),
            "part": 1,
            "place": place,
            "replies": count_of(record.replies),
            "views": count_of(record.views),
            "likes": count_of(record.likes),
            "is_first": int(record.is_first),
            "first_seen": now,
            "fetched_at": now,
        }
        for place, record in enumerate(found.records)
    ]


def _parent(found: RecordSet, record: Record) -> str:
    return found.records[record.parent].key if 0 <= record.parent < len(found.records) else ""


def count_of(text: str) -> int | None:
    """A count as a number: 1,234 and 1.2k and 3.4万; None if there is no count."""
    match = _COUNT.search(text)
    if match is None:
        return None
    digits, unit = match.group(1), match.group(2).lower()
    fraction = digits.replace(",", ".").rstrip(".")
    if unit and fraction.count(".") > 1:
        return None
    count = round(float(fraction) * COUNT_UNITS[unit]) if unit else int(re.sub(r"[.,]", "", digits))
    return count if count <= _MAX_COUNT else None
