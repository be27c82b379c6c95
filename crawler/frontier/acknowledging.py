"""Maps the engine's requests to the frontier's leases: when a request is done, and how its lease ends.

Scrapy's engine removes a request from its slot's set of requests in progress once it was downloaded, its callback has
ended, all its items have passed every pipeline, and all its children were given to the scheduler, or once any of that
failed. There is no public signal for this, so we replace the set by one that reports removals. A contract test checks the
engine's side, and pyproject limits the versions of Scrapy.
"""

import logging
import time
from collections.abc import Callable
from typing import Any

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.http import Response
from twisted.python.failure import Failure

from crawler.frontier.base import Frontier, RequestLease
from crawler.meta import FAILURE_KEY, GIVE_BACK_KEY
from crawler.services import services_of
from pipelines.stores.base import StoreAwayError, StoreBrokenError, StoreError

logger = logging.getLogger(__name__)
given_up = object()
"""Signal: a request has failed for the last time; handlers get `request` and `reason`."""
refused = object()
"""Signal: a request waits because its host is unavailable; handlers get `request` and `reason`."""
store_failed = object()
"""Signal: a middleware could not read data it needs for a request, which is given back; handlers get `error`."""
_RETRY_SECONDS = 1.0
_MAX_REASON_CHARS = 500
_MAX_STORE_FAILURES = 4
"""Failures of a broken store, each followed by a longer pause, before the crawl ends."""
_MAX_PAUSE_SECONDS = 5.0


class ReportingSet(set[Request]):
    """A set that calls `removed` with each element that is removed."""

    def __init__(self, elements: set[Request], removed: Callable[[Request], None]) -> None:
        super().__init__(elements)
        self._removed = removed

    def remove(self, element: Request) -> None:
        super().remove(element)
        self._removed(element)


class UnderWay:
    """The requests in the engine, with their leases.

    A request that ends is acknowledged; failed, if its callback or an item raised or its meta has `FAILURE_KEY`; or given
    back, if the store was unavailable or its meta has `GIVE_BACK_KEY`.
    """

    def __init__(self, crawler: Crawler, frontier: Frontier) -> None:
        self._crawler = crawler
        self._frontier = frontier
        self._leases: dict[Request, RequestLease] = {}
        self._failures: dict[Request, str] = {}
        self._to_give_back: set[Request] = set()
        self._store_failures = 0
        self._pause_ends = 0.0
        self._pause_reason = ""
        for handler, signal in (
            (self._callback_failed, signals.spider_error),
            (self._item_failed, signals.item_error),
            (self._item_stored, signals.item_scraped),
            (self._storing_failed, store_failed),
        ):
            crawler.signals.connect(handler, signal=signal)

    def __len__(self) -> int:
        return len(self._leases)

    def watch_engine(self) -> Callable[[], None]:
        """Start observing the ends of requests; the result wakes the engine up."""
        slot: Any = self._crawler.engine._slot if self._crawler.engine else None  # not public
        if slot is None or not isinstance(slot.inprogress, set):
            raise RuntimeError(
                "this Scrapy keeps its requests in progress elsewhere; pyproject names the supported versions"
            )
        slot.inprogress = ReportingSet(slot.inprogress, self._ended)
        wake: Callable[[], None] = slot.nextcall.schedule
        return wake

    def add(self, request: Request, lease: RequestLease) -> None:
        self._leases[request] = lease

    def give_back_all(self) -> None:
        """Give back all leases at the end of the crawl."""
        self._frontier.give_back([lease.token for lease in self._leases.values()])
        self._leases.clear()

    def _ended(self, request: Request) -> None:
        """Settle the lease of a request that the engine has finished; its children are in the frontier already."""
        lease = self._leases.pop(request, None)
        raised = self._failures.pop(request, None)
        failure = (raised, _RETRY_SECONDS) if raised else request.meta.get(FAILURE_KEY)
        give_back = request in self._to_give_back or request.meta.get(GIVE_BACK_KEY, False)
        self._to_give_back.discard(request)
        if lease is None:
            return
        if give_back:
            self._frontier.give_back([lease.token])
            self._count("given_back")
        elif failure is None:
            self._frontier.ack([lease.token])
            self._count("done")
        else:
            self._fail(request, lease, *failure)

    def _fail(self, request: Request, lease: RequestLease, reason: str, delay: float) -> None:
        if not self._frontier.fail(lease.token, reason[:_MAX_REASON_CHARS], delay):
            self._count("failed_attempts")
            return
        logger.warning("Given up after %d attempts: %s (%s)", lease.attempt, request.url, reason)
        self._count("dead")
        self._crawler.signals.send_catch_log(given_up, request=request, reason=reason)

    def _callback_failed(self, failure: Failure, response: Response, spider: Spider) -> None:
        self._raised("the callback", failure.value, response)

    def _item_failed(self, item: Any, response: Response | None, spider: Spider, failure: Failure) -> None:
        self._raised("a pipeline", failure.value, response)

    def _raised(self, who: str, error: BaseException | None, response: Response | None) -> None:
        if isinstance(error, (StoreAwayError, StoreBrokenError)):
            if response is not None and response.request is not None:
                self._to_give_back.add(response.request)
            self._storing_failed(error)
        else:
            self._note(response, f"{who} raised {type(error).__name__}: {error}")

    def _storing_failed(self, error: StoreError) -> None:
        """Pause, longer each time, without blaming the page. If the store stays broken, end the crawl after some pauses."""
        if self.storing_fails():
            return  # a page that was under way already
        self._store_failures += 1
        self._pause_reason = f"pages cannot be stored: {error}"
        self._pause_ends = time.monotonic() + min(self._store_failures, _MAX_PAUSE_SECONDS)
        if isinstance(error, StoreBrokenError) and self._store_failures == _MAX_STORE_FAILURES:
            services_of(self._crawler).close("store_unusable", str(error))

    def storing_fails(self) -> str:
        """The reason, for some seconds after a page could not be stored, else ""."""
        return self._pause_reason if time.monotonic() < self._pause_ends else ""

    def _item_stored(self) -> None:
        self._store_failures = 0

    def _note(self, response: Response | None, reason: str) -> None:
        if response is not None and response.request is not None:
            self._failures[response.request] = reason

    def _count(self, name: str) -> None:
        if self._crawler.stats:
            self._crawler.stats.inc_value(f"frontier/{name}")
