"""On how many pages words, topics, places and people are, by day or week of the reader.

With a search index words are counted as search finds them, and topics by their pages, so that each number is that of the list behind it;
without one, the counts of titles stand in.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import islice, pairwise
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from analysis.counts import read_sum
from analysis.search import Finder, QueryError, count_pages, pages_having
from console.frame.params import ParamError
from console.queries.distinct import each_value
from extractors.topic.words import fold
from pipelines.stores.analysis_tables import COUNTS
from pipelines.stores.base import Store

KINDS = ("term", "topic", "place", "person")
MAX_NAMES = 5
MIN_DAILY_PAGES_FOR_SHARES = 30
"""Minimum pages a day for meaningful shares."""
_SPLIT = re.compile(r"[、，,;；\n]+")
_WEEK = timedelta(days=7)
_DEFAULT_DAYS = 30
_MAX_DAYS = 366
_MAX_TOPICS = 50
HourCounts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Wanted:
    """One line of the picture: what is counted, `kind` "" if the counts shall say which it is."""

    kind: str
    value: str


@dataclass(frozen=True, slots=True)
class Days:
    """Days of the reader, both included, in buckets of one or seven days that begin at `starts`."""

    first: date
    last: date
    zone: ZoneInfo
    by: str

    @property
    def starts(self) -> list[date]:
        if self.by == "week":
            begin = self.first - timedelta(days=self.first.weekday())
            return [begin + timedelta(days=7 * n) for n in range((self.last - begin).days // 7 + 1)]
        return [self.first + timedelta(days=n) for n in range((self.last - self.first).days + 1)]

    def edges(self) -> list[datetime]:
        """The instants at which the buckets begin, and the end of the last one, in UTC."""
        days = [*self.starts, self.last + timedelta(days=1)]
        days[0] = max(days[0], self.first)
        return [datetime(each.year, each.month, each.day, tzinfo=self.zone).astimezone(UTC) for each in days]


def counted_topics(store: Store) -> list[str]:
    """Topics that have counts, at most fifty."""
    return list(islice(each_value(store, COUNTS, "topic"), _MAX_TOPICS))


def days_of(params: Mapping[str, Any], zone: ZoneInfo, now: datetime) -> Days:
    """Those of the filters, or the last thirty; ParamError for more than a year, or for an end before the beginning."""
    last = date.fromisoformat(params["to"]) if "to" in params else now.astimezone(zone).date()
    default = (last - timedelta(days=_DEFAULT_DAYS - 1)) if last > date(1970, 3, 1) else last
    first = date.fromisoformat(params["from"]) if "from" in params else default
    if not 0 <= (last - first).days < _MAX_DAYS or not 1970 <= first.year <= last.year < 9999:
        raise ParamError(f"from and to are at most {_MAX_DAYS} days apart, and from is not after to")
    return Days(first, last, zone, params.get("by", "day"))


def wanted(text: str) -> list[Wanted]:
    """Parse user input such as `首付、place:上海`, at most five."""
    found = []
    for each in dict.fromkeys(part.strip() for part in _SPLIT.split(text)):
        kind, colon, value = each.partition(":")
        is_kind = bool(colon) and kind in KINDS and bool(value.strip())
        if each:
            found.append(Wanted(kind, value.strip()) if is_kind else Wanted("", each))
    return found[:MAX_NAMES]


def line(store: Store, finder: Finder | None, wish: Wanted, days: Days, topics: Sequence[str]) -> dict[str, Any]:
    """A line of the picture: its counts by bucket, their sum, the highest, and the last seven days against the seven before.

    finder: None without an index. topics: whose pages are counted, the first "" for all.
    """
    kind, value, hours = _counted(store, wish, days, topics)
    found = _by_hours(hours, days) if finder is None else _by_pages(store, finder, kind, wish.value, days, topics[0])
    counts = found["counts"]
    top = max(range(len(counts)), key=counts.__getitem__) if counts else 0
    return {"name": wish.value, "kind": kind, "value": value, "peak": top, **found}


def _by_hours(hours: HourCounts, days: Days) -> dict[str, Any]:
    counts, last = _by_bucket(hours, days), len(hours)
    recent, before = hours[max(0, last - 168) :], hours[max(0, last - 336) : max(0, last - 168)]
    return {
        "counts": counts.tolist(), "total": int(counts.sum()), "recent": int(recent.sum()), "before": int(before.sum()),
        "is_exact": True,
    }  # fmt: skip


def _by_pages(store: Store, finder: Finder, kind: str, value: str, days: Days, topic: str) -> dict[str, Any]:
    edges = days.edges()
    begin, end = edges[0], edges[-1]
    week, earlier = max(begin, end - _WEEK), max(begin, end - 2 * _WEEK)
    between, is_exact = _counter(store, finder, kind, value, begin, end, topic)
    return {
        "counts": [between(*pair) for pair in pairwise(edges)], "total": between(begin, end), "recent": between(week, end),
        "before": between(earlier, week), "is_exact": is_exact,
    }  # fmt: skip


def _counter(
    store: Store, finder: Finder, kind: str, value: str, begin: datetime, end: datetime, topic: str
) -> tuple[Callable[[datetime, datetime], int], bool]:
    """Counts pages between two instants; and whether the numbers are exact."""
    if kind == "topic":
        return lambda first, last: count_pages(store, first, last, value), True
    try:
        found = pages_having(store, finder, value, begin, end, topic)
    except QueryError:  # nothing to search for
        return lambda first, last: 0, True
    return found.between, found.exact


def totals(store: Store, finder: Finder | None, days: Days, topic: str) -> list[int]:
    """All pages by bucket: of the topic, or of everything."""
    if finder is not None:
        return [count_pages(store, *pair, topic) for pair in pairwise(days.edges())]
    return [int(count) for count in _by_bucket(_hours(store, days, "all", "", [topic]), days)]


def _counted(store: Store, wish: Wanted, days: Days, topics: Sequence[str]) -> tuple[str, str, HourCounts]:
    """The most frequent interpretation."""
    kinds = [wish.kind] if wish.kind else ["topic"] if wish.value in topics else ["term", "place", "person"]
    values = {kind: fold(wish.value) if kind == "term" else wish.value for kind in kinds}
    found = [(kind, values[kind], _of_kind(store, days, kind, values[kind], topics)) for kind in kinds]
    return max(found, key=lambda each: int(each[2].sum()))


def _of_kind(store: Store, days: Days, kind: str, value: str, topics: Iterable[str]) -> HourCounts:
    return _hours(store, days, "all", "", [value]) if kind == "topic" else _hours(store, days, kind, value, topics)


def _hours(store: Store, days: Days, dimension: str, value: str, topics: Iterable[str]) -> HourCounts:
    edges = days.edges()
    return read_sum(store, edges[0], edges[-1], list(topics), dimension=dimension, value=value).counts


def _by_bucket(hours: HourCounts, days: Days) -> HourCounts:
    edges = days.edges()
    places = [int((edge - edges[0]) / timedelta(hours=1)) for edge in edges]
    return np.array([hours[a:b].sum() for a, b in pairwise(places)], np.int64)
