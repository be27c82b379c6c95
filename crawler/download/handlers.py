"""Scrapy's HTTP handler with a limit on headers, every kind of proxy, and requests as a browser sends them."""

from typing import Any

from scrapy import Request
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler, _LenientHTTP11ClientFactory
from scrapy.crawler import Crawler
from scrapy.http import Response
from twisted.internet.interfaces import IAddress

from crawler.meta import IMPERSONATE_KEY


class BoundedHttpHandler(HTTP11DownloadHandler):
    """Drops the connection to a server that sends more than DOWNLOAD_MAX_HEADERS bytes before its answer's body."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        limit = crawler.settings.getint("DOWNLOAD_MAX_HEADERS")
        factory: Any = type("BoundedFactory", (_BoundedFactory,), {"limit": limit})
        self._pool._factory = factory
        self._proxy_handler: BaseDownloadHandler | None = None
        self._impersonator: Any = None

    async def download_request(self, request: Request) -> Response:
        """See Scrapy; requests as a browser, or through a proxy that Twisted cannot use, go to another handler."""
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


class _BoundedFactory(_LenientHTTP11ClientFactory):
    limit = 131_072

    def buildProtocol(self, addr: IAddress | None) -> Any:  # noqa: N802  # Twisted's name
        protocol: Any = super().buildProtocol(addr)
        receive, limit = protocol.dataReceived, self.limit
        received = 0

        def bounded(data: bytes) -> None:
            nonlocal received
            parser = protocol._parser  # Twisted has no public attribute for the state of its parser
            in_headers = parser is not None and parser.state in ("STATUS", "HEADER")
            received = received + len(data) if in_headers else 0
            receive(data)
            parser = protocol._parser
            if received > limit and parser is not None and parser.state in ("STATUS", "HEADER"):
                protocol.transport.abortConnection()

        protocol.dataReceived = bounded
        return protocol
