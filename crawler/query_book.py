"""The state of each query × engine × page, kept in the store."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from crawler.engines.queries import Planned
from pipelines.stores.base import Condition, Store
from pipelines.stores.tables import QUERIES

Row = dict[str, Any]


class QueryBook:
    """What is still to be asked, engine by engine, in the order of the plan."""

    def __init__(self, store: Store, crawl: str) -> None:
        self._store = store
        self._crawl = crawl
        self._waiting: dict[str, deque[Row]] = {}

    def open(self, engines: Iterable[str], plan: Sequence[Planned]) -> None:
        """What earlier runs have left, then those queries of the plan that are new; durable on return."""
        stored = {row["key"]: row for row in self._store.select(QUERIES, [Condition("crawl", "=", self._crawl)])}
        fresh = []
        for engine in engines:
            rows = [self.row(engine, query.words, query.site, 1, place) for place, query in enumerate(plan)]
            fresh += [row for row in rows if row["key"] not in stored]
            left = [
                row for row in stored.values() if row["engine"] == engine and row["state"] in ("waiting", "blocked")
            ]
            left += [row for row in rows if row["key"] not in stored]
            self._waiting[engine] = deque(sorted(left, key=lambda row: (row["page"], row["place"])))
        if fresh:
            self._store.upsert(QUERIES, fresh).result()

    def row(self, engine: str, words: str, site: str, page: int, place: int) -> Row:
        """A query page that waits."""
        name = "\n".join((self._crawl, engine, words, site, str(page)))
        key = blake2b(name.encode(), digest_size=10).hexdigest()
        named = {"key": key, "crawl": self._crawl, "engine": engine, "words": words, "site": site, "page": page}
        return named | {"place": place, "state": "waiting", "tries": 0}

    def next(self, engine: str) -> Row | None:
        """Take the engine's next query page."""
        waiting = self._waiting.get(engine)
        return waiting.popleft() if waiting else None

    def again(self, row: Row) -> None:
        """It was not answered: first of all when the engine has rested."""
        self._waiting[row["engine"]].appendleft(row)

    def further(self, row: Mapping[str, Any]) -> Row:
        """The page after this one."""
        after = self.row(row["engine"], row["words"], row["site"], row["page"] + 1, row["place"])
        self._waiting.setdefault(row["engine"], deque()).append(after)
        return after

    def waiting(self) -> dict[str, int]:
        """Query pages that wait, by engine."""
        return {engine: len(rows) for engine, rows in self._waiting.items()}
