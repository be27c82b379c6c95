"""The analysis as plain functions over plain values, as a scorer calls them."""

from datetime import datetime

from analysis import times


def resolve_time(text: str, base: str) -> tuple[str | None, str | None]:
    """The first and the last second of a time expression, as ISO texts; both None if it is not understood."""
    found = times.resolve_time(text, datetime.fromisoformat(base).replace(tzinfo=None))
    return (found.start.isoformat(), found.end.isoformat()) if found else (None, None)
