"""Metrics of this process for Prometheus, and a warning in the log when the crawl stalls."""

import itertools
import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from twisted.internet.task import LoopingCall

from crawler.extensions.metrics_snapshot import MAX_HOSTS, MetricsSnapshot
from crawler.extensions.tally import Tally
from crawler.frontier.base import Frontier
from crawler.services import services_of

if TYPE_CHECKING:
    from crawler.extensions.exposition import Endpoint

logger = logging.getLogger(__name__)
_SNAPSHOT_SECONDS = 5.0
_HOSTS_SECONDS = 60.0


class Metrics:
    """Serves `/metrics` on METRICS_ADDRESS:METRICS_PORT, or the next free of twenty ports; 0 turns it off.

    Scrapes read a snapshot that the crawl's own thread takes every few seconds, so they cannot disturb it. A crawl stalls
    when nothing has been stored for STALL_SECONDS while work is queued.
    """

    def __init__(self, crawler: Crawler, address: str, port: int, stall_seconds: float) -> None:
        self._crawler, self._tally = crawler, Tally.of(crawler)
        self._address = address
        self._port = port
        self._stall_seconds = stall_seconds
        self._snapshot = MetricsSnapshot()
        self._timer = LoopingCall(self._take_snapshot)
        self._last_item = time.monotonic()
        self._hosts_at = 0.0
        self._stalled = False
        self._endpoint: Endpoint | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        port = settings.getint("METRICS_PORT")
        if not port and not settings.getfloat("STALL_SECONDS"):
            raise NotConfigured
        metrics = cls(crawler, settings["METRICS_ADDRESS"], port, settings.getfloat("STALL_SECONDS"))
        for handler, signal in (
            (metrics._opened, signals.spider_opened),
            (metrics._closed, signals.spider_closed),
            (metrics._answered, signals.response_received),
            (metrics._stored, signals.item_scraped),
            (metrics._failed, signals.item_error),
        ):
            crawler.signals.connect(handler, signal=signal)
        return metrics

    @property
    def port(self) -> int:
        return self._endpoint.port if self._endpoint else 0

    def _opened(self, spider: Spider) -> None:
        self._last_item = time.monotonic()
        if self._port:
            self._serve()
        self._timer.start(_SNAPSHOT_SECONDS, now=False)

    def _serve(self) -> None:
        from crawler.extensions.exposition import Endpoint  # most crawls serve no metrics and do not need its library

        self._endpoint = Endpoint(self._snapshot)
        self._endpoint.open(self._address, self._port)

    def _closed(self, spider: Spider) -> None:
        if self._timer.running:
            self._timer.stop()
        if self._endpoint is not None:
            self._endpoint.close()

    def _answered(self, response: Response) -> None:
        seconds = response.meta.get("download_latency") if response.request else None
        if self._endpoint is not None and seconds is not None:
            self._endpoint.observe(seconds)

    def _stored(self) -> None:
        self._last_item = time.monotonic()
        if self._stalled:
            self._stalled = False
            logger.info("The crawl stores again")

    def _failed(self, item: Any) -> None:
        if self._crawler.stats:
            self._crawler.stats.inc_value(f"item_error_count/{type(item).__name__}")

    def _take_snapshot(self) -> None:
        snapshot, now = self._snapshot, time.monotonic()
        snapshot.stats = dict(self._crawler.stats.get_stats()) if self._crawler.stats else {}
        snapshot.counts = self._tally.counts()
        snapshot.health = services_of(self._crawler).health
        self._count_requests(now)
        storage = services_of(self._crawler).storage
        if storage is not None:
            snapshot.lag = storage.lag()
            snapshot.away = storage.store is not None and storage.store.away
        delays: Callable[[], dict[str, tuple[int, float]]] | None = getattr(self._crawler.spider, "delays", None)
        snapshot.delays = delays() if delays is not None else {}
        self._look_for_stall(now)
        snapshot.stalled = self._stalled

    def _count_requests(self, now: float) -> None:
        """Count requests by host, only if metrics are served, since the embedded frontier has to scan all requests."""
        frontier = self._frontier()
        if frontier is None or not (self.port or self._is_silent(now)):
            return
        self._snapshot.accounts = frontier.accounts()
        if self.port and now - self._hosts_at > _HOSTS_SECONDS:
            self._hosts_at = now
            self._snapshot.hosts = list(itertools.islice(frontier.hosts(), MAX_HOSTS))

    def _is_silent(self, now: float) -> bool:
        return 0 < self._stall_seconds < now - self._last_item

    def _frontier(self) -> Frontier | None:
        slot: Any = getattr(self._crawler.engine, "_slot", None)
        found: Frontier | None = getattr(getattr(slot, "scheduler", None), "frontier", None)
        return found

    def _look_for_stall(self, now: float) -> None:
        accounts = self._snapshot.accounts
        if self._stalled or accounts is None or accounts.queued + accounts.leased == 0 or not self._is_silent(now):
            return
        self._stalled = True
        logger.warning(
            "Nothing has been stored for %.0f s while %d requests are queued and %d under way: check the network, "
            "the hosts and the database",
            now - self._last_item,
            accounts.queued,
            accounts.leased,
        )
