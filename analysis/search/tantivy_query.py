"""A query as tantivy's, and what it finds."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from math import log1p
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tantivy import DocAddress, FieldType, Occur, Query, Schema, Searcher

from analysis.search.found import MAX_AMONG, EngineFound, FoundOrder, SearchMatch
from analysis.search.query import Filter, Node, QueryGroup, QueryWord, is_exact, words_of
from analysis.search.query_moments import moment_of
from analysis.search.scores import K1, as_kept, fresh, with_exact_lengths
from analysis.search.terms import terms_of_word

_COLUMNS = {"host": "domains", "kind": "kind", "topic": "topic", "language": "language"}
_SORTED_BY: Mapping[FoundOrder, str] = {"published": "seconds", "new": "indexed"}
Entry = tuple[float, DocAddress]
"""A score, and where tantivy has the document."""


class TantivyFound(EngineFound):
    """The matches of a query in one state of the index.

    The best 2,000 by tantivy's scores are in the order of ours; those behind stay in that of tantivy's.
    """

    block = 2_000

    def __init__(
        self,
        searcher: Searcher,
        schema: Schema,
        means: tuple[float, float],
        node: Node,
        now: datetime,
        order: FoundOrder,
    ) -> None:
        super().__init__(exact=is_exact(node))
        self._searcher, self._schema, self._node, self._now = searcher, schema, node, now.timestamp()
        self._means, self._query = means, _query(schema, node, now)
        self._sorted_by = _SORTED_BY.get(order, "" if words_of(node) else "seconds")
        first = searcher.search(self._query, self.block, order_by_field=self._sorted_by or None)
        self._count = int(first.count)  # type: ignore[attr-defined]
        self._block = (0, self._ranked(first.hits))

    def __len__(self) -> int:
        return self._count

    def among(self, pages: Collection[str]) -> Sequence[SearchMatch]:
        theirs = _unscored(Query.term_set_query(self._schema, "page", list(pages)))
        query = Query.boolean_query([(Occur.Must, self._query), (Occur.Must, theirs)])
        return self._matches(self._ranked(self._entries(query, 0, MAX_AMONG)))

    def page_moments(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """See `Found`."""
        documents = [where for _, where in self._searcher.search(self._query, max(1, self._count), count=False).hits]
        numbers, seconds = (self._searcher.fast_field_values(name, documents) for name in ("page_number", "seconds"))
        return np.array(numbers, np.int64), np.array(seconds, np.int64)

    def _read(self, start: int) -> Sequence[Entry]:
        entries = self._entries(self._query, start, self.block)
        return entries if start else self._ranked(entries)

    def _entries(self, query: Query, start: int, count: int) -> Sequence[Entry]:
        field = self._sorted_by or None
        return self._searcher.search(query, count, count=False, order_by_field=field, offset=start).hits

    def _ranked(self, entries: Sequence[Entry]) -> Sequence[Entry]:
        """With our scores, the best first, of equals the latest."""
        if self._sorted_by or not entries:
            return entries
        documents = [where for _, where in entries]
        names = ("seconds", "length", "all_terms")
        seconds, lengths, all_terms = (np.array(self._searcher.fast_field_values(name, documents)) for name in names)
        lengths, kept = lengths / self._means[0], as_kept(all_terms) / self._means[1]
        scores = with_exact_lengths(np.array([score for score, _ in entries]), lengths, kept, self._limit())
        scores = fresh(scores, seconds, self._now)
        order = np.lexsort((-seconds, -scores))
        return list(zip(scores[order].tolist(), map(documents.__getitem__, order.tolist()), strict=True))

    def _limit(self) -> float:
        """The highest score that a document could have."""
        terms = [term for word in words_of(self._node) for term in terms_of_word(word.text, word.field).terms]
        rarities = (self._searcher.doc_freq("terms", term) for term in terms)
        total = self._searcher.num_docs
        return (K1 + 1.0) * sum(log1p(max(0.0, total - often + 0.5) / (often + 0.5)) for often in rarities)

    def _matches(self, entries: Sequence[Entry]) -> Sequence[SearchMatch]:
        seconds = self._searcher.fast_field_values("seconds", [where for _, where in entries])
        found = []
        for (score, where), second in zip(entries, seconds, strict=True):
            page, record, host = map(self._searcher.doc(where).get_first, ("page", "record", "host"))
            found.append(
                SearchMatch(str(page), str(record), str(host), int(second or 0), 0.0 if self._sorted_by else score)
            )
        return found

    def _buckets(self, question: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        return list(self._searcher.aggregate(_unscored(self._query), {"found": dict(question)})["found"]["buckets"])


def _unscored(query: Query) -> Query:
    return Query.const_score_query(query, 0.0)


def _query(schema: Schema, node: Node, now: datetime) -> Query:
    """Words add to the score, filters do not."""
    if isinstance(node, QueryWord):
        terms = terms_of_word(node.text, node.field).terms
        return _all([Query.term_query(schema, "terms", term, "freq") for term in terms])
    if isinstance(node, Filter):
        return _unscored(_filter(schema, node, now))
    if node.kind == "or":
        return Query.boolean_query([(Occur.Should, _query(schema, part, now)) for part in node.parts])
    wanted, unwanted = list[Query](), list[Query]()
    for part in node.parts if node.kind == "and" else (node,):
        if isinstance(part, QueryGroup) and part.kind == "not":
            unwanted.append(_query(schema, part.parts[0], now))
        else:
            wanted.append(_query(schema, part, now))
    return _all(wanted, unwanted)


def _all(wanted: Sequence[Query], unwanted: Sequence[Query] = ()) -> Query:
    if len(wanted) == 1 and not unwanted:
        return wanted[0]
    every = [(Occur.Must, query) for query in wanted or (_unscored(Query.all_query()),)]
    return Query.boolean_query([*every, *((Occur.MustNot, query) for query in unwanted)])


def _filter(schema: Schema, node: Filter, now: datetime) -> Query:
    if node.column not in _COLUMNS:
        moment = moment_of(node, now)
        lower, upper = (max(0, moment), None) if node.column == "since" else (0, moment - 1)
        return Query.range_query(schema, "seconds", FieldType.Integer, lower, upper)
    return Query.term_query(schema, _COLUMNS[node.column], node.value.lower(), "basic")
