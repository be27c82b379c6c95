"""Texts by number and numbers by text, without an object for each: a Chinese term takes 34 bytes, 152 in a list and a dictionary."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import kernel
from extractors.titles.hash_slots import MIN_SLOTS, free_slot, placed, slots_for
from extractors.titles.title_column import TitleColumn

_CODE, _ERRORS = "utf-8", "surrogatepass"
_HASH = 0xFFFFFFFF


@kernel
class NameTable:
    """The arrays of `TitleNames`, for read-only searches."""

    def __init__(self, slots: NDArray[np.uint64], letters: NDArray[np.uint8], begins: NDArray[np.uint32]) -> None:
        self._slots, self._letters, self._begins = slots.data, letters.data, begins.data

    def find(self, names: Sequence[str]) -> list[int]:
        """The number of each name, −1 for unknown names."""
        return [self._find(name) for name in names]

    def _find(self, name: str) -> int:
        last, wanted = len(self._slots) - 1, hash(name) & _HASH
        at = wanted & last
        while slot := self._slots[at]:
            number: int = (slot & _HASH) - 1
            if slot >> 32 == wanted and self.texts([number]) == (name,):
                return number
            at = at + 1 & last
        return -1

    def texts(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """The names with these numbers; IndexError for an unknown number."""
        ends = [(self._begins[number], self._begins[number + 1]) for number in numbers]
        if any(begin > end for begin, end in ends):
            raise IndexError("no name has this number")
        return tuple([str(self._letters[begin:end], _CODE, _ERRORS) for begin, end in ends])


class TitleNames:
    """Distinct texts by number, in order of addition.

    Attributes:
        letters, begins: uint8, the concatenated texts in UTF-8, and uint32, the start of each and the end of the last.
        slots: a hash table (see `extractors.titles.hash_slots`) of uint64: 32 bits of a text's hash in this process, and its
            number plus one.
    """

    def __init__(self) -> None:
        self.letters, self.begins = TitleColumn(np.uint8), TitleColumn(np.uint32)
        self.begins.append(0)
        self.slots: NDArray[np.uint64] = np.zeros(MIN_SLOTS, np.uint64)
        self._show()

    def __len__(self) -> int:
        return self.begins.size - 1

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts(range(len(self))))

    def __getitem__(self, number: int) -> str:
        return self.texts([number])[0]

    def texts(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """The texts with these numbers."""
        return self._table.texts(numbers)

    def find(self, texts: Sequence[str]) -> list[int]:
        """The number of each text, −1 for unknown texts."""
        return self._table.find(texts)

    def add(self, text: str) -> int:
        """Add a new text; returns its number."""
        code, number = text.encode(_CODE, _ERRORS), len(self)
        room = len(self.letters.view), len(self.begins.view)
        start = self.letters.reserve(len(code))
        self.letters.view[start : start + len(code)] = code
        self.begins.append(start + len(code))
        if 3 * len(self) > 2 * len(self.slots):
            self._place(self._entries(), 2 * len(self.slots))
        elif room != (len(self.letters.view), len(self.begins.view)):
            self._show()
        wanted = hash(text) & _HASH
        self.slots.data[free_slot(self.slots.data, wanted & len(self.slots) - 1)] = wanted << 32 | number + 1
        return number

    def extend(self, texts: Sequence[str]) -> None:
        """Add distinct new texts."""
        codes, first = [text.encode(_CODE, _ERRORS) for text in texts], len(self)
        begin = self.letters.size
        self.letters.extend(np.frombuffer(b"".join(codes), np.uint8))
        self.begins.extend(begin + np.cumsum(np.fromiter(map(len, codes), np.int64, len(codes))))
        hashes = np.fromiter((hash(text) & _HASH for text in texts), np.uint64, len(texts))
        numbers = np.arange(first + 1, first + 1 + len(texts), dtype=np.uint64)
        self._place(np.concatenate([self._entries(), hashes << np.uint64(32) | numbers]), slots_for(len(self)))

    def _entries(self) -> NDArray[np.uint64]:
        return self.slots[self.slots > 0]

    def _place(self, entries: NDArray[np.uint64], slots: int) -> None:
        self.slots = placed(entries >> np.uint64(32) & np.uint64(slots - 1), entries, slots)
        self._show()

    def _show(self) -> None:
        """Use the present arrays for searches: growth replaces them."""
        self._table = NameTable(self.slots, self.letters.data, self.begins.data)
