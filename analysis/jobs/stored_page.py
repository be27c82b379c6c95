"""A stored page with its records, as the analysis reads it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from pipelines.stores.base import Condition, Row, Store
from pipelines.stores.instant_columns import utc_text
from pipelines.stores.tables import PAGES, PROPAGATION, RECORDS

_COLUMNS = (
    "key", "url", "host", "kind", "title", "author", "published", "published_at", "published_precision", "source", "body", "language",
    "topic", "relevance", "first_seen", "fetched_at",
)  # fmt: skip
_MAX_ZONE_OFFSET = timedelta(hours=14)
"""Largest offset by which a local day begins before the UTC day."""
_RECORD_COLUMNS = (
    "page",
    "key",
    "kind",
    "url",
    "author",
    "time",
    "time_at",
    "title",
    "text",
    "replies",
    "is_first",
    "first_seen",
)

_BATCH_PAGES = 50
_AHEAD = timedelta(days=2)
"""Tolerance for publication times after the time first seen: times without a zone, end-of-day dates."""


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page and its posts, comments and reviews; `row` is None for a thread whose first page is not stored. `is_repost`: its title is
    that of an earlier page, see `pipelines.titles`."""

    key: str
    row: Row | None
    records: Sequence[Row]
    is_repost: bool = False

    @property
    def at(self) -> str:
        """The instant of its publication in UTC, or else when it was first seen; ISO 8601, "" if neither is known. If only the day is
        known: when it was first seen, if that was on that day or the next one."""
        if self.row is None:
            return min((record["first_seen"] or "" for record in self.records), default="")
        published = instant(self.row["published_at"] or "") if self.is_dated else ""
        is_coarse = self.row.get("published_precision") == "day"
        return self._seen if not published or (is_coarse and _is_same_day(published, self._seen)) else published

    @property
    def is_dated(self) -> bool:
        """Whether it says when it was published, and not a time in the future of when it was seen."""
        published = instant(self.row["published_at"] or "") if self.row else ""
        return bool(published) and (not self._seen or published <= _later(self._seen))

    @property
    def _seen(self) -> str:
        return instant(self.row["first_seen"] or self.row["fetched_at"] or "") if self.row else ""

    def text(self, name: str) -> str:
        """A column of the page as text, "" where there is none."""
        return str(self.row[name] or "") if self.row else ""


@lru_cache(maxsize=1_000)
def _later(at: str) -> str:
    try:
        return (datetime.fromisoformat(at) + _AHEAD).isoformat(timespec="seconds")
    except OverflowError:
        return at


def _is_same_day(published: str, seen: str) -> bool:
    """Whether a page of that day was first seen on it or on the next one, in any time zone."""
    if not seen:
        return False
    return -_MAX_ZONE_OFFSET <= datetime.fromisoformat(seen) - datetime.fromisoformat(published) < timedelta(days=2)


@lru_cache(maxsize=1_000)
def instant(text: str) -> str:
    """The same time in UTC to the second, so that instants sort as texts; "" if it is none."""
    try:
        return utc_text(datetime.fromisoformat(text))
    except ValueError:
        return ""


def read_pages(store: Store, keys: Iterable[str]) -> list[StoredPage]:
    """The pages with these keys, those that are no longer stored without row and records."""
    wanted = list(keys)
    groups = (wanted[start : start + _BATCH_PAGES] for start in range(0, len(wanted), _BATCH_PAGES))
    return [page for group in groups for page in _read(store, group)]


def _read(store: Store, keys: Sequence[str]) -> Iterator[StoredPage]:
    rows = {row["key"]: row for row in store.select(PAGES, [Condition("key", "in", keys)], columns=_COLUMNS)}
    of_these, records = [Condition("page", "in", keys)], defaultdict[str, list[Row]](list)
    for record in store.select(RECORDS, of_these, columns=_RECORD_COLUMNS):
        records[record["page"]].append(record)
    spread = store.select(PROPAGATION, of_these, columns=("page", "verdict"))
    reposts = {row["page"] for row in spread if row["verdict"] == "repost"}
    for key in keys:
        yield StoredPage(key, rows.get(key), sorted(records[key], key=lambda record: record["key"]), key in reposts)
