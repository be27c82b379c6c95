"""Which engine has the index of a store: OpenSearch where OPENSEARCH_URL names one, else tantivy beside a SQLite database."""

import os
from datetime import UTC, datetime
from pathlib import Path

from analysis.jobs import Step
from analysis.search.found import Found, FoundOrder, NoIndexError
from analysis.search.opensearch import OpenSearchIndex
from analysis.search.opensearch_client import Client
from analysis.search.query import parse
from analysis.search.search_index import JOB, IndexEngine, NoIndex, SearchIndex
from analysis.search.tantivy_index import TantivyIndex
from pipelines.lease import Lease
from pipelines.stores.analysis_tables import ANALYSIS_JOBS
from pipelines.stores.base import Store, StoreError

_NO_ENGINE = "Search of a MongoDB database needs OpenSearch: set OPENSEARCH_URL, see docs/search.md."


def _engine(store: Store) -> IndexEngine | None:
    """None for a database on servers without OpenSearch. The address is in the environment, since it may have a password."""
    if address := os.environ.get("OPENSEARCH_URL", ""):
        return OpenSearchIndex(Client(address))
    return None if "://" in store.location else TantivyIndex(Path(f"{store.location}.search"))


def search_step(store: Store, lease: Lease) -> Step:
    """The step of the analysis that keeps the index."""
    engine = _engine(store)
    return SearchIndex(store, lease, engine) if engine else NoIndex(_NO_ENGINE)


class Searcher:
    """Answers queries from the index as it was committed last; for any number of threads."""

    def __init__(self, store: Store) -> None:
        self._store, self._engine = store, _engine(store)

    def search(self, text: str, now: datetime | None = None, order: FoundOrder = "best") -> Found:
        """Documents that match; a day of the query is one in the time zone of `now`, UTC without it.

        QueryError if the query cannot be understood, NoIndexError, StoreError if the index is unusable.
        """
        node = parse(text)
        if self._engine is None:
            raise NoIndexError(_NO_ENGINE)
        row = self._store.get(ANALYSIS_JOBS, JOB) or {}
        known = (row.get("state") or {}).get("index")
        if not known:
            raise NoIndexError("There is no search index yet: run scrapy analysis run.")
        if self._engine.identity() != known:
            raise StoreError(
                f"The search index in {self._engine.location} is missing, damaged or of another version: "
                "scrapy analysis run makes it again from the database."
            )
        return self._engine.find(node, now or datetime.now(UTC), order)
