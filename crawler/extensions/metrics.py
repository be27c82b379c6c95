"""Numbers of this process for Prometheus, and a word in the log when the crawl stalls."""

import heapq
import itertools
import logging
import time
from collections.abc import Callable, Iterator
from http.server import HTTPServer
from typing import Any, Self

from prometheus_client import CollectorRegistry, Histogram, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric, SummaryMetricFamily
from prometheus_client.registry import Collector
from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from twisted.internet.task import LoopingCall

from crawler.bans.health import Health
from crawler.frontier.base import Accounts, Frontier, HostAccount
from crawler.services import services_of

logger = logging.getLogger(__name__)
_SNAPSHOT_SECONDS = 5.0
_HOSTS_SECONDS = 60.0
_MAX_HOSTS = 50
_MAX_PORTS = 20
_ERRORS = {
    "downloader/exception_type_count/": "download",
    "spider_exceptions/": "callback",
    "item_error_count/": "item",
    "failed_steps/": "step",
    "robotstxt/exception_count/": "robots",
}
_FRONTIER = {"frontier/failed_attempts": "attempt", "frontier/dead": "given_up", "frontier/given_back": "given_back"}


class Metrics:
    """Serves `/metrics` on METRICS_ADDRESS:METRICS_PORT, or the next free of twenty ports; 0 turns it off.

    Scrapes read a snapshot that the crawl's own thread takes every few seconds, so they cannot disturb it. A crawl
    stalls when nothing has been stored for STALL_SECONDS while work is queued.
    """

    def __init__(self, crawler: Crawler, address: str, port: int, stall_seconds: float) -> None:
        self._crawler = crawler
        self._address = address
        self._port = port
        self._stall_seconds = stall_seconds
        self._registry = CollectorRegistry()
        self._latency = Histogram(
            "topicrawl_download_seconds",
            "From sending a request to the answer's end",
            buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
            registry=self._registry,
        )
        self._snapshot = _Snapshot()
        self._timer = LoopingCall(self._take_snapshot)
        self._last_item = time.monotonic()
        self._hosts_at = 0.0
        self._stalled = False
        self._server: HTTPServer | None = None

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
        return self._server.server_port if self._server else 0

    def _opened(self, spider: Spider) -> None:
        self._registry.register(self._snapshot)
        self._last_item = time.monotonic()
        if self._port:
            self._serve()
        self._timer.start(_SNAPSHOT_SECONDS, now=False)

    def _serve(self) -> None:
        for port in range(self._port, self._port + _MAX_PORTS):
            try:
                self._server, _ = start_http_server(port, self._address, self._registry)
            except OSError:
                continue
            logger.info("Metrics are at http://%s:%d/metrics", self._address, port)
            return
        logger.warning("No port from %d on is free at %s: no metrics are served", self._port, self._address)

    def _closed(self, spider: Spider) -> None:
        if self._timer.running:
            self._timer.stop()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    def _answered(self, response: Response) -> None:
        seconds = response.meta.get("download_latency") if response.request else None
        if seconds is not None:
            self._latency.observe(seconds)

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
        """Counting costs the embedded frontier a look at every request: only where somebody reads it."""
        frontier = self._frontier()
        if frontier is None or not (self._server or self._is_silent(now)):
            return
        self._snapshot.accounts = frontier.accounts()
        if self._server and now - self._hosts_at > _HOSTS_SECONDS:
            self._hosts_at = now
            self._snapshot.hosts = list(itertools.islice(frontier.hosts(), _MAX_HOSTS))

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
            "Nothing has been stored for %.0f s while %d requests are queued and %d under way: is the network there, "
            "do the hosts answer, is the database away?",
            now - self._last_item,
            accounts.queued,
            accounts.leased,
        )


class _Snapshot(Collector):
    """The state of the crawl a few seconds ago, in Prometheus's terms."""

    def __init__(self) -> None:
        self.stats: dict[str, Any] = {}
        self.accounts: Accounts | None = None
        self.hosts: list[HostAccount] = []
        self.lag = 0.0
        self.away = False
        self.stalled = False
        self.health: Health | None = None
        self.delays: dict[str, tuple[int, float]] = {}

    def collect(self) -> Iterator[Metric]:
        """Called by each scrape, in the server's thread."""
        yield _counter("pages", "Answers received", self.stats.get("response_received_count", 0))
        yield _counter("items", "Items stored", self.stats.get("item_scraped_count", 0))
        yield _counter("bytes", "Bytes received", self.stats.get("downloader/response_bytes", 0))
        yield self._answers()
        yield self._errors()
        yield self._bans()
        if (alive := self.stats.get("proxies/alive")) is not None:
            yield GaugeMetricFamily("topicrawl_proxies_alive", "Proxies that are not resting", alive)
        yield GaugeMetricFamily("topicrawl_store_lag_seconds", "Age of the oldest item not yet durable", self.lag)
        yield GaugeMetricFamily("topicrawl_store_away", "1 while the database does not answer", float(self.away))
        yield GaugeMetricFamily(
            "topicrawl_paused", "1 while no page is begun", float(bool(self.stats.get("frontier/paused")))
        )
        if (free := self.stats.get("disk/free_bytes")) is not None:
            yield GaugeMetricFamily(
                "topicrawl_disk_free_bytes", "Room on the fullest disk with data of the crawl", free
            )
        yield GaugeMetricFamily("topicrawl_stalled", "1 while nothing is stored though work waits", float(self.stalled))
        yield from self._requests()
        yield from self._sites()
        yield from self._watch()

    def _watch(self) -> Iterator[Metric]:
        """Of a watch: how it is going, and how soon new pages of each site were fetched."""
        for name, value in self.stats.items():
            if name.startswith("watch/"):
                yield GaugeMetricFamily(f"topicrawl_{name.replace('/', '_')}", "See docs/watching.md", value)
        if self.delays:
            family = SummaryMetricFamily(
                "topicrawl_watch_delay_seconds", "From the announcement of a new page to its fetch", labels=["site"]
            )
            for site, (count, seconds) in heapq.nlargest(_MAX_HOSTS, self.delays.items(), key=lambda each: each[1]):
                family.add_metric([site], count, seconds)
            yield family

    def _sites(self) -> Iterator[Metric]:
        """Of sites that have a file of their own, and of those that refuse."""
        if self.health is None:
            return
        family = CounterMetricFamily("topicrawl_site", "Answers, bans, log-ins of a site", labels=["site", "what"])
        largest = sorted(self.health.sites.items(), key=lambda site: -site[1].answers)[:_MAX_HOSTS]
        for name, site in largest:
            for what in ("answers", "bans", "challenges", "logins", "failed_logins"):
                family.add_metric([name, what], getattr(site, what))
        yield family
        proxies = GaugeMetricFamily("topicrawl_proxies", "Proxies of a list", labels=["list", "state"])
        for name, pool in self.health.proxies.items():
            proxies.add_metric([name, "alive"], pool.alive)
            proxies.add_metric([name, "resting"], pool.all - pool.alive)
        yield proxies
        yield GaugeMetricFamily(
            "topicrawl_bans_in_force", "Host, identity and proxy kept apart", len(self.health.banned)
        )

    def _answers(self) -> Metric:
        family = CounterMetricFamily("topicrawl_answers", "Answers by HTTP status", labels=["status"])
        for name, value in self.stats.items():
            if name.startswith("downloader/response_status_count/"):
                family.add_metric([name.rpartition("/")[2]], value)
        return family

    def _errors(self) -> Metric:
        family = CounterMetricFamily("topicrawl_errors", "What went wrong, by stage and kind", labels=["stage", "kind"])
        for name, value in self.stats.items():
            for prefix, stage in _ERRORS.items():
                if name.startswith(prefix):
                    family.add_metric([stage, name.removeprefix(prefix).rpartition(".")[2]], value)
            if name in _FRONTIER:
                family.add_metric(["frontier", _FRONTIER[name]], value)
        return family

    def _bans(self) -> Metric:
        family = CounterMetricFamily("topicrawl_bans", "Bans by host, those with most", labels=["host"])
        bans = [(value, name) for name, value in self.stats.items() if name.startswith("bans/hosts/")]
        for value, name in sorted(bans, reverse=True)[:_MAX_HOSTS]:
            family.add_metric([name.removeprefix("bans/hosts/")], value)
        return family

    def _requests(self) -> Iterator[Metric]:
        if self.accounts is None:
            return
        family = GaugeMetricFamily("topicrawl_requests", "Requests of the whole crawl by state", labels=["state"])
        for state in ("queued", "leased", "done", "dead"):
            family.add_metric([state], getattr(self.accounts, state))
        yield family
        hosts = GaugeMetricFamily("topicrawl_host_requests", "Requests of the largest hosts", labels=["host", "state"])
        for host in self.hosts:
            for state in ("queued", "leased", "dead"):
                hosts.add_metric([host.host, state], getattr(host, state))
        yield hosts


def _counter(name: str, help_text: str, value: float) -> Metric:
    return CounterMetricFamily(f"topicrawl_{name}", help_text, value)
