"""What is indexed of a page and of each of its records, and the columns by which hits are filtered and counted."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.jobs.pages import StoredPage, instant
from analysis.search.segments import pack_columns, unpack_columns
from analysis.search.terms import Terms, raw_terms, terms_in

_TITLE_COUNTS = 3
"""A word of the title counts as that many of the text."""
_LONGEST = 100_000
"""Characters of a text that are indexed."""
_KINDS = tuple(np.dtype(kind) for kind in (np.uint32, np.int64, np.uint32, np.uint32, np.uint32, np.uint32))


@dataclass(frozen=True, slots=True)
class Document:
    """A page (`record` is "") or a record, as it is found; `at` is an instant, "" if unknown."""

    page: str
    record: str
    title: str
    author: str
    body: str
    at: str
    host: str
    kind: str
    topic: str

    @property
    def digest(self) -> str:
        """Changes when anything that is indexed changes."""
        parts = (self.title, self.author, self.body, self.at, self.host, self.kind, self.topic)
        return blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=10).hexdigest()

    def terms(self) -> tuple[Terms, int]:
        """All terms, those of fields too, and the length in terms."""
        title, author = self.title[:_LONGEST], self.author[:_LONGEST]
        of_author, of_body = len(title) + 1, len(title) + len(author) + 2
        found = raw_terms("\0".join((title, author, self.body[:_LONGEST])))
        in_title, in_body = found.between(0, of_author), found.between(of_body, of_body + _LONGEST)
        anywhere = np.concatenate([*[in_title] * _TITLE_COUNTS, in_body])
        fields = (
            terms_in(anywhere),
            terms_in(in_title, "title"),
            terms_in(found.between(of_author, of_body), "author"),
        )
        return np.concatenate(fields), len(anywhere)


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns of documents: number, seconds since 1970 (−1: unknown), length in terms, numbers of names of host, kind and topic."""

    numbers: NDArray[np.uint32]
    seconds: NDArray[np.int64]
    lengths: NDArray[np.uint32]
    hosts: NDArray[np.uint32]
    kinds: NDArray[np.uint32]
    topics: NDArray[np.uint32]

    def arrays(self) -> tuple[NDArray[Any], ...]:
        return self.numbers, self.seconds, self.lengths, self.hosts, self.kinds, self.topics


def documents_of(page: StoredPage) -> Iterator[Document]:
    """The page itself, if it has text, and each record that has some."""
    host, topic = page.text("host"), page.text("topic")
    if page.text("title") or page.text("body"):
        texts = (page.text("title"), page.text("author"), page.text("body"))
        yield Document(page.key, "", *texts, page.at, host, page.text("kind"), topic)
    for record in page.records:
        if record["text"] or record["title"]:
            at = instant(record["time_at"] or record["first_seen"] or "")
            texts = (record["title"] or "", record["author"] or "", record["text"] or "")
            yield Document(page.key, record["key"], *texts, at, host, record["kind"] or "", topic)


class Names:
    """Hosts, kinds and topics by number."""

    def __init__(self, known: Sequence[str] = ()) -> None:
        self.known = list(known) or [""]
        self._numbers = {name: number for number, name in enumerate(self.known)}

    def number(self, name: str) -> int:
        """That of the name, a new one if it has none yet."""
        number = self._numbers.setdefault(name, len(self.known))
        if number == len(self.known):
            self.known.append(name)
        return number


def columns_of(documents: Mapping[int, tuple[Document, int]], names: Names) -> Columns:
    """The columns of documents with their lengths, by number."""
    rows = [
        (number, _seconds(each.at), length, names.number(each.host), names.number(each.kind), names.number(each.topic))
        for number, (each, length) in documents.items()
    ]
    columns = zip(*rows, strict=True) if rows else ([] for _ in _KINDS)
    return Columns(*(np.array(column, dtype=kind) for column, kind in zip(columns, _KINDS, strict=True)))


def _seconds(at: str) -> int:
    return int(datetime.fromisoformat(at).timestamp()) if at else -1


def pack(columns: Columns) -> bytes:
    """For the store."""
    return pack_columns(columns.arrays())


def unpack(packed: bytes) -> Columns:
    """What `pack` packed."""
    return Columns(*unpack_columns(packed, _KINDS))


def joined(parts: Sequence[Columns], dead: NDArray[np.uint32]) -> Columns:
    """The columns of parts in their order, without dead documents."""
    arrays = [np.concatenate(columns) for columns in zip(*(part.arrays() for part in parts), strict=True)]
    alive = ~np.isin(arrays[0], dead)
    return Columns(*(array[alive] for array in arrays))
