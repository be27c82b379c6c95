"""All that is stored of one page."""

from collections.abc import Mapping
from typing import Any

import zstandard

from console.frame.paging import Cursor, Part, in_order, part
from pipelines.originals import known_delay
from pipelines.stores.base import Condition, MutableRow, Order, Row, Store
from pipelines.stores.tables import PAGES, PROPAGATION, RECORDS, SOURCES
from pipelines.stores.watch_tables import VERSIONS

RECORD_ORDER = [Order("part"), Order("place"), Order("key")]
RECORD_COLUMNS = (
    *("key", "kind", "url", "author", "author_url", "time", "time_at", "title", "text", "quote", "parent", "floor"),
    *("part", "place", "replies", "views", "likes", "is_first"),
)
_RECORDS_SHOWN = 100
_MAX_STORY = 200
_MAX_VERSIONS = 20
_MAX_SOURCE_BYTES = 5_000_000


def article(store: Store, key: str) -> MutableRow | None:
    return store.get(PAGES, key)


def records(store: Store, key: str, after: Cursor = ()) -> Part:
    """Posts and comments in order, 100 at a time."""
    rows = in_order(store, RECORDS, [Condition("page", "=", key)], RECORD_ORDER, after, RECORD_COLUMNS)
    return part(rows, RECORD_ORDER, size=_RECORDS_SHOWN)


def as_tree(rows: list[MutableRow]) -> list[MutableRow]:
    """Each answer in `answers` of what it answers, if that is in the list too; else at the top."""
    by_key: dict[str, MutableRow] = {row["key"]: row | {"answers": []} for row in rows}
    top: list[MutableRow] = []
    for row in by_key.values():
        above = by_key.get(row["parent"] or "")
        (above["answers"] if above is not None and not _is_above(row, above, by_key) else top).append(row)
    return top


def _is_above(row: MutableRow, above: MutableRow, by_key: Mapping[str, MutableRow]) -> bool:
    """Whether replies form a cycle, as pages are untrusted."""
    seen = set()
    current: MutableRow | None = above
    while current is not None and current["key"] not in seen:
        if current["key"] == row["key"]:
            return True
        seen.add(current["key"])
        current = by_key.get(current["parent"] or "")
    return current is not None


def story(store: Store, key: str) -> dict[str, Any] | None:
    """Why the page is a copy or not: its own decision, what it was compared with, and the pages of its story by time."""
    own = store.get(PROPAGATION, key)
    if own is None:
        return None
    others = store.select(
        PROPAGATION,
        [Condition("story", "=", own["story"]) if own["story"] else Condition("page", "=", key)],
        [Order("published"), Order("page")],
        limit=_MAX_STORY,
        columns=("page", "title", "url", "site", "published", "verdict", "cosine", "rule", "delay_hours", "reposts"),
    )
    own["delay_hours"] = known_delay(own["delay_hours"])
    matched = store.get(PROPAGATION, own["matched"]) if own["matched"] and own["matched"] != key else None
    return {"own": own, "matched": matched, "pages": list(others)}


def versions(store: Store, key: str) -> list[MutableRow]:
    """Earlier versions of a corrected page, newest first."""
    return list(store.select(VERSIONS, [Condition("page", "=", key)], [Order("fetched_at", True)], limit=_MAX_VERSIONS))


def source(store: Store, key: str) -> bytes | None:
    """The page's bytes as fetched; None if they were not stored, or cannot be decompressed."""
    row: Row | None = store.get(SOURCES, key)
    if row is None or not isinstance(row["body"], bytes):
        return None
    if row["compression"] != "zstd":
        return row["body"][:_MAX_SOURCE_BYTES]
    try:
        with zstandard.ZstdDecompressor().stream_reader(row["body"]) as reader:
            return reader.read(_MAX_SOURCE_BYTES)
    except zstandard.ZstdError:
        return None


def charset(store: Store, key: str) -> str:
    row = store.get(SOURCES, key)
    return str((row or {}).get("charset") or "utf-8")
