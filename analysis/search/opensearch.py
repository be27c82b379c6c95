"""The search index in an OpenSearch server instead of the store: the same terms, the same queries, the same hits.

A document has its terms, as numbers, in one field, and OpenSearch ranks them by BM25. Filters are columns of its own. All documents
that match are read, so that hits are counted, ordered and cut as those of the index in the store. OpenSearch keeps lengths of
documents in one byte, so that the order of hits of nearly the same score may differ.
"""

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from analysis.jobs import StoredPage, queue_all_pages
from analysis.search.catalog import JOB
from analysis.search.documents import Columns, Document, Names, documents_of
from analysis.search.moments import moment_of
from analysis.search.opensearch_client import Client
from analysis.search.query import Filter, Node, Word, parse
from analysis.search.ranked import Finder, Ranked, rank
from analysis.search.searcher import K1, B, Searcher
from analysis.search.terms import query_of
from pipelines.lease import Lease
from pipelines.stores.analysis_tables import ANALYSIS_JOBS, SEARCH_DOCUMENTS
from pipelines.stores.base import Condition, Order, Row, Store, StoreError

_AT_ONCE = 10_000
"""Hits of one answer, the most that OpenSearch gives."""
_KEYWORD = {"type": "keyword"}
_INDEX = {
    "settings": {"similarity": {"default": {"type": "BM25", "k1": K1, "b": B}}},
    "mappings": {
        "dynamic": "strict",
        "properties": {
            "terms": {"type": "text", "analyzer": "whitespace", "index_options": "freqs"},
            "number": {"type": "long"}, "seconds": {"type": "long"}, "length": {"type": "long"},
            "host": _KEYWORD, "kind": _KEYWORD, "topic": _KEYWORD,
        },
    },
}  # fmt: skip
_SHOWN = ["number", "seconds", "length", "host", "kind", "topic"]


def address() -> str:
    """Of the server, with the name of the index as its path; "" where the index is in the store. From the environment: it may have a
    password."""
    return os.environ.get("OPENSEARCH_URL", "")


def open_searcher(store: Store) -> Finder:
    """What answers queries about this store."""
    return OpenSearchSearcher(store, Client(address())) if address() else Searcher(store)


class OpenSearchIndex:
    """The step of the analysis that writes the index.

    Documents are sent before the store knows their numbers: after a kill they are sent again under the same numbers.

    Args:
        lease: of the job "search", gained.
    """

    def __init__(self, store: Store, lease: Lease, client: Client) -> None:
        self._store, self._lease, self._client = store, lease, client
        state = lease.state()
        self._next = int(state["next"]) if state.get("opensearch") == client.index else 0
        if not self._next or not client.exists():
            self.clear()
            queue_all_pages(store)
        for row in store.select(SEARCH_DOCUMENTS, order=[Order("number", descending=True)], limit=1):
            self._next = max(self._next, (row["number"] or 0) + 1)

    def process(self, pages: Sequence[StoredPage]) -> None:
        """Index what is new or has changed."""
        number, rows, actions = self._next, list[Row](), list[Mapping[str, Any]]()
        for page in pages:
            where = [Condition("page", "=", page.key)]
            known = {row["record"]: row for row in self._store.select(SEARCH_DOCUMENTS, where)}
            for document in documents_of(page):
                old = known.get(document.record)
                if old is not None and old["digest"] == document.digest and old["number"]:
                    del known[document.record]
                    continue
                actions += [{"index": {"_id": str(number)}}, _source(document, number)]
                rows.append({"page": page.key, "record": document.record, "number": number, "digest": document.digest})
                number += 1
            written = {row["record"] for row in rows if row["page"] == page.key}
            for record, old in known.items():
                actions += [{"delete": {"_id": str(old["number"])}}] if old["number"] else []
                if record not in written:
                    rows.append({"page": page.key, "record": record, "number": 0, "digest": ""})
        if rows:
            self._client.bulk(actions)
            self._store.upsert(SEARCH_DOCUMENTS, rows).result()
            self._save(number)

    def tidy(self) -> None:
        """Nothing: OpenSearch merges its parts itself."""

    def clear(self) -> None:
        self._client.create(_INDEX)
        self._store.remove(SEARCH_DOCUMENTS, []).result()
        self._save(1)

    def _save(self, number: int) -> None:
        self._lease.save({"opensearch": self._client.index, "next": number})
        self._next = number


def _source(document: Document, number: int) -> dict[str, Any]:
    terms, length = document.terms()
    columns = {
        "number": number,
        "length": length,
        "host": document.host,
        "kind": document.kind,
        "topic": document.topic,
    }
    known = {"seconds": int(datetime.fromisoformat(document.at).timestamp())} if document.at else {}
    return {"terms": " ".join(f"{term:x}" for term in terms.tolist()), **columns, **known}


class OpenSearchSearcher:
    """Answers to queries, from the index that `OpenSearchIndex` writes."""

    def __init__(self, store: Store, client: Client) -> None:
        self._store, self._client = store, client

    def refresh(self) -> None:
        """Nothing: what was indexed is found at once."""

    def search(self, text: str, now: datetime | None = None) -> Ranked:
        """Documents that match, best first; QueryError if the query cannot be understood, StoreError if the server cannot be asked."""
        node, now = parse(text), now or datetime.now(UTC)
        row = self._store.get(ANALYSIS_JOBS, JOB)
        if not ((row or {}).get("state") or {}).get("opensearch"):
            raise StoreError(
                "the index in OpenSearch was never written: run scrapy analysis run with this OPENSEARCH_URL"
            )
        found = list(self._hits(_clause(node, now)))
        names = Names()
        values = [each["_source"] for each in found]
        columns = Columns(
            np.array([each["number"] for each in values], np.uint32),
            np.array([each.get("seconds", -1) for each in values], np.int64),
            np.array([each["length"] for each in values], np.uint32),
            *(np.array([names.number(each[name]) for each in values], np.uint32) for name in ("host", "kind", "topic")),
        )
        scores = np.array([(K1 + 1.0) * (each["sort"][0] or 0.0) for each in found], np.float32)
        exact = all(query_of(word.text, word.field).exact for word in _all_words(node))
        return rank(np.arange(len(found)), scores, columns, tuple(names.known), now, exact=exact)

    def _hits(self, query: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        asked: dict[str, Any] = {
            "size": _AT_ONCE,
            "query": query,
            "sort": [{"_score": "desc"}, {"number": "asc"}],
            "_source": _SHOWN,
        }
        while found := self._client.search(asked):
            yield from found
            if len(found) < _AT_ONCE:
                return
            asked["search_after"] = found[-1]["sort"]


def _all_words(node: Node) -> list[Word]:
    if isinstance(node, Word):
        return [node]
    return [] if isinstance(node, Filter) else [word for part in node.parts for word in _all_words(part)]


def _clause(node: Node, now: datetime) -> dict[str, Any]:
    """A query of OpenSearch: words add to the score, filters do not."""
    if isinstance(node, Word):
        terms = query_of(node.text, node.field).terms
        return (
            {"bool": {"must": [{"term": {"terms": f"{term:x}"}} for term in terms]}}
            if terms
            else {"match_all": {"boost": 0}}
        )
    if isinstance(node, Filter):
        return {"bool": {"filter": [_filter(node, now)]}}
    parts = [_clause(part, now) for part in node.parts]
    if node.kind == "not":
        return {"bool": {"filter": [{"bool": {"must_not": parts}}]}}
    return {"bool": {"must": parts} if node.kind == "and" else {"should": parts, "minimum_should_match": 1}}


def _filter(node: Filter, now: datetime) -> dict[str, Any]:
    if node.column in ("since", "until"):
        return {"range": {"seconds": {"gte" if node.column == "since" else "lt": math.ceil(moment_of(node, now))}}}
    same = {"term": {node.column: {"value": node.value, "case_insensitive": True}}}
    if node.column != "host":
        return same
    escaped = "".join(f"\\{character}" if character in "*?\\" else character for character in node.value)
    below = {"wildcard": {"host": {"value": f"*.{escaped}", "case_insensitive": True}}}
    return {"bool": {"should": [same, below], "minimum_should_match": 1}}
