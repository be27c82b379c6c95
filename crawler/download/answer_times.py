"""The time at which a server created its answer, from its headers."""

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from scrapy.http import Response

_BEHIND = timedelta(minutes=10)
"""Tolerance for a server's clock behind ours, and for errors of `Age`."""
_MAX_CLOCK_LEAD = timedelta(minutes=2)
_MAX_AGE_CHARS = 8
_FRESH = re.compile(r'(?<![\w-])(s-maxage|max-age)="?(\d{1,8})(?!\d)')
_MAX_DATE_HEADER_CHARS = 1_000


def made_at(response: Response, received: datetime) -> datetime:
    """The answer's `Date` if consistent with the moment of receipt (aware), else that moment; never later than it.

    An older `Date` is accepted only for a copy that a cache has kept that long by its `Age` (RFC 9111, 4.2.3): "3 minutes
    ago" in the page is relative to the creation of the copy.
    """
    said = date_of(response)
    if said is None or said > received + _MAX_CLOCK_LEAD:
        return received
    behind = received - said
    if behind > _BEHIND and abs(behind - timedelta(seconds=age_of(response))) > _BEHIND:
        return received
    return min(said, received)


def kept_for(response: Response) -> float:
    """Seconds for which a cache will keep serving the same answer (RFC 9111, 4.2); 0 if it is not from a cache, or if that is
    long."""
    caching = (response.headers.get("Cache-Control") or b"").decode("latin-1").lower()
    found = {name: int(value) for name, value in _FRESH.findall(caching[:_MAX_DATE_HEADER_CHARS])}
    left = found.get("s-maxage", found.get("max-age", 0)) - age_of(response)
    return float(left) if response.headers.get("Age") and 0 < left <= _BEHIND.total_seconds() else 0.0


def date_of(response: Response) -> datetime | None:
    """The header `Date`; None if missing or invalid."""
    try:
        said = parsedate_to_datetime((response.headers.get("Date") or b"").decode("latin-1"))
    except (ValueError, TypeError, OverflowError):
        return None
    return said if said.tzinfo else said.replace(tzinfo=UTC)


def age_of(response: Response) -> int:
    """Seconds for which a cache has had the answer; 0 by default."""
    said = (response.headers.get("Age") or b"").decode("latin-1").strip()
    return int(said) if said.isdecimal() and len(said) <= _MAX_AGE_CHARS else 0
