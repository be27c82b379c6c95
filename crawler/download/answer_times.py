"""When a server made its answer, as its headers say."""

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from scrapy.http import Response

_BEHIND = timedelta(minutes=10)
"""A server's clock may be so far behind ours, and what `Age` says so far from the truth."""
_MAX_CLOCK_LEAD = timedelta(minutes=2)
_MAX_AGE_CHARS = 8
_FRESH = re.compile(r'(?<![\w-])(s-maxage|max-age)="?(\d{1,8})(?!\d)')
_MAX_DATE_HEADER_CHARS = 1_000


def made_at(response: Response, received: datetime) -> datetime:
    """The answer's `Date` where it fits the moment of receipt (aware), else that moment; never later than it.

    A `Date` further back is believed only of a copy that a cache has kept for that long by its `Age` (RFC 9111, 4.2.3):
    what the page calls "3 minutes ago" was so when the copy was made.
    """
    said = date_of(response)
    if said is None or said > received + _MAX_CLOCK_LEAD:
        return received
    behind = received - said
    if behind > _BEHIND and abs(behind - timedelta(seconds=age_of(response))) > _BEHIND:
        return received
    return min(said, received)


def kept_for(response: Response) -> float:
    """Seconds for which a cache will go on giving the same answer (RFC 9111, 4.2); 0 where the answer is not from a cache, or
    where that is long."""
    told = (response.headers.get("Cache-Control") or b"").decode("latin-1").lower()
    found = {name: int(value) for name, value in _FRESH.findall(told[:_MAX_DATE_HEADER_CHARS])}
    left = found.get("s-maxage", found.get("max-age", 0)) - age_of(response)
    return float(left) if response.headers.get("Age") and 0 < left <= _BEHIND.total_seconds() else 0.0


def date_of(response: Response) -> datetime | None:
    """The header `Date`; None if there is none that can be read."""
    try:
        said = parsedate_to_datetime((response.headers.get("Date") or b"").decode("latin-1"))
    except (ValueError, TypeError, OverflowError):
        return None
    return said if said.tzinfo else said.replace(tzinfo=UTC)


def age_of(response: Response) -> int:
    """Seconds for which a cache has had the answer; 0 where nothing is said."""
    said = (response.headers.get("Age") or b"").decode("latin-1").strip()
    return int(said) if said.isdecimal() and len(said) <= _MAX_AGE_CHARS else 0
