"""Each proxy asks a judge once, by the same handlers as in a crawl."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcessBase
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from crawler.addon import SILENT_EXTENSIONS
from crawler.download.resolver import PublicResolver
from crawler.proxies.judge import Verdict, exit_address, own_addresses, secrecy_of
from crawler.proxies.pool import Proxy
from extractors.links.urls import host_of

_AT_ONCE = 16
_OFF = (
    "failures.FailureMiddleware", "robots.RobotsMiddleware", "identities.IdentityMiddleware", "logins.LoginMiddleware",
    "logins.LoginRedirects", "proxies.ProxyMiddleware", "bans.BanMiddleware", "bans.RefusingRedirects",
    "hours.HoursMiddleware", "revisit.RevisitMiddleware", "redirects.ScopedRedirectMiddleware",
)  # fmt: skip


class ProxySpider(Spider):
    """Asks without a proxy first, to know our own address."""

    name = "proxies"
    custom_settings = {
        "SCHEDULER": "scrapy.core.scheduler.Scheduler",
        "ITEM_PIPELINES": {},
        "EXTENSIONS": SILENT_EXTENSIONS,
        "ALLOW_PRIVATE_ADDRESSES": True,  # the operator has named the judge and the proxies
        "DOWNLOADER_MIDDLEWARES": {f"crawler.middlewares.{name}": None for name in _OFF},
    }

    def __init__(self, proxies: list[Proxy], judge: str, seconds: float, told: list[Verdict], **given: Any) -> None:
        super().__init__(**given)
        self._proxies, self._judge, self._seconds, self._told = proxies, judge, seconds, told
        self._own = own_addresses()

    async def start(self) -> AsyncIterator[Request]:
        """No request of its own."""
        try:
            self._own.add(exit_address((await self._answer(None)).body.decode("utf-8", "replace")))
        except Exception as error:  # the judge is asked all the same, through proxies
            self.logger.warning(
                "The judge does not answer without a proxy (%s): leaks may go unseen", type(error).__name__
            )
        self._own.discard(host_of(self._judge))  # stands in every request
        gate = asyncio.Semaphore(_AT_ONCE)
        self._told += await asyncio.gather(*(self._tried(proxy, gate) for proxy in self._proxies))
        no_requests: list[Request] = []
        for request in no_requests:
            yield request

    async def _tried(self, proxy: Proxy, gate: asyncio.Semaphore) -> Verdict:
        async with gate:
            begun = time.monotonic()
            try:
                response = await self._answer(proxy.url)
            except Exception as error:  # whatever it is, it does not work
                return Verdict(proxy.label, False, said=_said(error))
        seconds = round(time.monotonic() - begun, 3)
        if response.status != 200:
            return Verdict(proxy.label, False, seconds, said=f"HTTP {response.status}")
        text = response.body.decode("utf-8", "replace")
        return Verdict(proxy.label, True, seconds, exit_address(text), secrecy_of(text, self._own))

    async def _answer(self, proxy: str | None) -> Response:
        engine = self.crawler.engine
        assert engine is not None
        meta = {"proxy": proxy, "download_timeout": self._seconds, "dont_redirect": True}
        return await engine.download_async(Request(self._judge, NO_CALLBACK, meta=meta, dont_filter=True))


def try_proxies(process: CrawlerProcessBase, proxies: list[Proxy], judge: str, seconds: float) -> list[Verdict]:
    """Runs the reactor until all is said; a process can do so once."""
    told: list[Verdict] = []
    PublicResolver.proxies.update({host_of(judge), *(host_of(proxy.url) for proxy in proxies)})
    process.crawl(ProxySpider, proxies=proxies, judge=judge, seconds=seconds, told=told)
    process.start()
    return told


def _said(error: Exception) -> str:
    """In a few words without an address, since that of a proxy may hold its password."""
    words = {
        "DownloadConnectionRefusedError": "does not take connections, or does not let us in",
        "DownloadTimeoutError": "gives no answer in time",
        "CannotResolveHostError": "its name leads nowhere",
    }
    return words.get(type(error).__name__, type(error).__name__)
