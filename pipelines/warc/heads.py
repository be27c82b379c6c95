"""Status lines and headers for an archive: the original bytes, except those that would end a header."""

import re
from http import HTTPStatus
from typing import Any

from warcio.statusandheaders import StatusAndHeaders

from pipelines.warc.exchange import Exchange, Headers, clean_url

_CONTROLS = re.compile(rb"[\x00\r\n]")
_NO_NAME = re.compile(rb"[^!#$%&'*+\-.^_`|~0-9A-Za-z]")
_VERSION = re.compile(r"HTTP/1\.[01]")  # HTTP/2 is written as HTTP/1.1, which readers know
_PARTS = re.compile(r"^(?:\w+://([^/?#]*))?([^#]*)")
_REASONS = {status.value: status.phrase for status in HTTPStatus}
_RENAMED = b"X-Crawler-"
"""Prefix of transfer headers that do not describe the archived body, as in Common Crawl."""


class Head(StatusAndHeaders):  # type: ignore[misc]  # warcio has no types
    """A status line and headers with unchanged bytes; warcio would change those outside ASCII."""

    def __init__(self, line: str, headers: Headers) -> None:
        protocol, _, rest = line.partition(" ")
        super().__init__(rest, [], protocol)
        lines = [line.encode("ascii"), *(name + b": " + value for name, value in headers)]
        self.raw = b"\r\n".join(lines) + b"\r\n\r\n"

    def compute_headers_buffer(self, header_filter: Any = None) -> None:
        """Called by warcio."""
        self.headers_buff = self.raw


def clean_headers(headers: Headers) -> Headers:
    """The headers without control characters and invalid names."""
    cleaned = ((_NO_NAME.sub(b"_", name), _CONTROLS.sub(b" ", value).strip(b" \t")) for name, value in headers)
    return tuple((name, value) for name, value in cleaned if name)


def request_head(exchange: Exchange) -> Head:
    """The request line and headers; Host first, which the HTTP client adds."""
    host, path = _PARTS.findall(clean_url(exchange.url))[0]
    target = path if path.startswith("/") else f"/{path}"
    method = re.sub("[^A-Z]", "", exchange.method.upper()) or "GET"
    headers = [(name, value) for name, value in clean_headers(exchange.request_headers) if name.lower() != b"host"]
    return Head(f"{method} {target} HTTP/1.1", ((b"Host", host.encode("ascii")), *headers))


def response_head(exchange: Exchange) -> Head:
    """The status line and headers. Transfer headers that do not describe the archived body are renamed."""
    protocol = exchange.protocol if _VERSION.fullmatch(exchange.protocol) else "HTTP/1.1"
    line = f"{protocol} {exchange.status} {_REASONS.get(exchange.status, 'Unknown')}"
    has_body = exchange.method.upper() != "HEAD" and exchange.status not in (204, 304)
    length = len(exchange.body) if has_body else None
    return Head(line, tuple(_archived(name, value, length) for name, value in clean_headers(exchange.headers)))


def _archived(name: bytes, value: bytes, length: int | None) -> tuple[bytes, bytes]:
    known = name.lower()
    untrue = known == b"content-length" and length is not None and value != b"%d" % length
    return (_RENAMED + name if untrue or known == b"transfer-encoding" else name), value
