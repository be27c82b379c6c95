"""Turns an answer into a page that is decoded and parsed once, or into a row with the state of its URL."""

import logging
import sqlite3
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from scrapy.exceptions import CloseSpider
from scrapy.http import Request, Response
from twisted.python.failure import Failure

from crawler.clock import crawl_now
from crawler.download.answer_times import made_at
from crawler.meta import ACTIVITY_KEY, DEPTH_KEY, REFERRER_KEY
from extractors.documents import document_type
from extractors.links.urls import canonical_url, host_of, url_key
from extractors.page import OnFailure, Page, SiteRules
from pipelines.items import RowsItem
from pipelines.stores.base import StoreError
from pipelines.stores.tables import URLS

logger = logging.getLogger(__name__)
_READABLE = ("html", "xhtml", "xml", "text/plain", "octet-stream")
_NOT_OF_THE_PAGE = (CloseSpider, OSError, StoreError, sqlite3.Error)
RulesOf = Callable[[str], SiteRules | None]
"""The rules of a host."""
_pages: "WeakKeyDictionary[Response, Page]" = WeakKeyDictionary()


def request_of(failure: Failure) -> Request:
    """The request that failed, which Scrapy attaches to the failure."""
    request: Request = vars(failure)["request"]
    return request


class FailedSteps:
    """Takes the errors of steps that failed on a page. All are counted; the first of each step in a run is logged."""

    def __init__(self, count: Callable[[str], None]) -> None:
        self._count = count
        self._logged: set[str] = set()

    def __call__(self, step: str, url: str, error: Exception) -> None:
        """Leave the step's field empty and continue with the page. Raises errors not caused by pages: a failing store or disk."""
        if isinstance(error, _NOT_OF_THE_PAGE):
            raise error
        self._count(f"failed_steps/{step}")
        if step not in self._logged:
            self._logged.add(step)
            logger.error("The step %r failed on %s; its fields are missing there: %r", step, url, error, exc_info=error)


def page_of(response: Response, on_failure: OnFailure | None = None, rules: RulesOf | None = None) -> Page:
    """The answer's body as a page, cached for the answer's lifetime. on_failure: see `extractors.html.document.Document`."""
    found = _pages.get(response)
    if found is None:
        now = crawl_now()
        found = _pages[response] = Page(
            response.body,
            response.url,
            content_type=content_type_of(response),
            fetched_at=now,
            made_at=made_at(response, now),
            on_failure=on_failure,
            rules=rules(host_of(response.url)) if rules else None,
        )
    return found


def keep_page(response: Response, page: Page) -> None:
    """Set the answer's page, see `page_of`: that of a document, or one that another process has read."""
    _pages[response] = page


def has_page(response: Response) -> bool:
    """Whether the answer has been read as a page."""
    return response in _pages


def content_type_of(response: Response) -> str:
    """The header of that name in lower case; "" if there is none."""
    return (response.headers.get("Content-Type") or b"").decode("latin-1").lower()


def is_readable(response: Response) -> bool:
    """Whether the answer can be read as a page by its type, and is not an unwanted document."""
    content_type = content_type_of(response)
    is_named = not content_type or any(kind in content_type for kind in _READABLE)
    return is_named and document_type(response.body) is None


def url_state(response: Response, state: str, reason: str = "") -> RowsItem:
    """An item with nothing but the final state of the URL."""
    url = canonical_url(response.url) or response.url
    row = url_row(url, state, reason) | {"status": response.status, "depth": response.meta.get(DEPTH_KEY, 0)}
    activity = {"activity": response.meta[ACTIVITY_KEY]} if response.meta.get(ACTIVITY_KEY) else {}
    return RowsItem([(URLS, row | activity | {"referrer": response.meta.get(REFERRER_KEY, "")})])


def url_row(url: str, state: str, reason: str) -> dict[str, Any]:
    """The columns that every state has."""
    now = crawl_now().isoformat(timespec="seconds")
    return {
        "key": url_key(url),
        "url": url,
        "host": host_of(url),
        "state": state,
        "reason": reason,
        "fetched_at": now,
        "first_seen": now,
    }
