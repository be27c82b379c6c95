"""Scrapy's HTTP handler with a limit on headers, all kinds of proxies, and impersonation of browsers."""

from typing import Any

from scrapy import Request
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.crawler import Crawler
from scrapy.http import Response

from crawler.meta import IMPERSONATE_KEY
from crawler.scrapy_internals import limit_header_bytes


class BoundedHttpHandler(HTTP11DownloadHandler):
    """Drops the connection to a server that sends more than DOWNLOAD_MAX_HEADERS bytes of headers."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        limit_header_bytes(self, crawler.settings.getint("DOWNLOAD_MAX_HEADERS"))
        self._proxy_handler: BaseDownloadHandler | None = None
        self._impersonator: Any = None

    async def download_request(self, request: Request) -> Response:
        """See Scrapy; impersonated requests, and those through proxies that Twisted cannot use, go to other handlers."""
        if target := request.meta.get(IMPERSONATE_KEY):
            return await self._as_browser(request, target)
        proxy = request.meta.get("proxy") or ""
        secure = proxy.startswith("https://") and request.url.startswith("https:")
        if not (secure or proxy.startswith("socks5")):
            return await super().download_request(request)
        if self._proxy_handler is None:
            from crawler.download.httpx_handler import ProxyHandler  # needs an optional package

            self._proxy_handler = ProxyHandler(self._crawler)
        return await self._proxy_handler.download_request(request)

    async def _as_browser(self, request: Request, target: str) -> Response:
        if self._impersonator is None:
            from crawler.download.impersonation import Impersonator  # needs an optional package

            self._impersonator = Impersonator(self._crawler.settings)
        response: Response = await self._impersonator.download(request, target)
        return response

    async def close(self) -> None:
        await super().close()
        for handler in filter(None, (self._proxy_handler, self._impersonator)):
            await handler.close()
