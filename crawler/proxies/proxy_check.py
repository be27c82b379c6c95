"""Tests proxies: each one requests the page of a judge, with the download handlers of a crawl."""

import asyncio
import logging
import time
from dataclasses import dataclass

from scrapy import Request
from scrapy.crawler import Crawler, CrawlerProcessBase
from scrapy.http import Response

from crawler.download.addresses import PRIVATE_PROXIES
from crawler.download.one_shot import OneShotSpider, download, run_task
from crawler.proxies.judge import Verdict, exit_address, own_addresses, secrecy_of
from crawler.proxies.pool import Proxy
from extractors.links.urls import host_of

logger = logging.getLogger(__name__)
_CONCURRENCY = 16
_OFF = (
    "failures.FailureMiddleware", "robots.RobotsMiddleware", "identities.IdentityMiddleware", "logins.LoginMiddleware",
    "logins.LoginRedirects", "proxies.ProxyMiddleware", "bans.BanMiddleware", "bans.RefusingRedirects",
    "hours.HoursMiddleware", "revisit.RevisitMiddleware", "scrapy_own.ScopedRedirectMiddleware",
)  # fmt: skip


class ProxySpider(OneShotSpider):
    """Without what a crawl does for its sites: the operator has named the judge and the proxies."""

    name = "proxies"
    custom_settings = {
        **OneShotSpider.custom_settings,
        "ALLOW_PRIVATE_ADDRESSES": True,
        "DOWNLOADER_MIDDLEWARES": {f"crawler.middlewares.{name}": None for name in _OFF},
    }


def try_proxies(process: CrawlerProcessBase, proxies: list[Proxy], judge: str, seconds: float) -> list[Verdict]:
    """Test each proxy. Runs the reactor, which a process can do once."""
    verdicts: list[Verdict] = []
    PRIVATE_PROXIES.hosts.update({host_of(judge), *(host_of(proxy.url) for proxy in proxies)})

    async def try_all(crawler: Crawler) -> None:
        verdicts.extend(await _Judging(crawler, judge, seconds).verdicts(proxies))

    run_task(process, try_all, ProxySpider)
    return verdicts


@dataclass(frozen=True, slots=True)
class _Judging:
    """Asks the judge, each time for at most `seconds`."""

    crawler: Crawler
    judge: str
    seconds: float

    async def verdicts(self, proxies: list[Proxy]) -> list[Verdict]:
        """The verdict on each proxy. The first request goes without a proxy, to learn our own address."""
        own = own_addresses()
        try:
            own.add(exit_address((await self._answer(None)).body.decode("utf-8", "replace")))
        except Exception as error:  # the proxies are tested all the same
            logger.warning("The judge does not answer without a proxy (%s): leaks may be missed", type(error).__name__)
        own.discard(host_of(self.judge))  # it is in every request
        gate = asyncio.Semaphore(_CONCURRENCY)
        return await asyncio.gather(*(self._try(proxy, own, gate) for proxy in proxies))

    async def _try(self, proxy: Proxy, own: set[str], gate: asyncio.Semaphore) -> Verdict:
        async with gate:
            begun = time.monotonic()
            try:
                response = await self._answer(proxy.url)
            except Exception as error:  # any error means that it does not work
                return Verdict(proxy.label, False, said=_reason(error))
        seconds = round(time.monotonic() - begun, 3)
        if response.status != 200:
            return Verdict(proxy.label, False, seconds, said=f"HTTP {response.status}")
        text = response.body.decode("utf-8", "replace")
        return Verdict(proxy.label, True, seconds, exit_address(text), secrecy_of(text, own))

    async def _answer(self, proxy: str | None) -> Response:
        meta = {"proxy": proxy, "download_timeout": self.seconds, "dont_redirect": True}
        return await download(self.crawler, Request(self.judge, meta=meta))


def _reason(error: Exception) -> str:
    """A few words for an error, without its message: that may hold the address of the proxy, and so its password."""
    words = {
        "DownloadConnectionRefusedError": "refuses connections, or refuses us",
        "DownloadTimeoutError": "does not answer in time",
        "CannotResolveHostError": "its name cannot be resolved",
    }
    return words.get(type(error).__name__, type(error).__name__)
