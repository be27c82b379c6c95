"""Digests of archived payloads, so that each payload is stored once."""

import base64
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import sha1

_MAX_PAYLOADS = 50_000
"""About 300 bytes each."""


def payload_digest(body: bytes) -> str:
    """SHA-1 in base32, as WARC-Payload-Digest has it in most archives; not for security."""
    return f"sha1:{base64.b32encode(sha1(body, usedforsecurity=False).digest()).decode('ascii')}"


@dataclass(frozen=True, slots=True)
class Origin:
    """The record that has a payload: its URL and its WARC-Date."""

    url: str
    date: str


class Payloads:
    """Origins of the most recently used payloads, by digest."""

    def __init__(self, most: int = _MAX_PAYLOADS) -> None:
        self._most = most
        self._origins: OrderedDict[str, Origin] = OrderedDict()

    def origin(self, digest: str) -> Origin | None:
        """Where this payload was archived; None if unknown."""
        if digest in self._origins:
            self._origins.move_to_end(digest)
        return self._origins.get(digest)

    def add(self, digest: str, origin: Origin) -> None:
        self._origins.setdefault(digest, origin)
        if len(self._origins) > self._most:
            self._origins.popitem(last=False)
