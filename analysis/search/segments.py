"""Parts of the index as columns: which documents have which term, sorted by term, cut into compressed chunks.

A part is never changed. Parts of neighbouring documents are merged into larger ones.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import zstandard
from numpy.typing import NDArray

CHUNK = 8_192
"""Postings of one chunk."""
_LEVEL = 3
_MOST = 255

Entries = tuple[NDArray[np.uint32], NDArray[np.uint8]]
"""Numbers of documents in ascending order, and how often each has a term."""
NO_ENTRIES: Entries = (np.empty(0, dtype=np.uint32), np.empty(0, dtype=np.uint8))


@dataclass(frozen=True, slots=True)
class Postings:
    """Rows of term, document and count, sorted by term and then document."""

    terms: NDArray[np.uint64]
    documents: NDArray[np.uint32]
    counts: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.terms)


def postings_of(document: int, terms: NDArray[np.uint64]) -> Postings:
    """Those of one document."""
    found, counts = np.unique(terms, return_counts=True)
    return Postings(found, np.full(len(found), document, dtype=np.uint32), np.minimum(counts, _MOST).astype(np.uint8))


def merged(parts: Sequence[Postings], dead: NDArray[np.uint32]) -> Postings:
    """All postings of parts in the order of their documents, without dead documents."""
    terms = np.concatenate([part.terms for part in parts])
    documents = np.concatenate([part.documents for part in parts])
    counts = np.concatenate([part.counts for part in parts])
    if len(dead):
        alive = ~np.isin(documents, dead)
        terms, documents, counts = terms[alive], documents[alive], counts[alive]
    order = np.argsort(terms, kind="stable")
    return Postings(terms[order], documents[order], counts[order])


def chunks_of(postings: Postings) -> Iterator[tuple[int, int, bytes]]:
    """The first term, the first document and the packed form of each chunk."""
    for start in range(0, len(postings), CHUNK):
        part = slice(start, start + CHUNK)
        yield (
            int(postings.terms[start]),
            int(postings.documents[start]),
            pack_chunk(Postings(postings.terms[part], postings.documents[part], postings.counts[part])),
        )


def pack_chunk(postings: Postings) -> bytes:
    """Differences, each byte of them in a plane of its own, compressed."""
    first = np.flatnonzero(np.diff(postings.terms, prepend=np.uint64(2**63)))
    lengths = np.diff(first, append=len(postings)).astype(np.uint32)
    steps = np.diff(postings.terms[first], prepend=np.uint64(0))
    documents = np.diff(postings.documents.astype(np.int64), prepend=0)
    documents[first] = postings.documents[first]
    planes = b"".join(
        (_planes(lengths), _planes(steps), _planes(documents.astype(np.uint32)), postings.counts.tobytes())
    )
    head = np.array([len(postings), len(first)], dtype=np.uint32).tobytes()
    return zstandard.ZstdCompressor(level=_LEVEL).compress(head + planes)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk whose terms are read; the postings of a term are read when they are asked for.

    Attributes:
        total: how many postings it has; terms: its terms, sorted; lengths: of each term, how many documents have it.
    """

    total: int
    terms: NDArray[np.uint64]
    lengths: NDArray[np.uint32]
    _documents: NDArray[np.uint8]
    _counts: NDArray[np.uint8]

    def of(self, term: int) -> Entries:
        """The documents that have the term, and how often; none if the chunk does not have it."""
        place = int(np.searchsorted(self.terms, np.uint64(term)))
        if place == len(self.terms) or int(self.terms[place]) != term:
            return NO_ENTRIES
        start = int(self.lengths[:place].sum())
        part = slice(start, start + int(self.lengths[place]))
        return np.cumsum(_steps(self._documents[:, part]), dtype=np.uint32), self._counts[part]


def open_chunk(packed: bytes) -> Chunk:
    """What `pack_chunk` packed."""
    raw = zstandard.ZstdDecompressor().decompress(packed)
    total, groups = (int(number) for number in np.frombuffer(raw, dtype=np.uint32, count=2))
    if groups == 1:  # as in most chunks of frequent terms, where planes are single bytes
        lengths, term, at = np.frombuffer(raw, np.uint32, 1, 8), np.frombuffer(raw, np.uint64, 1, 12), 20
        return Chunk(total, term, lengths, *_entries(raw, at, total))
    lengths, at = _unplaned(raw, 8, groups, np.dtype(np.uint32))
    steps, at = _unplaned(raw, at, groups, np.dtype(np.uint64))
    return Chunk(total, np.cumsum(steps), lengths, *_entries(raw, at, total))


def _entries(raw: bytes, at: int, total: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The planes of steps from document to document, and the counts."""
    found = np.frombuffer(raw, np.uint8, 5 * total, at).reshape(5, total)
    return found[:4], found[4]


def _steps(planes: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Of planes of one term: the first step is a number of a document, and most others are less than 256."""
    steps: NDArray[np.uint32] = planes[0].astype(np.uint32)
    for place in range(1, 4):
        part = slice(None) if planes[place, 1:].any() else slice(1)
        steps[part] |= planes[place, part].astype(np.uint32) << np.uint32(8 * place)
    return steps


def unpack_chunk(packed: bytes) -> Postings:
    """All postings of what `pack_chunk` packed."""
    chunk = open_chunk(packed)
    steps = np.ascontiguousarray(chunk._documents.T).view(np.uint32).reshape(-1)
    first = np.cumsum(chunk.lengths) - chunk.lengths
    running = np.cumsum(steps, dtype=np.uint32)
    running -= np.repeat(running[first] - steps[first], chunk.lengths)  # each term begins anew; modulo 2³²
    return Postings(np.repeat(chunk.terms, chunk.lengths), running, chunk._counts)


def _planes(values: NDArray[Any]) -> bytes:
    return np.ascontiguousarray(values.view(np.uint8).reshape(len(values), -1).T).tobytes()


def _unplaned(raw: bytes, at: int, count: int, kind: np.dtype[Any]) -> tuple[NDArray[Any], int]:
    size = count * kind.itemsize
    planes = np.frombuffer(raw, dtype=np.uint8, count=size, offset=at).reshape(kind.itemsize, count)
    return np.ascontiguousarray(planes.T).view(kind).reshape(count), at + size


def pack_columns(columns: Sequence[NDArray[Any]]) -> bytes:
    """Arrays of one length, compressed; their types are known to who unpacks them."""
    count = np.array([len(columns[0])], dtype=np.uint32).tobytes()
    return zstandard.ZstdCompressor(level=_LEVEL).compress(count + b"".join(_planes(column) for column in columns))


def unpack_columns(packed: bytes, kinds: Sequence[np.dtype[Any]]) -> list[NDArray[Any]]:
    """What `pack_columns` packed."""
    raw = zstandard.ZstdDecompressor().decompress(packed)
    count, at, found = int(np.frombuffer(raw, dtype=np.uint32, count=1)[0]), 4, []
    for kind in kinds:
        column, at = _unplaned(raw, at, count, kind)
        found.append(column)
    return found
