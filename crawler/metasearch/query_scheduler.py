"""Schedules query pages: each engine at its pace, with one query page at a time over all nodes."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from crawler.clock import steady_time
from crawler.engines.protocol.engine import About, Engine
from crawler.metasearch.queries import QueryStore, Row
from pipelines.stores.base import Store
from pipelines.stores.tables import ENGINE_BACKOFFS

_REFRESH_SECONDS = 1.0
"""Between two reads of the other nodes' progress."""
_UNCONFIRMED_FACTOR = 10
"""A query page that the frontier did not drop may be slow or retried: it gets this many times `max_wait`."""


@dataclass(slots=True)
class _State:
    blocks: int = 0
    until: float = 0.0
    last_request: float = 0.0


class EngineBackoff:
    """When each engine may get a request: its backoff doubles with each consecutive block, and the first answer ends it.

    Times are seconds since 1970 by `clock`, so that nodes agree.
    """

    def __init__(self, abouts: Iterable[About], clock: Callable[[], float]) -> None:
        self._abouts = {about.name: about for about in abouts}
        self._states = {name: _State() for name in self._abouts}
        self._clock = clock

    def wait(self, name: str) -> float:
        """Seconds until the engine may get a request; 0 if now."""
        state = self._states[name]
        return max(0.0, state.until - self._clock(), state.last_request + self._abouts[name].delay - self._clock())

    def left(self, name: str) -> float:
        """Remaining seconds of its backoff; 0 without one."""
        return max(0.0, self._states[name].until - self._clock())

    def on_request(self, name: str) -> None:
        self._states[name].last_request = self._clock()

    def on_block(self, name: str, retry_after: float = 0.0) -> dict[str, Any]:
        """Double the backoff up to the engine's limit, or wait for Retry-After if that is longer; a row to store."""
        about, state = self._abouts[name], self._states[name]
        doubled = min(about.backoff * 2.0 ** min(state.blocks, 30), about.max_backoff)
        state.blocks += 1
        state.until = self._clock() + max(doubled, min(retry_after, about.max_backoff))
        return self.row(name)

    def on_answer(self, name: str) -> dict[str, Any] | None:
        """End the backoff; a row to store if there was one."""
        state = self._states[name]
        if not state.blocks:
            return None
        state.blocks, state.until = 0, 0.0
        return self.row(name)

    def row(self, name: str) -> dict[str, Any]:
        """The backoff as a row for other nodes and later runs."""
        state = self._states[name]
        return {"engine": name, "blocks": state.blocks, "until": state.until}

    def merge(self, row: Mapping[str, Any]) -> None:
        """Adopt the row of another node or an earlier run if its backoff ends later; ignores engines not in use."""
        state = self._states.get(row["engine"])
        if state is not None and (row["until"] or 0.0) > state.until:
            state.blocks, state.until = int(row["blocks"] or 0), float(row["until"])


class QueryScheduler:
    """This node's view of engines, their backoffs and their query pages.

    The frontier drops a query page that another node has started, and may or may not report that (`on_dropped`). The engine
    counts as busy until the other node's answer is in the store, so that nodes share its pace. Without an answer after
    `max_wait` seconds, or ten times as long without a report, this node starts the query page itself.

    Attributes:
        counts: queries, results, new results and blocks of each engine in this run.

    Args:
        clock: seconds since 1970.
    """

    def __init__(
        self,
        store: Store,
        queries: QueryStore,
        engines: Mapping[str, Engine],
        max_wait: float,
        clock: Callable[[], float] = steady_time,
    ) -> None:
        self.backoff = EngineBackoff((engine.about for engine in engines.values()), clock)
        self.counts: dict[str, Counter[str]] = defaultdict(Counter)
        self._store = store
        self.queries = queries
        self._engines = engines
        self._max_wait = max_wait
        self._clock = clock
        self._refreshed = 0.0
        self._running: dict[str, Row] = {}
        self._started: dict[str, float] = {}
        self._dropped: set[str] = set()

    def waits(self) -> dict[str, float]:
        """Seconds until each engine with work may get a request; at least 0.05 while one of its query pages runs."""
        if self._clock() - self._refreshed >= _REFRESH_SECONDS:
            self._refresh()
        names = [name for name, count in self.queries.waiting().items() if count or name in self._running]
        return {name: max(self.backoff.wait(name), 0.05 if name in self._running else 0.0) for name in names}

    def _refresh(self) -> None:
        self._refreshed = self._clock()
        for row in self._store.select(ENGINE_BACKOFFS):
            self.backoff.merge(row)
        for name, row in list(self._running.items()):
            max_wait = self._max_wait * (1 if name in self._dropped else _UNCONFIRMED_FACTOR)
            if self.queries.is_done(row):
                self.counts[name]["queries"] -= name not in self._dropped
                self._finish(name)
            elif self._clock() - self._started[name] > max_wait:
                self._finish(name)
                self.queries.put_back(row | {"tries": max(1, row["tries"])})
        for name, count in self.queries.waiting().items():
            if not count and name not in self._running:
                self.queries.refill(name)

    def start(self, name: str) -> Row | None:
        """Start the engine's next query page; None if one is running or none is waiting."""
        row = None if name in self._running else self.queries.next(name)
        if row is not None:
            self._running[name], self._started[name] = row, self._clock()
            self.backoff.on_request(name)
            self.counts[name]["queries"] += 1
        return row

    def on_dropped(self, row: Mapping[str, Any]) -> None:
        if self.is_running(row):
            self._dropped.add(row["engine"])
            self.counts[row["engine"]]["queries"] -= 1

    def is_running(self, row: Mapping[str, Any]) -> bool:
        return bool(self._running.get(row["engine"], {}).get("key") == row["key"])

    def release(self, row: Mapping[str, Any]) -> None:
        if self.is_running(row):
            self._finish(row["engine"])

    def _finish(self, name: str) -> None:
        self._running.pop(name, None)
        self._dropped.discard(name)

    def is_idle(self) -> bool:
        return not self._running

    def on_block(self, row: Row, retry_after: float) -> dict[str, Any]:
        """Put the refused query page first after the backoff; returns the row of the backoff to store."""
        name = row["engine"]
        self.counts[name]["blocked"] += 1
        self.queries.put_back(row)
        self.release(row)
        return self.backoff.on_block(name, retry_after)

    def on_answer(self, row: Row, results: int, new: int) -> dict[str, Any] | None:
        """Note an answer; returns the row of the backoff to store if it has ended."""
        self.counts[row["engine"]].update(results=results, new=new)
        self.release(row)
        return self.backoff.on_answer(row["engine"])

    def waiting(self) -> dict[str, int]:
        return {name: count for name, count in self.queries.waiting().items() if count}

    def progress_lines(self) -> Iterator[str]:
        """A line per engine, for people."""
        waiting = self.queries.waiting()
        for name in self._engines:
            counts = "  ".join(
                f"{self.counts[name][count]} {count}" for count in ("queries", "results", "new", "blocked")
            )
            yield f"{name}: {counts}  {waiting.get(name, 0)} waiting{self._activity(name)}"

    def _activity(self, name: str) -> str:
        seconds = self.backoff.left(name)
        if seconds > 0:
            return f"  backoff {seconds:.0f} s"
        row = self._running.get(name)
        return f"  now: {describe_query(row)}" if row else ""


def describe_query(row: Mapping[str, Any]) -> str:
    site = f" site:{row['site']}" if row["site"] else ""
    return f"{row['words']}{site} ({row['page']})"
