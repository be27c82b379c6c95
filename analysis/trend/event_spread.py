"""The spread of an event: pages and sites by hour, first reports, and a forecast of the next day.

The forecast takes each page so far by its age, half as much after eight hours, and multiplies the sum by what came after such a sum
before: in events of the topic when they were as old, and on earlier days of the event itself.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from analysis.counts import Series, series_of_times
from analysis.events.store.output import event_of
from analysis.trend._forecast import HOURS, NORMAL_80, Forecast
from analysis.trend.baseline import Floats
from pipelines.stores.analysis_tables import EVENTS, MEMBERS
from pipelines.stores.base import Condition, Order, Row, Store

MAX_PAGES = 20_000
_MAX_HOURS = 120 * 24
_HALF_LIFE = 8.0
_FIRST_FACTOR, _FIRST_WEIGHT = 0.1, 2.0
"""Prior: pages per current page in a day, and its weight in pages; from simulated webs, whose events are short."""
_OTHERS, _LOOKED = 40, 1_000
_OWN_DAYS = 14
_COLUMNS = ("page", "at", "site", "title", "url")
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class SiteReport:
    """The first report of a site; `at` is an instant."""

    site: str
    at: datetime
    page: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class EventSpread:
    """`pages` by hour; int64[H] `sites` reached by the end of each hour; `reports`: the first of each site, by time. `row` is that of
    the table of events."""

    row: Row
    pages: Series
    sites: NDArray[np.int64]
    reports: tuple[SiteReport, ...]
    forecast: Forecast


def read_event_spread(store: Store, key: str, now: datetime) -> EventSpread:
    """The spread of an event, or of the event of a page, until `now` (aware) or a day after its last page, of at most 120 days.

    Raises StoreError if there is no such event.
    """
    row = event_of(store, key)
    members = list(_members(store, row["event"], _COLUMNS))
    times = [datetime.fromisoformat(member["at"]) for member in members]
    first = times[0] if times else now
    until = max(first, min(now, max(times, default=now) + _DAY, first + timedelta(hours=_MAX_HOURS)))
    until += timedelta(seconds=1)  # so that a page at the full hour counts
    reports = _first_reports(members, times)
    new = series_of_times([report.at for report in reports], first, until)
    forecast = event_forecast(_seconds(times), list(_others(store, row, len(times), now)), now.timestamp())
    return EventSpread(row, series_of_times(times, first, until), np.cumsum(new.counts), reports, forecast)


def _members(store: Store, event: str, columns: Sequence[str]) -> Iterator[Row]:
    """Members with an instant, in time order."""
    where = [Condition("event", "=", event), Condition("at", ">", "")]
    return store.select(MEMBERS, where, [Order("at"), Order("page")], MAX_PAGES, columns)


def _first_reports(members: Sequence[Row], times: Sequence[datetime]) -> tuple[SiteReport, ...]:
    first: dict[str, SiteReport] = {}
    for member, at in zip(members, times, strict=True):
        site = member["site"] or ""
        if site and site not in first:
            first[site] = SiteReport(site, at, member["page"], member["title"] or "", member["url"] or "")
    return tuple(first.values())


def _seconds(times: Sequence[datetime]) -> Floats:
    return np.array([time.timestamp() for time in times], np.float64)


def _others(store: Store, row: Row, pages: int, now: datetime) -> Iterator[Floats]:
    """Instants of pages of other events of the topic, the latest first, which may have been as big when they were as old."""
    where = [Condition("topic", "=", row["topic"]), Condition("last_at", "<=", now.astimezone(UTC).isoformat())]
    rows = store.select(EVENTS, where, [Order("last_at", True)], _LOOKED, ("event", "pages"))
    big = (each["event"] for each in rows if each["event"] != row["event"] and 2 * (each["pages"] or 0) >= pages)
    for event in islice(big, _OTHERS):
        yield _seconds([datetime.fromisoformat(member["at"]) for member in _members(store, event, ("at",))])


def event_forecast(times: Floats, others: Sequence[Floats], now: float) -> Forecast:
    """The day after `now`; `times` and each of `others` are sorted seconds of the pages of an event."""
    own = times[times <= now]
    weight = _weight(own, now)
    tried = np.array(_tried(own, others, now) or np.zeros((0, 2)), np.float64).reshape(-1, 2)
    weights, came = tried[:, 0], tried[:, 1]
    total = weight * float(_factor(weights.sum(), came.sum()))
    errors = weights * _factor(weights.sum() - weights, came.sum() - came) - came  # of factors without the day itself
    relative = float(np.sqrt(np.mean((errors / np.maximum(1, weights)) ** 2))) if len(errors) else 0.5
    half = NORMAL_80 * float(np.sqrt(total + (relative * weight) ** 2))
    fading = 0.5 ** (np.arange(HOURS) / _HALF_LIFE)
    error = float(np.abs(errors).mean()) if len(errors) else None
    return Forecast(total * fading / fading.sum(), total, max(0.0, total - half), total + half, error, len(errors))


def _factor(weights: Floats | np.float64, came: Floats | np.float64) -> Floats:
    return np.asarray((came + _FIRST_FACTOR * _FIRST_WEIGHT) / (weights + _FIRST_WEIGHT))


def _tried(own: Floats, others: Sequence[Floats], now: float) -> list[tuple[float, float]]:
    """Of days that are over the weight before and the pages that came: others when they were as old, and earlier days of its own."""
    if not len(own):
        return []
    age, day = now - own[0], _DAY.total_seconds()
    alike = [(times, times[0] + age) for times in others if len(times)]
    alike = [(times, at) for times, at in alike if 2 * (times <= at).sum() >= len(own)]
    earlier = [(own, now - day * back) for back in range(1, _OWN_DAYS + 1)]
    looks = [(times, at) for times, at in (*alike, *earlier) if times[0] <= at <= now - day]
    return [(_weight(times[times <= at], at), float(((times > at) & (times <= at + day)).sum())) for times, at in looks]


def _weight(times: Floats, now: float) -> float:
    return float((0.5 ** ((now - times) / 3_600 / _HALF_LIFE)).sum())
