"""Hosts are resolved to public addresses only. The check is made for each connection, so that no redirect, no second
answer of a name server and no odd spelling of an address avoids it."""

from collections.abc import Sequence
from typing import Self
from urllib.parse import urlsplit
from urllib.request import getproxies

from scrapy.crawler import Crawler
from scrapy.resolver import CachingThreadedResolver
from twisted.internet.base import ReactorBase
from twisted.internet.defer import Deferred

from crawler.download.addresses import PRIVATE_PROXIES, PrivateAddressError, is_public


class PublicResolver(CachingThreadedResolver):
    """Scrapy's caching resolver that refuses private addresses, unless ALLOW_PRIVATE_ADDRESSES.

    It knows no ports, so it accepts the operator's proxies; `AddressMiddleware` refuses requests for pages of their hosts.
    """

    allow_private = False

    @classmethod
    def from_crawler(cls, crawler: Crawler, reactor: ReactorBase) -> Self:
        resolver = super().from_crawler(crawler, reactor)
        resolver.allow_private = crawler.settings.getbool("ALLOW_PRIVATE_ADDRESSES")
        PRIVATE_PROXIES.hosts.update(host for url in getproxies().values() if (host := urlsplit(url).hostname))
        return resolver

    def getHostByName(self, name: str, timeout: Sequence[int] = ()) -> Deferred[str]:  # noqa: N802  # Twisted's name
        """The address of a host; fails with PrivateAddressError."""
        return super().getHostByName(name, timeout).addCallback(self._checked, name)

    def _checked(self, address: str, name: str) -> str:
        if self.allow_private or name in PRIVATE_PROXIES.hosts or is_public(address):
            return address
        raise PrivateAddressError(f"{name} leads to the private address {address}; see ALLOW_PRIVATE_ADDRESSES")
