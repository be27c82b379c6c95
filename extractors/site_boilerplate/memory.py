"""The number of pages of a host with each line: bounded, independent of the order of pages, and mergeable.

A line has 64 bits, and a page sets the bit to which its address is hashed: a page that is read again counts once, and the
counts of two nodes are merged by "or". Up to about 20 pages the number of bits gives the number of pages; beyond, it only
shows that there are many (linear counting: Whang et al. 1990).
"""

from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.site_boilerplate.keys import Keys

MAX_LINES = 4_096
"""Maximum lines of a host, 20 bytes each."""
_TURNS_PER_PAGE = 16
"""Additional lifetime of a line, in pages of the host, for each page that has it."""
_BITS = 64
_FORMAT = b"SM1\n"
_HEAD = np.dtype([("pages", "<u8"), ("turn", "<u4"), ("lines", "<u4")])


@dataclass(frozen=True, slots=True)
class SiteMemory:
    """The lines of a host.

    Attributes:
        keys: uint64[K], ascending. bits: uint64[K], of the pages that have each line. seen: uint32[K], the turn in which
            each was last seen.
        pages: the bits of all pages. turn: the number of counted pages, including repeated reads.
    """

    keys: Keys
    bits: NDArray[np.uint64]
    seen: NDArray[np.uint32]
    pages: int = 0
    turn: int = 0

    @property
    def page_count(self) -> int:
        """The estimated number of pages, from 64 bits."""
        return self.pages.bit_count()

    def counts(self, keys: Keys) -> NDArray[np.int64]:
        """int64 for each key: the estimated number of pages with the line, from 64 bits."""
        if not len(self.keys):
            return np.zeros(len(keys), np.int64)
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[places] == keys, np.bitwise_count(self.bits[places]), 0).astype(np.int64)

    def with_page(self, keys: Keys, url: str) -> "SiteMemory":
        """The memory with one more page of these distinct lines; pages with the same `url` are one page."""
        bit = blake2b(url.encode("utf-8", "replace"), digest_size=1).digest()[0] % _BITS
        bits = np.full(len(keys), 1 << bit, np.uint64)
        page = SiteMemory(keys, bits, np.full(len(keys), self.turn + 1, np.uint32), 1 << bit, self.turn + 1)
        return self.joined(page)

    def joined(self, other: "SiteMemory") -> "SiteMemory":
        """Both memories merged; beyond `MAX_LINES`, the lines seen longest ago on the fewest pages are dropped."""
        places = np.searchsorted(self.keys, other.keys)
        new = places == len(self.keys)
        new[~new] = self.keys[places[~new]] != other.keys[~new]
        bits, seen = self.bits.copy(), self.seen.copy()
        both = places[~new]  # each of them once
        bits[both] |= other.bits[~new]
        seen[both] = np.maximum(seen[both], other.seen[~new])
        old, at = _room(len(bits), places[new])
        keys, bits, seen = (
            _inserted(there, each[new], old, at)
            for there, each in ((self.keys, other.keys), (bits, other.bits), (seen, other.seen))
        )
        return _bounded(SiteMemory(keys, bits, seen, self.pages | other.pages, max(self.turn, other.turn)))

    def to_bytes(self) -> bytes:
        """The memory as bytes, for `memory_of`."""
        head = np.array([(self.pages, self.turn, len(self.keys))], _HEAD)
        columns = (self.keys.astype("<u8"), self.bits.astype("<u8"), self.seen.astype("<u4"))
        return _FORMAT + head.tobytes() + b"".join(column.tobytes() for column in columns)


NOTHING_KNOWN = SiteMemory(np.zeros(0, np.uint64), np.zeros(0, np.uint64), np.zeros(0, np.uint32))


def memory_of(stored: bytes) -> SiteMemory:
    """The memory of `to_bytes`; `NOTHING_KNOWN` for bytes of another version, or damaged ones."""
    start = len(_FORMAT) + _HEAD.itemsize
    if not stored.startswith(_FORMAT) or len(stored) < start:
        return NOTHING_KNOWN
    head = np.frombuffer(stored, _HEAD, 1, len(_FORMAT))[0]
    lines = int(head["lines"])
    if lines > MAX_LINES or len(stored) != start + 20 * lines:
        return NOTHING_KNOWN
    keys = np.frombuffer(stored, "<u8", lines, start).astype(np.uint64)
    bits = np.frombuffer(stored, "<u8", lines, start + 8 * lines).astype(np.uint64)
    seen = np.frombuffer(stored, "<u4", lines, start + 16 * lines).astype(np.uint32)
    if (keys[1:] <= keys[:-1]).any():
        return NOTHING_KNOWN
    return SiteMemory(keys, bits, seen, int(head["pages"]), int(head["turn"]))


def _room(length: int, places: NDArray[np.intp]) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """The new places after insertions before these places: bool of each place that old elements take, int64 of inserted ones."""
    at = places + np.arange(len(places))
    old = np.ones(length + len(places), np.bool_)
    old[at] = False
    return old, at


def _inserted(there: NDArray[Any], new: NDArray[Any], old: NDArray[np.bool_], at: NDArray[np.intp]) -> NDArray[Any]:
    joined = np.empty(len(old), there.dtype)
    joined[old], joined[at] = there, new
    return joined


def _bounded(memory: SiteMemory) -> SiteMemory:
    if len(memory.keys) <= MAX_LINES:
        return memory
    worth = memory.seen.astype(np.int64) + _TURNS_PER_PAGE * np.bitwise_count(memory.bits).astype(np.int64)
    kept = np.sort(np.argsort(-worth, kind="stable")[: MAX_LINES * 3 // 4])
    return replace(memory, keys=memory.keys[kept], bits=memory.bits[kept], seen=memory.seen[kept])
