"""Answers that are much smaller than the usual pages of a host: some hosts refuse visitors with a short page and status 200.

A site may have short pages, and one short page for everything that it deleted. So a small answer is requested again; the
same small answer at several addresses, without a usual page in between, is a refusal; an answer that is still small when
usual pages come is the page.
"""

import math
import re
from collections import OrderedDict
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Literal

_MIN_PAGES = 20
"""Pages from which on the usual size of a host is known."""
_SMALL_FACTOR = 8
"""An answer is small if it is this many times smaller than usual,"""
_MAX_SMALL_BYTES = 4_000
"""and smaller than this."""
_REFUSAL_ADDRESSES = 4
"""Addresses in a row with the same small answer that make a refusal."""
_MAX_ATTEMPTS = 3
"""Attempts after which the small answer of a single address is its page."""
_MAX_HOSTS, _MAX_ADDRESSES = 2_000, 500
_VARYING = re.compile(rb"\d+|https?://[^\s\"'<>]{0,500}")
Size = Literal["usual", "again", "refusal"]


@dataclass(slots=True)
class _Host:
    pages: int = 0
    log_size: float = 0.0
    row: dict[bytes, set[str]] = field(default_factory=dict)
    """Addresses by their small answer, since the last usual page."""
    small: OrderedDict[str, int] = field(default_factory=OrderedDict)
    """Addresses with a small answer, and the number of usual pages before."""


class UsualSizes:
    """Learns the usual page size of each host, with more weight for newer pages. Hosts and addresses are limited."""

    def __init__(self) -> None:
        self._hosts: OrderedDict[str, _Host] = OrderedDict()

    def classify(self, host: str, url: str, body: bytes, attempt: int = 1) -> Size:
        """Classify an HTML page with status 200 by its size; "again" means that it should be requested once more.

        Args:
            attempt: number of this request, from 1.
        """
        known = self._host(host)
        size = len(body)
        if known.pages < _MIN_PAGES or size >= _MAX_SMALL_BYTES or size * _SMALL_FACTOR >= math.exp(known.log_size):
            self._learn(known, size)
            return "usual"
        return self._small(known, url, body, attempt)

    def _small(self, known: _Host, url: str, body: bytes, attempt: int) -> Size:
        if known.small.get(url, known.pages) < known.pages:
            return "usual"  # it was small before, and usual pages came since
        known.small[url] = known.pages
        if len(known.small) > _MAX_ADDRESSES:
            known.small.popitem(last=False)
        same = known.row.setdefault(_fingerprint(body, url), set())
        same.add(url)
        if len(same) >= _REFUSAL_ADDRESSES:
            return "refusal"
        return "usual" if attempt >= _MAX_ATTEMPTS and len(same) == 1 else "again"

    def _learn(self, known: _Host, size: int) -> None:
        known.pages += 1
        known.log_size += (math.log(size + 1) - known.log_size) / min(known.pages, 50)
        known.row.clear()

    def _host(self, host: str) -> _Host:
        known = self._hosts.get(host)
        if known is None:
            known = self._hosts[host] = _Host()
            if len(self._hosts) > _MAX_HOSTS:
                self._hosts.popitem(last=False)
        return known


def _fingerprint(body: bytes, url: str) -> bytes:
    """A hash that is the same for answers which differ only in their address and in numbers."""
    path = url.partition("://")[2].partition("/")[2].encode("utf-8", "replace")
    plain = body.replace(path, b"") if len(path) > 3 else body
    return blake2b(_VARYING.sub(b"", plain), digest_size=8).digest()
