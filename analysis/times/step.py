"""One part of a time expression: a pattern, and what it makes of the interval that was read before it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from analysis.times.interval import UNITS, Interval, Unit

Match = re.Match[str]


@dataclass(frozen=True, slots=True)
class TimeReading:
    """What a part is read against: the interval of the parts before it, None at the beginning, and the time that relative
    words and missing parts are taken from."""

    before: Interval | None
    base: datetime

    @property
    def start(self) -> datetime:
        """Where the missing longer parts come from."""
        return self.before.start if self.before else self.base


@dataclass(frozen=True, slots=True)
class TimeStep:
    """A pattern, and its function; None says that the words are no time here. It may follow parts of a lower rank only.

    `loose` ones are believed only where the whole text is a time.
    """

    pattern: re.Pattern[str]
    narrow: Callable[[Match, TimeReading], Interval | None]
    rank: int
    loose: bool = False


def skip(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Where a match of the pattern that begins there ends; `at` without one."""
    match = pattern.match(text, at)
    return match.end() if match else at


def step(
    unit: Unit, pattern: str, narrow: Callable[[Match, TimeReading], Interval | None], *, loose: bool = False
) -> TimeStep:
    """A step with its pattern compiled."""
    return TimeStep(re.compile(pattern), narrow, UNITS.index(unit), loose)
