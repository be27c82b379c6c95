"""The texts of a page as they are compared: without regard to case and white space, and by numbers."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import native

_BEGINNING = 40


class Wording(NamedTuple):
    """Of the M chunks of a page."""

    lowered: list[str]
    """Without white space around them, in lower case."""
    folded: list[str]
    """With single spaces for white space."""
    distinct: list[str]
    """The different ones in lower case, first come first."""
    numbers: NDArray[np.int64]
    """int64[M]: which of these each is."""
    beginnings: NDArray[np.int64]
    """int64[M]: the number of each one's first characters."""


def worded(texts: list[str]) -> Wording:
    """By machine code where it was built."""
    if compiled := native():
        return Wording(*compiled.read_texts(texts, _BEGINNING))
    lowered = [text.strip().lower() for text in texts]
    folded = [" ".join(text.split()) for text in texts]
    distinct: dict[str, int] = {}
    numbers = [distinct.setdefault(text, len(distinct)) for text in lowered]
    begun: dict[str, int] = {}
    beginnings = [begun.setdefault(text[:_BEGINNING], len(begun)) for text in texts]
    return Wording(lowered, folded, list(distinct), np.array(numbers, np.int64), np.array(beginnings, np.int64))
