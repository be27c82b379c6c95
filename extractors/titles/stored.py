"""The columns of stored titles."""

from dataclasses import dataclass, field

import numpy as np

from extractors.titles.columns import Column
from extractors.titles.postings import Postings

BITS = [1 << bit for bit in range(64)]


def _numbers() -> Column:
    return Column(np.uint32)


def _bits() -> Column:
    return Column(np.uint64)


@dataclass(slots=True)
class Stored:
    """Terms of all titles one after the other, where each title's begin, two signatures, and which titles have a term.

    A term's bit is set by the lowest six bits of its number in the first signature, by the next six in the second.
    """

    terms: Column = field(default_factory=_numbers)
    starts: Column = field(default_factory=_numbers)
    signatures: Column = field(default_factory=_bits)
    seconds: Column = field(default_factory=_bits)
    postings: Postings = field(default_factory=Postings)

    def __post_init__(self) -> None:
        self.starts.append(0)

    def add(self, numbers: list[int]) -> None:
        """Another title, with terms of these numbers."""
        position, signature, second = self.signatures.size, 0, 0
        start = self.terms.reserve(len(numbers))
        terms = self.terms.view
        for place, number in enumerate(numbers, start):
            terms[place] = number
            signature |= BITS[number & 63]
            second |= BITS[number >> 6 & 63]
        self.postings.post(dict.fromkeys(numbers), position)
        self.starts.append(start + len(numbers))
        self.signatures.append(signature)
        self.seconds.append(second)
