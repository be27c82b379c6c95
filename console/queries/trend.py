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

from analysis.counts import read_series
from analysis.search import Finder, QueryError, count_pages, pages_having
from analysis.trend import change, collecting_from, has_before
from console.frame.params import ParamError
from extractors.topic.words import fold
from pipelines.stores.analysis_tables import COUNTS
from pipelines.stores.base import Store, each_value

KINDS = ("term", "topic", "place", "person")
MAX_NAMES = 5
MIN_DAILY_PAGES_FOR_SHARES = 30
"""Minimum pages a day for meaningful shares."""
_SPLIT = re.compile(r"[、，,;；\n]+")
_DEFAULT_DAYS, _LEAST_DAYS = 30, 7
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
    now: datetime

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

    def before(self) -> tuple[datetime, datetime]:
        """The same span before, as far into it as now is into these days."""
        edges = self.edges()
        length = edges[-1] - edges[0]
        return edges[0] - length, max(edges[0] - length, min(edges[-1], self.now) - length)


def counted_topics(store: Store) -> list[str]:
    """Topics that have counts, at most fifty."""
    return list(islice(each_value(store, COUNTS, "topic"), _MAX_TOPICS))


def collecting_since(store: Store, now: datetime) -> datetime:
    """When collecting began, within the last two years: older pages that were found later do not count."""
    series = read_series(store, now - timedelta(days=2 * _MAX_DAYS), now)
    found = np.flatnonzero(series.counts[(begun := collecting_from(series.counts)) :])
    return series.start + timedelta(hours=begun + int(found[0])) if len(found) else now


def days_of(params: Mapping[str, Any], zone: ZoneInfo, now: datetime, since: datetime) -> Days:
    """Those of the filters, or the last thirty, or those since collecting began, at least seven.

    Raises ParamError for more than a year, or for an end before the beginning.
    """
    last = date.fromisoformat(params["to"]) if "to" in params else now.astimezone(zone).date()
    most, least = (
        last - timedelta(days=n - 1) if last > date(1970, 3, 1) else last for n in (_DEFAULT_DAYS, _LEAST_DAYS)
    )
    default = min(least, max(most, since.astimezone(zone).date()))
    first = date.fromisoformat(params["from"]) if "from" in params else default
    if not 0 <= (last - first).days < _MAX_DAYS or not 1970 <= first.year <= last.year < 9999:
        raise ParamError(f"from and to are at most {_MAX_DAYS} days apart, and from is not after to")
    return Days(first, last, zone, params.get("by", "day"), now)


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
    """A line of the picture: its counts by bucket, their sum, the highest, and the sum of the same span before.

    finder: None without an index. topics: whose pages are counted, the first "" for all.
    """
    kind, value, hours = _counted(store, wish, days, topics)
    found = (
        _by_hours(hours, days) | {"before": _hours_before(store, kind, value, days, topics[0])}
        if finder is None
        else _by_pages(store, finder, kind, wish.value, days, topics[0])
    )
    counts = found["counts"]
    top = max(range(len(counts)), key=counts.__getitem__) if counts else 0
    return {"name": wish.value, "kind": kind, "value": value, "peak": top, **found}


def _by_hours(hours: HourCounts, days: Days) -> dict[str, Any]:
    counts = _by_bucket(hours, days)
    return {"counts": counts.tolist(), "total": int(counts.sum()), "is_exact": True}


def _hours_before(store: Store, kind: str, value: str, days: Days, topic: str) -> int:
    begin, end = days.before()
    dimension, value, topic = ("all", "", value) if kind == "topic" else (kind, value, topic)
    return int(read_series(store, begin, end, topic=topic, dimension=dimension, value=value).counts.sum())


def _by_pages(store: Store, finder: Finder, kind: str, value: str, days: Days, topic: str) -> dict[str, Any]:
    edges = days.edges()
    begin, end = edges[0], edges[-1]
    before = days.before()
    between, is_exact = _counter(store, finder, kind, value, before[0], end, topic)
    return {
        "counts": [between(*pair) for pair in pairwise(edges)], "total": between(begin, end), "before": between(*before),
        "is_exact": is_exact,
    }  # fmt: skip


def compared(lines: Iterable[dict[str, Any]], days: Days, since: datetime) -> bool:
    """Give each line its change against the span before, None where there is too little to compare; whether that was collected."""
    edges = days.edges()
    hours = (edges[-1] - edges[0]) / timedelta(hours=1)
    is_collected = has_before(int((edges[-1] - since) / timedelta(hours=1)), hours)
    for each in lines:
        each["change"] = change(each["total"], each["before"], is_collected)
    return is_collected


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
    return [int(count) for count in _by_bucket(_hours(store, days, "all", "", topic), days)]


def _counted(store: Store, wish: Wanted, days: Days, topics: Sequence[str]) -> tuple[str, str, HourCounts]:
    """The most frequent interpretation."""
    kinds = [wish.kind] if wish.kind else ["topic"] if wish.value in topics else ["term", "place", "person"]
    values = {kind: fold(wish.value) if kind == "term" else wish.value for kind in kinds}
    found = [(kind, values[kind], _of_kind(store, days, kind, values[kind], topics[0])) for kind in kinds]
    return max(found, key=lambda each: int(each[2].sum()))


def _of_kind(store: Store, days: Days, kind: str, value: str, topic: str) -> HourCounts:
    return _hours(store, days, "all", "", value) if kind == "topic" else _hours(store, days, kind, value, topic)


def _hours(store: Store, days: Days, dimension: str, value: str, topic: str) -> HourCounts:
    edges = days.edges()
    return read_series(store, edges[0], edges[-1], topic=topic, dimension=dimension, value=value).counts


def _by_bucket(hours: HourCounts, days: Days) -> HourCounts:
    edges = days.edges()
    places = [int((edge - edges[0]) / timedelta(hours=1)) for edge in edges]
    return np.array([hours[a:b].sum() for a, b in pairwise(places)], np.int64)
