"""A series with its usual level, bursts and forecast, as used by charts, alerts and reports."""

from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

import numpy as np
from numpy.typing import NDArray

from analysis.counts import Measure, Series, read_series
from analysis.spans import LOCAL
from analysis.trend._forecast import Forecast, forecast
from analysis.trend._history import has_before, knows_usual
from analysis.trend.baseline import Floats, expected
from analysis.trend.bursts import DEFAULT, Burst, Sensitivity, find_bursts
from pipelines.stores.base import Store

_DAY_HOURS, _TYPICAL_DAYS, _LEAST_SHARE = 24, 14, 0.1
HISTORY = timedelta(days=35)
"""Read before the wanted time, so that the baseline knows day and week."""


@dataclass(frozen=True, slots=True)
class Trend:
    """Hours from `series.start`: counts, float64[H] `usual`, int64[H] `total` of all that was collected, bursts with hours of this
    series, and the forecast of the day after. `coverage` is the last day's total by that of a usual day, 0 if there was none. The first
    week of the `collected_hours` has no burst."""

    series: Series
    usual: Floats
    total: NDArray[np.int64]
    bursts: tuple[Burst, ...]
    forecast: Forecast
    coverage: float
    collected_hours: int

    def at(self, hour: int) -> datetime:
        """When an hour begins."""
        return self.series.start + timedelta(hours=hour)

    @property
    def knows_usual(self) -> bool:
        """Whether there is history enough for a usual level and a forecast."""
        return knows_usual(self.collected_hours)

    @property
    def has_before(self) -> bool:
        """Whether the period before was collected too."""
        return has_before(self.collected_hours, len(self.series.counts))

    @property
    def share(self) -> Floats:
        """float64[H]: the counts by the total, 0 where nothing was collected."""
        return np.asarray(self.series.counts / np.maximum(1, self.total))


def trend_of(
    series: Series, total: Series, since: datetime, zone: tzinfo = LOCAL, sensitivity: Sensitivity = DEFAULT
) -> Trend:
    """The part of a series from `since` on; the hours before are history. `total` has the same hours."""
    begun = collecting_from(total.counts)
    first = (series.start + timedelta(hours=begun)).astimezone(zone)
    first_hour = first.weekday() * 24 + first.hour
    counts, all_ = series.counts[begun:], total.counts[begun:]
    known = expected(counts, all_, first_hour)
    usual = np.concatenate([series.counts[:begun].astype(np.float64), known])  # no burst before
    bursts = [_moved(burst, -begun) for burst in find_bursts(counts, known, sensitivity)]
    skipped = max(0, min(len(series.counts), (since - series.start) // timedelta(hours=1)))
    shown = Series(series.start + timedelta(hours=skipped), series.counts[skipped:])
    return Trend(
        shown,
        usual[skipped:],
        total.counts[skipped:],
        tuple(_moved(burst, skipped) for burst in bursts if burst.end is None or burst.end > skipped),
        forecast(counts, all_, first_hour),
        _coverage(all_, first_hour),
        len(counts),
    )


def collecting_from(total: NDArray[np.int64]) -> int:
    """The hour from which pages were collected as they came: earlier ones are old pages that were found later, and say nothing of what is
    usual. It begins a day that has a tenth of the second best of the last two weeks."""
    days = len(total) // _DAY_HOURS
    if days < 2:
        return 0
    rest = len(total) - days * _DAY_HOURS
    sums = total[rest:].reshape(days, _DAY_HOURS).sum(axis=1)
    typical = np.sort(sums[-_TYPICAL_DAYS:])[-2]
    first = int((sums >= max(1.0, _LEAST_SHARE * typical)).argmax())
    return rest + first * _DAY_HOURS if first else 0


def _moved(burst: Burst, by: int) -> Burst:
    end = None if burst.end is None else burst.end - by
    return Burst(burst.start - by, burst.noticed - by, burst.peak - by, end, burst.count, burst.usual, burst.distance)


def _coverage(total: NDArray[np.int64], first_hour: int) -> float:
    usual = expected(total, None, first_hour)[-24:].sum()
    return float(total[-24:].sum() / usual) if len(total) and usual else 0.0


def read_trend(
    store: Store, since: datetime, until: datetime, *, topic: str = "", dimension: str = "all", value: str = "",
    measure: Measure = "pages", zone: tzinfo = LOCAL,
) -> Trend:  # fmt: skip
    """The trend of a series of the store, see `read_series`; its coverage is that of all topics together."""
    begin = since - max(HISTORY, until - since)
    series = read_series(store, begin, until, topic=topic, dimension=dimension, value=value, measure=measure)
    total = read_series(store, begin, until, measure=measure)
    first = int((series.counts + total.counts > 0).argmax())
    series, total = _without(series, first), _without(total, first)
    return trend_of(series, total, since, zone)


def _without(series: Series, hours: int) -> Series:
    """Hours before the first collected page are not part of the baseline."""
    return Series(series.start + timedelta(hours=hours), series.counts[hours:])
