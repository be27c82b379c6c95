"""The state of each query × engine × page, kept in the store."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Any

from crawler.metasearch.queries import Planned
from pipelines.stores.base import Condition, Store
from pipelines.stores.tables import QUERIES

Row = dict[str, Any]
_LEFT = ("waiting", "blocked")
_MOST_FAILURES = 3
_KEPT = ("key", "crawl", "topic", "engine", "words", "site", "page", "place", "state", "tries", "carried")


class QueryBook:
    """What is still to be asked, engine by engine, in the order of the plan.

    Args:
        repeat_days: after so many days a query is asked again; 0 for never.
    """

    def __init__(self, store: Store, crawl: str, topic: str = "", repeat_days: float = 0.0) -> None:
        self._store = store
        self._crawl = crawl
        self._topic = topic
        self._repeat_days = repeat_days
        self._waiting: dict[str, deque[Row]] = {}
        self._taken: set[tuple[str, int]] = set()

    def open(self, engines: Iterable[str], plan: Sequence[Planned]) -> None:
        """What earlier runs have left, and those queries of the plan that are new or due again; durable on return."""
        stored = {row["key"]: row for row in self._store.select(QUERIES, [Condition("crawl", "=", self._crawl)])}
        places = {(query.words, query.site): place for place, query in enumerate(plan)}
        changed = []
        for engine in engines:
            planned = [self.row(engine, query.words, query.site, 1, place) for place, query in enumerate(plan)]
            changed += [row for row in planned if row["key"] not in stored]
            left = [row for row in planned if row["key"] not in stored]
            for row in (row for row in stored.values() if row["engine"] == engine and self._is_due(row)):
                place = places.get((row["words"], row["site"] or ""), row["place"] or 0)
                left.append(_kept(row) | {"place": place, "state": "waiting"})
            self._waiting[engine] = deque(sorted(left, key=_in_order))
        if changed:
            self._store.upsert(QUERIES, changed).result()

    def _is_due(self, row: Row) -> bool:
        if row["state"] in _LEFT or (row["state"] == "failed" and (row["tries"] or 0) < _MOST_FAILURES):
            return True
        if not self._repeat_days or row["page"] != 1 or not row["asked_at"]:
            return False
        age = datetime.now(UTC) - datetime.fromisoformat(row["asked_at"])
        return age >= timedelta(days=self._repeat_days)

    def row(self, engine: str, words: str, site: str, page: int, place: int) -> Row:
        """A query page that waits."""
        name = "\n".join((self._crawl, engine, words, site, str(page)))
        key = blake2b(name.encode(), digest_size=10).hexdigest()
        named = {"key": key, "crawl": self._crawl, "topic": self._topic, "engine": engine, "words": words}
        return named | {"site": site, "page": page, "place": place, "state": "waiting", "tries": 0}

    def next(self, engine: str) -> Row | None:
        """Take the engine's next query page; None if there is none. What another node has done meanwhile is passed over."""
        waiting = self._waiting.get(engine)
        while waiting:
            row = waiting.popleft()
            if not self.is_done(row):
                self._taken.add((row["key"], row["tries"]))
                return row
        return None

    def is_done(self, row: Mapping[str, Any]) -> bool:
        """Whether somebody has asked it since this row was read."""
        stored = self._store.get(QUERIES, row["key"])
        return stored is not None and (stored["tries"] or 0) > row["tries"]

    def again(self, row: Row) -> None:
        """It was not answered: first of all when the engine has rested."""
        self._waiting[row["engine"]].appendleft(row)

    def further(self, row: Mapping[str, Any], carried: Mapping[str, str]) -> Row:
        """The page after this one, with what it takes from this one's answer."""
        after = self.row(row["engine"], row["words"], row["site"] or "", row["page"] + 1, row["place"])
        after["carried"] = dict(carried)
        if row["tries"] > 1 and (known := self._store.get(QUERIES, after["key"])):
            after["tries"] = known["tries"] or 0
        self._waiting.setdefault(row["engine"], deque()).append(after)
        return after

    def refill(self, engine: str) -> None:
        """What waits in the store and was not taken here: pages that another node has found to be there."""
        conditions = [Condition("crawl", "=", self._crawl), Condition("engine", "=", engine)]
        rows = self._store.select(QUERIES, [*conditions, Condition("state", "=", "waiting")])
        left = [_kept(row) for row in rows]
        self._waiting[engine].extend(
            sorted((row for row in left if (row["key"], row["tries"]) not in self._taken), key=_in_order)
        )

    def waiting(self) -> dict[str, int]:
        """Query pages that wait, by engine."""
        return {engine: len(rows) for engine, rows in self._waiting.items()}


def _kept(row: Row) -> Row:
    """What is written again when it is answered; other columns have other writers."""
    return {name: row[name] for name in _KEPT} | {"tries": row["tries"] or 0, "site": row["site"] or ""}


def _in_order(row: Row) -> tuple[int, int]:
    return row["page"], row["place"] or 0
