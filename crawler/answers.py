"""What an answer becomes: a page that is decoded and parsed once, or a row with the state of its URL."""

from datetime import UTC, datetime
from typing import Any
from weakref import WeakKeyDictionary

from scrapy.http import Response

from crawler.meta import ACTIVITY_KEY, DEPTH_KEY, REFERRER_KEY
from extractors.links.urls import canonical_url, host_of, url_key
from extractors.page import Page
from pipelines.items import RowsItem
from pipelines.stores.tables import URLS

_pages: "WeakKeyDictionary[Response, Page]" = WeakKeyDictionary()


def page_of(response: Response) -> Page:
    """The answer's body as a page; kept as long as the answer is."""
    found = _pages.get(response)
    if found is None:
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1").lower()
        found = _pages[response] = Page(response.body, response.url, content_type=content_type)
    return found


def url_state(response: Response, state: str, reason: str = "") -> RowsItem:
    """An item that only says what became of the URL."""
    url = canonical_url(response.url) or response.url
    row = url_row(url, state, reason) | {"status": response.status, "depth": response.meta.get(DEPTH_KEY, 0)}
    told = {"activity": response.meta[ACTIVITY_KEY]} if response.meta.get(ACTIVITY_KEY) else {}
    return RowsItem([(URLS, row | told | {"referrer": response.meta.get(REFERRER_KEY, "")})])


def url_row(url: str, state: str, reason: str) -> dict[str, Any]:
    """What every state has in common."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return {
        "key": url_key(url),
        "url": url,
        "host": host_of(url),
        "state": state,
        "reason": reason,
        "fetched_at": now,
        "first_seen": now,
    }
