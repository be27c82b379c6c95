"""What titles have added to an index: its columns only grow, so that the end of each column is all that is new."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from extractors.titles.index import TitleIndex


class Sizes(NamedTuple):
    """How many titles, terms of titles, different terms and fingerprints an index has."""

    titles: int = 0
    terms: int = 0
    names: int = 0
    marks: int = 0


@dataclass(frozen=True, slots=True)
class IndexAddition:
    """T titles with their terms, one title's after another's; what they need of names and fingerprints is here or before.

    Attributes:
        names: the new terms, in the order of their numbers.
        lengths: uint16[T]; terms: uint32, numbers of terms; days: int32[T], see `TitleIndex.add`.
        marks: uint64[F], fingerprints; marked: uint32[F], the positions of the titles that they lead to.
    """

    names: list[str]
    lengths: NDArray[np.uint16]
    terms: NDArray[np.uint32]
    days: NDArray[np.int32]
    marks: NDArray[np.uint64]
    marked: NDArray[np.uint32]


def sizes(index: TitleIndex) -> Sizes:
    """Of the index as it is now."""
    return Sizes(len(index), len(index.store.terms), len(index.vocabulary), len(index.fingerprints))


_NOTHING = Sizes()


def added(index: TitleIndex, since: Sizes = _NOTHING) -> IndexAddition:
    """A copy of what has come since the index had these sizes."""
    starts = index.store.starts.filled()[since.titles :]
    return IndexAddition(
        list(index.vocabulary.names.texts(range(since.names, len(index.vocabulary)))),
        np.diff(starts).astype(np.uint16),
        index.store.terms.filled()[since.terms :].copy(),
        index.days.filled()[since.titles :].copy(),
        index.fingerprints.fingerprints.filled()[since.marks :].copy(),
        index.fingerprints.positions.filled()[since.marks :].copy(),
    )


def joined(additions: Sequence[IndexAddition]) -> IndexAddition:
    """One addition for several that follow each other, at least one."""
    names = [name for addition in additions for name in addition.names]
    columns = ("lengths", "terms", "days", "marks", "marked")
    return IndexAddition(names, *(np.concatenate([getattr(each, name) for each in additions]) for name in columns))


def split(addition: IndexAddition, titles: int) -> list[IndexAddition]:
    """Several for one, at least one, of so many titles each; the first has all names and fingerprints."""
    ends = np.cumsum(addition.lengths, dtype=np.int64)
    parts: list[IndexAddition] = []
    for start in range(0, max(1, len(addition.lengths)), titles):
        stop = min(start + titles, len(ends))
        terms = slice(int(ends[start - 1]) if start else 0, int(ends[stop - 1]) if stop else 0)
        of_titles = addition.lengths[start:stop], addition.terms[terms], addition.days[start:stop]
        names = [] if start else addition.names
        marked = slice(0, 0 if start else None)
        parts.append(IndexAddition(names, *of_titles, addition.marks[marked], addition.marked[marked]))
    return parts


def fill(index: TitleIndex, addition: IndexAddition) -> TitleIndex:
    """The empty index with everything added; ValueError for columns that do not fit each other."""
    titles, names = len(addition.lengths), len(addition.names)
    if int(addition.lengths.sum(dtype=np.int64)) != len(addition.terms) or len(addition.days) != titles:
        raise ValueError("titles, lengths and days do not fit")
    if len(addition.terms) and int(addition.terms.max()) >= names:
        raise ValueError("terms and their names do not fit")
    if len(addition.marks) != len(addition.marked) or (len(addition.marked) and int(addition.marked.max()) >= titles):
        raise ValueError("fingerprints and titles do not fit")
    index.fill(addition.names, addition.terms, addition.lengths, addition.days)
    index.fingerprints.fill(addition.marks, addition.marked)
    return index
