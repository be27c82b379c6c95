"""Answers to queries, from the index that a store has."""

import math
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from analysis.search.catalog import JOB, Catalog, GoneError, OpenSegment
from analysis.search.documents import Columns
from analysis.search.query import Filter, Node, QueryError, Word, parse
from analysis.search.segments import Postings
from analysis.search.terms import query_of
from pipelines.stores.analysis_tables import ANALYSIS_JOBS
from pipelines.stores.base import Store, StoreError
from pipelines.stores.filters import since, until

Mask = NDArray[np.bool_]
Scores = NDArray[np.float32]
K1, B = 1.2, 0.6
_FRESH_SHARE, _FRESH_DAYS = 0.25, 30.0
"""By how much the score of a page of this moment is raised, and after how many days by half of that."""
_DAY = 86_400
_RECENT_TERMS = 512
_TRIES = 5


@dataclass(frozen=True, slots=True)
class Ranked:
    """Documents that match, the best first, as places in `columns`; `exact` if each surely has every word and phrase."""

    places: NDArray[np.int64]
    scores: Scores
    columns: Columns
    names: tuple[str, ...]
    exact: bool

    def __len__(self) -> int:
        return len(self.places)

    def per_day(self) -> dict[str, int]:
        """How many match of each day in UTC, in order; those without a time under ""."""
        days, counts = np.unique(self.columns.seconds[self.places] // _DAY, return_counts=True)
        return {_day(int(day)): int(count) for day, count in zip(days, counts, strict=True)}

    def per_host(self) -> dict[str, int]:
        """How many match of each host, most first."""
        hosts, counts = np.unique(self.columns.hosts[self.places], return_counts=True)
        found = {self.names[int(host)]: int(count) for host, count in zip(hosts, counts, strict=True)}
        return dict(sorted(found.items(), key=lambda entry: (-entry[1], entry[0])))


def _day(day: int) -> str:
    return datetime.fromtimestamp(day * _DAY, UTC).date().isoformat() if day >= 0 else ""


class Finder(Protocol):
    """What answers queries, wherever the index is."""

    def search(self, text: str, now: datetime | None = None) -> Ranked:
        """Documents that match, best first; QueryError if the query cannot be understood."""

    def refresh(self) -> None:
        """See what was indexed meanwhile."""


def rank(
    places: NDArray[np.int64], scores: Scores, columns: Columns, names: tuple[str, ...], now: datetime, *, exact: bool
) -> Ranked:
    """Documents with the scores of their words, the best first: of late pages the score is raised."""
    seconds = columns.seconds[places]
    age = np.maximum(0.0, now.timestamp() - seconds) / _DAY
    fresh = np.where(seconds < 0, 0.0, 0.5 ** (age / _FRESH_DAYS))
    ranked = (scores * (1.0 + _FRESH_SHARE * fresh)).astype(np.float32)
    order = np.lexsort((-seconds, -ranked))
    return Ranked(places[order], ranked[order], columns, names, exact)


class Searcher:
    """The index as it was at the last `refresh`; for one thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._version: str | None = None
        self._segments: dict[str, OpenSegment] = {}
        self._terms: OrderedDict[int, tuple[NDArray[np.int64], NDArray[np.uint8]]] = OrderedDict()
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
        self._alive = ~np.isin(self.columns.numbers, np.array(catalog.dead, dtype=np.uint32))
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
        for _ in range(_TRIES):
            try:
                found = self._found(node, now)
            except GoneError:
                self._version = None
                self.refresh()
                continue
            mask, scores, exact = found
            places = np.flatnonzero(mask)
            return rank(places, scores[places], self.columns, self.names, now, exact=exact)
        raise StoreError("the search index changes too fast to be read; try again")

    def _found(self, node: Node, now: datetime) -> tuple[Mask, Scores, bool]:
        mask, scores, exact = self._of(node, now)
        return mask & self._alive, scores, exact

    def _of(self, node: Node, now: datetime) -> tuple[Mask, Scores, bool]:
        """Which documents match, how well, and whether that is sure."""
        if isinstance(node, Word):
            return self._of_word(node)
        if isinstance(node, Filter):
            return self._of_filter(node, now), self._no_scores(), True
        parts = [self._of(part, now) for part in node.parts]
        if node.kind == "not":
            mask, _, exact = parts[0]
            return ~mask, self._no_scores(), exact
        masks, exact = [mask for mask, _, _ in parts], all(sure for _, _, sure in parts)
        mask = np.logical_and.reduce(masks) if node.kind == "and" else np.logical_or.reduce(masks)
        return mask, np.add.reduce([scores for _, scores, _ in parts]), exact

    def _no_scores(self) -> Scores:
        return np.zeros(len(self.columns.numbers), dtype=np.float32)

    def _of_word(self, word: Word) -> tuple[Mask, Scores, bool]:
        query = query_of(word.text, word.field)
        scores, hits = self._no_scores(), np.zeros(len(self.columns.numbers), dtype=np.uint16)
        for term in query.terms:
            places, counts = self._postings(term)
            if not len(places):
                return np.zeros(len(hits), dtype=bool), self._no_scores(), True
            hits[places] += 1
            scores[places] += self._bm25(places, counts)
        mask = hits == len(query.terms)
        scores[~mask] = 0.0
        return mask, scores, query.exact

    def _bm25(self, places: NDArray[np.int64], counts: NDArray[np.uint8]) -> Scores:
        total = int(np.count_nonzero(self._alive))
        weight = math.log(1.0 + (total - len(places) + 0.5) / (len(places) + 0.5))
        length = self.columns.lengths[places] / self._mean_length
        often = counts.astype(np.float32)
        scores = weight * often * (K1 + 1.0) / (often + K1 * (1.0 - B + B * length))
        return scores.astype(np.float32)

    def _postings(self, term: int) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """Places of the living documents with a term, and how often they have it."""
        known = self._terms.get(term)
        if known is None:
            parts = list(self._parts(term))
            numbers = np.concatenate([np.empty(0, dtype=np.uint32), *(part.documents for part in parts)])
            counts = np.concatenate([np.empty(0, dtype=np.uint8), *(part.counts for part in parts)])
            places = self._places[numbers]
            alive = self._alive[places]
            known = self._terms[term] = (places[alive], counts[alive])
            if len(self._terms) > _RECENT_TERMS:
                self._terms.popitem(last=False)
        return known

    def _parts(self, term: int) -> Iterator[Postings]:
        for segment in self._segments.values():
            for number in segment.chunks_with(term, term):
                chunk = segment.chunk(number)
                low, high = np.searchsorted(chunk.terms, np.array([term, term + 1], dtype=np.uint64))
                if low < high:
                    yield Postings(chunk.terms[low:high], chunk.documents[low:high], chunk.counts[low:high])

    def _of_filter(self, node: Filter, now: datetime) -> Mask:
        if node.column in ("since", "until"):
            return self._of_span(node, now)
        wanted = node.value.lower()
        numbers = [number for number, name in enumerate(self.names) if _matches(node.column, name.lower(), wanted)]
        column = {"host": self.columns.hosts, "kind": self.columns.kinds, "topic": self.columns.topics}[node.column]
        return np.isin(column, np.array(numbers, dtype=np.uint32))

    def _of_span(self, node: Filter, now: datetime) -> Mask:
        try:
            condition = (since if node.column == "since" else until)("at", node.value, now)
        except StoreError as error:
            raise QueryError(str(error)) from None
        moment = datetime.fromisoformat(condition.value)
        seconds = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        known = self.columns.seconds >= 0
        return known & (self.columns.seconds >= seconds if node.column == "since" else self.columns.seconds < seconds)


def _matches(column: str, name: str, wanted: str) -> bool:
    return name == wanted or (column == "host" and name.endswith(f".{wanted}"))
