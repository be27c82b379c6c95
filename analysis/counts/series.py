"""Series of counts read from the store: hours of one topic, site, kind, term, place, person or mood. No page is read."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from analysis.counts.cells import ALL_TOPICS, OF_ALL_TOPICS
from pipelines.stores.analysis_tables import COUNTS
from pipelines.stores.base import Condition, Row, Store, each_value

Measure = Literal["pages", "posts"]
DIMENSIONS = ("all", "host", "kind", "term", "person", "place", "mood", "verdict")
_HOURLY_MAX_DAYS = 3


@dataclass(frozen=True, slots=True)
class Series:
    """int64[H] counts of consecutive hours, the first of which begins at `start` (UTC)."""

    start: datetime
    counts: NDArray[np.int64]

    def times(self) -> list[datetime]:
        """The start of each hour."""
        return [self.start + timedelta(hours=hour) for hour in range(len(self.counts))]

    @property
    def end(self) -> datetime:
        return self.start + timedelta(hours=len(self.counts))


def read_series(
    store: Store, since: datetime, until: datetime, *, topic: str = "", dimension: str = "all", value: str = "",
    measure: Measure = "pages",
) -> Series:  # fmt: skip
    """The hours from `since` to `until` (aware; widened to whole hours); `topic` "" is all topics together."""
    start, hours = _whole_hours(since, until)
    counts = np.zeros(hours + 48, np.int64)
    first, topics = start.date(), _topics(store, topic, dimension)
    for row in _days(store, topics, (dimension, value), first, until.astimezone(UTC).date(), measure):
        at = _hours_after(first, row["day"])
        if row[measure] and 0 <= at <= len(counts) - 24 and len(row[measure]) == 24:
            counts[at : at + 24] += np.array(row[measure], np.int64)
    return Series(start, counts[start.hour : start.hour + hours])


def _topics(store: Store, topic: str, dimension: str) -> list[str]:
    """The topics whose rows are summed."""
    if topic or dimension in OF_ALL_TOPICS:
        return [topic]
    return [ALL_TOPICS, *each_value(store, COUNTS, "topic")]


def _hours_after(first: date, day: str) -> int:
    """From the beginning of a day to that of another; -1 for a text that is not a day."""
    try:
        return (date.fromisoformat(day) - first).days * 24
    except ValueError:
        return -1


def _days(
    store: Store, topics: Sequence[str], key: tuple[str, str], first: date, last: date, measure: Measure
) -> Iterable[Row]:
    """The rows of these days. A few days are queried by full key, as some servers scan all rows otherwise."""
    if len(topics) == 1 and (last - first).days < _HOURLY_MAX_DAYS:
        days = [(first + timedelta(days=each)).isoformat() for each in range((last - first).days + 1)]
        return [row for day in days if (row := store.get(COUNTS, *topics, *key, day)) is not None]
    where = [
        Condition("topic", "in", list(topics)),
        Condition("dimension", "=", key[0]),
        Condition("value", "=", key[1]),
    ]
    span = [Condition("day", ">=", first.isoformat()), Condition("day", "<=", last.isoformat())]
    return store.select(COUNTS, [*where, *span], columns=["day", measure])


def _whole_hours(since: datetime, until: datetime) -> tuple[datetime, int]:
    start = since.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    hours = -(-(until - start) // timedelta(hours=1))
    return start, max(0, hours)


def series_of_times(times: Iterable[datetime], since: datetime, until: datetime) -> Series:
    """Hourly counts of the given instants (aware), for example of an event's reports."""
    start, hours = _whole_hours(since, until)
    places = [(time - start) // timedelta(hours=1) for time in times]
    inside = [place for place in places if 0 <= place < hours]
    return Series(start, np.bincount(np.array(inside, np.int64), minlength=hours).astype(np.int64))


def read_totals(
    store: Store, since: datetime, until: datetime, dimension: str, *, topic: str = "", measure: Measure = "pages"
) -> dict[str, int]:
    """Counts of each value of a dimension in the hours from `since` to `until`; these and the topic are those of `read_series`."""
    start, hours = _whole_hours(since, until)
    where = [Condition("topic", "in", _topics(store, topic, dimension)), Condition("dimension", "=", dimension)]
    found: defaultdict[str, int] = defaultdict(int)
    for value, count in _totals(store, where, start, start + timedelta(hours=hours), measure):
        found[value] += count
    return {value: count for value, count in found.items() if count > 0}


def _totals(
    store: Store, where: list[Condition], start: datetime, end: datetime, measure: Measure
) -> Iterator[tuple[str, int]]:
    """Value and count of each row: the total of whole days, some hours of the first and the last."""
    first, last = start.date(), end.date()
    whole = first + timedelta(days=bool(start.hour))
    span = [Condition("day", ">=", whole.isoformat()), Condition("day", "<", last.isoformat())]
    for row in store.select(COUNTS, [*where, *span], columns=["value", f"{measure}_total"]):
        yield row["value"], row[f"{measure}_total"] or 0
    for day in dict.fromkeys(day for day, some in ((first, start.hour), (last, end.hour)) if some):
        hours = slice(start.hour if day == first else 0, end.hour if day == last else None)
        for row in store.select(COUNTS, [*where, Condition("day", "=", day.isoformat())], columns=["value", measure]):
            yield row["value"], sum((row[measure] or [])[hours])
