"""The content of an index as columns, which only grow: the end of each column is all that is new."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.titles.index import TitleIndex


@dataclass(frozen=True, slots=True)
class IndexAddition:
    """T titles with their terms, title by title; names and fingerprints that they need are here or in earlier additions.

    Attributes:
        names: the new terms, in the order of their numbers.
        lengths: uint16[T]; terms: uint32, numbers of terms; days: int32[T], see `TitleIndex.add`.
        marks: uint64[F], fingerprints; marked: uint32[F], the positions of their titles.
    """

    names: list[str]
    lengths: NDArray[np.uint16]
    terms: NDArray[np.uint32]
    days: NDArray[np.int32]
    marks: NDArray[np.uint64]
    marked: NDArray[np.uint32]


def added(index: TitleIndex) -> IndexAddition:
    """A copy of the whole content of an index."""
    return IndexAddition(
        list(index.vocabulary.names.texts(range(len(index.vocabulary)))),
        np.diff(index.store.starts.filled()).astype(np.uint16),
        index.store.terms.filled().copy(),
        index.days.filled().copy(),
        index.fingerprints.fingerprints.filled().copy(),
        index.fingerprints.positions.filled().copy(),
    )


def fill(index: TitleIndex, addition: IndexAddition) -> TitleIndex:
    """The empty index, filled with the addition; ValueError for inconsistent columns."""
    titles, names = len(addition.lengths), len(addition.names)
    if int(addition.lengths.sum(dtype=np.int64)) != len(addition.terms) or len(addition.days) != titles:
        raise ValueError("titles, lengths and days do not match")
    if len(addition.terms) and int(addition.terms.max()) >= names:
        raise ValueError("terms and their names do not match")
    if len(addition.marks) != len(addition.marked) or (len(addition.marked) and int(addition.marked.max()) >= titles):
        raise ValueError("fingerprints and titles do not match")
    index.fill(addition.names, addition.terms, addition.lengths, addition.days)
    index.fingerprints.fill(addition.marks, addition.marked)
    return index
