"""Opening hours of hosts, in a time zone; requests are sent only within them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

_DAY_SECONDS = 86_400
_DAY_MINUTES = 1_440
DAYS_AHEAD = 8
"""Days for which spans are computed in advance, so that the Redis server that gets them needs no time zones."""

Span = tuple[float, float]
"""Start and end (exclusive), in seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Hours:
    """Daily spans in local time.

    On days when clocks change, a span has the shorter of its possible lengths, so that no request is sent outside it.

    Attributes:
        minutes: start and end of each span in minutes of the day; a span whose end is not after its start passes
            midnight.
        zone: a name of the IANA time zone database.
    """

    minutes: tuple[tuple[int, int], ...]
    zone: str = "UTC"

    @property
    def name(self) -> str:
        return f"{self.zone} {self.minutes}"

    def spans(self, now: float) -> tuple[Span, ...]:
        """The spans of about DAYS_AHEAD days that have not ended, in order and without overlap."""
        return tuple(span for span in _spans(self, int(now // _DAY_SECONDS)) if span[1] > now)

    def opens(self, now: float) -> float:
        """When the next request is allowed: `now` within hours, infinity if never."""
        for first, last in _spans(self, int(now // _DAY_SECONDS)):
            if now < last:
                return max(now, first)
        return float("inf")


@lru_cache(maxsize=4096)
def _spans(hours: Hours, day: int) -> tuple[Span, ...]:
    """Spans that end after midnight UTC of a day (counted from the epoch), with adjacent ones joined."""
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
    """The moments with this local time; they differ in an hour that is skipped or repeated."""
    here += timedelta(days=minutes // _DAY_MINUTES)
    local = datetime.combine(here, time(*divmod(minutes % _DAY_MINUTES, 60)), zone)
    return local.timestamp(), local.replace(fold=1).timestamp()


@dataclass(frozen=True, slots=True)
class Politeness:
    """Limits of one host: seconds between requests, concurrent requests, and opening hours (None: always open)."""

    delay: float = 1.0
    concurrency: int = 4
    hours: Hours | None = None
