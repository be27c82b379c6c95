"""Answers to queries, from the index that a store has."""

import math
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from analysis.search.catalog import JOB, Catalog, GoneError, OpenSegment
from analysis.search.documents import Columns
from analysis.search.lookup import Places, Term, common, open_term
from analysis.search.moments import moment_of
from analysis.search.query import Filter, Group, Node, Word, parse
from analysis.search.ranked import Ranked, Scores, rank
from analysis.search.terms import query_of
from pipelines.stores.analysis_tables import ANALYSIS_JOBS
from pipelines.stores.base import Store, StoreError

Mask = NDArray[np.bool_]
K1, B = 1.2, 0.6
_RECENT_TERMS = 128
_TRIES = 5


@dataclass(frozen=True, slots=True)
class _Found:
    """Places of documents that match, ascending, how well their words do, and whether each surely has every word."""

    places: Places
    scores: Scores
    exact: bool = True


def _without_words(places: Places, *, exact: bool = True) -> _Found:
    return _Found(places, np.zeros(len(places), dtype=np.float32), exact)


class Searcher:
    """The index as it was at the last `refresh`; for one thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._version: str | None = None
        self._segments: dict[str, OpenSegment] = {}
        self._terms: OrderedDict[int, Term] = OrderedDict()
        self._load(Catalog())
        self.refresh()

    def refresh(self) -> None:
        """See what was indexed meanwhile; StoreError if parts vanish all the time."""
        for _ in range(_TRIES):
            row = self._store.get(ANALYSIS_JOBS, JOB)
            version = row["version"] if row else None
            if version == self._version:
                return
            try:
                self._load(Catalog.of_state((row or {}).get("state") or {}))
            except GoneError:
                continue
            self._version = version
            return
        raise StoreError("the search index changes too fast to be read; try again")

    def _load(self, catalog: Catalog) -> None:
        self._segments = {
            each.name: self._segments.get(each.name) or OpenSegment(self._store, each.name) for each in catalog.segments
        }
        parts = [each.columns for each in self._segments.values()]
        empty = np.empty(0, dtype=np.uint32)
        arrays = [np.concatenate(columns) for columns in zip(*(each.arrays() for each in parts), strict=True)]
        self.columns = Columns(*arrays) if parts else Columns(empty, empty.astype(np.int64), empty, empty, empty, empty)
        self.names = catalog.names
        self._dead = np.array(catalog.dead, dtype=np.uint32)
        self._alive = ~np.isin(self.columns.numbers, self._dead)
        self._living = int(np.count_nonzero(self._alive))
        self._places = np.zeros(catalog.next + 1, dtype=np.int64)
        self._places[self.columns.numbers] = np.arange(len(self.columns.numbers))
        self._mean_length = float(self.columns.lengths[self._alive].mean()) if self._alive.any() else 1.0
        self.forget()

    def forget(self) -> None:
        """Free what recent queries have left in memory."""
        self._terms.clear()

    def search(self, text: str, now: datetime | None = None) -> Ranked:
        """Documents that match, best first; QueryError if the query cannot be understood."""
        node, now = parse(text), now or datetime.now(UTC)
        _check(node, now)
        for _ in range(_TRIES):
            try:
                found = self._of(node, now, None)
            except GoneError:
                self._version = None
                self.refresh()
                continue
            return rank(found.places, found.scores, self.columns, self.names, now, exact=found.exact)
        raise StoreError("the search index changes too fast to be read; try again")

    def _of(self, node: Node, now: datetime, within: Places | None) -> _Found:
        """What matches: of `within`, or of all living documents."""
        if isinstance(node, Word):
            return self._of_word(node, within)
        if isinstance(node, Filter):
            places = self._all(within)
            return _without_words(places[self._of_filter(node, now, places)])
        if node.kind == "and":
            return self._of_all(node.parts, now, within)
        if node.kind == "or":
            return self._of_any([self._of(part, now, within) for part in node.parts])
        unwanted = self._of(node.parts[0], now, within)
        return _without_words(self._but(within, unwanted.places), exact=unwanted.exact)

    def _but(self, within: Places | None, unwanted: Places) -> Places:
        if within is not None:
            return np.delete(within, common(within, unwanted)[0])
        left = self._alive.copy()
        left[unwanted] = False
        return np.flatnonzero(left)

    def _all(self, within: Places | None) -> Places:
        return np.flatnonzero(self._alive) if within is None else within

    def _of_all(self, parts: Sequence[Node], now: datetime, within: Places | None) -> _Found:
        """The rarest part first: of the others only what is left is looked at."""
        first, *others = sorted(parts, key=self._most)
        found = self._of(first, now, within)
        for part in others:
            if not len(found.places):
                return _without_words(found.places)
            more = self._of(part, now, found.places)
            kept = common(found.places, more.places)[0]
            found = _Found(more.places, found.scores[kept] + more.scores, exact=found.exact and more.exact)
        return found

    def _most(self, node: Node) -> int:
        """A bound of how many documents match, for an order in which to look."""
        if isinstance(node, Word):
            return min((each.documents for each in self._terms_of(node)), default=len(self._alive))
        if isinstance(node, Group) and node.kind != "not":
            bounds = [self._most(part) for part in node.parts]
            return min(bounds) if node.kind == "and" else min(sum(bounds), len(self._alive))
        return len(self._alive) + (not isinstance(node, Filter))

    def _of_any(self, found: Sequence[_Found]) -> _Found:
        scores, mask = np.zeros(len(self._alive), dtype=np.float32), np.zeros(len(self._alive), dtype=bool)
        for part in found:
            scores[part.places] += part.scores
            mask[part.places] = True
        places = np.flatnonzero(mask)
        return _Found(places, scores[places], exact=all(part.exact for part in found))

    def _terms_of(self, word: Word) -> list[Term]:
        """Of a word, the rarest first."""
        return sorted(map(self._term, query_of(word.text, word.field).terms), key=lambda term: term.documents)

    def _of_word(self, word: Word, within: Places | None) -> _Found:
        exact = query_of(word.text, word.field).exact
        places, scores = within, np.zeros(0 if within is None else len(within), dtype=np.float32)
        for term in self._terms_of(word):
            found, counts = self._entries(term, places)
            if places is None:
                scores = self._bm25(term, found, counts)
            else:
                kept, here = common(places, found)
                found = found[here]
                scores = scores[kept] + self._bm25(term, found, counts[here])
            places = found
            if not len(places):
                return _without_words(places)
        return _without_words(self._all(None)) if places is None else _Found(places, scores, exact)

    def _bm25(self, term: Term, places: Places, counts: NDArray[np.uint8]) -> Scores:
        weight = math.log(1.0 + max(0.0, self._living - term.documents + 0.5) / (term.documents + 0.5))
        share = (self.columns.lengths[places] / np.float32(self._mean_length)).astype(np.float32)
        often = counts.astype(np.float32)
        most, length = np.float32(weight * (K1 + 1.0)), np.float32(K1 * (1.0 - B)) + np.float32(K1 * B) * share
        return (most * often / (often + length)).astype(np.float32)

    def _entries(self, term: Term, within: Places | None) -> tuple[Places, NDArray[np.uint8]]:
        """Places of the living documents with a term, and how often they have it; at least those of `within`."""
        numbers, counts = term.entries(None if within is None else self.columns.numbers[within])
        places = self._places[numbers]
        if not len(self._dead):
            return places, counts
        alive = self._alive[places]
        return places[alive], counts[alive]

    def _term(self, number: int) -> Term:
        known = self._terms.get(number)
        if known is None:
            known = self._terms[number] = open_term(list(self._segments.values()), number, self._dead)
            if len(self._terms) > _RECENT_TERMS:
                self._terms.popitem(last=False)
        return known

    def _of_filter(self, node: Filter, now: datetime, places: Places) -> Mask:
        if node.column in ("since", "until"):
            seconds, border = self.columns.seconds[places], moment_of(node, now)
            return (seconds >= 0) & (seconds >= border if node.column == "since" else seconds < border)
        wanted = node.value.lower()
        numbers = [number for number, name in enumerate(self.names) if _matches(node.column, name.lower(), wanted)]
        column = {"host": self.columns.hosts, "kind": self.columns.kinds, "topic": self.columns.topics}[node.column]
        return np.isin(column[places], np.array(numbers, dtype=np.uint32))


def _check(node: Node, now: datetime) -> None:
    """QueryError for a time that is none, also where nothing is left to be filtered."""
    if isinstance(node, Filter) and node.column in ("since", "until"):
        moment_of(node, now)
    elif isinstance(node, Group):
        for part in node.parts:
            _check(part, now)


def _matches(column: str, name: str, wanted: str) -> bool:
    return name == wanted or (column == "host" and name.endswith(f".{wanted}"))
