"""Requests that impersonate a browser, by curl, with the limits of Scrapy's handler."""

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

from crawler.download.ip_addresses import PrivateAddressError, is_public
from crawler.meta import visitor_of

_MAX_CONNECTIONS = 64
_DNS_SECONDS = 300.0
"""A connection's host is not resolved again within this time."""
_BROWSER_HEADERS = (b"Accept", b"Accept-Encoding")
"""Headers set by Scrapy that curl replaces with those of the browser, in its order."""
_ERRORS = {
    CurlECode.OPERATION_TIMEDOUT: DownloadTimeoutError,
    CurlECode.COULDNT_RESOLVE_HOST: CannotResolveHostError,
    CurlECode.COULDNT_CONNECT: DownloadConnectionRefusedError,
}


@dataclass(slots=True)
class _Connection:
    """The connections of one visitor to one host as one browser; `opened` is in monotonic seconds."""

    session: AsyncSession[Any]
    opened: float
    users: int = 0


class Collector:
    """Collects the decompressed body; ends the transfer after more than `max_bytes` (0: no limit)."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._parts: list[bytes] = []
        self.received = 0

    def __call__(self, data: bytes) -> int:
        self.received += len(data)
        if self._max_bytes and self.received > self._max_bytes:
            self._parts.clear()
            return int(CURL_WRITEFUNC_ERROR)
        self._parts.append(data)
        return len(data)

    @property
    def is_full(self) -> bool:
        return bool(self._max_bytes) and self.received > self._max_bytes

    @property
    def body(self) -> bytes:
        return b"".join(self._parts)


class Impersonator:
    """Keeps connections open like a browser: one set per visitor, host and proxy, at most 64 sets.

    Hosts are resolved here, and only public addresses are used, unless ALLOW_PRIVATE_ADDRESSES; a proxy resolves hosts
    itself.
    """

    def __init__(self, settings: BaseSettings) -> None:
        self._allow_private = settings.getbool("ALLOW_PRIVATE_ADDRESSES")
        self._verify = settings.getbool("DOWNLOAD_VERIFY_CERTIFICATES")
        self._max_bytes = settings.getint("DOWNLOAD_MAXSIZE")
        self._max_header_bytes = settings.getint("DOWNLOAD_MAX_HEADERS")
        self._seconds = settings.getfloat("DOWNLOAD_TIMEOUT")
        self._clients = settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN") or 8
        self._connections: OrderedDict[tuple[str, ...], _Connection] = OrderedDict()

    async def download(self, request: Request, target: str) -> Response:
        """The answer; raises Scrapy's exceptions if there is none, or if it is too large or too slow."""
        seconds = float(request.meta.get("download_timeout") or self._seconds)
        started = time.monotonic()
        try:
            async with asyncio.timeout(seconds):
                response = await self._request(request, target)
        except TimeoutError:
            raise DownloadTimeoutError(f"{request.url} took longer than {seconds:g} s") from None
        request.meta["download_latency"] = time.monotonic() - started
        return response

    async def _request(self, request: Request, target: str) -> Response:
        collector = Collector(int(request.meta.get("download_maxsize", self._max_bytes)))
        with await self._connection(request, target) as session:
            arguments = RequestParser(_without_own_headers(request)).as_dict() | {
                "impersonate": target,
                "cookies": None,
                "proxy": _proxy(request) or None,
            }
            arguments["headers"] = {_browser_spelling(name): value for name, value in arguments["headers"].items()}
            try:
                answer = await session.request(
                    **arguments, content_callback=collector, discard_cookies=True, timeout=None
                )
            except RequestException as error:
                if collector.is_full:
                    raise DownloadCancelledError(f"{request.url} is larger than {self._max_bytes:,} bytes") from None
                kind = _ERRORS.get(CurlECode(error.code), DownloadFailedError)
                from_proxy = "CONNECT" in str(error)  # the proxy works, but cannot reach the host
                raise (DownloadFailedError if from_proxy else kind)(str(error)) from None
        headers = Headers(answer.headers.multi_items())
        if sum(len(name) + len(value) for name, value in answer.headers.multi_items()) > self._max_header_bytes:
            raise DownloadCancelledError(f"{request.url}: its headers are larger than {self._max_header_bytes:,} bytes")
        headers.pop("Content-Encoding", None)  # curl decompressed it
        found = responsetypes.from_args(headers=headers, url=request.url, body=collector.body)
        return found(request.url, status=answer.status_code, headers=headers, body=collector.body)

    async def _connection(self, request: Request, target: str) -> Any:
        parts = urlsplit(request.url)
        host, port = parts.hostname or "", parts.port or 443
        proxy = _proxy(request)
        authorization = (request.headers.get("Proxy-Authorization") or b"").decode("latin-1")
        key = (target, *map(str, visitor_of(request)), f"{host}:{port}", proxy, authorization)
        connection = self._connections.get(key)
        if connection is None or (not connection.users and time.monotonic() - connection.opened > _DNS_SECONDS):
            options: dict[CurlOpt, Any] = CurlOptionsParser(request.copy()).as_dict()
            if not proxy:
                options[CurlOpt.RESOLVE] = [await self._resolved(host, port)]
            session: AsyncSession[Any] = AsyncSession(
                max_clients=self._clients, curl_options=options, verify=self._verify, trust_env=False
            )
            connection = self._connections[key] = _Connection(session, time.monotonic())
            await self._close_idle()
        self._connections.move_to_end(key)
        return _in_use(connection)

    async def _resolved(self, host: str, port: int) -> str:
        """The host's public addresses in curl's format, so that curl does not resolve the host itself."""
        try:
            found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise CannotResolveHostError(f"{host}: {error}") from None
        addresses = list(dict.fromkeys(str(info[4][0]) for info in found))
        allowed = [address for address in addresses if self._allow_private or is_public(address)]
        if not allowed:
            raise PrivateAddressError(
                f"{host} resolves to the private address {addresses[0]}; see ALLOW_PRIVATE_ADDRESSES"
            )
        literals = [f"[{address}]" if ":" in address else address for address in allowed]
        return f"{f'[{host}]' if ':' in host else host}:{port}:{','.join(literals)}"

    async def _close_idle(self) -> None:
        """Close the longest idle connections if there are too many."""
        idle = [key for key, connection in self._connections.items() if not connection.users]
        for key in idle[: max(0, len(self._connections) - _MAX_CONNECTIONS)]:
            await self._connections.pop(key).session.close()

    async def close(self) -> None:
        while self._connections:
            await self._connections.popitem()[1].session.close()


@contextmanager
def _in_use(connection: _Connection) -> Iterator[AsyncSession[Any]]:
    connection.users += 1
    try:
        yield connection.session
    finally:
        connection.users -= 1


def _without_own_headers(request: Request) -> Request:
    """The request without headers for the proxy and headers that curl sets."""
    bare = request.copy()
    for name in (b"Proxy-Authorization", *_BROWSER_HEADERS):
        bare.headers.pop(name, None)
    return bare


def _proxy(request: Request) -> str:
    """The address of the proxy; a SOCKS proxy resolves hosts itself."""
    address = str(request.meta.get("proxy") or "")
    return address.replace("socks5://", "socks5h://", 1)


def _browser_spelling(name: str) -> str:
    """The name as browsers write it: client hints in lower case, which Scrapy capitalises."""
    return name.lower() if name.lower().startswith("sec-") else name
