"""Endings of titles, each with the number of its titles and a checksum of the beginning of the last of them.

A host has few endings, which are in a dictionary; all hosts together may have 400,000, which take 75 bytes each in columns and 240
in a dictionary.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from extractors.titles.names import TitleNames
from extractors.titles.title_column import TitleColumn

PlainTails = dict[str, list[int]]
"""Number of titles and checksum by ending."""


class SuffixCandidates(Protocol):
    """The interface of both tables; endings are in order of addition."""

    def __len__(self) -> int: ...

    def get(self, tail: str) -> tuple[int, int] | None:
        """Number and checksum of an ending; None if it is unknown."""

    def put(self, tail: str, number: int, checksum: int) -> None:
        """Set number and checksum of a known or new ending."""

    def forget_rare(self) -> None:
        """Drop the half of the endings with the fewest titles, the earlier of equals."""

    def plain(self) -> PlainTails:
        """A copy as a dictionary."""


class FewCandidates:
    """Endings in a dictionary."""

    def __init__(self, tails: Mapping[str, Sequence[int]]) -> None:
        self._tails = {tail: (number, checksum) for tail, (number, checksum) in tails.items()}

    def __len__(self) -> int:
        return len(self._tails)

    def get(self, tail: str) -> tuple[int, int] | None:
        return self._tails.get(tail)

    def put(self, tail: str, number: int, checksum: int) -> None:
        self._tails[tail] = number, checksum

    def forget_rare(self) -> None:
        for tail in sorted(self._tails, key=lambda tail: self._tails[tail][0])[: len(self) // 2]:
            del self._tails[tail]

    def plain(self) -> PlainTails:
        return {tail: list(seen) for tail, seen in self._tails.items()}


class ManyCandidates:
    """Endings in columns, without an object for each."""

    def __init__(self, tails: Mapping[str, Sequence[int]]) -> None:
        self._names, self._numbers, self._checksums = TitleNames(), TitleColumn(np.uint32), TitleColumn(np.uint32)
        self._names.extend(list(tails))
        self._numbers.extend([number for number, _ in tails.values()])
        self._checksums.extend([checksum for _, checksum in tails.values()])

    def __len__(self) -> int:
        return len(self._names)

    def get(self, tail: str) -> tuple[int, int] | None:
        [place] = self._names.find([tail])
        return None if place < 0 else (self._numbers.view[place], self._checksums.view[place])

    def put(self, tail: str, number: int, checksum: int) -> None:
        [place] = self._names.find([tail])
        if place < 0:
            self._names.add(tail)
            self._numbers.append(number)
            self._checksums.append(checksum)
        else:
            self._numbers.view[place], self._checksums.view[place] = number, checksum

    def forget_rare(self) -> None:
        by_number = np.argsort(self._numbers.filled(), kind="stable")
        kept = np.sort(by_number[len(self) // 2 :])
        numbers, checksums = self._numbers.filled()[kept], self._checksums.filled()[kept]
        names = self._names.texts(kept.tolist())
        self._names, self._numbers, self._checksums = TitleNames(), TitleColumn(np.uint32), TitleColumn(np.uint32)
        self._names.extend(names)
        self._numbers.extend(numbers)
        self._checksums.extend(checksums)

    def plain(self) -> PlainTails:
        pairs = zip(self._numbers.filled().tolist(), self._checksums.filled().tolist(), strict=True)
        return {tail: list(pair) for tail, pair in zip(self._names, pairs, strict=True)}
