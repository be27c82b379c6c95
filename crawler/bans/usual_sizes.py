"""Answers that are far smaller than a host's usual pages: some hosts turn a visitor away with a short page and status 200.

A site may well have short pages, and the same one for everything that it has deleted. So one small answer is only asked for
again; many addresses that give the same one, and no ordinary page in between, are a refusal; and what is still small when
ordinary pages come is taken as the page.
"""

import math
import re
from collections import OrderedDict
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Literal

_ENOUGH = 20
"""Pages from which a host's usual size is known."""
_PART = 8
"""So many times smaller than usual is small,"""
_MOST_BYTES = 4_000
"""if it is also smaller than this."""
_SAME = 4
"""So many addresses in a row with the same small answer are a refusal."""
_TRIES = 3
"""An address that gives a small answer so often, alone, has no more to give."""
_MOST_HOSTS, _MOST_ADDRESSES = 2_000, 500
_VARYING = re.compile(rb"\d+|https?://[^\s\"'<>]{0,500}")
Size = Literal["usual", "again", "refusal"]


@dataclass(slots=True)
class _Host:
    pages: int = 0
    log_size: float = 0.0
    row: dict[bytes, set[str]] = field(default_factory=dict)
    """Addresses by answer, since the last ordinary page."""
    small: OrderedDict[str, int] = field(default_factory=OrderedDict)
    """Addresses with a small answer, and how many ordinary pages there had been."""


class UsualSizes:
    """Learns each host's usual size, the newer pages counting more; bounded in hosts and addresses."""

    def __init__(self) -> None:
        self._hosts: OrderedDict[str, _Host] = OrderedDict()

    def look(self, host: str, url: str, body: bytes, attempt: int = 1) -> Size:
        """What the size of an HTML page with status 200 says: "again" asks for it once more.

        Args:
            attempt: the how-manieth time it is asked for, from 1.
        """
        known = self._host(host)
        size = len(body)
        if known.pages < _ENOUGH or size >= _MOST_BYTES or size * _PART >= math.exp(known.log_size):
            self._learn(known, size)
            return "usual"
        return self._small(known, url, body, attempt)

    def _small(self, known: _Host, url: str, body: bytes, attempt: int) -> Size:
        if known.small.get(url, known.pages) < known.pages:
            return "usual"  # it was small before, and the host has given pages since
        known.small[url] = known.pages
        if len(known.small) > _MOST_ADDRESSES:
            known.small.popitem(last=False)
        alike = known.row.setdefault(_print_of(body, url), set())
        alike.add(url)
        if len(alike) >= _SAME:
            return "refusal"
        return "usual" if attempt >= _TRIES and len(alike) == 1 else "again"

    def _learn(self, known: _Host, size: int) -> None:
        known.pages += 1
        known.log_size += (math.log(size + 1) - known.log_size) / min(known.pages, 50)
        known.row.clear()

    def _host(self, host: str) -> _Host:
        known = self._hosts.get(host)
        if known is None:
            known = self._hosts[host] = _Host()
            if len(self._hosts) > _MOST_HOSTS:
                self._hosts.popitem(last=False)
        return known


def _print_of(body: bytes, url: str) -> bytes:
    """The same for answers that differ in their address and in numbers only."""
    path = url.partition("://")[2].partition("/")[2].encode("utf-8", "replace")
    plain = body.replace(path, b"") if len(path) > 3 else body
    return blake2b(_VARYING.sub(b"", plain), digest_size=8).digest()
