"""The index of a cluster: OpenSearch's, with the same terms and fields as tantivy's."""

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import Any

from analysis.search.found import MAX_AMONG, EngineFound, Found, FoundOrder, SearchMatch
from analysis.search.opensearch_client import Client
from analysis.search.query import Filter, Node, QueryWord, is_exact, words_of
from analysis.search.query_moments import moment_of
from analysis.search.scores import FRESH_SECONDS, FRESH_SHARE, K1, B
from analysis.search.search_documents import FORMAT, SearchDocument
from analysis.search.terms import terms_of_word

_KEYWORD, _LONG = {"type": "keyword"}, {"type": "long"}
_INDEX = {
    "settings": {"max_result_window": 10_000_000, "similarity": {"default": {"type": "BM25", "k1": K1, "b": B}}},
    "mappings": {
        "dynamic": "strict",
        "_meta": {"format": FORMAT},
        "properties": {
            "terms": {"type": "text", "analyzer": "whitespace", "index_options": "freqs"},
            **dict.fromkeys(("page", "record", "host", "domains", "kind", "topic", "language"), _KEYWORD),
            **dict.fromkeys(("seconds", "indexed", "length", "all_terms", "page_number"), _LONG),
        },
    },
}
_MAX_REPLACED = 1_000_000
"""Documents of the pages of one batch."""
_SHOWN = ["page", "record", "host", "seconds"]
_COLUMNS = {"host": "domains", "kind": "kind", "topic": "topic", "language": "language"}
_LATEST = [{"seconds": "desc"}, {"indexed": "desc"}]
_SORTS: Mapping[FoundOrder, list[dict[str, str]]] = {
    "best": [{"_score": "desc"}, *_LATEST],
    "published": _LATEST,
    "new": [{"indexed": "desc"}],
}
_SCORE_FACTOR = K1 + 1.0
"""Lucene leaves it out of BM25."""


class OpenSearchIndex:
    """An index on a server; searches may come from several threads."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @property
    def location(self) -> str:
        return self._client.location

    def identity(self) -> str:
        """Which index it is; "" if it is missing or of another format."""
        known = self._client.describe()
        if known is None or (known["mappings"].get("_meta") or {}).get("format") != FORMAT:
            return ""
        return str(known["settings"]["index"]["uuid"])

    def create(self) -> str:
        """An empty index in the place of the one that is there; its identity."""
        self._client.create(_INDEX)
        return self.identity()

    def write(self, pages: Iterable[str], documents: Iterable[SearchDocument]) -> None:
        """Replace all documents of these pages; they are found when this returns."""
        self._client.bulk(chain(self._removals(list(pages)), ([{"index": {}}, _source(each)] for each in documents)))

    def _removals(self, pages: Sequence[str]) -> list[list[Mapping[str, Any]]]:
        """Of the documents of these pages."""
        asked = {"query": {"terms": {"page": pages}}, "size": _MAX_REPLACED, "_source": False}
        return [[{"delete": {"_id": each["_id"]}}] for each in self._client.search(asked)["hits"]["hits"]]

    def close(self) -> None:
        """Nothing is open."""

    def find(self, node: Node, now: datetime, order: FoundOrder) -> Found:
        """The matches."""
        return OpenSearchFound(self._client, node, now, order)


class OpenSearchFound(EngineFound):
    """The matches of a query."""

    block = 1_000

    def __init__(self, client: Client, node: Node, now: datetime, order: FoundOrder) -> None:
        super().__init__(exact=is_exact(node))
        self._client, self._node, self._now = client, node, now
        self._sort = _SORTS[order if order != "best" or words_of(node) else "published"]
        self._query = _fresh(_clause(node, now), now) if self._sort is _SORTS["best"] else _clause(node, now)
        answer = self._ask(self._query, 0, self.block)
        self._count = int(answer["hits"]["total"]["value"])
        self._block = (0, answer["hits"]["hits"])

    def __len__(self) -> int:
        return self._count

    def among(self, pages: Collection[str]) -> Sequence[SearchMatch]:
        query = {"bool": {"must": [self._query], "filter": [{"terms": {"page": list(pages)}}]}}
        return self._matches(self._ask(query, 0, MAX_AMONG)["hits"]["hits"])

    def _read(self, start: int) -> Sequence[Any]:
        hits: Sequence[Any] = self._ask(self._query, start, self.block)["hits"]["hits"]
        return hits

    def _ask(self, query: Mapping[str, Any], start: int, count: int) -> Mapping[str, Any]:
        asked = {"query": query, "from": start, "size": count, "sort": self._sort, "_source": _SHOWN}
        return self._client.search({**asked, "track_total_hits": True})

    def _matches(self, entries: Sequence[Any]) -> Sequence[SearchMatch]:
        return [SearchMatch(**each["_source"], score=_SCORE_FACTOR * (each["_score"] or 0.0)) for each in entries]

    def _buckets(self, question: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        asked = {"query": _clause(self._node, self._now), "size": 0, "aggs": {"found": question}}
        buckets: Sequence[Mapping[str, Any]] = self._client.search(asked)["aggregations"]["found"]["buckets"]
        return buckets


def _source(document: SearchDocument) -> Mapping[str, Any]:
    return document.fields(time.time_ns())


def _fresh(query: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """Scores are higher for late pages."""
    decay = {"origin": int(now.timestamp()), "scale": int(FRESH_SECONDS), "decay": 0.5}
    known = {"range": {"seconds": {"gte": 0}}}
    functions = [{"weight": 1.0}, {"filter": known, "weight": FRESH_SHARE, "exp": {"seconds": decay}}]
    return {"function_score": {"query": query, "functions": functions, "score_mode": "sum", "boost_mode": "multiply"}}


def _clause(node: Node, now: datetime) -> dict[str, Any]:
    """Words add to the score, filters do not."""
    if isinstance(node, QueryWord):
        return {"bool": {"must": [{"term": {"terms": term}} for term in terms_of_word(node.text, node.field).terms]}}
    if isinstance(node, Filter):
        return {"bool": {"filter": [_filter(node, now)]}}
    parts = [_clause(part, now) for part in node.parts]
    if node.kind == "not":
        return {"bool": {"filter": [{"bool": {"must_not": parts}}]}}
    return {"bool": {"must": parts} if node.kind == "and" else {"should": parts, "minimum_should_match": 1}}


def _filter(node: Filter, now: datetime) -> dict[str, Any]:
    if node.column in _COLUMNS:
        return {"term": {_COLUMNS[node.column]: node.value.lower()}}
    bounds = {"gte": max(0, moment_of(node, now))} if node.column == "since" else {"gte": 0, "lt": moment_of(node, now)}
    return {"range": {"seconds": bounds}}
