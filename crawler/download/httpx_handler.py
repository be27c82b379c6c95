"""Requests through proxies that Twisted's client cannot use: SOCKS5, and https proxies for https targets."""

import asyncio
import logging
from typing import ClassVar

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadConnectionRefusedError, DownloadFailedError, DownloadTimeoutError
from scrapy.http import Response

from crawler.scrapy_internals import HttpxDownloadHandler


class ProxyHandler(HttpxDownloadHandler):
    """Scrapy's handler on httpx2, with DOWNLOAD_TIMEOUT for the whole answer; the proxy resolves hosts."""

    experimental: ClassVar[bool] = False  # its warning is for users who replace the default handler

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        for name in ("httpx2", "httpcore2"):  # they log addresses and headers, including cookies
            logging.getLogger(name).setLevel(logging.WARNING)

    async def download_request(self, request: Request) -> Response:
        """See Scrapy; raises DownloadTimeoutError, and DownloadFailedError if the proxy cannot reach the host."""
        seconds = float(request.meta.get("download_timeout") or self._DEFAULT_CONNECT_TIMEOUT)
        try:
            async with asyncio.timeout(seconds):
                return await super().download_request(request)
        except DownloadConnectionRefusedError as error:
            if "could not connect" in str(error):  # the proxy cannot connect to the host
                raise DownloadFailedError(str(error)) from error
            raise
        except TimeoutError:
            raise DownloadTimeoutError(f"Getting {request.url} took longer than {seconds:g} seconds.") from None
