"""The parts of the index that count, as the store keeps them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from analysis.search.documents import unpack
from analysis.search.segments import Chunk, Postings, open_chunk, unpack_chunk
from pipelines.stores.analysis_tables import SEARCH_CHUNKS, SEARCH_SEGMENTS
from pipelines.stores.base import Condition, Store

JOB = "search"
_AT_ONCE = 64
"""Chunks that are read by one statement."""


class GoneError(Exception):
    """A part of the index was merged into another one meanwhile: read the catalog again."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A part: its name, and how many postings it has."""

    name: str
    postings: int


@dataclass(frozen=True, slots=True)
class Catalog:
    """What the index consists of.

    Attributes:
        next: the number of the next document; dead: numbers of documents that were replaced, sorted.
        names: of hosts, kinds and topics, by number; unmapped: rows of documents that were written last.
    """

    segments: tuple[Segment, ...] = ()
    next: int = 1
    dead: tuple[int, ...] = ()
    names: tuple[str, ...] = ("",)
    unmapped: tuple[Mapping[str, Any], ...] = ()

    @classmethod
    def of_state(cls, state: Mapping[str, Any]) -> Self:
        """From what the job remembers; an empty one at first."""
        if "segments" not in state:
            return cls()
        segments = tuple(Segment(name, postings) for name, postings in state["segments"])
        return cls(segments, state["next"], tuple(state["dead"]), tuple(state["names"]), tuple(state["unmapped"]))

    def state(self) -> dict[str, Any]:
        """For the job to remember."""
        segments = [[each.name, each.postings] for each in self.segments]
        return {"segments": segments, "next": self.next, "dead": list(self.dead), "names": list(self.names),
                "unmapped": list(self.unmapped)}  # fmt: skip


class OpenSegment:
    """A part whose columns and directory of chunks are in memory.

    Attributes:
        first_terms, first_documents: of each chunk its first term, and the first document that has it; no documents in parts that
            were written before these were kept.
    """

    def __init__(self, store: Store, name: str) -> None:
        row = store.get(SEARCH_SEGMENTS, name)
        if row is None or row["terms"] is None:
            raise GoneError(name)
        self._store, self.name = store, name
        self.columns = unpack(row["documents"])
        self.first_terms: NDArray[np.uint64] = np.frombuffer(row["terms"], dtype=np.uint64)
        self.first_documents: NDArray[np.uint32] = np.frombuffer(row["starts"] or b"", dtype=np.uint32)

    def chunks(self, numbers: Sequence[int]) -> Iterator[Chunk]:
        """In this order; GoneError if one is no longer there."""
        return map(open_chunk, self._packed(numbers))

    def postings(self, numbers: Sequence[int]) -> Iterator[Postings]:
        """All of each chunk, in this order; GoneError if one is no longer there."""
        return map(unpack_chunk, self._packed(numbers))

    def _packed(self, numbers: Sequence[int]) -> Iterator[bytes]:
        for start in range(0, len(numbers), _AT_ONCE):
            part = list(numbers[start : start + _AT_ONCE])
            where = [Condition("segment", "=", self.name), Condition("chunk", "in", part)]
            rows = self._store.select(SEARCH_CHUNKS, where, columns=("chunk", "postings"))
            found = {row["chunk"]: row["postings"] for row in rows}
            if len(found) < len(part):
                raise GoneError(self.name)
            yield from (found[number] for number in part)

    def chunks_with(self, first: int, last: int) -> range:
        """Numbers of the chunks that may have terms from the first to the last, both included."""
        start = int(np.searchsorted(self.first_terms, np.uint64(first), side="left"))
        end = int(np.searchsorted(self.first_terms, np.uint64(last), side="right"))
        return range(max(0, start - 1), end)
