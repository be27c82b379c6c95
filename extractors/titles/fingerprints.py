"""Fingerprints of full titles, which find copies of one title even if different endings were cut off.

The ending to cut off a title depends on the endings learned so far and on the title's page. So two copies of one title may
get different terms, but the fingerprint of all their words is the same.
"""

import re
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from extractors.titles.hash_slots import MIN_SLOTS, free_slot, placed, slots_for
from extractors.titles.title_column import TitleColumn
from extractors.topic.words import fold

_WORDS = re.compile(r"[^\W_]+[+#%]*")
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_NO_SPACE = re.compile(f" (?=[{_HAN}])|(?<=[{_HAN}]) ")
_MAX_CHARS = 1_000


def fingerprint(title: str) -> int:
    """64 bits of a title's words in order, independent of punctuation, case, width and script; 0 without words."""
    words = _NO_SPACE.sub("", " ".join(_WORDS.findall(fold(title[:_MAX_CHARS]))))
    if not words:
        return 0
    return int.from_bytes(blake2b(words.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


class FingerprintTable:
    """Fingerprints and positions of the stored titles with the same news: a hash table with open addressing.

    A slot has the number of an entry, from 1, or 0 if it is free. The number of slots is a power of two; at most two thirds
    are in use. An entry takes about 30 bytes, and would take 100 in a Python dictionary.
    """

    def __init__(self) -> None:
        self.fingerprints, self.positions = TitleColumn(np.uint64), TitleColumn(np.uint32)
        self._place(MIN_SLOTS)

    def __len__(self) -> int:
        return self.fingerprints.size

    def find(self, wanted: int) -> Sequence[int]:
        """Positions that were added with this fingerprint, ascending."""
        slots, known, last = self._slots, self.fingerprints.view, self._last
        at, found = wanted & last, []
        while entry := slots[at]:
            if known[entry - 1] == wanted:
                found.append(self.positions.view[entry - 1])
            at = at + 1 & last
        return sorted(found) if len(found) > 1 else found

    def add(self, added: int, position: int) -> None:
        """Record that a title with this fingerprint is the same news as the title at this position."""
        if position in self.find(added):
            return
        self.fingerprints.append(added)
        self.positions.append(position)
        if 3 * self.fingerprints.size > 2 * len(self._slots):
            self._place(2 * len(self._slots))
        else:
            self._slots[free_slot(self._slots, added & self._last)] = self.fingerprints.size

    def fill(self, fingerprints: NDArray[np.uint64], positions: NDArray[np.uint32]) -> None:
        """Add many entries at once to an empty table."""
        self.fingerprints.extend(fingerprints)
        self.positions.extend(positions)
        self._place(slots_for(len(fingerprints)))

    def _place(self, slots: int) -> None:
        self._last = slots - 1
        entries = np.arange(1, len(self) + 1, dtype=np.uint32)
        self._slots = placed(self.fingerprints.filled() & np.uint64(self._last), entries, slots).data
