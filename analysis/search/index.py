"""The search index of a store, kept up to date as pages change. One node at a time writes it.

New documents make a new part; what was indexed of them before is marked as dead. A part counts from the moment in which the
catalog names it, so that a kill leaves the index as it was before or as it is afterwards.
"""

import uuid
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from analysis.jobs import StoredPage, queue_all_pages
from analysis.search.catalog import Catalog, OpenSegment, Segment
from analysis.search.documents import Columns, Document, Names, columns_of, documents_of, joined, pack
from analysis.search.segments import Postings, chunks_of, merged, postings_of
from pipelines.lease import Lease
from pipelines.stores.analysis_tables import SEARCH_CHUNKS, SEARCH_DOCUMENTS, SEARCH_SEGMENTS
from pipelines.stores.base import Condition, Row, Store

_SMALLEST = 60_000
"""Postings; smaller parts are merged as if they had so many."""
_FACTOR = 4
"""So many parts of about one size are merged."""
_LARGEST = 256_000_000
"""Larger parts are not made: a query reads each part, but new pages wait while parts are merged."""
_SLICE = 1_000_000
"""Postings that are merged at once: a bound of memory."""
_CHUNKS_AT_ONCE = 200
_TOP = 1 << 40


class SearchIndex:
    """The step of the analysis that writes the index.

    Args:
        lease: of the job "search", gained.
    """

    def __init__(self, store: Store, lease: Lease) -> None:
        self._store, self._lease = store, lease
        state = lease.state()
        self._catalog = Catalog.of_state(state)
        if state and "segments" not in state:  # another kind of index was used before
            self.clear()
            queue_all_pages(store)
        store.upsert(SEARCH_DOCUMENTS, self._catalog.unmapped).result()
        self._remove_all_but(self._catalog)

    def process(self, pages: Sequence[StoredPage]) -> None:
        """Index what is new or has changed."""
        fresh, rows, dead = dict[int, Document](), list[Row](), list[int]()
        number = self._catalog.next
        indexed = defaultdict[str, dict[str, Row]](dict)
        for row in self._store.select(SEARCH_DOCUMENTS, [Condition("page", "in", [page.key for page in pages])]):
            indexed[row["page"]][row["record"]] = row
        for page in pages:
            known = indexed[page.key]
            for document in documents_of(page):
                old = known.pop(document.record, None)
                if old is not None and old["digest"] == document.digest and old["number"]:
                    continue
                dead += [old["number"]] if old is not None and old["number"] else []
                fresh[number] = document
                rows.append(_mapping(document, number))
                number += 1
            for old in known.values():
                if old["number"]:
                    dead.append(old["number"])
                    rows.append({"page": page.key, "record": old["record"], "number": 0, "digest": ""})
        if rows:
            self._commit(fresh, number, rows, dead)

    def tidy(self) -> None:
        """Nothing: parts are merged as they are made."""

    def clear(self) -> None:
        self._catalog = Catalog()
        self._lease.save(self._catalog.state())
        for table in (SEARCH_CHUNKS, SEARCH_SEGMENTS, SEARCH_DOCUMENTS):
            self._store.remove(table, []).result()

    def _commit(self, fresh: dict[int, Document], following: int, rows: list[Row], dead: list[int]) -> None:
        names = Names(self._catalog.names)
        parts, lengths = list[Postings](), dict[int, tuple[Document, int]]()
        for number, document in fresh.items():
            terms, length = document.terms()
            parts.append(postings_of(number, terms))
            lengths[number] = (document, length)
        made = merged(parts, np.empty(0, dtype=np.uint32)) if parts else _NOTHING
        self.append(made, columns_of(lengths, names), names, following, rows, dead)

    def append(
        self,
        postings: Postings,
        columns: Columns,
        names: Names,
        following: int,
        rows: Sequence[Row],
        dead: Sequence[int] = (),
    ) -> None:
        """Add a part, of documents whose numbers are below `following`; `rows` map them to pages, `dead` are those it replaces."""
        old = self._catalog
        segments = [*old.segments, *([self._write(iter([postings]), columns)] if len(postings) else [])]
        all_dead = tuple(sorted({*old.dead, *dead}))
        self._save(Catalog(tuple(segments), following, all_dead, tuple(names.known), tuple(rows)))
        self._store.upsert(SEARCH_DOCUMENTS, rows).result()
        while self._merge_last():
            self._lease.renew()

    def _save(self, catalog: Catalog) -> None:
        self._lease.save(catalog.state())
        gone = {each.name for each in self._catalog.segments} - {each.name for each in catalog.segments}
        self._catalog = catalog
        for name in gone:
            self._remove(name)

    def _write(self, slices: Iterator[Postings], columns: Columns) -> Segment:
        """A part from slices of its postings in the order of terms; nobody reads it yet."""
        name, first_terms, first_documents, count = uuid.uuid4().hex, list[int](), list[int](), 0
        self._store.upsert(SEARCH_SEGMENTS, [{"segment": name}]).result()
        waiting: list[Row] = []
        for postings in slices:
            count += len(postings)
            for term, document, packed in chunks_of(postings):
                waiting.append({"segment": name, "chunk": len(first_terms), "postings": packed})
                first_terms.append(term)
                first_documents.append(document)
            if len(waiting) >= _CHUNKS_AT_ONCE:
                self._store.upsert(SEARCH_CHUNKS, waiting).result()
                self._lease.renew()
                waiting = []
        self._store.upsert(SEARCH_CHUNKS, waiting).result()
        row = {"segment": name, "documents": pack(columns), "terms": np.array(first_terms, dtype=np.uint64).tobytes(),
               "starts": np.array(first_documents, dtype=np.uint32).tobytes()}  # fmt: skip
        self._store.upsert(SEARCH_SEGMENTS, [row]).result()
        return Segment(name, count)

    def _merge_last(self) -> bool:
        """Merge the newest parts if there are several of one size; whether that was done."""
        old = self._catalog
        last = old.segments[-_FACTOR:]
        sizes = [max(each.postings, _SMALLEST) for each in last]
        if len(last) < _FACTOR or sizes[0] > _FACTOR * sizes[-1] or sum(sizes) > _LARGEST:
            return False
        opened = [OpenSegment(self._store, each.name) for each in last]
        dead = np.array(old.dead, dtype=np.uint32)
        numbers = np.concatenate([each.columns.numbers for each in opened])
        one = self._write(_slices(opened, dead), joined([each.columns for each in opened], dead))
        left = tuple(np.setdiff1d(dead, numbers).tolist())
        self._save(Catalog((*old.segments[:-_FACTOR], one), old.next, left, old.names, old.unmapped))
        return True

    def _remove_all_but(self, catalog: Catalog) -> None:
        known = {each.name for each in catalog.segments}
        for row in list(self._store.select(SEARCH_SEGMENTS, columns=["segment"])):
            if row["segment"] not in known:
                self._remove(row["segment"])

    def _remove(self, name: str) -> None:
        self._store.remove(SEARCH_CHUNKS, [Condition("segment", "=", name)]).result()
        self._store.remove(SEARCH_SEGMENTS, [Condition("segment", "=", name)]).result()


def _mapping(document: Document, number: int) -> Row:
    return {"page": document.page, "record": document.record, "number": number, "digest": document.digest}


def _slices(parts: Sequence[OpenSegment], dead: NDArray[np.uint32]) -> Iterator[Postings]:
    """The postings of all parts, merged, a range of terms at a time."""
    borders = np.sort(np.concatenate([part.first_terms for part in parts]))
    step = max(1, _SLICE // 8_192)
    edges = [0, *np.unique(borders[step::step]).tolist(), _TOP]
    for first, end in pairwise(edges):
        if first < end and (found := [_between(part, first, end) for part in parts]):
            yield merged(found, dead)


def _between(part: OpenSegment, first: int, end: int) -> Postings:
    """A part's postings of the terms from the first up to, but without, the last."""
    chunks = list(part.postings(part.chunks_with(first, end)))
    whole = merged(chunks, np.empty(0, dtype=np.uint32)) if chunks else _NOTHING
    low, high = np.searchsorted(whole.terms, np.array([first, end], dtype=np.uint64))
    return Postings(whole.terms[low:high], whole.documents[low:high], whole.counts[low:high])


_NOTHING = Postings(np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.uint32), np.empty(0, dtype=np.uint8))
