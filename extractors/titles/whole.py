"""Titles as they stand, before anything is cut off: who stood like this, whatever was known of endings then.

What is cut off a title depends on what was learned until then and on the page it is from, so that two copies of one
title may come to have different terms. A mark of the words as they stand finds them all the same.
"""

import re
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from extractors.titles.columns import Column
from extractors.topic.words import fold

_WORDS = re.compile(r"[^\W_]+[+#%]*")
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_NO_SPACE = re.compile(f" (?=[{_HAN}])|(?<=[{_HAN}]) ")
_LONGEST = 1_000
_FIRST = 1_024


def mark(title: str) -> int:
    """64 bits of a title's words in order; punctuation, case, width and script do not matter. 0 if it has no words."""
    words = _NO_SPACE.sub("", " ".join(_WORDS.findall(fold(title[:_LONGEST]))))
    if not words:
        return 0
    return int.from_bytes(blake2b(words.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


class WholeTitles:
    """Marks and the positions of the stored titles that tell the same: a table of 64-bit marks with open addresses.

    A slot holds the number of an entry from 1 on, 0 is a free one. The slots are a power of two, at most two thirds of
    them in use: about 30 bytes an entry, where a dictionary of Python's takes a hundred.
    """

    def __init__(self) -> None:
        self.marks, self.positions = Column(np.uint64), Column(np.uint32)
        self._place(_FIRST)

    def __len__(self) -> int:
        return self.marks.size

    def find(self, marked: int) -> Sequence[int]:
        """Positions that were added with this mark, ascending."""
        slots, marks, last = self._slots, self.marks.view, self._last
        at, found = marked & last, []
        while entry := slots[at]:
            if marks[entry - 1] == marked:
                found.append(self.positions.view[entry - 1])
            at = at + 1 & last
        return sorted(found) if len(found) > 1 else found

    def add(self, marked: int, position: int) -> None:
        """Note that a title with this mark tells what stands at this position; once is enough."""
        if position in self.find(marked):
            return
        self.marks.append(marked)
        self.positions.append(position)
        if 3 * self.marks.size > 2 * len(self._slots):
            self._place(2 * len(self._slots))
        else:
            self._slots[self._free(marked)] = self.marks.size

    def _free(self, marked: int) -> int:
        at = marked & self._last
        while self._slots[at]:
            at = at + 1 & self._last
        return at

    def fill(self, marks: NDArray[np.uint64], positions: NDArray[np.uint32]) -> None:
        """Add many at once to an empty table."""
        self.marks.extend(marks)
        self.positions.extend(positions)
        slots = _FIRST
        while 3 * len(marks) > 2 * slots:
            slots *= 2
        self._place(slots)

    def _place(self, slots: int) -> None:
        """Put every entry into one of so many slots: its own, or the next free one behind."""
        table, self._last = np.zeros(slots, np.uint32), slots - 1
        homes = self.marks.filled() & np.uint64(self._last)
        order = np.argsort(homes, kind="stable")
        ranks = np.arange(len(order))
        wanted = np.maximum.accumulate(homes[order].astype(np.int64) - ranks) + ranks
        inside = int(np.searchsorted(wanted, slots))
        table[wanted[:inside]] = order[:inside] + 1
        self._slots = memoryview(table)  # type: ignore[arg-type]  # numpy's stubs do not know of 3.12's Buffer
        for entry in order[inside:].tolist():  # the few that would come to lie behind the end
            self._slots[self._free(self.marks.view[entry])] = entry + 1
