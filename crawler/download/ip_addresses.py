"""Public and private network addresses, and a resolver that refuses private ones. It checks each connection, so that it cannot
be bypassed by a redirect, a changed DNS answer or an unusual spelling of an address."""

import asyncio
import ipaddress
import socket
from collections.abc import Sequence
from typing import Self
from urllib.parse import urlsplit
from urllib.request import getproxies

from scrapy.crawler import Crawler
from scrapy.resolver import CachingThreadedResolver
from twisted.internet.base import ReactorBase
from twisted.internet.defer import Deferred


class PrivateAddressError(OSError):
    """The target is this machine or an address in a private network."""


def is_public(address: str) -> bool:
    """Whether a numeric IPv4 or IPv6 address is public; an IPv4 address embedded in IPv6 is judged as IPv4."""
    try:
        parsed = ipaddress.ip_address(address.split("%")[0])
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv6Address):
        inner = parsed.ipv4_mapped or parsed.sixtofour or (parsed.teredo[1] if parsed.teredo else None)
        if inner is not None:
            return inner.is_global and not inner.is_multicast
        if parsed in ipaddress.ip_network("64:ff9b::/96"):
            return is_public(str(ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF)))
    return parsed.is_global and not parsed.is_multicast


def numeric_address(host: str) -> str:
    """The IP address in a host, in any form that resolvers accept (2130706433, 0x7f.1); "" for a name."""
    host = host.strip("[]")
    if ":" in host:
        return host
    if host and host.rsplit(".", 1)[-1][:1].isdigit():
        try:
            return socket.inet_ntoa(socket.inet_aton(host))
        except OSError:
            return ""
    return ""


def is_local_name(host: str) -> bool:
    """Whether the name means this machine or the local network by definition."""
    host = host.rstrip(".").lower()
    return host == "localhost" or host.endswith((".localhost", ".local", ".internal"))


class PrivateProxies:
    """Hosts of the operator's proxies. They may be in a private network, where the crawl may use only the proxy's port.

    Attributes:
        hosts: lower-case names and addresses, of one process.
    """

    def __init__(self) -> None:
        self.hosts: set[str] = set()

    async def forbid(self, host: str) -> bool:
        """Whether to refuse requests for pages of a host, because it is one of these proxies at a private address."""
        name = host.lower().rstrip(".")
        if name not in self.hosts:
            return False
        try:
            found = await asyncio.get_running_loop().getaddrinfo(name, None, type=socket.SOCK_STREAM)
        except OSError:
            return True
        return not all(is_public(str(info[4][0])) for info in found)


PRIVATE_PROXIES = PrivateProxies()


class PublicResolver(CachingThreadedResolver):
    """Scrapy's caching resolver that refuses private addresses, unless ALLOW_PRIVATE_ADDRESSES.

    It does not know ports, so it accepts the operator's proxies; `AddressMiddleware` refuses pages of their hosts.
    """

    allow_private = False

    @classmethod
    def from_crawler(cls, crawler: Crawler, reactor: ReactorBase) -> Self:
        resolver = super().from_crawler(crawler, reactor)
        resolver.allow_private = crawler.settings.getbool("ALLOW_PRIVATE_ADDRESSES")
        PRIVATE_PROXIES.hosts.update(host for url in getproxies().values() if (host := urlsplit(url).hostname))
        return resolver

    def getHostByName(self, name: str, timeout: Sequence[int] = ()) -> Deferred[str]:  # noqa: N802  # Twisted's name
        """The address of a host; fails with PrivateAddressError for a private one."""
        return super().getHostByName(name, timeout).addCallback(self._checked, name)

    def _checked(self, address: str, name: str) -> str:
        if self.allow_private or name in PRIVATE_PROXIES.hosts or is_public(address):
            return address
        raise PrivateAddressError(f"{name} resolves to the private address {address}; see ALLOW_PRIVATE_ADDRESSES")
