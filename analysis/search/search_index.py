"""The search index as a step of the analysis: what changes in the store replaces what was indexed of it."""

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol

from analysis.jobs import Step, StoredPage, queue_all_pages
from analysis.search.found import Found, FoundOrder
from analysis.search.query import Node
from analysis.search.search_documents import SearchDocument, documents_of
from pipelines.lease import Lease
from pipelines.stores.base import Store

logger = logging.getLogger(__name__)
JOB = "search"


class IndexEngine(Protocol):
    """A search index outside of the store. StoreError if it cannot be reached, read or written."""

    @property
    def location(self) -> str:
        """Where the index is, for people; without passwords."""

    def identity(self) -> str:
        """Which index it is, as it was committed last; "" if it is missing, damaged or of another format."""

    def create(self) -> str:
        """An empty index in the place of the one that is there; its identity."""

    def write(self, pages: Iterable[str], documents: Iterable[SearchDocument]) -> None:
        """Replace all documents of these pages; durable when this returns."""

    def find(self, node: Node, now: datetime, order: FoundOrder) -> Found:
        """The matches in the index that `identity` has seen."""

    def close(self) -> None:
        """Stop writing."""


class SearchIndex(Step):
    """The step of the analysis that writes the index.

    The store knows the identity of its index: another one is made again, and every page is queued.

    Args:
        lease: of the job "search", gained.
    """

    def __init__(self, store: Store, lease: Lease, engine: IndexEngine) -> None:
        self._lease, self._engine = lease, engine
        known = str(lease.state().get("index") or "")
        if known and known == engine.identity():
            return
        if known:
            logger.warning(
                "The search index in %s is missing, damaged or of another version: it is made again from the database.",
                engine.location,
            )
        queue_all_pages(store)
        self.clear()

    def process(self, pages: Sequence[StoredPage]) -> None:
        """Index these pages and their records; pages that are no longer stored leave the index."""
        documents = (document for page in pages for document in documents_of(page))
        self._engine.write([page.key for page in pages], documents)

    def clear(self) -> None:
        self._lease.save({"index": self._engine.create()})

    def close(self) -> None:
        self._engine.close()


class NoIndex(Step):
    """The step where no engine can be used: search is off, and all other analysis works."""

    def __init__(self, reason: str) -> None:
        logger.warning("%s", reason)

    def process(self, pages: Sequence[StoredPage]) -> None:
        """Nothing is indexed."""
