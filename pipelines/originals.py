"""Which page of a story was there first, and how long after it the others came.

Whoever is seen later can claim any date. So a page that was collected after another one is before it only if its text is not another
one, and if its date is credible: neither in the future nor long before the other one, and of a page that was seen weeks later, only
if it was new then.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import reduce

from extractors.text.instants import interval_of
from pipelines.stores.base import Row
from pipelines.stores.instant_columns import utc_text

_SLACK = timedelta(days=2)
"""Tolerance between dates and first sightings: time zones, days without an hour, visits that are hours apart."""
_MAX_DELAY = timedelta(days=60)
"""Longest time between an original and its reposts; what claims more has a wrong date."""
_WIDE = frozenset(("hour", "day", "month", "year"))
_MIN_COPY_LIKENESS = 0.4
"""Share of common sequences below which two long texts are not copies of each other."""
_LAST = datetime.max.replace(tzinfo=UTC)


def original_of(rows: Iterable[Row]) -> Row:
    """The original of the rows of a story."""
    return reduce(lambda first, row: row if _overtakes(row, first) else first, sorted(rows, key=_order_of_sight))


def instant_of(row: Row) -> datetime | None:
    """When a page was published, in UTC: as it says, or if it says nothing or the future, when it was first seen; None if neither is
    known."""
    claimed, seen = _claimed(row), _seen(row)
    return seen if claimed is None or (seen is not None and claimed > seen + _SLACK) else claimed


def delay_hours(original: Row, row: Row) -> float | None:
    """Hours between an original and a page; None where dates are missing, and where they contradict each other."""
    first, then = _claimed(original), _claimed(row)
    if first is None or then is None or not timedelta() <= then - first <= _MAX_DELAY:
        return None
    return round((then - first) / timedelta(hours=1), 2)


def known_delay(hours: float | None) -> float | None:
    """A stored delay, or None where it cannot be one."""
    return hours if hours is not None and 0 <= hours <= _MAX_DELAY / timedelta(hours=1) else None


def by_time(row: Row) -> tuple[datetime, str]:
    """A sort key; pages without a time come last."""
    return instant_of(row) or _LAST, str(row["page"])


def _overtakes(row: Row, first: Row) -> bool:
    """Whether a page was published before one that was collected earlier."""
    claimed, other = _claimed(row), instant_of(first)
    if claimed is None or _is_another_text(row) or instant_of(row) != claimed:
        return False
    if other is None:
        return True
    is_before = timedelta() < other - claimed <= _MAX_DELAY and claimed + _width(row) <= other
    return is_before and _is_credible(row, claimed, first)


def _is_credible(row: Row, claimed: datetime, first: Row) -> bool:
    seen, other = _seen(row), _seen(first)
    if seen is None or other is None:
        return True
    return seen - other <= _SLACK or seen - claimed <= _SLACK + _width(row)


def _width(row: Row) -> timedelta:
    """A day for a page that says the day only, an hour for one of which the hour is known."""
    found = interval_of(row.get("published") or "")
    return found.end - found.begin if found and found.precision in _WIDE else timedelta()


def _is_another_text(row: Row) -> bool:
    """Whether the first sentences differ from those of the page with the nearest title; False where one has too few."""
    verdict, likeness = row.get("by_body"), row.get("body_likeness") or 0.0
    return verdict == "different" or (verdict != "same" and 0 < likeness < _MIN_COPY_LIKENESS)


def _order_of_sight(row: Row) -> tuple[float, str]:
    return row.get("place") or float("inf"), str(row["page"])


def _claimed(row: Row) -> datetime | None:
    """Rows without an instant have only the time as the page writes it."""
    return _instant(row.get("published_at") or row.get("published"))


def _seen(row: Row) -> datetime | None:
    return _instant(row.get("first_seen") or row.get("fetched_at"))


def _instant(text: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(utc_text(datetime.fromisoformat(text or "")))
    except (ValueError, OverflowError):
        return None
