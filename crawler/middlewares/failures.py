"""Turns failed downloads into failed leases, which the frontier retries later, even after a restart."""

import logging
from email.utils import parsedate_to_datetime
from typing import Any, Self
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadCancelledError, IgnoreRequest
from scrapy.http import Response

from crawler.clock import crawl_now
from crawler.frontier.acknowledging import given_up, refused, store_failed
from crawler.meta import (
    ATTEMPT_KEY,
    FAILURE_KEY,
    FOUND_BY_KEY,
    GIVE_BACK_KEY,
    LOGIN_KEY,
    READS_REFUSALS_KEY,
    REFERRER_KEY,
    WATCH_KEY,
)
from crawler.page_answers import url_row
from crawler.services import services_of
from extractors.links.urls import canonical_url
from pipelines.stores.base import StoreAwayError, StoreBrokenError
from pipelines.stores.tables import URLS

logger = logging.getLogger(__name__)
TRANSIENT = frozenset((408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524))
FIRST_PAUSE_SECONDS = 1.0
"""Between two attempts at a start page before the first answer, as a user with a mistyped address waits for the result."""
_MAX_QUERY_ATTEMPTS = 2
"""Attempts at an unanswered query; then its engine backs off, so that a search without network ends soon."""


class NoAnswerError(IgnoreRequest):
    """There was no usable answer; Scrapy logs no traceback for it."""


class FailureMiddleware:
    """Marks requests without an answer or with a transient error as failed; obeys Retry-After.

    An answer larger than DOWNLOAD_MAXSIZE is given up at once, as a retry would not help. The URL table gets requests that
    were given up, whose host refuses, or that we refuse to send.
    """

    def __init__(self, crawler: Crawler, delay: float, max_delay: float) -> None:
        self._crawler = crawler
        self._delay = delay
        self._max_delay = max_delay

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        made = cls(crawler, crawler.settings.getfloat("RETRY_DELAY"), crawler.settings.getfloat("RETRY_DELAY_MAX"))
        crawler.signals.connect(made._on_given_up, signal=given_up)
        crawler.signals.connect(made._on_refused, signal=refused)
        return made

    def process_response(self, request: Request, response: Response) -> Response:
        if response.status not in TRANSIENT or request.meta.get("dont_obey_robotstxt") or WATCH_KEY in request.meta:
            return response
        wait = retry_after(response)
        self._fail(
            request, f"HTTP {response.status}", self._pause(request) if wait is None else min(wait, self._max_delay)
        )
        raise NoAnswerError(f"HTTP {response.status}, retried later")

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Mark an unanswered request and raise NoAnswerError; a request that we refuse to send is done, and noted."""
        if isinstance(exception, IgnoreRequest):
            if not isinstance(exception, NoAnswerError):
                self._note_refusal(request, str(exception))
            return
        if isinstance(exception, (StoreAwayError, StoreBrokenError)):
            request.meta[GIVE_BACK_KEY] = True
            self._crawler.signals.send_catch_log(store_failed, error=exception)
            raise NoAnswerError(str(exception)) from exception
        if LOGIN_KEY in request.meta:  # its address may contain a ticket
            raise NoAnswerError(type(exception).__name__) from None
        reason = _reason(exception) + _by_proxy(request)
        if isinstance(exception, DownloadCancelledError) or _is_last_query_attempt(request):
            self._crawler.signals.send_catch_log(given_up, request=request, reason=reason)
        else:
            self._fail(request, reason, self._pause(request))
        logger.info("No answer from %s: %s", request.url, reason)
        raise NoAnswerError(reason) from exception

    def _note_refusal(self, request: Request, reason: str) -> None:
        if LOGIN_KEY not in request.meta and FAILURE_KEY not in request.meta:
            found = {"referrer": request.meta.get(REFERRER_KEY, ""), "found_by": request.meta.get(FOUND_BY_KEY, "link")}
            self._mark(_row(request, "refused", reason[:500]) | found, only_new=True)
            if self._crawler.stats:
                self._crawler.stats.inc_value("pages/unsent")
                self._crawler.stats.set_value("pages/last_refusal", f"{request.url}: {reason}")

    def _on_given_up(self, request: Request, reason: str) -> None:
        self._mark(_row(request, "failed", reason))

    def _on_refused(self, request: Request, reason: str) -> None:
        """Note that the request is retried."""
        self._mark(_row(request, "failed", reason), only_new=True)

    def _mark(self, row: dict[str, Any], *, only_new: bool = False) -> None:
        """Add a row to the URL table; with `only_new` a URL known from an answer keeps its row."""
        store = services_of(self._crawler).store
        if store is not None and not (only_new and store.get(URLS, row["key"])):
            store.upsert(URLS, [row])

    def _fail(self, request: Request, reason: str, delay: float) -> None:
        request.meta[FAILURE_KEY] = (reason, delay)

    def _pause(self, request: Request) -> float:
        longest = FIRST_PAUSE_SECONDS if is_first(self._crawler, request) else self._max_delay
        return float(min(longest, self._delay * 2 ** (request.meta.get(ATTEMPT_KEY, 1) - 1)))


def is_first(crawler: Crawler, request: Request) -> bool:
    """Whether it is a start page, and this run has had no answer yet."""
    answered = crawler.stats is None or crawler.stats.get_value("downloader/response_count")
    return request.meta.get(FOUND_BY_KEY) == "start" and not answered


def _row(request: Request, state: str, reason: str) -> dict[str, Any]:
    return url_row(canonical_url(request.url) or request.url, state, reason)


def _is_last_query_attempt(request: Request) -> bool:
    return bool(request.meta.get(READS_REFUSALS_KEY)) and request.meta.get(ATTEMPT_KEY, 1) >= _MAX_QUERY_ATTEMPTS


def _reason(exception: Exception) -> str:
    """A short reason, unwrapped from Twisted's lists of failures."""
    inner = getattr(exception.__cause__, "reasons", None) or ()
    said = "; ".join(failure.getErrorMessage() for failure in inner) or str(exception) or str(exception.__cause__ or "")
    return f"{type(exception).__name__}: {said}".removesuffix(": ")[:500]


def _by_proxy(request: Request) -> str:
    """Names the proxy, if there is one: it may be what did not answer; without its password."""
    proxy = urlsplit(str(request.meta.get("proxy") or ""))
    return f" (through the proxy {proxy.netloc.rpartition('@')[2]})" if proxy.netloc else ""


def retry_after(response: Response) -> float | None:
    """Seconds of the answer's Retry-After; None without one."""
    value = (response.headers.get("Retry-After") or b"").decode("latin-1").strip()
    if value.isdecimal():
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - crawl_now()).total_seconds())
    except (ValueError, TypeError):
        return None
