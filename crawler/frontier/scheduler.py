"""Scrapy's face of the frontier: requests go in and out as leases, and are acknowledged when they are wholly done."""

import asyncio
import logging
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any, Self
from urllib.parse import urlsplit

from scrapy import Request, Spider, signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.http import Response
from twisted.python.failure import Failure

from crawler.config.sites import sites_of
from crawler.frontier.acknowledging import watch_requests
from crawler.frontier.base import Entry, Frontier, FrontierError, Lease
from crawler.frontier.opening import opener
from crawler.frontier.pacing import SitePaces, host_pace
from crawler.frontier.requests import UnstorableRequestError, dump_request, load_request, request_key
from crawler.meta import ATTEMPT_KEY, FAILURE_KEY, GIVE_BACK_KEY, PROMOTE_KEY
from pipelines.storage import StoragePipeline
from pipelines.stores.base import StoreAwayError

logger = logging.getLogger(__name__)
given_up = object()
"""Signal: a request has failed for the last time; handlers get `request` and `reason`."""
HEARTBEAT_SECONDS = 20.0
STORE_SECONDS = 1.0
"""Between two looks whether a store that is away has come back."""
FLUSH_SECONDS = 0.1
TELL_SECONDS = 1.0


class FrontierScheduler(BaseScheduler):
    """Feeds the engine from a `Frontier`.

    The setting FRONTIER names a function or class that makes the frontier from the crawler. A request whose callback
    or item raised, or whose download failed (`FAILURE_KEY` in its meta: a pair of reason and delay), is failed, not
    acknowledged; what is still under way when the crawl closes is given back. So is a page that could not be stored
    because the store is away, and none is begun until it is back.
    """

    def __init__(self, crawler: Crawler, make: Callable[[Crawler], Frontier]) -> None:
        self._crawler = crawler
        self._make = make
        pause = max(map(crawler.settings.getfloat, ("FRONTIER_HOST_DELAY", "ROBOTS_CRAWL_DELAY_MAX")))
        self._patience = max(crawler.settings.getfloat("FRONTIER_MAX_WAIT", 120.0), pause + 1)
        self._hours_patience = crawler.settings.getfloat("HOURS_MAX_WAIT")
        self._told_opening = 0
        self._under_way: dict[Request, Lease] = {}
        self._failures: dict[Request, tuple[str, float]] = {}
        self._not_now: set[Request] = set()
        self._timers: list[asyncio.TimerHandle] = []
        self._wake: Callable[[], None] | None = None
        self._wake_timer: asyncio.TimerHandle | None = None
        self._closed = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way of making it."""
        return cls(crawler, opener(crawler.settings))

    def open(self, spider: Spider) -> None:
        """Open the frontier; what an earlier run left is there. CloseSpider, said in a line, if it cannot be used."""
        self._spider = spider
        self._movable = bool(getattr(getattr(spider, "strategy", None), "promotes", False))
        try:
            frontier = self._make(self._crawler)
            left = frontier.begin()
        except FrontierError as error:
            self._closed = True
            logger.error("%s", error)
            raise CloseSpider("no_frontier") from error
        self.frontier = frontier
        self._paces = SitePaces(sites_of(self._crawler), host_pace(self._crawler.settings), frontier)
        for handler, signal in ((self._callback_failed, signals.spider_error), (self._item_failed, signals.item_error)):
            self._crawler.signals.connect(handler, signal=signal)
        if left.queued or left.leased:
            logger.info("Going on with this crawl: %d queued, %d done, %d dead", left.queued, left.done, left.dead)
        elif left.enqueued:
            logger.info("The last run of this crawl was finished; its pages are visited again")
        self._every(FLUSH_SECONDS, self.frontier.flush)
        self._every(HEARTBEAT_SECONDS, self.frontier.heartbeat)
        self._every(TELL_SECONDS, self._tell_queued)

    def close(self, reason: str) -> None:
        """Give back what is under way."""
        if self._closed:
            return
        self._closed = True
        for timer in self._timers:
            timer.cancel()
        self.frontier.give_back([lease.token for lease in self._under_way.values()])
        self._under_way.clear()
        self._tell_queued()
        if reason == "finished" and (left := self.frontier.accounts().queued):
            asleep = self.frontier.seconds_until_open()
            later = "later" if asleep is None else f"when the first host's hours begin, {_moment(asleep)}"
            logger.warning("%d requests wait for hosts that cannot be asked now; start the crawl again %s", left, later)
        self.frontier.close()

    def _tell_queued(self) -> None:
        """For those who show it: what the whole crawl still has before it, on all nodes."""
        if self._crawler.stats:
            accounts = self.frontier.accounts()
            self._crawler.stats.set_value("frontier/queued", accounts.queued + accounts.leased)

    def has_pending_requests(self) -> bool:
        """Whether the crawl must go on; not for hosts alone that want to be left alone longer than FRONTIER_MAX_WAIT, or
        open later than HOURS_MAX_WAIT."""
        if self._closed or not self.frontier.pending():
            return False
        wait = None if self._under_way else self.frontier.wait_seconds()
        return wait is None or wait <= self._patience or self._sleeps()

    def _sleeps(self) -> bool:
        """Whether hosts are left that are outside their hours, and are worth waiting for."""
        asleep = self.frontier.seconds_until_open()
        if asleep is None or asleep > self._hours_patience:
            return False
        opens = round((time.time() + asleep) / 60)
        if opens != self._told_opening:
            self._told_opening = opens
            logger.info(
                "Every host that is left is outside its hours or rests; the crawl waits until %s", _moment(asleep)
            )
        return True

    def enqueue_request(self, request: Request) -> bool:
        """Push it; False if it was seen before or cannot be stored."""
        if self._closed:
            return False
        key, host = request_key(request), (urlsplit(request.url).hostname or "").lower()
        if request.meta.get(PROMOTE_KEY):
            return self._promote(key, host, request.priority)
        if not request.dont_filter and self.frontier.knows(key):
            return self._known(request, key, host)
        try:
            payload = dump_request(request, self._spider)
        except UnstorableRequestError as error:
            logger.error("Request dropped: %s", error)
            self._count("unstorable")
            return False
        self._paces.set(host)
        entry = Entry(key, host, request.priority, payload, request.dont_filter, self._movable)
        accepted = self.frontier.push([entry])[0]
        self._count("enqueued" if accepted else "seen")
        return accepted

    def _known(self, request: Request, key: int, host: str) -> bool:
        """A page that waits is worth no less than the link whose redirect leads to it."""
        if self._movable and request.meta.get("redirect_times") and self._promote(key, host, request.priority):
            return True
        self._count("seen")
        return False

    def _promote(self, key: int, host: str, priority: int) -> bool:
        moved = self.frontier.promote(key, host, priority)
        if moved:
            self._count("promoted")
        return moved

    def next_request(self) -> Request | None:
        """The next page, if one may be asked for now; else the engine is woken when one may."""
        if self._closed:
            return None
        self._watch()
        if self._store_is_away():
            self._wake_in(STORE_SECONDS)
            return None
        for lease in self.frontier.pop(1):
            try:
                request = load_request(lease.payload, self._spider)
            except UnstorableRequestError as error:
                logger.error("Request dropped: %s", error)
                self.frontier.fail(lease.token, str(error))
                continue
            request.meta[ATTEMPT_KEY] = lease.attempt
            self._under_way[request] = lease
            return request
        self._wake_later()
        return None

    def _watch(self) -> None:
        if self._wake is None:
            self._wake = watch_requests(self._crawler, self._done)
            self.frontier.notify(self._wake)

    def _wake_later(self) -> None:
        wait = self.frontier.wait_seconds()
        if wait is not None:
            self._wake_in(wait)

    def _store_is_away(self) -> bool:
        storage: StoragePipeline | None = getattr(self._crawler, "storage", None)
        return storage is not None and storage.store is not None and storage.store.away

    def _wake_in(self, seconds: float) -> None:
        if self._wake is None:
            return
        if self._wake_timer is not None:
            self._wake_timer.cancel()
        self._wake_timer = asyncio.get_running_loop().call_later(max(seconds, 0.001), self._wake)

    def _done(self, request: Request) -> None:
        """The engine has let go of the request; its children are in the frontier already."""
        lease = self._under_way.pop(request, None)
        failure = self._failures.pop(request, None) or request.meta.get(FAILURE_KEY)
        not_now = request in self._not_now or request.meta.get(GIVE_BACK_KEY, False)
        self._not_now.discard(request)
        if lease is None:
            return
        if not_now:
            self.frontier.give_back([lease.token])
            self._count("given_back")
        elif failure is None:
            self.frontier.ack([lease.token])
            self._count("done")
        elif self.frontier.fail(lease.token, failure[0][:500], failure[1]):
            logger.warning("Given up after %d attempts: %s (%s)", lease.attempt, request.url, failure[0])
            self._count("dead")
            self._crawler.signals.send_catch_log(given_up, request=request, reason=failure[0])
        else:
            self._count("failed_attempts")

    def _callback_failed(self, failure: Failure, response: Response, spider: Spider) -> None:
        self._note(response, f"the callback raised {type(failure.value).__name__}: {failure.value}")

    def _item_failed(self, item: Any, response: Response | None, spider: Spider, failure: Failure) -> None:
        if isinstance(failure.value, StoreAwayError) and response is not None and response.request is not None:
            self._not_now.add(response.request)
            return
        self._note(response, f"a pipeline raised {type(failure.value).__name__}: {failure.value}")

    def _note(self, response: Response | None, reason: str) -> None:
        if response is not None and response.request is not None:
            self._failures[response.request] = (reason, 1.0)

    def _every(self, seconds: float, action: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        place = len(self._timers)

        def run() -> None:
            action()
            self._timers[place] = loop.call_later(seconds, run)

        self._timers.append(loop.call_later(seconds, run))

    def _count(self, name: str) -> None:
        if self._crawler.stats:
            self._crawler.stats.inc_value(f"frontier/{name}")


def _moment(seconds: float) -> str:
    """When that will be, in the machine's own zone, to the minute."""
    moment = datetime.fromtimestamp(time.time() + seconds).astimezone()
    return f"{moment:%Y-%m-%d %H:%M %Z}"
