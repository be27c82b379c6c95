"""A small bounded web server for hubs, off unless the operator configures its address."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from twisted.internet import reactor
from twisted.protocols.policies import WrappingFactory
from twisted.web.resource import Resource
from twisted.web.server import Request, Site

logger = logging.getLogger(__name__)
MAX_BODY_BYTES = 2_000_000
"""Larger messages are refused before they are read."""
_MAX_CONNECTIONS, _TIMEOUT = 64, 30
_TOO_LARGE = b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_SIGNATURES = ("X-Hub-Signature-256", "X-Hub-Signature")

Verify = Callable[[str, Mapping[str, str]], str | None]
Deliver = Callable[[str, bytes, str], int]


class _BoundedRequest(Request):
    """Refuses bodies that are too long or of unknown length."""

    def gotLength(self, length: int | None) -> None:  # noqa: N802  # Twisted's name
        """Called after the headers; None for a chunked body."""
        if length is None or length > MAX_BODY_BYTES:
            channel: Any = self.channel
            channel.transport.write(_TOO_LARGE)
            channel.loseConnection()
            length = 0
        read: Any = super().gotLength
        read(length)


class _BoundedSite(WrappingFactory):
    """Limits the number of connections."""

    noisy = False

    def buildProtocol(self, addr: Any) -> Any:  # noqa: N802  # Twisted's name
        """None closes the connection at once."""
        return None if len(self.protocols) >= _MAX_CONNECTIONS else super().buildProtocol(addr)


class _Callback(Resource):
    """`/TOKEN`: GET is a hub's verification, POST its message."""

    isLeaf = True  # noqa: N815  # Twisted's name

    def __init__(self, verify: Verify, deliver: Deliver) -> None:
        Resource.__init__(self)  # type: ignore[no-untyped-call]
        self._verify, self._deliver = verify, deliver

    def render_GET(self, request: Request) -> bytes:  # noqa: N802  # Twisted's name
        said = {name.decode("latin-1"): values[0].decode("utf-8", "replace") for name, values in request.args.items()}
        challenge = self._verify(_token(request), said)
        request.responseHeaders.setRawHeaders(b"Content-Type", [b"text/plain; charset=utf-8"])
        if challenge is None:
            request.setResponseCode(404)
            return b""
        return challenge.encode("utf-8", "replace")

    def render_POST(self, request: Request) -> bytes:  # noqa: N802  # Twisted's name
        signatures = (request.getHeader(name) for name in _SIGNATURES)
        body = request.content.read(MAX_BODY_BYTES + 1) if request.content else b""
        request.setResponseCode(self._deliver(_token(request), body, next(filter(None, signatures), "")))
        return b""


def _token(request: Request) -> str:
    return str(request.path.decode("latin-1").rstrip("/").rpartition("/")[2])


class Listener:
    """Listens until it is closed.

    Args:
        listen: HOST:PORT; port 0 takes a free one.
        verify, deliver: as in `crawler.watching.websub.Subscriptions` and the spider.

    Raises:
        OSError: the port is unavailable.
    """

    def __init__(self, listen: str, verify: Verify, deliver: Deliver) -> None:
        host, _, port = listen.rpartition(":")
        make: Any = Site
        bound: Any = _BoundedSite
        site = make(_Callback(verify, deliver), requestFactory=_BoundedRequest, timeout=_TIMEOUT)
        site.displayTracebacks = False
        loop: Any = reactor
        self._port = loop.listenTCP(int(port), bound(site), interface=host)
        logger.info("Listening for hubs at %s:%d", host, self.port)

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self._port.getHost().port)

    def close(self) -> Any:
        """Stop listening; the Deferred fires when the port is released."""
        return self._port.stopListening()
