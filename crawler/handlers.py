"""Scrapy's HTTP handler with a bound on an answer's headers."""

from typing import Any

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler, _LenientHTTP11ClientFactory
from scrapy.crawler import Crawler
from twisted.internet.interfaces import IAddress


class BoundedHttpHandler(HTTP11DownloadHandler):
    """Drops the connection to a server that sends more than DOWNLOAD_MAX_HEADERS bytes before its answer's body."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        limit = crawler.settings.getint("DOWNLOAD_MAX_HEADERS")
        factory: Any = type("BoundedFactory", (_BoundedFactory,), {"limit": limit})
        self._pool._factory = factory


class _BoundedFactory(_LenientHTTP11ClientFactory):
    limit = 131_072

    def buildProtocol(self, addr: IAddress | None) -> Any:  # noqa: N802  # Twisted's name
        protocol: Any = super().buildProtocol(addr)
        receive, limit = protocol.dataReceived, self.limit
        received = 0

        def bounded(data: bytes) -> None:
            nonlocal received
            parser = protocol._parser  # Twisted has no public name for where in the answer it is
            in_headers = parser is not None and parser.state in ("STATUS", "HEADER")
            received = received + len(data) if in_headers else 0
            receive(data)
            parser = protocol._parser
            if received > limit and parser is not None and parser.state in ("STATUS", "HEADER"):
                protocol.transport.abortConnection()

        protocol.dataReceived = bounded
        return protocol
