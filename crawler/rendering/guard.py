"""The only network access of a rendered page: a proxy that allows public addresses and a limited number of bytes.

A browser resolves names itself and requests whatever a page contains: scripts, frames, sockets, redirects. So this proxy is its
only connection, and it connects to the very address that it checks.
"""

import asyncio
import base64
import socket
import ssl
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import unquote, urlsplit

from crawler.download.ip_addresses import PRIVATE_PROXIES, is_local_name, is_public, numeric_address

_MAX_HEAD_BYTES = 65_536
_CONNECT_SECONDS = 15.0
_CHUNK_BYTES = 65_536
_DROPPED = (b"proxy-", b"connection:", b"keep-alive:")
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class RequestRefusedError(Exception):
    """The target is not allowed."""


@dataclass(frozen=True, slots=True)
class Upstream:
    """The proxy through which the page was fetched; `url` is "" for none, `authorization` the value of that header."""

    url: str = ""
    authorization: bytes = b""

    @property
    def is_socks(self) -> bool:
        """Whether it is a SOCKS5 proxy, for which requests are the same as without a proxy."""
        return self.url.startswith("socks5")

    @property
    def credentials(self) -> bytes:
        """The value of the authorization header, from `authorization` or `url`; empty without credentials."""
        parts = urlsplit(self.url)
        if self.authorization or not parts.username:
            return self.authorization
        return b"Basic " + base64.b64encode(f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode())


@dataclass(slots=True)
class Guard:
    """A forward proxy on a free port of 127.0.0.1 for one context, within `async with`.

    Args:
        allow_private: ALLOW_PRIVATE_ADDRESSES.
        max_bytes: total of all answers, after which every connection is closed.
        upstream: resolves names, if set; private numeric addresses and local names are always refused here.

    Attributes:
        received: bytes of answers so far.
        refused: forbidden targets.
    """

    allow_private: bool
    max_bytes: int
    upstream: Upstream = Upstream()
    received: int = 0
    refused: list[str] = field(default_factory=list)
    _server: asyncio.Server | None = None
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def address(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    @property
    def is_spent(self) -> bool:
        return self.received > self.max_bytes

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=_MAX_HEAD_BYTES)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._serve((reader, writer)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, browser: Streams) -> None:
        try:
            head = await asyncio.wait_for(browser[0].readuntil(b"\r\n\r\n"), _CONNECT_SECONDS)
            await self._connect(browser, head)
        except RequestRefusedError as error:
            self.refused.append(str(error))
            browser[1].write(b"HTTP/1.1 403 Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        except (OSError, TimeoutError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            browser[1].write(b"HTTP/1.1 502 No answer\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        finally:
            await _end(browser[1])

    async def _connect(self, browser: Streams, head: bytes) -> None:
        line, _, rest = head.partition(b"\r\n")
        method, target, version = line.decode("latin-1").split(" ", 2)
        is_tunnel = method == "CONNECT"
        parts = urlsplit(f"//{target}" if is_tunnel else target)
        host, port = parts.hostname or "", parts.port or 80
        if self.is_spent or not (is_tunnel or parts.scheme == "http"):
            raise RequestRefusedError(target[:200])
        await self._check(host)
        server = await asyncio.wait_for(self._open(host, port, is_tunnel), _CONNECT_SECONDS)
        try:
            if is_tunnel:
                browser[1].write(b"HTTP/1.1 200 Connected\r\n\r\n")
            else:
                path = (
                    target if self._sends_to_proxy else (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
                )
                server[1].write(f"{method} {path} {version}\r\n".encode("latin-1") + self._headers(rest))
            await self._exchange(browser, server)
        finally:
            await _end(server[1])

    async def _check(self, host: str) -> None:
        """Raises RequestRefusedError for a private numeric address; names are checked when they are resolved."""
        address = numeric_address(host)
        if not host or (not self.allow_private and (is_local_name(host) or (address and not is_public(address)))):
            raise RequestRefusedError(host)
        if not self.allow_private and await PRIVATE_PROXIES.forbid(host):
            raise RequestRefusedError(host)

    async def _open(self, host: str, port: int, is_tunnel: bool) -> Streams:
        if self.upstream.url:
            return await self._open_upstream(host, port, is_tunnel)
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [str(info[4][0]) for info in found]
        allowed = [address for address in addresses if self.allow_private or is_public(address)]
        if not allowed:
            raise RequestRefusedError(f"{host} ({addresses[0]})")
        return await asyncio.open_connection(allowed[0], port)

    @property
    def _sends_to_proxy(self) -> bool:
        return bool(self.upstream.url) and not self.upstream.is_socks

    async def _open_upstream(self, host: str, port: int, is_tunnel: bool) -> Streams:
        parts = urlsplit(self.upstream.url)
        if self.upstream.is_socks:
            from crawler.rendering import socks5  # needs an optional package

            reached = await asyncio.open_connection(parts.hostname, parts.port or 1080)
            try:
                await socks5.connect(*reached, host, port, self.upstream.credentials)
            except OSError:
                await _end(reached[1])
                raise
            return reached
        secured = _lenient_tls() if parts.scheme == "https" else None
        streams = await asyncio.open_connection(parts.hostname, parts.port or 80, ssl=secured)
        if is_tunnel:
            name = f"[{host}]" if ":" in host else host
            streams[1].write(
                f"CONNECT {name}:{port} HTTP/1.1\r\nHost: {name}:{port}\r\n".encode() + self._authorization()
            )
            streams[1].write(b"\r\n")
            status = (await streams[0].readuntil(b"\r\n\r\n")).split(b" ", 2)[1]
            if status != b"200":
                await _end(streams[1])
                raise OSError("the proxy refused the connection")
        return streams

    def _headers(self, rest: bytes) -> bytes:
        """The browser's headers, for one request per connection."""
        kept = [line for line in rest.split(b"\r\n") if line and not line.lower().startswith(_DROPPED)]
        own = self._authorization() if self._sends_to_proxy else b""
        return b"\r\n".join([*kept, b"Connection: close", b""]) + own + b"\r\n"

    def _authorization(self) -> bytes:
        login = self.upstream.credentials
        return b"Proxy-Authorization: " + login + b"\r\n" if login else b""

    async def _exchange(self, browser: Streams, server: Streams) -> None:
        """Copy in both directions until one side closes or the limit of bytes is reached."""
        ways = [
            asyncio.ensure_future(self._copy(browser[0], server[1], counted=False)),
            asyncio.ensure_future(self._copy(server[0], browser[1], counted=True)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)

    async def _copy(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, *, counted: bool) -> None:
        with suppress(OSError):
            while data := await source.read(_CHUNK_BYTES):
                self.received += len(data) if counted else 0
                if self.is_spent:
                    return
                target.write(data)
                await target.drain()


def _lenient_tls() -> ssl.SSLContext:
    """TLS without verification of certificates, like Scrapy's connections to proxies."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


async def _end(writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        writer.close()
        await writer.wait_closed()
