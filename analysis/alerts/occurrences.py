"""What rules look for, as it happened in a span of time: the same code watches the present and previews the past."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One happening.

    Attributes:
        subject: what it is about; two occurrences of a rule with the same subject are the same if one goes on into the other.
        noticed: when the rule was met; begin: when it began; end: when it was over, None while it goes on.
        size: what grows while it goes on.
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
    """The end of what had its last sign at `last`: None if so many hours have not passed since."""
    return None if now - last < timedelta(hours=hours) else last
