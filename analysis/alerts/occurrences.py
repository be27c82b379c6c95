"""Occurrences of what rules look for; the same code serves live alerts and previews of the past."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One occurrence of what a rule looks for.

    Attributes:
        subject: what it is about; occurrences of a rule with the same subject are one if the first continues into the second.
        noticed: when the rule was met; begin: when it began; end: when it ended, None while it continues.
        size: a measure that grows while it continues.
        link: address of a page, "" if there is none.
    """

    subject: str
    begin: datetime
    noticed: datetime
    end: datetime | None
    size: float
    title: str
    text: str
    link: str = ""
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Standing:
    """How a rule stands now: its number against the threshold.

    Attributes:
        note: why it cannot be met yet ("few_texts", "young_series"), "" if it can.
    """

    number: float
    threshold: float
    is_met: bool
    note: str = ""

    @classmethod
    def of(cls, number: float, threshold: float) -> "Standing":
        """Met from the threshold on."""
        return cls(number, threshold, number >= threshold)


@dataclass(frozen=True, slots=True)
class Look:
    """The result of one look at a rule."""

    occurrences: Sequence[Occurrence]
    standing: Standing


def going(occurrences: Iterable[Occurrence]) -> float:
    """The number of occurrences that continue."""
    return float(sum(each.end is None for each in occurrences))


def windows(times: NDArray[np.int64], hours: int, count: int) -> Iterator[tuple[int, int, int]]:
    """Stretches in which any `hours` hours have `count` of the sorted instants (seconds) or more.

    Yields the place of the first instant of the stretch, of the one that made it full, and of its last one.
    """
    if len(times) < count:
        return
    width = hours * 3_600
    full = np.flatnonzero(times[count - 1 :] - times[: len(times) - count + 1] <= width) + count - 1
    start = 0
    while start < len(full):
        stop = start
        while stop + 1 < len(full) and times[full[stop + 1]] - times[full[stop]] <= width:
            stop += 1
        yield int(full[start]) - count + 1, int(full[start]), int(full[stop])
        start = stop + 1


def over(last: datetime, now: datetime, hours: float) -> datetime | None:
    """The end of an occurrence last seen at `last`; None if fewer than `hours` hours have passed since."""
    return None if now - last < timedelta(hours=hours) else last
