"""One POST of JSON: to public addresses only, unless allowed; within a time and a size, and without following redirects."""

import base64
import contextlib
import hashlib
import hmac
import http.client
import json
import os
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from analysis.delivery.message import DeliveryError
from crawler.download.ip_addresses import is_public

TIMEOUT_SECONDS = 10.0
"""Limit for one request, from the DNS lookup to the last byte of the response."""
_MAX_BYTES = 65_536
_MAX_WAIT_SECONDS = 3_600.0
_WHSEC = "whsec_"


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """A response; `values` holds its JSON object, else {}."""

    status: int
    body: bytes
    wait: float

    @property
    def values(self) -> Mapping[str, Any]:
        try:
            found = json.loads(self.body)
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}


def checked_addresses(host: str, port: int, *, allow_private: bool) -> list[str]:
    """The numeric addresses of a host; DeliveryError if one is private and that is not allowed. What is checked is connected to:
    the name is not looked up again."""
    try:
        infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise DeliveryError(f"the host name {host} cannot be resolved: {error.strerror or error}") from None
    found = list(dict.fromkeys(str(info[4][0]) for info in infos))
    if not allow_private and not all(is_public(address) for address in found):
        raise DeliveryError(f"{host} resolves to a private address; see ALLOW_PRIVATE_ADDRESSES")
    return found


def connected(host: str, port: int, seconds: float, *, allow_private: bool) -> socket.socket:
    """A socket to the first reachable address."""
    error: OSError | None = None
    for address in checked_addresses(host, port, allow_private=allow_private):
        try:
            return socket.create_connection((address, port), seconds)
        except OSError as failed:
            error = failed
    raise DeliveryError(f"{host}:{port} cannot be reached: {error}")


def webhook_sign(secret_text: str, key: str, seconds: int, body: bytes) -> str:
    """As Standard Webhooks: identity, time in seconds and body, joined by points. A secret that begins with whsec_ is base64."""
    try:
        raw = (
            base64.b64decode(secret_text.removeprefix(_WHSEC), validate=True)
            if secret_text.startswith(_WHSEC)
            else secret_text.encode()
        )
    except ValueError:
        raise DeliveryError("the secret begins with whsec_, but the rest is not base64") from None
    signed = hmac.new(raw, f"{key}.{seconds}.".encode() + body, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(signed).decode()}"


def post_json(
    url: str, values: Mapping[str, Any], headers: Mapping[str, str] | None = None, *, allow_private: bool,
    body: bytes | None = None, seconds: float = TIMEOUT_SECONDS, most: int = _MAX_BYTES,
) -> HttpAnswer:  # fmt: skip
    """Send the values, or `body` as it is. DeliveryError without an answer; its text never has the address, which may be a secret."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise DeliveryError("the address must begin with https:// or http://")
    connection = _open(parts.scheme, parts.hostname, parts.port, seconds, allow_private=allow_private)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    sent = json.dumps(values, ensure_ascii=False).encode() if body is None else body
    given = {"Content-Type": "application/json; charset=utf-8", "User-Agent": "topicrawl", "Connection": "close"}
    try:
        with time_limit(connection.sock, seconds):
            connection.request("POST", target, sent, given | dict(headers or {}))
            return _answer(connection, most)
    except (OSError, http.client.HTTPException) as error:
        raise DeliveryError(f"{parts.hostname} did not respond: {type(error).__name__}", unsure=True) from None
    finally:
        connection.close()


@contextlib.contextmanager
def time_limit(sock: socket.socket, seconds: float) -> Iterator[None]:
    """Closes the connection at the deadline, however slowly the other side sends; also while TLS begins on it."""
    watched = socket.socket(fileno=os.dup(sock.fileno()))

    def end() -> None:
        with contextlib.suppress(OSError):
            watched.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        watched.close()


def _open(
    scheme: str, host: str, port: int | None, seconds: float, *, allow_private: bool
) -> http.client.HTTPConnection:
    port = port or (443 if scheme == "https" else 80)
    raw = connected(host, port, seconds, allow_private=allow_private)
    connection = http.client.HTTPConnection(host, port)
    try:
        with time_limit(raw, seconds):
            trusting = ssl.create_default_context()
            connection.sock = trusting.wrap_socket(raw, server_hostname=host) if scheme == "https" else raw
    except (OSError, ValueError) as error:
        raw.close()
        raise DeliveryError(f"{host}: TLS connection failed: {getattr(error, 'reason', '') or error}") from None
    return connection


def _answer(connection: http.client.HTTPConnection, most: int) -> HttpAnswer:
    answer = connection.getresponse()
    body = answer.read(most)
    return HttpAnswer(answer.status, body, _wait(answer.getheader("Retry-After")))


def _wait(text: str | None) -> float:
    try:
        return min(_MAX_WAIT_SECONDS, max(0.0, float(text or 0)))
    except ValueError:
        return 0.0
