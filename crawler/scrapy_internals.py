"""All private parts of Scrapy and Twisted that this project needs, each with its reason.

Releases of either may change these names: `tests/crawler/test_scrapy_internals.py` checks them, and CI runs it with the
oldest and the newest Scrapy that `pyproject.toml` allows.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler, _LenientHTTP11ClientFactory
from scrapy.downloadermiddlewares import cookies
from scrapy.downloadermiddlewares.redirect import RedirectMiddleware
from twisted.internet.interfaces import IAddress

if TYPE_CHECKING:
    from scrapy.core.downloader.handlers._httpx import HttpxDownloadHandler as HttpxDownloadHandler


def __getattr__(name: str) -> Any:
    """`HttpxDownloadHandler`: Scrapy's only client for SOCKS5 and https proxies is private, and needs an optional package."""
    if name != "HttpxDownloadHandler":
        raise AttributeError(name)
    from scrapy.core.downloader.handlers._httpx import HttpxDownloadHandler

    return HttpxDownloadHandler


def limit_header_bytes(handler: HTTP11DownloadHandler, limit: int) -> None:
    """Drop connections whose answer has more than `limit` bytes of headers: Twisted has no limit, and Scrapy's pool cannot
    be given another protocol."""
    pool: Any = handler._pool
    pool._factory = type("BoundedFactory", (_BoundedFactory,), {"limit": limit})


class _BoundedFactory(_LenientHTTP11ClientFactory):
    limit = 131_072

    def buildProtocol(self, addr: IAddress | None) -> Any:  # noqa: N802  # Twisted's name
        protocol: Any = super().buildProtocol(addr)
        receive, limit = protocol.dataReceived, self.limit
        received = 0

        def bounded(data: bytes) -> None:
            nonlocal received
            received = received + len(data) if _is_in_headers(protocol) else 0
            receive(data)
            if received > limit and _is_in_headers(protocol):
                protocol.transport.abortConnection()

        protocol.dataReceived = bounded
        return protocol


def _is_in_headers(protocol: Any) -> bool:
    """Reads the state of Twisted's parser, which has no public attribute."""
    parser = protocol._parser
    return parser is not None and parser.state in ("STATUS", "HEADER")


def use_public_suffixes(is_public_suffix: Callable[[str], bool]) -> None:
    """Replace Scrapy's list of public suffixes, which it would fetch from the network, bypassing proxies and delays."""
    used: Any = cookies
    used._is_public_domain = is_public_suffix


def use_reactor_clock(seconds: Callable[[], float]) -> None:
    """Replace the wall clock of Twisted's timers: setting it back an hour would make each pending timer an hour late."""
    from twisted.internet import reactor  # importing it earlier would install another one

    timed: Any = reactor
    timed.seconds = seconds


class QuietRedirectMiddleware(RedirectMiddleware):
    """Suppresses Scrapy's warning at each start that no Referer is sent after a redirect."""

    def _engine_started(self) -> None:
        """Nothing to look for: the Referer middleware is off."""
