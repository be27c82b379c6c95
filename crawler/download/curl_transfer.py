"""Requests sent by curl in a browser's manner, with the bounds of Scrapy's own handler."""

import asyncio
import socket
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from curl_cffi import CurlECode, CurlOpt
from curl_cffi.curl import CURL_WRITEFUNC_ERROR
from curl_cffi.requests import AsyncSession
from curl_cffi.requests.exceptions import RequestException
from scrapy import Request
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
)
from scrapy.http import Headers, Response
from scrapy.responsetypes import responsetypes
from scrapy.settings import BaseSettings
from scrapy_impersonate import RequestParser
from scrapy_impersonate.parser import CurlOptionsParser

from crawler.download.addresses import PrivateAddressError, is_public
from crawler.meta import visitor_of

_SESSIONS = 64
_NAME_SECONDS = 300.0
"""For so long a connection's name is not resolved anew."""
_THE_BROWSERS_OWN = (b"Accept", b"Accept-Encoding")
"""Headers that Scrapy sets for everybody; the browser's stand in their place, in its order."""
_ERRORS = {
    CurlECode.OPERATION_TIMEDOUT: DownloadTimeoutError,
    CurlECode.COULDNT_RESOLVE_HOST: CannotResolveHostError,
    CurlECode.COULDNT_CONNECT: DownloadConnectionRefusedError,
}


@dataclass(slots=True)
class _Line:
    """The connections of one visitor to one host, as one browser."""

    session: AsyncSession[Any]
    made: float
    users: int = 0


class Collector:
    """The body as it comes, decompressed; `received` counts, and what goes beyond `most` bytes ends the transfer."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._parts: list[bytes] = []
        self.received = 0

    def __call__(self, data: bytes) -> int:
        self.received += len(data)
        if self._most and self.received > self._most:
            self._parts.clear()
            return int(CURL_WRITEFUNC_ERROR)
        self._parts.append(data)
        return len(data)

    @property
    def is_full(self) -> bool:
        """Whether there was more than may be."""
        return bool(self._most) and self.received > self._most

    @property
    def body(self) -> bytes:
        """All of it."""
        return b"".join(self._parts)


class Impersonator:
    """Keeps lines open as a browser does: one for each visitor, host and proxy, at most 64.

    Names are resolved here, and connected to only where that is public, unless ALLOW_PRIVATE_ADDRESSES; behind a proxy
    they are resolved by the proxy.
    """

    def __init__(self, settings: BaseSettings) -> None:
        self._allow_private = settings.getbool("ALLOW_PRIVATE_ADDRESSES")
        self._verify = settings.getbool("DOWNLOAD_VERIFY_CERTIFICATES")
        self._most = settings.getint("DOWNLOAD_MAXSIZE")
        self._most_headers = settings.getint("DOWNLOAD_MAX_HEADERS")
        self._seconds = settings.getfloat("DOWNLOAD_TIMEOUT")
        self._clients = settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN") or 8
        self._lines: OrderedDict[tuple[str, ...], _Line] = OrderedDict()

    async def download(self, request: Request, target: str) -> Response:
        """The answer; Scrapy's exceptions for one that cannot be had, is too large or takes too long."""
        seconds = float(request.meta.get("download_timeout") or self._seconds)
        started = time.monotonic()
        try:
            async with asyncio.timeout(seconds):
                response = await self._ask(request, target)
        except TimeoutError:
            raise DownloadTimeoutError(f"{request.url} took longer than {seconds:g} s") from None
        request.meta["download_latency"] = time.monotonic() - started
        return response

    async def _ask(self, request: Request, target: str) -> Response:
        collector = Collector(int(request.meta.get("download_maxsize", self._most)))
        with await self._line(request, target) as session:
            asked = RequestParser(_bare(request)).as_dict() | {
                "impersonate": target,
                "cookies": None,
                "proxy": _proxy(request) or None,
            }
            asked["headers"] = {_spelt(name): value for name, value in asked["headers"].items()}
            try:
                answer = await session.request(**asked, content_callback=collector, discard_cookies=True, timeout=None)
            except RequestException as error:
                if collector.is_full:
                    raise DownloadCancelledError(f"{request.url} is larger than {self._most:,} bytes") from None
                kind = _ERRORS.get(CurlECode(error.code), DownloadFailedError)
                through = "CONNECT" in str(error)  # what the proxy says of the host is not said of the proxy
                raise (DownloadFailedError if through else kind)(str(error)) from None
        headers = Headers(answer.headers.multi_items())
        if sum(len(name) + len(value) for name, value in answer.headers.multi_items()) > self._most_headers:
            raise DownloadCancelledError(f"{request.url}: its headers are larger than {self._most_headers:,} bytes")
        headers.pop("Content-Encoding", None)  # curl has decompressed it
        found = responsetypes.from_args(headers=headers, url=request.url, body=collector.body)
        return found(request.url, status=answer.status_code, headers=headers, body=collector.body)

    async def _line(self, request: Request, target: str) -> Any:
        parts = urlsplit(request.url)
        host, port = parts.hostname or "", parts.port or 443
        proxy = _proxy(request)
        authorization = (request.headers.get("Proxy-Authorization") or b"").decode("latin-1")
        key = (target, *map(str, visitor_of(request)), f"{host}:{port}", proxy, authorization)
        line = self._lines.get(key)
        if line is None or (not line.users and time.monotonic() - line.made > _NAME_SECONDS):
            options: dict[CurlOpt, Any] = CurlOptionsParser(request.copy()).as_dict()
            if not proxy:
                options[CurlOpt.RESOLVE] = [await self._resolved(host, port)]
            session: AsyncSession[Any] = AsyncSession(
                max_clients=self._clients, curl_options=options, verify=self._verify, trust_env=False
            )
            line = self._lines[key] = _Line(session, time.monotonic())
            await self._let_go()
        self._lines.move_to_end(key)
        return _in_use(line)

    async def _resolved(self, host: str, port: int) -> str:
        """What curl is told of the name, so that it asks nobody itself."""
        try:
            found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise CannotResolveHostError(f"{host}: {error}") from None
        addresses = list(dict.fromkeys(str(info[4][0]) for info in found))
        allowed = [address for address in addresses if self._allow_private or is_public(address)]
        if not allowed:
            raise PrivateAddressError(
                f"{host} leads to the private address {addresses[0]}; see ALLOW_PRIVATE_ADDRESSES"
            )
        spelt = [f"[{address}]" if ":" in address else address for address in allowed]
        return f"{f'[{host}]' if ':' in host else host}:{port}:{','.join(spelt)}"

    async def _let_go(self) -> None:
        """Of the lines that have been idle longest, where there are too many."""
        idle = [key for key, line in self._lines.items() if not line.users]
        for key in idle[: max(0, len(self._lines) - _SESSIONS)]:
            await self._lines.pop(key).session.close()

    async def close(self) -> None:
        """Hang up."""
        while self._lines:
            await self._lines.popitem()[1].session.close()


@contextmanager
def _in_use(line: _Line) -> Iterator[AsyncSession[Any]]:
    line.users += 1
    try:
        yield line.session
    finally:
        line.users -= 1


def _bare(request: Request) -> Request:
    """Without what only proxies may read, and what the browser says in its own words."""
    bare = request.copy()
    for name in (b"Proxy-Authorization", *_THE_BROWSERS_OWN):
        bare.headers.pop(name, None)
    return bare


def _proxy(request: Request) -> str:
    """Its address; a SOCKS proxy resolves names itself."""
    address = str(request.meta.get("proxy") or "")
    return address.replace("socks5://", "socks5h://", 1)


def _spelt(name: str) -> str:
    """Browsers write the names of client hints small, Scrapy every name with capitals."""
    return name.lower() if name.lower().startswith("sec-") else name
