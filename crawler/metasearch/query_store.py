"""Query pages (query × engine × page) in the store: their state, what waits, and what earlier ones yielded."""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Any

from crawler.metasearch.queries import PlannedQuery
from pipelines.stores.base import Condition, Store
from pipelines.stores.tables import QUERIES

Row = dict[str, Any]
_OPEN_STATES = ("waiting", "blocked", "failed")
_REWRITTEN = ("key", "crawl", "topic", "engine", "words", "site", "page", "place", "state", "tries", "carried")
_YIELD_COLUMNS = ("words", "site", "state", "new", "relevant")
_ANSWERED = ("results", "none", "layout_changed")


class QueryStore:
    """The query pages of a crawl that wait, for each engine in the order of the plan.

    Args:
        repeat_days: age in days after which a query is repeated; 0 for never.
    """

    def __init__(self, store: Store, crawl: str, topic: str = "", repeat_days: float = 0.0) -> None:
        self._store = store
        self._crawl = crawl
        self._topic = topic
        self._repeat_days = repeat_days
        self._waiting: dict[str, deque[Row]] = {}
        self._started: set[tuple[str, int]] = set()

    def open(self, engines: Iterable[str], plan: Sequence[PlannedQuery]) -> None:
        """Load what earlier runs left, and add the queries of the plan that are new or due again; durable on return."""
        stored = {row["key"]: row for row in self._store.select(QUERIES, [Condition("crawl", "=", self._crawl)])}
        places = {(query.words, query.site): place for place, query in enumerate(plan)}
        changed = []
        for engine in engines:
            planned = [self.new_row(engine, query.words, query.site, 1, place) for place, query in enumerate(plan)]
            changed += [row for row in planned if row["key"] not in stored]
            left = [row for row in planned if row["key"] not in stored]
            for row in (row for row in stored.values() if row["engine"] == engine and self._is_due(row)):
                place = places.get((row["words"], row["site"] or ""), row["place"] or 0)
                left.append(_rewritten(row) | {"place": place, "state": "waiting"})
            self._waiting[engine] = deque(sorted(left, key=_in_order))
        if changed:
            self._store.upsert(QUERIES, changed).result()

    def _is_due(self, row: Row) -> bool:
        if row["state"] in _OPEN_STATES:
            return True
        if not self._repeat_days or row["page"] != 1 or not row["asked_at"]:
            return False
        age = datetime.now(UTC) - datetime.fromisoformat(row["asked_at"])
        return age >= timedelta(days=self._repeat_days)

    def new_row(self, engine: str, words: str, site: str, page: int, place: int) -> Row:
        name = "\n".join((self._crawl, engine, words, site, str(page)))
        key = blake2b(name.encode(), digest_size=10).hexdigest()
        named = {"key": key, "crawl": self._crawl, "topic": self._topic, "engine": engine, "words": words}
        return named | {"site": site, "page": page, "place": place, "state": "waiting", "tries": 0}

    def next(self, engine: str) -> Row | None:
        """Remove and return the engine's next query page that no other node has done meanwhile; None if there is none."""
        waiting = self._waiting.get(engine)
        while waiting:
            row = waiting.popleft()
            if not self.is_done(row):
                self._started.add((row["key"], row["tries"]))
                return row
        return None

    def is_done(self, row: Mapping[str, Any]) -> bool:
        """Whether another node has done this query page since the row was read."""
        stored = self._store.get(QUERIES, row["key"])
        return stored is not None and (stored["tries"] or 0) > row["tries"]

    def put_back(self, row: Row) -> None:
        """Let a query page wait in front of all others, because it got no answer."""
        self._waiting[row["engine"]].appendleft(row)

    def add_next_page(self, row: Mapping[str, Any], carried: Mapping[str, str]) -> Row:
        """Let the next page of a query wait, with what its request needs of this answer; returns its row."""
        following = self.new_row(row["engine"], row["words"], row["site"] or "", row["page"] + 1, row["place"])
        following["carried"] = dict(carried)
        if row["tries"] > 1 and (known := self._store.get(QUERIES, following["key"])):
            following["tries"] = known["tries"] or 0
        self._waiting.setdefault(row["engine"], deque()).append(following)
        return following

    def refill(self, engine: str) -> None:
        """Load query pages that wait in the store and were not started here: next pages that other nodes added."""
        conditions = [Condition("crawl", "=", self._crawl), Condition("engine", "=", engine)]
        rows = self._store.select(QUERIES, [*conditions, Condition("state", "=", "waiting")])
        left = [_rewritten(row) for row in rows]
        self._waiting[engine].extend(
            sorted((row for row in left if (row["key"], row["tries"]) not in self._started), key=_in_order)
        )

    def waiting(self) -> dict[str, int]:
        return {engine: len(rows) for engine, rows in self._waiting.items()}


def _rewritten(row: Row) -> Row:
    """The columns that this class writes; other columns have other writers."""
    return {name: row[name] for name in _REWRITTEN} | {"tries": row["tries"] or 0, "site": row["site"] or ""}


def _in_order(row: Row) -> tuple[int, int]:
    return row["page"], row["place"] or 0


def query_yields(store: Store, topic: str) -> dict[tuple[str, str], float]:
    """Relevant pages per page of results, relative to the average query page, by words and site, and by ("", site).

    New results count as long as no page has a relevance. Each mean is smoothed with one more average page.
    """
    rows = [
        row
        for row in store.select(QUERIES, [Condition("topic", "=", topic)], columns=_YIELD_COLUMNS)
        if row["state"] in _ANSWERED
    ]
    gain = "relevant" if any(row["relevant"] for row in rows) else "new"
    gains: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for row in rows:
        site = row["site"] or ""
        for key in {(row["words"], site), ("", site)} - {("", "")}:
            gains[key][0] += row[gain] or 0
            gains[key][1] += 1
    mean = sum(row[gain] or 0 for row in rows) / max(1, len(rows))
    if not mean:
        return {}
    return {key: (got + mean) / (pages + 1) / mean for key, (got, pages) in gains.items()}
