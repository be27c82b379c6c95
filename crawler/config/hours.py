"""Hours in which a host may be asked, in the zone in which they are meant."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

_DAY_SECONDS = 86_400
_DAY_MINUTES = 1_440
DAYS_AHEAD = 8
"""For so many days the spans are worked out at once; a server that is told them needs to know nothing of zones."""

Span = tuple[float, float]
"""From when, and until before when; seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Hours:
    """Spans of every day by the clock on the wall.

    Where clocks are put forward or back a span is the shorter of what it may mean: nobody is asked at an hour that is
    outside by any reading.

    Attributes:
        minutes: begin and end of each span as minutes of the day; one that does not end after it begins goes over
            midnight.
        zone: a name of the IANA database.
    """

    minutes: tuple[tuple[int, int], ...]
    zone: str = "UTC"

    @property
    def name(self) -> str:
        """The same for the same hours."""
        return f"{self.zone} {self.minutes}"

    def spans(self, now: float) -> tuple[Span, ...]:
        """Those that have not ended, of some DAYS_AHEAD days, in order and apart from each other."""
        return tuple(span for span in _spans(self, int(now // _DAY_SECONDS)) if span[1] > now)

    def opens(self, now: float) -> float:
        """When the host may be asked next: `now` if it may be now; infinity if never."""
        for first, last in _spans(self, int(now // _DAY_SECONDS)):
            if now < last:
                return max(now, first)
        return float("inf")


@lru_cache(maxsize=4096)
def _spans(hours: Hours, day: int) -> tuple[Span, ...]:
    """Spans that end after midnight UTC of a day (counted from the epoch), those that touch made one."""
    found: list[Span] = []
    for first, last in sorted(_each_span(hours, date.fromordinal(day + date(1970, 1, 1).toordinal()))):
        if found and first <= found[-1][1]:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        elif first < last:
            found.append((first, last))
    return tuple(span for span in found if span[1] > day * _DAY_SECONDS)


def _each_span(hours: Hours, today: date) -> Iterator[Span]:
    zone = ZoneInfo(hours.zone)
    for offset in range(-2, DAYS_AHEAD + 1):
        here = today + timedelta(days=offset)
        for first, last in hours.minutes:
            end_day = here if last > first else here + timedelta(days=1)
            span = max(_moments(here, first, zone)), min(_moments(end_day, last, zone))
            if span[0] < span[1]:
                yield span


def _moments(here: date, minutes: int, zone: ZoneInfo) -> tuple[float, float]:
    """When the clock on the wall shows that; two answers in the hour that is left out or comes twice."""
    here += timedelta(days=minutes // _DAY_MINUTES)
    shown = datetime.combine(here, time(*divmod(minutes % _DAY_MINUTES, 60)), zone)
    return shown.timestamp(), shown.replace(fold=1).timestamp()


@dataclass(frozen=True, slots=True)
class Politeness:
    """Per host: seconds between two requests, how many may be under way at once, and when it may be asked (None: always)."""

    delay: float = 1.0
    concurrency: int = 4
    hours: Hours | None = None
