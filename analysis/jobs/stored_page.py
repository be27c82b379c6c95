"""A stored page with its records, as the analysis reads it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from pipelines.dating import counted_at
from pipelines.stores.base import Condition, Row, Store
from pipelines.stores.instant_columns import utc_text
from pipelines.stores.tables import PAGES, PROPAGATION, RECORDS

_COLUMNS = (
    "key", "url", "host", "kind", "title", "author", "published", "published_at", "published_precision", "source", "body", "language",
    "topic", "relevance", "first_seen", "fetched_at", "counted_at",
)  # fmt: skip
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
_COARSE = ("month", "year")


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
        """The instant in UTC by which it is sorted and counted, see `PageTime.counted`; ISO 8601, "" if nothing is known."""
        if self.row is None:
            return min((record["first_seen"] or "" for record in self.records), default="")
        return instant(counted_at(self.row))

    @property
    def is_dated(self) -> bool:
        """Whether at least the day of its publication is known."""
        return (
            bool(self.row and instant(self.row["published_at"] or ""))
            and self.text("published_precision") not in _COARSE
        )

    def text(self, name: str) -> str:
        """A column of the page as text, "" where there is none."""
        return str(self.row[name] or "") if self.row else ""


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
