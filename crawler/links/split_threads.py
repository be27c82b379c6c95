"""Threads, comments and reviews split over pages, and lists that show which threads have changed.

The records of each page are added to those of the thread's first page. A page's address and links identify its thread, so
the pages may be fetched in any order and by any node.

A list's stamp of a thread (number of replies, last activity) is stored with the thread's URL when the thread is fetched. If
a later list has the same stamp, the thread has not changed. Both texts come from the site, so its time zone does not matter.
Only an age, such as "3 minutes ago", is compared with the time of the last fetch.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from crawler.links.article_parts import LISTS
from crawler.links.covered_text import covered_share
from extractors.links.list_paging import first_addresses, number_after
from extractors.links.urls import canonical_url, url_key
from extractors.page import Page
from extractors.records import Record, RecordSet
from extractors.text.dates import parse_time
from pipelines.items import KEY_DIGITS, PageItem
from pipelines.stores.base import Condition, Order, Store
from pipelines.stores.tables import RECORDS, URLS

_RUNNING = frozenset(("thread", "comments", "reviews", "qa"))
_MAX_KEYS = 200
_MAX_PAGER_CHARS = 12
"""Maximum length of the text of a link to another page of a thread."""
_MIN_COVERED_SHARE = 0.5
"""Share of an article's text in its records that makes the page a discussion."""
_MIN_KIND_PROBABILITY = 0.8
"""Probability of a kind that overrides the evidence of the records."""
_MIN_LINKING_SHARE = 0.5
"""Share of records with titles that link to other pages, which makes them a list of articles."""
_READ_STATES = frozenset(("fetched", "unchanged", "irrelevant"))
_RELATIVE = "~"
"""Replaces a time that the list gives as an age, which differs on each visit."""
_MOMENT = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class ThreadPlace:
    """The place of a further page of a thread.

    Attributes:
        first: address of the thread's first page.
        part: number of this page, by its address.
        left_out: records that another page of the thread has too, by the first digits of their keys.
    """

    first: str
    part: int
    left_out: frozenset[str]


class Threads:
    """Places pages in their threads, and finds their next pages.

    Args:
        stored: the open store, if there is one.
        max_pages: at most this many pages of one thread are read.
    """

    def __init__(self, stored: Callable[[], Store | None], max_pages: int) -> None:
        self._store, self._max_pages = stored, max_pages

    def place(self, page: Page, url: str, came: Mapping[str, Any] | None) -> ThreadPlace | None:
        """The place of a further page at this URL; None for a first page. `came`: the state from the previous page."""
        if came:
            first, shown = came["first"], frozenset((came["opening"], *came["before"]))
            return ThreadPlace(first, number_after(first, url) or came["pages"] + 1, shown)
        found = page.records
        first = found.first_page if is_running(page) and found.first_page != url else ""
        return ThreadPlace(first, number_after(first, url) or 2, frozenset((self._opening(first),))) if first else None

    def onward(self, item: PageItem, came: Mapping[str, Any] | None) -> tuple[str, dict[str, Any]] | None:
        """The address of the next page and the state for its request; None if there is none or it has nothing new."""
        found = item.page.records if item.relevant and is_running(item.page) else RecordSet("none")
        pages = came["pages"] + 1 if came else 1
        keys = [record.key[:KEY_DIGITS] for record in found.records[:_MAX_KEYS]]
        if not found.next_page or pages >= self._max_pages or item.left_out.issuperset(keys):
            return None
        opening = came["opening"] if came else keys[0] if not item.part_of else next(iter(item.left_out))
        state = {"first": item.part_of or item.url, "pages": pages, "opening": opening, "before": keys}
        return self._last_known(item) or found.next_page, state

    def _opening(self, first: str) -> str:
        """The stored key of a thread's opening post, which some sites repeat on each page; "" if none is known."""
        row = self._stored(first, Condition("is_first", "=", 1))
        return row["key"][:KEY_DIGITS] if row else ""

    def _last_known(self, item: PageItem) -> str:
        """The last page that an earlier visit has read, if this page links to it and has nothing new; else "".

        New posts come after it; on sites that show the newest first, this page would have had them.
        """
        first = item.part_of or item.url
        if self._stored(first, Condition("key", "=", item.page.records.records[-1].key)) is None:
            return ""
        last = self._stored(first, order=[Order("part", descending=True)])
        numbers = {number_after(first, url): url for url in other_pages(item)}
        known = last["part"] if last else 1
        reached = max((number for number in numbers if item.part < number <= known), default=0)
        return numbers.get(reached, "")

    def _stored(self, first: str, *where: Condition, order: Sequence[Order] = ()) -> dict[str, Any] | None:
        store = self._store()
        conditions = [Condition("page", "=", url_key(first)), *where]
        rows = store.select(RECORDS, conditions, order, 1, ("key", "part")) if store is not None else iter(())
        return next(rows, None)


def is_running(page: Page) -> bool:
    """Whether a page's records can continue on further pages: not a home page, not a list that links elsewhere."""
    found = page.records
    parts = urlsplit(found.first_page or page.url)
    segments = [segment for segment in parts.path.lower().split("/") if segment]
    if found.kind not in _RUNNING or not (segments or parts.query) or (segments and segments[0] in LISTS):
        return False
    leading = sum(bool(record.url) and "#" not in record.url for record in found.records)
    return leading < _MIN_LINKING_SHARE * len(found.records)


def is_discussion(page: Page) -> bool:
    """Whether further pages continue the records instead of an article: it is not an article, or they contain its text."""
    if not is_running(page):
        return False
    next_page = page.records.next_page
    is_other = not page.kind.is_text and page.kind.probability >= _MIN_KIND_PROBABILITY
    if is_other or "comment" in next_page or "cpage=" in next_page:
        return True
    return page.once(covered_share) >= _MIN_COVERED_SHARE


def other_pages(item: PageItem) -> set[str]:
    """The addresses of a thread's further pages, which are fetched only from the page before each."""
    if not item.part_of and not is_running(item.page):
        return set()
    first = item.part_of or item.requested_url
    return {link.url for link in item.links if len(link.text) <= _MAX_PAGER_CHARS and number_after(first, link.url)}


@dataclass(frozen=True, slots=True)
class ListActivity:
    """The activity of each thread in a list, and the addresses that need not be fetched."""

    activities: Mapping[str, str] = field(default_factory=dict)
    leave_out: frozenset[str] = frozenset()


class ThreadListDiff:
    """Compares lists with the URL table."""

    def __init__(self, stored: Callable[[], Store | None]) -> None:
        self._store = stored

    def read(self, item: PageItem) -> ListActivity:
        """The activity of the threads that a page lists; empty if it is not a list of threads."""
        found = item.page.records
        if found.kind != "thread_list":
            return ListActivity()
        now = item.page.made_at
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
    """A stamp that changes with each reply to a listed thread; "" if the list has none."""
    moment = record.last_time
    if moment and parse_time(record.last_time_text, now=now - _MOMENT) != parse_time(record.last_time_text, now=now):
        moment = _RELATIVE
    return f"{record.replies}|{moment}" if record.replies or moment else ""


def _is_before(last: str, fetched: str, now: datetime) -> bool:
    """Whether the last activity certainly was before the fetch: "3 hours ago" is exact only to the hour."""
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
    """The short links beside a thread's title that lead to its further pages, which are fetched after the first."""
    return {
        link.url
        for link in item.links
        if len(link.text) <= _MAX_PAGER_CHARS
        and any(first in threads and number_after(first, link.url) for first in first_addresses(link.url))
    }
