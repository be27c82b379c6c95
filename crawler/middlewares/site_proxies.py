"""Sends each request through a proxy of its site's pool, never without one."""

import asyncio
import logging
import ssl
import time
from typing import Any, Self

from scrapy import Request, Spider, signals
from scrapy.core.downloader.handlers.http11 import TunnelError
from scrapy.crawler import Crawler
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    IgnoreRequest,
    NotConfigured,
)
from scrapy.http import Response
from twisted.internet.task import LoopingCall

from crawler.download.ip_addresses import PRIVATE_PROXIES
from crawler.meta import FAILURE_KEY, GIVE_BACK_KEY, VISITOR_KEY, settings_host, visitor_of
from crawler.middlewares.failures import NoAnswerError
from crawler.proxies.proxy_lists import ProxyError, fetch_proxies, is_provider, read_pools
from crawler.proxies.proxy_pool import Proxy, ProxyPool
from crawler.services import services_of
from extractors.links.urls import host_of

logger = logging.getLogger(__name__)
_MAX_NAP_SECONDS = 5.0


class ProxyMiddleware:
    """Chooses by the site's `proxy_policy`. A proxy that does not answer backs off, and its request is requeued at once.

    If no proxy of a pool has worked for PROXY_MAX_WAIT seconds, the crawl ends with a message; requests under way are given
    back to the frontier.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._sites = services_of(crawler).sites
        self._bans = services_of(crawler).bans
        self._max_wait = crawler.settings.getfloat("PROXY_MAX_WAIT")
        self._timeout = crawler.settings.getfloat("DOWNLOAD_TIMEOUT")
        self._ban_max_wait = crawler.settings.getfloat("BAN_MAX_WAIT")
        self._pools = services_of(crawler).pools = read_pools(crawler.settings, self._sites)
        for (source, _), pool in self._pools.items():
            if not is_provider(source):  # the operator's own may be in a private network
                PRIVATE_PROXIES.hosts.update(host_of(proxy.url) for proxy in pool.proxies.values())
        self._ending = False
        self._refreshed = time.monotonic()
        self._timer = LoopingCall(self._refresh_soon)
        self._task: asyncio.Task[None] | None = None
        if any(is_provider(source) for source, _ in self._pools):
            crawler.signals.connect(self._opened, signals.spider_opened)
            crawler.signals.connect(self._closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        sites = services_of(crawler).sites
        if not any(site.proxies for site in (sites.default, *sites.named.values())):
            raise NotConfigured
        return cls(crawler)

    def _opened(self, spider: Spider) -> None:
        self._timer.start(self._crawler.settings.getfloat("PROXY_REFRESH_INTERVAL"), now=False)

    def _closed(self, spider: Spider) -> None:
        if self._timer.running:
            self._timer.stop()

    def _refresh_soon(self) -> None:
        if self._task is None or self._task.done():
            self._refreshed = time.monotonic()
            self._task = asyncio.get_running_loop().create_task(self._refresh())

    async def _refresh(self) -> None:
        """Fetch the providers' lists again; while one is unavailable, the previous one is kept."""
        for source in {source for source, _ in self._pools if is_provider(source)}:
            try:
                proxies = await asyncio.to_thread(fetch_proxies, source)
            except ProxyError as error:
                logger.warning("%s. The previous list is kept", error)
                continue
            for (name, _), pool in self._pools.items():
                if name == source and any(changed := pool.replace(proxies)):
                    logger.info("The list of %s has changed: %d added, %d removed", host_of(source), *changed)

    async def process_request(self, request: Request, spider: Any = None) -> None:
        """Set the proxy, after waiting for an available one. Raises NoAnswerError if there is none left."""
        host, identity, _ = visitor_of(request)
        pool = self._pool_of(request)
        if pool is None:
            return
        key = f"{identity} {settings_host(request)}"
        while isinstance(found := self._choose(pool, key, host, identity), float):
            self._look_for_life(request, host, pool)
            if found > self._ban_max_wait and pool.alive():
                request.meta[FAILURE_KEY] = (f"{host} has banned every proxy for another {found:.0f} s", found)
                raise NoAnswerError(f"{host} has banned every proxy")
            await asyncio.sleep(min(max(found, 0.01), _MAX_NAP_SECONDS))
        request.meta["proxy"] = found.url
        request.meta[VISITOR_KEY] = (host, identity, found.label)

    def _choose(self, pool: ProxyPool, key: str, host: str, identity: str) -> Proxy | float:
        return pool.choose(key, lambda proxy: self._bans.seconds_left((host, identity, proxy.label)))

    def process_response(self, request: Request, response: Response) -> Response:
        """Note that the proxy works, unless the answer is its own error."""
        _, _, label = visitor_of(request)
        if (pool := self._pool_of(request)) is not None and label in pool.proxies and response.status != 407:
            pool.worked(label)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Raises NoAnswerError if the proxy has failed. If the page may be the cause, the request fails like any other, and
        the proxy backs off only if it has not worked recently, so that an endless page does not block all proxies."""
        _, _, label = visitor_of(request)
        pool = self._pool_of(request)
        if pool is None or label not in pool.proxies or isinstance(exception, IgnoreRequest | ssl.SSLError):
            return
        surely = _is_the_proxys(exception)
        if not surely and (isinstance(exception, DownloadCancelledError) or pool.worked_within(label, self._timeout)):
            return
        self._rest(pool, label, exception)
        if surely:
            request.meta[GIVE_BACK_KEY] = True
            raise NoAnswerError(f"no answer through {label}")

    def _rest(self, pool: ProxyPool, label: str, exception: Exception) -> None:
        was_up = not pool.proxies[label].failures
        seconds = pool.failed(label)
        if self._crawler.stats:
            self._crawler.stats.inc_value("proxies/failures")
            self._crawler.stats.set_value("proxies/alive", sum(each.alive() for each in self._pools.values()))
        if was_up:
            logger.warning("%s does not work (%s): not used for %.0f s", label, type(exception).__name__, seconds)

    def _look_for_life(self, request: Request, host: str, pool: ProxyPool) -> None:
        if not pool.alive() and self._timer.running and time.monotonic() - self._refreshed > _MAX_NAP_SECONDS:
            self._refresh_soon()
        if pool.dead_seconds() < self._max_wait and not self._ending:
            return
        if not self._ending and (engine := self._crawler.engine) is not None:
            self._ending = True
            logger.error(
                "None of the %d proxies for %s has worked for %.0f s: the crawl ends, as nothing is requested without a proxy. "
                "Correct the list and start it again: it continues where it stopped.",
                len(pool.proxies),
                host,
                self._max_wait,
            )
            asyncio.get_running_loop().create_task(engine.close_spider_async(reason="no_proxy"))
        request.meta[GIVE_BACK_KEY] = True
        raise NoAnswerError("no proxy is left")

    def _pool_of(self, request: Request) -> ProxyPool | None:
        site = self._sites.of(settings_host(request))
        return self._pools[site.proxies, site.proxy_policy] if site.proxies else None


def _is_the_proxys(exception: Exception) -> bool:
    """Whether the failure is certainly the proxy's: it refuses the connection or our credentials."""
    if isinstance(exception, TunnelError):
        return "'status': 407" in str(exception)
    return isinstance(exception, DownloadConnectionRefusedError | CannotResolveHostError)
