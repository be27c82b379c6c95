"""The archived forms of a page: a request with its answer, or the stored source."""

import re
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

Headers = tuple[tuple[bytes, bytes], ...]
"""Names and values in their order; a name may come several times."""
_USER = re.compile(r"^(\w+://)[^/?#]*@")
_URL_CHARS = "".join(map(chr, range(0x21, 0x7F))).translate({ord(char): None for char in '<>"\\^`{|}'})


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and its answer as it came, before anything is decompressed.

    Attributes:
        at: when the request went out.
        protocol: of the answer, such as "HTTP/1.1"; "" if unknown.
        ip: address of the server; "" if unknown.
        truncated: why the body is incomplete, in the terms of WARC-Truncated; "" if it is complete.
    """

    url: str
    at: datetime
    method: str
    request_headers: Headers
    request_body: bytes
    status: int
    headers: Headers
    body: bytes
    protocol: str = ""
    ip: str = ""
    truncated: str = ""

    @property
    def size(self) -> int:
        """Bytes of both bodies and all headers."""
        headers = sum(len(name) + len(value) for name, value in (*self.request_headers, *self.headers))
        return len(self.body) + len(self.request_body) + headers


@dataclass(frozen=True, slots=True)
class PageBytes:
    """A page's bytes without the answer that brought them; `media_type` with its charset."""

    url: str
    at: datetime
    media_type: str
    body: bytes


def clean_url(url: str) -> str:
    """The URL in ASCII, without user name, password and characters that no URL has."""
    url = _USER.sub(r"\1", url)
    return quote(url, _URL_CHARS, errors="replace")
