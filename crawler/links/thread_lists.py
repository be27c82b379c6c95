"""Lists of threads say which threads have changed; the others are not fetched again.

What a list says of a thread (number of replies, last activity) is stored with the thread's URL when the thread is fetched. If a
later list says the same, the thread has not changed. Both texts come from the site, so its time zone does not matter. Only an
age, such as "3 minutes ago", is compared with the time of the last fetch.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from extractors.links.page_numbers import first_addresses, number_after
from extractors.links.urls import canonical_url, url_key
from extractors.records import Record
from extractors.text.dates import parse_time
from pipelines.items import PageItem
from pipelines.stores.base import Store
from pipelines.stores.tables import URLS

_READ_STATES = frozenset(("fetched", "unchanged", "irrelevant"))
_RELATIVE = "~"
"""In place of a time that the list gives as an age, which differs on each visit."""
_MOMENT = timedelta(minutes=2)
_MAX_PAGER_CHARS = 12


@dataclass(frozen=True, slots=True)
class ListActivity:
    """What a list says: the activity of each thread, and the addresses that need not be fetched."""

    activities: Mapping[str, str] = field(default_factory=dict)
    leave_out: frozenset[str] = frozenset()


class ThreadListDiff:
    """Compares lists with the URL table."""

    def __init__(self, stored: Callable[[], Store | None]) -> None:
        self._store = stored

    def read(self, item: PageItem) -> ListActivity:
        """What a page says of threads; nothing if it is no list of them."""
        found = item.page.records
        if found.kind != "thread_list":
            return ListActivity()
        now = item.page.fetched_at
        records = {url: record for record in found.records if (url := canonical_url(record.url))}
        activities = {url: activity_of(record, now) for url, record in records.items()}
        same = {url for url, record in records.items() if self._is_unchanged(url, activities[url], record, now)}
        return ListActivity(activities, frozenset(same | _further_pages(item, activities)))

    def _is_unchanged(self, url: str, activity: str, record: Record, now: datetime) -> bool:
        store = self._store()
        row: dict[str, Any] | None = store.get(URLS, url_key(url)) if activity and store is not None else None
        if row is None or row["activity"] != activity or row["state"] not in _READ_STATES:
            return False
        return not activity.endswith(_RELATIVE) or _is_before(record.last_time, row["fetched_at"], now)


def activity_of(record: Record, now: datetime) -> str:
    """What changes when a listed thread is answered, as a text; "" where the list does not tell."""
    moment = record.last_time
    if moment and parse_time(record.last_time_text, now=now - _MOMENT) != parse_time(record.last_time_text, now=now):
        moment = _RELATIVE
    return f"{record.replies}|{moment}" if record.replies or moment else ""


def _is_before(last: str, fetched: str, now: datetime) -> bool:
    """Whether the last activity surely was before the fetch: "3 hours ago" is known to an hour only."""
    try:
        active, seen = (datetime.fromisoformat(each) for each in (last, fetched))
    except ValueError:
        return False
    active, seen = (each if each.tzinfo else each.replace(tzinfo=UTC) for each in (active, seen))
    age = now - active
    units = (timedelta(hours=1), timedelta(days=1), timedelta(days=31))
    slack = next((unit for unit in reversed(units) if age >= unit), _MOMENT)
    return active + slack < seen


def _further_pages(item: PageItem, threads: Mapping[str, str]) -> set[str]:
    """The short links beside a thread's title that lead to its further pages: they are fetched after its first."""
    return {
        link.url
        for link in item.links
        if len(link.text) <= _MAX_PAGER_CHARS
        and any(first in threads and number_after(first, link.url) for first in first_addresses(link.url))
    }
