"""Records the health of sites and proxies, for `scrapy doctor` and the metrics."""

import logging
import time
from collections import Counter
from pathlib import Path
from typing import Any, Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from twisted.internet.task import LoopingCall

from crawler.bans.health import Health, ProxyHealth, SiteHealth, write_health
from crawler.config.crawl_names import crawl_name
from crawler.proxies.proxy_lists import is_provider
from crawler.services import services_of
from extractors.links.urls import host_of

logger = logging.getLogger(__name__)
_WRITE_SECONDS = 10.0
_MAX_HOSTS = 5_000
_MAX_BANS = 100
_STATS = {
    "bans/hosts/": "bans",
    "challenges/hosts/": "challenges",
    "logins/done/": "logins",
    "logins/failed/": "failed_logins",
}


class HealthWatch:
    """Updates the health every ten seconds and at the end; the latest is one of the services."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._sites = services_of(crawler).sites
        self._answers: Counter[str] = Counter()
        self._timer = LoopingCall(self._record)
        crawler.signals.connect(self._answered, signals.response_received)
        crawler.signals.connect(self._opened, signals.spider_opened)
        crawler.signals.connect(self._closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        special = any(site.proxies or site.identities for site in services_of(crawler).sites.all())
        if not special and not crawler.settings.getbool("BANS_ENABLED"):
            raise NotConfigured
        return cls(crawler)

    def _answered(self, response: Response) -> None:
        host = host_of(response.url)
        name = self._sites.name_of(host) or host
        if name in self._answers or len(self._answers) < _MAX_HOSTS:
            self._answers[name] += 1

    def _opened(self, spider: Spider) -> None:
        self._timer.start(_WRITE_SECONDS, now=False)

    def _closed(self, spider: Spider) -> None:
        if self._timer.running:
            self._timer.stop()
        self._record()

    def _record(self) -> None:
        health = self._health()
        services_of(self._crawler).health = health
        try:
            write_health(Path(self._crawler.settings["DATA_DIR"]), health)
        except OSError as error:
            logger.debug("The state of sites cannot be written: %s", error)

    def _health(self) -> Health:
        health = Health(crawl_name(self._crawler), time.time())
        for name in self._sites.named:
            health.sites[name] = SiteHealth()
        for name, value in (self._crawler.stats.get_stats() if self._crawler.stats else {}).items():
            self._add(health, name, value)
        for name, site in health.sites.items():
            site.answers = self._answers[name]
        bans = sorted(services_of(self._crawler).bans.active().items(), key=lambda ban: -ban[1])
        health.banned = [(*visitor, round(left, 1)) for visitor, left in bans[:_MAX_BANS]]
        pools = services_of(self._crawler).pools
        for (source, _), pool in pools.items():
            down = pool.down()
            name = host_of(source) if is_provider(source) else source
            health.proxies[name] = ProxyHealth(len(pool.proxies), len(pool.proxies) - len(down), down[:10])
        return health

    def _add(self, health: Health, name: str, value: Any) -> None:
        for prefix, attribute in _STATS.items():
            if name.startswith(prefix):
                host = name.removeprefix(prefix)
                site = health.sites.setdefault(self._sites.name_of(host) or host, SiteHealth())
                setattr(site, attribute, getattr(site, attribute) + int(value))
