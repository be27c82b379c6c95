"""Scrapy's scheduler over a frontier: requests are sent under leases, and acknowledged once completely processed."""

import asyncio
import logging
import time
from collections.abc import Callable
from datetime import datetime
from typing import Self
from urllib.parse import urlsplit

from scrapy import Request, Spider, signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.http import Response

from crawler.config.crawl_names import crawl_name
from crawler.frontier.acknowledging import UnderWay
from crawler.frontier.base import Frontier, FrontierError, FrontierInUseError, QueueEntry, RequestLease
from crawler.frontier.disk import DiskWatch, data_folders
from crawler.frontier.opening import opener
from crawler.frontier.pacing import SitePaces, host_pace
from crawler.frontier.requests import UnstorableRequestError, dump_request, load_request, request_key
from crawler.frontier.rescorer import Rescorer, When
from crawler.frontier.timers import Timers
from crawler.meta import ATTEMPT_KEY, PROMOTE_KEY, PUT_OFF_KEY
from crawler.services import services_of
from pipelines.stores.tables import URLS

logger = logging.getLogger(__name__)
HEARTBEAT_SECONDS = 20.0
PAUSE_SECONDS = 1.0
"""Between two checks whether the reason for a pause still holds."""
MAX_UNANSWERED, UNANSWERED_SECONDS = 4, 60.0
"""Failed attempts, and seconds, without a single answer: the network or the address is wrong, so waiting does not help."""
FLUSH_SECONDS = 0.1
STATS_SECONDS = 1.0
_MAX_DEFERRED_PER_POP = 50
"""Requests that one call may defer before it returns to the event loop."""


class FrontierScheduler(BaseScheduler):
    """Feeds the engine from the frontier that the setting FRONTIER names.

    Requests under way when the crawl closes are given back. While the store is unavailable or a disk is nearly full, no
    request is started.
    """

    def __init__(self, crawler: Crawler, make: Callable[[Crawler], Frontier]) -> None:
        self._crawler = crawler
        self._make = make
        settings = crawler.settings
        pause = max(map(settings.getfloat, ("FRONTIER_HOST_DELAY", "ROBOTS_CRAWL_DELAY_MAX")))
        self._max_wait = max(settings.getfloat("FRONTIER_MAX_WAIT", 120.0), pause + 1)
        self._hours_max_wait = settings.getfloat("HOURS_MAX_WAIT")
        self._logged_opening = 0
        self._disks = DiskWatch(data_folders(settings), settings.getint("DISK_RESERVE"))
        self._paused = ""
        self._timers = Timers()
        self._wake: Callable[[], None] | None = None
        self._wake_timer: asyncio.TimerHandle | None = None
        self._closed = False
        self._unusable = ""
        self._opened_at = time.monotonic()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler, opener(crawler.settings))

    def open(self, spider: Spider) -> None:
        """Open the frontier and resume an earlier run. If it is unusable, the crawl closes right after opening."""
        self._spider = spider
        strategy = getattr(spider, "strategy", None)
        self._movable = bool(getattr(strategy, "promotes", False))
        self._rescorer = Rescorer(strategy)
        try:
            frontier = self._make(self._crawler)
            left = frontier.begin()
        except FrontierError as error:
            self._closed = True
            services_of(self._crawler).fault = str(error)
            self._unusable = "frontier_in_use" if isinstance(error, FrontierInUseError) else "frontier_unusable"
            self._crawler.signals.connect(self._close_unusable, signals.spider_opened)
            return
        self.frontier = frontier
        self._crawler.signals.connect(self._note_answer, signals.response_received)
        self._under_way = UnderWay(self._crawler, frontier)
        self._paces = SitePaces(services_of(self._crawler).sites, host_pace(self._crawler.settings), frontier)
        if left.queued or left.leased:
            logger.info("Resuming this crawl: %d queued, %d done, %d dead", left.queued, left.done, left.dead)
            if left.done and not left.leased:  # else another node's pages may be on their way into the store
                self._crawler.signals.connect(self._check_store, signals.spider_opened)
        elif left.enqueued:
            logger.info("The last run of this crawl was finished; its pages are visited again")
        self._timers.every(FLUSH_SECONDS, self.frontier.flush)
        self._timers.every(HEARTBEAT_SECONDS, self.frontier.heartbeat)
        self._timers.every(STATS_SECONDS, self._update_stats)

    def _close_unusable(self) -> None:
        """Raises CloseSpider, once all parts of the crawl are open: Scrapy could not close it earlier."""
        raise CloseSpider(self._unusable)

    def _check_store(self) -> None:
        """Warn if the pages that are done are missing from the store."""
        store = services_of(self._crawler).store
        if store is not None and next(store.select(URLS, limit=1, columns=("key",)), None) is None:
            logger.error(
                "This crawl has fetched pages before, but the database %s is empty, and those pages are not visited again. "
                "If the database was moved, name it with -s STORE=ADDRESS; if it is lost, stop this crawl, run "
                "`scrapy frontier purge '%s' --yes`, and start the crawl again",
                store.location,
                crawl_name(self._crawler),
            )

    def close(self, reason: str) -> None:
        """Give back the requests under way."""
        if self._closed:
            services_of(self._crawler).end(reason)
            return
        self._closed = True
        self._timers.cancel()
        self._under_way.give_back_all()
        self._update_stats()
        if reason == "finished" and (left := self.frontier.accounts().queued):
            wait = self.frontier.seconds_until_open()
            when = "later" if wait is None else f"when the first host's hours begin, {_moment(wait)}"
            logger.warning("%d requests wait for hosts that are unavailable; start the crawl again %s", left, when)
        services_of(self._crawler).end(reason, self.frontier.lost)
        self.frontier.close()

    def _update_stats(self) -> None:
        """Set stats of the remaining work of the whole crawl, on all nodes."""
        if self._crawler.stats:
            accounts = self.frontier.accounts()
            self._crawler.stats.set_value("frontier/queued", accounts.queued + accounts.leased)
            if self._disks.free_bytes is not None:
                self._crawler.stats.set_value("disk/free_bytes", self._disks.free_bytes)

    def has_pending_requests(self) -> bool:
        """Whether the crawl must continue.

        It does not wait for hosts whose delay is longer than FRONTIER_MAX_WAIT, or that open after HOURS_MAX_WAIT, nor for
        any host if no server answers.
        """
        if self._closed or not self.frontier.pending():
            return False
        wait = None if self._under_way else self.frontier.wait_seconds()
        longest = 0.0 if self._has_no_answer() else self._max_wait
        return wait is None or wait <= longest or self._waits_for_hours()

    def _has_no_answer(self) -> bool:
        """Whether this run has tried long enough without a single answer."""
        stats = self._crawler.stats
        if stats is None or self._paused or stats.get_value("downloader/response_count"):
            return False
        failed = stats.get_value("frontier/failed_attempts", 0)
        return failed >= MAX_UNANSWERED or time.monotonic() - self._opened_at > UNANSWERED_SECONDS

    def _waits_for_hours(self) -> bool:
        """Whether a remaining host outside its hours opens soon enough."""
        wait = self.frontier.seconds_until_open()
        if wait is None or wait > self._hours_max_wait:
            return False
        opens = round((time.time() + wait) / 60)
        if opens != self._logged_opening:
            self._logged_opening = opens
            logger.info(
                "All remaining hosts are outside their hours or back off; the crawl waits until %s", _moment(wait)
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
            payload = dump_request(request, self._spider, host)
        except UnstorableRequestError as error:
            logger.error("Request dropped: %s", error)
            self._count("unstorable")
            return False
        self._paces.set(host)
        entry = QueueEntry(key, host, request.priority, payload, request.dont_filter, self._movable)
        accepted = self.frontier.push([entry])[0]
        self._count("enqueued" if accepted else "seen")
        return accepted

    def _known(self, request: Request, key: int, host: str) -> bool:
        """Whether the page is known; if queued, it gets at least the priority of a link redirected to it."""
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
        """The next available request; if there is none, the engine is woken when there may be one."""
        if self._closed:
            return None
        if self._wake is None:
            self._wake = self._under_way.watch_engine()
            self.frontier.notify(self._wake)
        if fault := self.frontier.fault:
            services_of(self._crawler).close("frontier_unusable", fault)
            return None
        if self._is_paused():
            self._wake_in(PAUSE_SECONDS)
            return None
        for _ in range(_MAX_DEFERRED_PER_POP):
            leases = self.frontier.pop(1)
            if not leases:
                break
            if request := self._begin(leases[0]):
                return request
        else:
            self._wake_in(0)
            return None
        wait = self.frontier.wait_seconds()
        if wait is not None:
            self._wake_in(wait)
        return None

    def _begin(self, lease: RequestLease) -> Request | None:
        """The request of a lease; None if it cannot be read, was deferred or dropped."""
        try:
            request = load_request(lease.payload, self._spider, lease.host)
        except UnstorableRequestError as error:
            logger.error("Request dropped: %s", error)
            self.frontier.fail(lease.token, str(error))
            return None
        when = self._rescorer.at(request)
        if when is not When.NOW:
            self._not_now(request, when, lease)
            return None
        request.meta[ATTEMPT_KEY] = lease.attempt
        self._under_way.add(request, lease)
        return request

    def _not_now(self, later: Request, when: When, lease: RequestLease) -> None:
        """Requeue it with its lower priority, or drop it."""
        if when is When.NEVER:
            self.frontier.ack([lease.token])
            self._count("dropped")
            return
        is_last = PUT_OFF_KEY in later.meta
        host = (urlsplit(later.url).hostname or "").lower()
        entry = QueueEntry(
            request_key(later),
            host,
            later.priority,
            dump_request(later, self._spider, host),
            True,
            self._movable and not is_last,
        )
        self.frontier.push([entry])
        self.frontier.ack([lease.token])
        self._count("put_off" if is_last else "rescored")

    def _note_answer(self, response: Response, request: Request) -> None:
        self._rescorer.answered(request, response)

    def _is_paused(self) -> bool:
        services = services_of(self._crawler)
        store = services.store
        paused = self._disks.full() or self._under_way.storing_fails()
        if not paused and store is not None and store.away:
            paused = "the database cannot be written"
        paused = paused or next(filter(None, (delay() for delay in services.delays)), "")
        if paused != self._paused:
            logger.log(logging.WARNING if paused else logging.INFO, "%s", f"Paused: {paused}" if paused else "Resumed")
            self._paused = paused
        shown = paused or self.frontier.away  # the frontier logs this itself
        if self._crawler.stats:
            self._crawler.stats.set_value("frontier/paused", shown)
        return bool(shown)

    def _wake_in(self, seconds: float) -> None:
        if self._wake is None:
            return
        if self._wake_timer is not None:
            self._wake_timer.cancel()
        self._wake_timer = asyncio.get_running_loop().call_later(max(seconds, 0.001), self._wake)

    def _count(self, name: str) -> None:
        if self._crawler.stats:
            self._crawler.stats.inc_value(f"frontier/{name}")


def _moment(seconds: float) -> str:
    """The moment in `seconds` from now, in local time, to the minute."""
    moment = datetime.fromtimestamp(time.time() + seconds).astimezone()
    return f"{moment:%Y-%m-%d %H:%M %Z}"
