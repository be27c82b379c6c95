"""The full-text index as all who visit share it."""

from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock

from analysis.search import JOB, Finder, Ranked, open_searcher
from pipelines.stores.analysis_tables import ANALYSIS_JOBS
from pipelines.stores.base import Store


@dataclass(slots=True)
class SharedSearch:
    """The index, opened at the first search and shared by all who search."""

    _lock: Lock = field(default_factory=Lock)
    _searcher: Finder | None = None

    def search(self, store: Store, query: str, now: datetime) -> Ranked | None:
        """None if there is no index yet; QueryError for a query that cannot be understood."""
        with self._lock:
            if store.get(ANALYSIS_JOBS, JOB) is None:
                return None
            if self._searcher is None:
                self._searcher = open_searcher(store)
            self._searcher.refresh()
            return self._searcher.search(query, now)
