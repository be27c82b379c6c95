"""Statements that the history allows: with too little of it, no page, file or message names a usual, a change or a forecast."""

from analysis.trend.bursts import WARM_UP

_LEAST_BEFORE = 10
"""Counts of the period before, below which a ratio says nothing."""


def knows_usual(collected_hours: int) -> bool:
    """Whether this number of hours of collecting says what is usual: from then on bursts are found."""
    return collected_hours > WARM_UP


def has_before(collected_hours: int, span_hours: float) -> bool:
    """Whether the period before one of `span_hours` was collected as well; `collected_hours` end with the later one."""
    return collected_hours >= 2 * span_hours


def change(count: int, before: int, is_collected: bool) -> float | None:
    """How much more than in the period before, as a share of that; None if there is too little to compare."""
    return count / before - 1 if is_collected and before >= _LEAST_BEFORE else None
