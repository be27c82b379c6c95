"""The columns of a page's time, from the page and from what lists showed of it."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from extractors.article.dating import PageTime, Sighting, page_time
from extractors.article.published import PublishedTime
from extractors.article.zones import time_style, zone_of_host
from extractors.page import Page
from extractors.text.instants import Interval, Precision
from pipelines.stores.base import MutableRow, Row
from pipelines.stores.instant_columns import utc_text

_MOMENTS = (("first_seen", "fetched_at"), ("published_at", "published_at"))
_AHEAD = timedelta(days=2)
"""Tolerance for publication times after the time first seen, of rows that were stored without `counted_at`."""
COARSE = frozenset(("day", "month", "year"))
"""Precisions of times without an hour."""
Listed = Mapping[str, str]
"""A `Sighting` as texts, of which none is empty: `said`, `after` and `by` (ISO 8601 in UTC), `new`; and the item's `title`."""


def listed(
    said: str = "", after: float = 0.0, by: float = 0.0, *, is_new: bool = False, title: str = ""
) -> dict[str, str]:
    """Facts that lists gave, for a request and a row; `after` and `by` are seconds since 1970, 0 if unknown."""
    moments = {"after": after, "by": by}
    texts = {name: utc_text(datetime.fromtimestamp(at, UTC)) for name, at in moments.items() if at > 0}
    return (
        ({"said": said} if said else {})
        | texts
        | ({"new": "yes"} if is_new else {})
        | ({"title": title} if title else {})
    )


def time_of(page: Page, shown: Listed | None = None) -> PageTime:
    """When a page was published; `shown` by lists."""
    article = page.article
    zone = time_style(article.language, page.url).zone or zone_of_host(page.url)
    declared = PublishedTime(article.published, article.published_by)
    return page_time(declared, page.fetched_at, zone, _sighting(shown or {}))


def time_columns(page: Page, shown: Listed | None = None, first_seen: str = "") -> MutableRow:
    """The columns of the table `pages` about a page's time. `first_seen`: when it was found, if that was before this visit."""
    time, found = time_of(page, shown), _moment(first_seen) or page.fetched_at
    columns: MutableRow = {
        "published": time.text,
        "published_at": utc_text(time.interval.begin) if time.interval else "",
        "published_precision": time.precision,
        "published_by": time.evidence,
        "counted_at": utc_text(time.counted(found)),
    }
    return columns | ({"listed": dict(shown)} if shown else {})


def counted_at(row: Row) -> str:
    """The instant, in UTC, by which a stored page is sorted and counted; "" if nothing is known."""
    if row.get("counted_at"):
        return str(row["counted_at"])
    found, begin = (_moment(row.get(first) or row.get(other) or "") for first, other in _MOMENTS)
    precision: Precision = row.get("published_precision") or "second"
    if begin is None or (found is not None and begin > found + _AHEAD):
        return utc_text(found) if found else ""
    time = PageTime(begin.isoformat(), Interval(begin, begin + timedelta(days=precision == "day"), precision))
    return utc_text(time.counted(found or begin + timedelta(days=2)))


def _sighting(shown: Listed) -> Sighting:
    return Sighting(
        shown.get("said", ""), _moment(shown.get("after", "")), _moment(shown.get("by", "")), "new" in shown
    )


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
