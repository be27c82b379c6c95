"""Several nodes of a watch over the living web: one Redis, one store, virtual time; one of them may be killed."""

from concurrent.futures import Future
from pathlib import Path
from typing import Any

from redis import Redis

from benchmarks.living import START, WatchPolicy
from crawler.watching.beats import BEAT_SECONDS
from crawler.watching.holding import Holding
from crawler.watching.nodes import Nodes
from crawler.watching.rows import WatchRows
from crawler.watching.slots import slot_of
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store

_SAVE_SECONDS = 60.0


class _Node:
    """What `scrapy crawl watch` has on one machine, without its network."""

    def __init__(self, policy: WatchPolicy, seeds: list[str], redis: Redis, store: Store, name: str, per_hour: float):
        self.policy, self._seeds, self._store, self.now, self._beat_at, self._saved_at = (
            policy,
            seeds,
            store,
            0.0,
            0.0,
            0.0,
        )
        self.watch, self.under_way = policy.watch, dict[str, str]()
        self._rows = WatchRows("living", self.watch)
        nodes = Nodes(redis, "{living}", owner=name, clock=lambda: START + self.now)
        self._holding = Holding(self.watch, self._rows, nodes, per_hour, self._begin)
        self._holding.open(store, START)
        self.written: Future[None] = store.write([])

    def _begin(self, slots: Any, now: float) -> None:
        for url in self._seeds:
            if slot_of(url) in slots:
                self.watch.start(url, now)

    def next(self, now: float) -> Any:
        self.now = now
        if now >= self._beat_at:
            self._beat_at = now + BEAT_SECONDS
            self._holding.update(self._holding.beat(), self._store, set(self.under_way.values()), START + now)
        if now >= self._saved_at + _SAVE_SECONDS:
            self._saved_at = now
            self._store.write([self._rows.common(self._store, START + now)])
        request = self.policy.next(now) if self._holding.may_ask() else None
        if request is not None:
            self.under_way[request.visit.url] = request.visit.source
        return request

    def seen(self, request: Any, answer: Any, now: float) -> None:
        self.under_way.pop(request.visit.url, None)
        self.policy.seen(request, answer, now)
        if rows := self._rows.changed(START + now):
            self.written = self._store.write(rows)


class NodesPolicy:
    """See `benchmarks.living.Policy`.

    Args:
        kill_at: virtual seconds after which the first node is not heard of any more; what it has under way is lost.
    """

    def __init__(
        self,
        world: Any,
        per_hour: float,
        folder: Path,
        redis_url: str,
        *,
        nodes: int,
        quick: bool,
        kill_at: float = 1e18,
    ) -> None:
        store = open_store(f"sqlite:///{folder / 'watch.db'}")
        seeds = world.seeds()
        self._kill_at, self._turn = kill_at, 0
        self._nodes = [
            _Node(
                WatchPolicy(world, per_hour, quick=quick, starts=False),
                seeds,
                Redis.from_url(redis_url),
                store,
                f"n{n}",
                per_hour,
            )
            for n in range(nodes)
        ]

    def next(self, now: float) -> Any:
        """A request of whichever node has one; they take turns."""
        if now >= self._kill_at:
            self._kill_at = 1e18
            self._nodes.pop(
                0
            ).written.result()  # what it has stored by now is stored by the time at which others read it
        for _ in self._nodes:
            self._turn = (self._turn + 1) % len(self._nodes)
            request = self._nodes[self._turn].next(now)
            if request is not None:
                request.node = self._nodes[self._turn]
                return request
        return None

    def seen(self, request: Any, answer: Any, now: float) -> None:
        """The answer reaches the node, if it lives."""
        if request.node in self._nodes:
            request.node.seen(request, answer, now)
