"""Requests whose host spells a private address are refused before anything is sent, also when a proxy would send them."""

from typing import Self
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest, NotConfigured

from crawler.download.addresses import PRIVATE_PROXIES, is_local_name, is_public, numeric_address


class AddressMiddleware:
    """Off if ALLOW_PRIVATE_ADDRESSES. Names are checked where they are resolved (`crawler.download.resolver`)."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if crawler.settings.getbool("ALLOW_PRIVATE_ADDRESSES"):
            raise NotConfigured
        return cls()

    async def process_request(self, request: Request) -> None:
        """Raises IgnoreRequest for schemes other than http and https and for private targets."""
        parts = urlsplit(request.url)
        host = parts.hostname or ""
        address = numeric_address(host)
        if parts.scheme not in ("http", "https"):
            raise IgnoreRequest(f"{parts.scheme}: is not fetched")
        if not host or is_local_name(host) or (address and not is_public(address)):
            raise IgnoreRequest(f"{host or request.url} is a private address; see ALLOW_PRIVATE_ADDRESSES")
        if await PRIVATE_PROXIES.forbid(host):
            raise IgnoreRequest(f"{host} is a private address: only the port of the proxy there is used")
