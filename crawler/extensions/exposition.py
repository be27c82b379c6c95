"""Metrics of a crawl in Prometheus's format, and the server for scrapes."""

import heapq
import logging
from collections.abc import Iterator
from http.server import HTTPServer

from prometheus_client import CollectorRegistry, Histogram, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric, SummaryMetricFamily
from prometheus_client.registry import Collector

from crawler.extensions.metrics_snapshot import MAX_HOSTS, MetricsSnapshot

logger = logging.getLogger(__name__)
_MAX_PORTS = 20
_ERRORS = {
    "downloader/exception_type_count/": "download",
    "spider_exceptions/": "callback",
    "item_error_count/": "item",
    "failed_steps/": "step",
    "robotstxt/exception_count/": "robots",
}
_FRONTIER = {"frontier/failed_attempts": "attempt", "frontier/dead": "given_up", "frontier/given_back": "given_back"}


class Endpoint:
    """Serves `/metrics` from its own thread, at the first free of twenty ports."""

    def __init__(self, snapshot: MetricsSnapshot) -> None:
        self._registry = CollectorRegistry()
        self._latency = Histogram(
            "topicrawl_download_seconds",
            "From sending a request to the answer's end",
            buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
            registry=self._registry,
        )
        self._registry.register(SnapshotCollector(snapshot))
        self._server: HTTPServer | None = None

    @property
    def port(self) -> int:
        """The port; 0 while nothing is served."""
        return self._server.server_port if self._server else 0

    def open(self, address: str, first_port: int) -> None:
        for port in range(first_port, first_port + _MAX_PORTS):
            try:
                self._server, _ = start_http_server(port, address, self._registry)
            except OSError:
                continue
            logger.info("Metrics are at http://%s:%d/metrics", address, port)
            return
        logger.warning("No port starting at %d is free at %s: no metrics are served", first_port, address)

    def observe(self, seconds: float) -> None:
        """Count an answer by its duration."""
        self._latency.observe(seconds)

    def close(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()


class SnapshotCollector(Collector):
    """Collects the metrics of a scrape."""

    def __init__(self, snapshot: MetricsSnapshot) -> None:
        self.snapshot = snapshot

    def collect(self) -> Iterator[Metric]:
        """The metrics; called by each scrape, in the server's thread."""
        yield _counter("pages", "Answers received", self.snapshot.stats.get("response_received_count", 0))
        yield _counter("items", "Items stored", self.snapshot.stats.get("item_scraped_count", 0))
        yield _counter("bytes", "Bytes received", self.snapshot.stats.get("downloader/response_bytes", 0))
        read = CounterMetricFamily("topicrawl_read", "Pages by what came of them", labels=["what"])
        for name, count in self.snapshot.counts.items():
            read.add_metric(["kept" if name == "pages" else name], count)
        yield read
        changed = self.snapshot.stats.get("lists/layout_changed", 0)
        yield _counter("layout_changed", "Lists whose shape has changed", changed)
        yield self._answers()
        yield self._errors()
        yield self._bans()
        if (alive := self.snapshot.stats.get("proxies/alive")) is not None:
            yield GaugeMetricFamily("topicrawl_proxies_alive", "Proxies not in backoff", alive)
        yield GaugeMetricFamily(
            "topicrawl_store_lag_seconds", "Age of the oldest item not yet durable", self.snapshot.lag
        )
        yield GaugeMetricFamily(
            "topicrawl_store_away", "1 while the database does not answer", float(self.snapshot.away)
        )
        yield GaugeMetricFamily(
            "topicrawl_paused", "1 while no request is started", float(bool(self.snapshot.stats.get("frontier/paused")))
        )
        if (free := self.snapshot.stats.get("disk/free_bytes")) is not None:
            yield GaugeMetricFamily(
                "topicrawl_disk_free_bytes", "Free space of the fullest disk with data of the crawl", free
            )
        yield GaugeMetricFamily(
            "topicrawl_stalled", "1 while nothing is stored although work is queued", float(self.snapshot.stalled)
        )
        yield from self._requests()
        yield from self._sites()
        yield from self._watch()

    def _watch(self) -> Iterator[Metric]:
        """Metrics of a watch: its status, and the delays of new pages by site."""
        for name, value in self.snapshot.stats.items():
            if name.startswith("watch/"):
                yield GaugeMetricFamily(f"topicrawl_{name.replace('/', '_')}", "See docs/watching.md", value)
        if self.snapshot.delays:
            family = SummaryMetricFamily(
                "topicrawl_watch_delay_seconds", "From the announcement of a new page to its fetch", labels=["site"]
            )
            for site, (count, seconds) in heapq.nlargest(
                MAX_HOSTS, self.snapshot.delays.items(), key=lambda each: each[1]
            ):
                family.add_metric([site], count, seconds)
            yield family

    def _sites(self) -> Iterator[Metric]:
        """Metrics of sites with their own settings file, and of sites that refuse."""
        if self.snapshot.health is None:
            return
        family = CounterMetricFamily("topicrawl_site", "Answers, bans, log-ins of a site", labels=["site", "what"])
        largest = sorted(self.snapshot.health.sites.items(), key=lambda site: -site[1].answers)[:MAX_HOSTS]
        for name, site in largest:
            for what in ("answers", "bans", "challenges", "logins", "failed_logins"):
                family.add_metric([name, what], getattr(site, what))
        yield family
        proxies = GaugeMetricFamily("topicrawl_proxies", "Proxies of a list", labels=["list", "state"])
        for name, pool in self.snapshot.health.proxies.items():
            proxies.add_metric([name, "alive"], pool.alive)
            proxies.add_metric([name, "resting"], pool.all - pool.alive)
        yield proxies
        yield GaugeMetricFamily(
            "topicrawl_bans_in_force", "Bans in force by host, identity and proxy", len(self.snapshot.health.banned)
        )

    def _answers(self) -> Metric:
        family = CounterMetricFamily("topicrawl_answers", "Answers by HTTP status", labels=["status"])
        for name, value in self.snapshot.stats.items():
            if name.startswith("downloader/response_status_count/"):
                family.add_metric([name.rpartition("/")[2]], value)
        return family

    def _errors(self) -> Metric:
        family = CounterMetricFamily("topicrawl_errors", "Errors by stage and kind", labels=["stage", "kind"])
        for name, value in self.snapshot.stats.items():
            for prefix, stage in _ERRORS.items():
                if name.startswith(prefix):
                    family.add_metric([stage, name.removeprefix(prefix).rpartition(".")[2]], value)
            if name in _FRONTIER:
                family.add_metric(["frontier", _FRONTIER[name]], value)
        return family

    def _bans(self) -> Metric:
        family = CounterMetricFamily("topicrawl_bans", "Bans of the most banned hosts", labels=["host"])
        bans = [(value, name) for name, value in self.snapshot.stats.items() if name.startswith("bans/hosts/")]
        for value, name in sorted(bans, reverse=True)[:MAX_HOSTS]:
            family.add_metric([name.removeprefix("bans/hosts/")], value)
        return family

    def _requests(self) -> Iterator[Metric]:
        if self.snapshot.accounts is None:
            return
        family = GaugeMetricFamily("topicrawl_requests", "Requests of the whole crawl by state", labels=["state"])
        for state in ("queued", "leased", "done", "dead"):
            family.add_metric([state], getattr(self.snapshot.accounts, state))
        yield family
        hosts = GaugeMetricFamily("topicrawl_host_requests", "Requests of the largest hosts", labels=["host", "state"])
        for host in self.snapshot.hosts:
            for state in ("queued", "leased", "dead"):
                hosts.add_metric([host.host, state], getattr(host, state))
        yield hosts


def _counter(name: str, help_text: str, value: float) -> Metric:
    return CounterMetricFamily(f"topicrawl_{name}", help_text, value)
