"""Hot lists over time: one compact row for each list, crawl and day, and what it says: ranks and heat of items by visit.

A day's visits are numbers in columns: the time of each, the numbers of its items in order, their ranks, and their heat as the difference
in bits from the item's last heat; compressed together they take a hundredth of a row for each observation.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import pairwise
from math import isnan
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray
from scrapy.crawler import Crawler
from zstandard import ZstdError

from extractors.feeds import FeedEntry
from extractors.links.urls import url_key
from pipelines.items import HotListItem, Item
from pipelines.storage import store_of
from pipelines.stores.base import Column, Condition, MutableRow, Order, Row, Store, Table
from pipelines.stores.instant_columns import utc_text
from pipelines.stores.watch_tables import RANKINGS
from pipelines.zstd import Zstd

OBSERVATIONS = Table(
    "rankings",
    (
        *(Column(name) for name in ("source", "list", "item", "title", "url", "at")),
        Column("rank", "integer"),
        Column("heat", "real"),
    ),
    key=("source", "list", "item", "at"),
)
"""The exported rows: one for each item of each visit, in the order of time within a list."""
MAX_ENTRIES, MAX_TITLE_CHARS, MAX_URL_CHARS = 500, 300, 2_000
_MAX_DAY_ITEMS, _MAX_DAY_VISITS = 20_000, 3_000
_DAY_CHARS = len("2026-01-31")
_MAX_UNPACKED_BYTES = 64_000_000
_PACKED = Zstd(level=9)
_VISIT = np.dtype([("at", "<u4"), ("count", "<u2")])
_ENTRY = np.dtype([("item", "<u2"), ("rank", "<u2"), ("heat", "<f8")])
_MAX_READ_ROWS = 5_000
Visits = NDArray[np.void]


@dataclass(frozen=True, slots=True)
class RankingDay:
    """The visits of one list on one day (UTC).

    Attributes:
        items: key, title and address of each item, by number.
        visits: of `_VISIT`: seconds since 1970, and the number of entries. entries: of `_ENTRY`: those of all visits, in order; heat is NaN
            where the list has none.
    """

    items: tuple[tuple[str, str, str], ...] = ()
    visits: Visits = field(default_factory=lambda: np.zeros(0, _VISIT))
    entries: Visits = field(default_factory=lambda: np.zeros(0, _ENTRY))

    def seen(self, at: datetime, entries: Sequence[FeedEntry]) -> Self:
        """With one more visit; the same day if it is full."""
        known = {item[0]: number for number, item in enumerate(self.items)}
        items, found = list(self.items), list[tuple[int, int, float]]()
        for place, entry in enumerate(entries[:MAX_ENTRIES], 1):
            key = item_key(entry)
            if key not in known:
                known[key] = len(items)
                items.append((key, entry.title[:MAX_TITLE_CHARS], entry.url[:MAX_URL_CHARS]))
            found.append((known[key], min(entry.rank or place, 65_535), np.nan if entry.heat is None else entry.heat))
        if len(items) > _MAX_DAY_ITEMS or len(self.visits) >= _MAX_DAY_VISITS or not found:
            return self
        visit = np.array([(int(at.timestamp()), len(found))], _VISIT)
        return replace(
            self,
            items=tuple(items),
            visits=np.concatenate((self.visits, visit)),
            entries=np.concatenate((self.entries, np.array(found, _ENTRY))),
        )

    def each_visit(self) -> Iterator[tuple[int, Visits]]:
        """Seconds since 1970 and the entries of each visit."""
        ends = np.cumsum(self.visits["count"], dtype=np.int64).tolist()
        for at, count, end in zip(self.visits["at"].tolist(), self.visits["count"].tolist(), ends, strict=True):
            yield at, self.entries[end - count : end]

    def packed(self) -> bytes:
        """The numbers, compressed; `unpacked` reads them."""
        order = np.argsort(self.entries["item"], kind="stable")
        heat, item = self.entries["heat"][order].view(np.uint64), self.entries["item"][order]
        change = heat.copy()
        change[1:] ^= np.where(item[1:] == item[:-1], heat[:-1], np.uint64(0))
        visits = (self.visits["at"].astype("<u4").tobytes(), self.visits["count"].astype("<u2").tobytes())
        entries = (self.entries["item"].astype("<u2"), self.entries["rank"].astype("<u2"), change)
        head = np.array([len(self.visits), len(self.entries)], "<u4").tobytes()
        return _PACKED.compress(head + b"".join((*visits, *map(_by_byte, entries))))

    @classmethod
    def unpacked(cls, items: Iterable[Sequence[str]], data: bytes) -> Self:
        """The inverse of `packed`. Raises ValueError, TypeError or ZstdError for other bytes."""
        plain = _PACKED.decompress(data, _MAX_UNPACKED_BYTES)
        visits, entries = np.frombuffer(plain, "<u4", 2).tolist()
        sizes = np.cumsum([8, 4 * visits, 2 * visits, 2 * entries, 2 * entries, 8 * entries])
        at, count, item, rank, change = (plain[first:last] for first, last in pairwise(sizes.tolist()))
        found, read = np.empty(visits, _VISIT), np.empty(entries, _ENTRY)
        found["at"], found["count"] = np.frombuffer(at, "<u4"), np.frombuffer(count, "<u2")
        read["item"], read["rank"] = _of_bytes(item, "<u2"), _of_bytes(rank, "<u2")
        order = np.argsort(read["item"], kind="stable")
        heat = _of_bytes(change, "<u8").copy()
        heat = np.bitwise_xor.accumulate(heat) if entries else heat
        first = np.flatnonzero(np.diff(read["item"][order].astype(np.int32), prepend=-1))
        before = np.append(np.uint64(0), heat)[first]  # of the items before: each item's first change is its heat
        heat ^= np.repeat(before, np.diff(first, append=entries))
        read["heat"][order] = heat.view("<f8")
        names = tuple((str(key), str(title), str(url)) for key, title, url in items)
        if found["count"].sum() != entries or (entries and int(read["item"].max()) >= len(names)):
            raise ValueError("the numbers do not fit each other")
        return cls(names, found, read)


class RankingsPipeline:
    """Adds the row of its list and day to an item of a hot list."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._latest: dict[str, MutableRow] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_item(self, item: Item) -> Item:
        if isinstance(item, HotListItem):
            crawl = str(getattr(self._crawler.spider, "crawl_name", ""))
            if row := seen_row(item, crawl, store_of(self._crawler), self._latest):
                item.rows.append((RANKINGS, row))
        return item


def seen_row(item: HotListItem, crawl: str, store: Store | None, latest: dict[str, MutableRow]) -> MutableRow:
    """The row of the item's list and day with this visit; empty if it showed what the last one did, and that is not known.

    latest: the last row of each list, which may not be durable yet.
    """
    day = f"{item.read_at.astimezone(UTC):%Y-%m-%d}"
    list_key = _key(item.source, item.url, crawl)
    key = f"{list_key}.{day}"
    before = last = latest.get(list_key) or {}
    if last.get("key") != key:
        last = (store.get(RANKINGS, key) if store is not None else None) or {}
    entries = item.entries or _last_shown(last or before)
    if not entries:
        return {}
    now = (day_of(last) if last else RankingDay()).seen(item.read_at, entries)
    latest[list_key] = row = day_row(item.source, item.url, crawl, now)
    return row


def _last_shown(row: Row) -> tuple[FeedEntry, ...]:
    """The entries of the last visit in a row."""
    day = day_of(row) if row else RankingDay()
    shown: Visits = [*day.each_visit()][-1][1] if len(day.visits) else day.entries
    return tuple(
        FeedEntry(day.items[number][2], title=day.items[number][1], rank=rank, heat=None if isnan(heat) else heat)
        for number, rank, heat in shown.tolist()
    )


def day_row(source: str, url: str, crawl: str, day: RankingDay) -> MutableRow:
    """The row of a day's visits, of which there is at least one."""
    first, last = (datetime.fromtimestamp(int(day.visits["at"][place]), UTC) for place in (0, -1))
    name = f"{last:%Y-%m-%d}"
    return {
        "key": f"{_key(source, url, crawl)}.{name}",
        "source": source,
        "list": url[:MAX_URL_CHARS],
        "day": name,
        "crawl": crawl,
        "first_at": utc_text(first),
        "last_at": utc_text(last),
        "visits": len(day.visits),
        "items": [list(each) for each in day.items],
        "series": day.packed(),
    }


def day_of(row: Row) -> RankingDay:
    """The visits in a row of the table; none if the row is damaged."""
    try:
        return RankingDay.unpacked(row["items"] or (), row["series"])
    except (ValueError, TypeError, ZstdError):
        return RankingDay()


@dataclass(frozen=True, slots=True)
class ListSeries:
    """The visits of one list over several days, by all crawls.

    Attributes:
        items: key, title and address of each of I items, by number.
        at: int64[V], seconds since 1970 of each visit, ascending.
        visit, item, rank, heat: of each of E entries: the number of its visit and of its item, its rank, and its heat (NaN: unknown).
    """

    source: str
    url: str
    items: tuple[tuple[str, str, str], ...]
    at: NDArray[np.int64]
    visit: NDArray[np.int64]
    item: NDArray[np.int64]
    rank: NDArray[np.int64]
    heat: NDArray[np.float64]

    def at_visit(self, number: int) -> dict[int, tuple[int, float]]:
        """Rank and heat of each item at a visit, in the order of the list."""
        chosen = np.flatnonzero(self.visit == number)
        chosen = chosen[np.argsort(self.rank[chosen], kind="stable")]
        pairs = zip(self.rank[chosen].tolist(), self.heat[chosen].tolist(), strict=True)
        return dict(zip(self.item[chosen].tolist(), pairs, strict=True))


def read_lists(store: Store, since: datetime, until: datetime, source: str = "") -> list[ListSeries]:
    """Every list that was visited in the span, with its visits in it; of one source if it is named."""
    first, last = (f"{moment.astimezone(UTC):%Y-%m-%d}" for moment in (since, until))
    named = [Condition("source", "=", source)] if source else []
    days: dict[tuple[str, str], list[RankingDay]] = {}
    where = [*named, Condition("day", ">=", first), Condition("day", "<=", last)]
    for row in store.select(RANKINGS, where, limit=_MAX_READ_ROWS):
        days.setdefault((row["source"] or "", row["list"] or ""), []).append(day_of(row))
    span = int(since.timestamp()), int(until.timestamp())
    found = (_series(*name, each, span) for name, each in sorted(days.items()))
    return [series for series in found if len(series.at)]


def _series(source: str, url: str, days: Sequence[RankingDay], span: tuple[int, int]) -> ListSeries:
    numbers: dict[str, int] = {}
    items: dict[str, tuple[str, str, str]] = {}
    parts = list[tuple[NDArray[np.int64], NDArray[np.int64], Visits]]()
    for day in days:
        items = {each[0]: each for each in day.items} | items
        own = np.array([numbers.setdefault(each[0], len(numbers)) for each in day.items], np.int64)
        at = np.repeat(day.visits["at"].astype(np.int64), day.visits["count"])
        kept = (at >= span[0]) & (at <= span[1])
        parts.append((at[kept], own[day.entries["item"][kept]], day.entries[kept]))
    at, item = (np.concatenate([part[place] for part in parts]) for place in (0, 1))
    entries = np.concatenate([part[2] for part in parts])
    order, times = np.argsort(at, kind="stable"), np.unique(at)
    rank, heat = entries["rank"][order].astype(np.int64), entries["heat"][order]
    names = tuple(items[key] for key in numbers)
    return ListSeries(source, url, names, times, np.searchsorted(times, at[order]), item[order], rank, heat)


def item_key(entry: FeedEntry) -> str:
    """The key of an item over visits: its address, else its title."""
    return url_key(entry.url or f"title:{' '.join(entry.title.split())}")


def observations(store: Store, where: Sequence[Condition] = ()) -> Iterator[MutableRow]:
    """Rows of `OBSERVATIONS` that meet the conditions, list by list in the order of time."""
    of_rows = [each for each in where if each.column in ("source", "list")]
    days = [
        Condition("day", ">=" if each.operator in (">", ">=") else "<=", str(each.value)[:_DAY_CHARS])
        for each in where
        if each.column == "at" and each.operator in ("<", "<=", ">", ">=")
    ]
    for row in store.select(RANKINGS, [*of_rows, *days], [Order("source"), Order("list"), Order("day")]):
        yield from _rows_of(row, where)


def _rows_of(row: Row, where: Sequence[Condition]) -> Iterator[MutableRow]:
    day, named = day_of(row), {"source": row["source"], "list": row["list"]}
    items = [named | {"item": key, "title": title, "url": url} for key, title, url in day.items]
    visits = [{"at": utc_text(datetime.fromtimestamp(at, UTC))} for at in day.visits["at"].tolist()]
    fits = [np.array([_meets(values, where) for values in each], np.bool_) for each in (items, visits)]
    visit = np.repeat(np.arange(len(visits)), day.visits["count"])
    chosen = np.flatnonzero(fits[0][day.entries["item"]] & fits[1][visit]) if len(visits) else visit
    for place, (number, rank, heat) in zip(visit[chosen].tolist(), day.entries[chosen].tolist(), strict=True):
        values = {"rank": rank, "heat": None if isnan(heat) else heat}
        if _meets(values, where):
            yield items[number] | visits[place] | values


def _meets(values: Row, where: Sequence[Condition]) -> bool:
    """Whether the conditions on these columns are met."""
    return all(_COMPARED[each.operator](values[each.column], each.value) for each in where if each.column in values)


_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda value, wanted: bool(value == wanted),
    "!=": lambda value, wanted: bool(value != wanted),
    "contains": lambda value, wanted: wanted in str(value),
    "in": lambda value, wanted: value in wanted,
    "<": lambda value, wanted: value is not None and bool(value < wanted),
    "<=": lambda value, wanted: value is not None and bool(value <= wanted),
    ">": lambda value, wanted: value is not None and bool(value > wanted),
    ">=": lambda value, wanted: value is not None and bool(value >= wanted),
}


def _key(*parts: str) -> str:
    return blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=10).hexdigest()


def _by_byte(values: NDArray[Any]) -> bytes:
    """First bytes of all values, then second bytes, and so on, which compresses better."""
    return np.ascontiguousarray(values.view(np.uint8).reshape(len(values), values.itemsize).T).tobytes()


def _of_bytes(data: bytes, kind: str) -> NDArray[Any]:
    width = np.dtype(kind).itemsize
    rows = np.frombuffer(data, np.uint8).reshape(width, -1)
    return cast(NDArray[Any], np.ascontiguousarray(rows.T).view(kind).reshape(-1))
