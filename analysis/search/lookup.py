"""Which documents have a term: read from all parts of the index, and of a frequent term only what a query needs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.search.catalog import OpenSegment
from analysis.search.segments import NO_ENTRIES, Entries

Places = NDArray[np.int64]
_FEW = 3
"""Chunks of a term in one part that are all read at once."""


@dataclass(frozen=True, slots=True)
class _Run:
    """A term in one part: the entries that are read, and the full chunks between them that are not."""

    segment: OpenSegment
    first: Entries
    between: range
    last: Entries
    unread: int


@dataclass(frozen=True, slots=True)
class Term:
    """A term in all parts; `documents` is how many have it. Where a term fills many chunks, documents that were replaced count too."""

    number: int
    documents: int
    _runs: tuple[_Run, ...]

    def entries(self, within: NDArray[np.uint32] | None = None) -> Entries:
        """Of all documents, replaced ones too; at least of those `within`, given in ascending order."""
        return _joined([part for run in self._runs for part in _entries(run, self.number, within)])


def open_term(segments: Sequence[OpenSegment], number: int, dead: NDArray[np.uint32]) -> Term:
    """Read how many documents have the term; GoneError if a part is no longer there."""
    runs = tuple(run for segment in segments if (run := _run(segment, number)) is not None)
    read = _joined([part for run in runs for part in (run.first, run.last)])[0]
    replaced = int(np.isin(read, dead).sum()) if len(dead) else 0
    return Term(number, len(read) - replaced + sum(run.unread for run in runs), runs)


def _run(segment: OpenSegment, term: int) -> _Run | None:
    chunks = segment.chunks_with(term, term)
    if len(chunks) <= _FEW:
        found = _joined([chunk.of(term) for chunk in segment.chunks(chunks)])
        return _Run(segment, found, range(0), NO_ENTRIES, 0) if len(found[0]) else None
    between = chunks[1:-1]  # full of this term, so that one tells how many postings each has
    first, full, last = segment.chunks((chunks[0], between[0], chunks[-1]))
    return _Run(segment, first.of(term), between, last.of(term), full.total * len(between))


def _entries(run: _Run, term: int, within: NDArray[np.uint32] | None) -> Iterator[Entries]:
    yield run.first
    yield from (chunk.of(term) for chunk in run.segment.chunks(_needed(run, within)))
    yield run.last


def _needed(run: _Run, within: NDArray[np.uint32] | None) -> Sequence[int]:
    """The chunks between that may have documents of `within`."""
    if not run.between or within is None or not len(run.segment.first_documents):
        return run.between
    start, end = run.between.start, run.between.stop
    begins = run.segment.first_documents[start : end + 1]  # of the last chunk too
    inside = within[np.searchsorted(within, begins[0]) : np.searchsorted(within, begins[-1])]
    needed: list[int] = (start + np.unique(np.searchsorted(begins, inside, side="right") - 1)).tolist()
    return needed


def _joined(parts: Sequence[Entries]) -> Entries:
    """In their order."""
    kept = [part for part in parts if len(part[0])]
    if len(kept) <= 1:
        return kept[0] if kept else NO_ENTRIES
    return np.concatenate([part[0] for part in kept]), np.concatenate([part[1] for part in kept])


def common(first: Places, second: Places) -> tuple[Places, Places]:
    """Where in each of two ascending arrays the values are that both have."""
    if len(first) > len(second):
        there, here = common(second, first)
        return here, there
    at = np.searchsorted(second, first)
    at[at == len(second)] = 0
    found = second[at] == first if len(second) else np.zeros(len(first), dtype=bool)
    return np.flatnonzero(found), at[found]
