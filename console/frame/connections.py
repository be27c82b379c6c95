"""The console's HTTP server: limits of connections per address, of their silence, and of readers that do not read."""

from collections import Counter
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from console.config import is_loopback

_MAX_CONNECTIONS = 800
_MAX_OF_ADDRESS, _MAX_LOCAL = 100, 600
"""Behind a proxy on this machine all connections are local."""
_KEEP_ALIVE_SECONDS = 15
_HEAD_SECONDS = 10.0
"""From the connection, or from the last answer, until a request's headers are complete."""
_UNREAD_SECONDS = 30.0
"""Time during which a client may take nothing of an answer."""
_LOOK_SECONDS = 2.0


class GuardedConnection(H11Protocol):
    """A connection that ends if its client is silent where it should speak, or takes nothing of its answer."""

    _of_address = Counter[str]()
    _waits_since: float | None = None
    _unread_since: float | None = None
    _address: str = ""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""
        self._of_address[self._address] += 1
        most = _MAX_LOCAL if is_loopback(self._address) else _MAX_OF_ADDRESS
        if self._of_address[self._address] > most:
            transport.abort()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        self._of_address.subtract([self._address])
        if self._of_address[self._address] <= 0:
            del self._of_address[self._address]
        self._timer.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        now, is_answering = self.loop.time(), self.cycle is not None and not self.cycle.response_complete
        is_unread = self.flow.write_paused or self.transport.is_closing()
        self._waits_since = None if is_answering else self._waits_since or now
        self._unread_since = (self._unread_since or now) if is_unread else None
        waited = now - (self._waits_since or now)
        unread = now - (self._unread_since or now)
        if waited > max(_HEAD_SECONDS, _KEEP_ALIVE_SECONDS if self.cycle else 0) or unread > _UNREAD_SECONDS:
            self.transport.abort()
        self._timer = self.loop.call_later(_LOOK_SECONDS, self._look)


def server_config(app: ASGIApp, host: str = "127.0.0.1", port: int = 0, **more: Any) -> uvicorn.Config:
    """How the console is served; `more` for tests."""
    options: dict[str, Any] = {
        "http": GuardedConnection,
        "log_level": "warning",
        "access_log": False,
        "server_header": False,
        "proxy_headers": False,
        "limit_concurrency": _MAX_CONNECTIONS,
        "timeout_keep_alive": _KEEP_ALIVE_SECONDS,
        "timeout_graceful_shutdown": 5,
    }
    return uvicorn.Config(app, host, port, **options | more)
