"""Who is asked what next, each engine at its pace, one query at a time over all nodes."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from crawler.engines.base import Engine
from crawler.metasearch.backoff import Resting
from crawler.metasearch.queries import Planned
from crawler.metasearch.query_store import QueryBook, Row
from pipelines.stores.base import Store
from pipelines.stores.tables import RESTS

_LOOK_SECONDS = 1.0
"""Between two looks at what other nodes have done."""
_LONGER = 10
"""A query that was not dropped may be slow, or tried again."""


class Enquiry:
    """Engines, their rests and their queries, as this node sees them.

    A query that another node has asked already is dropped by the frontier, which may tell so (`dropped`) or not: the engine
    counts as busy until that node's answer is in the store, so that nodes share its pace. When there is none after
    `patience` seconds, or ten times as long if nobody has told, it is asked anyway.

    Args:
        clock: seconds since 1970.
    """

    def __init__(
        self,
        store: Store,
        book: QueryBook,
        engines: Mapping[str, Engine],
        patience: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.resting = Resting((engine.about for engine in engines.values()), clock)
        self.told: dict[str, Counter[str]] = defaultdict(Counter)
        self._store = store
        self._book = book
        self._engines = engines
        self._patience = patience
        self._clock = clock
        self._looked = 0.0
        self._busy: dict[str, Row] = {}
        self._since: dict[str, float] = {}
        self._dropped: set[str] = set()

    def open(self, plan: Sequence[Planned]) -> None:
        """Take up what is left and what is new."""
        self._book.open(self._engines, plan)

    def waits(self) -> dict[str, float]:
        """Seconds until each engine that has work may be asked; at least 0.05 while a query of it is under way."""
        if self._clock() - self._looked >= _LOOK_SECONDS:
            self._look()
        names = [name for name, count in self._book.waiting().items() if count or name in self._busy]
        return {name: max(self.resting.wait(name), 0.05 if name in self._busy else 0.0) for name in names}

    def _look(self) -> None:
        self._looked = self._clock()
        for rest in self._store.select(RESTS):
            self.resting.load(rest)
        for name, row in list(self._busy.items()):
            patience = self._patience * (1 if name in self._dropped else _LONGER)
            if self._book.is_done(row):
                self.told[name]["asked"] -= name not in self._dropped
                self._free(name)
            elif self._clock() - self._since[name] > patience:
                self._free(name)
                self._book.again(row | {"tries": max(1, row["tries"])})
        for name, count in self._book.waiting().items():
            if not count and name not in self._busy:
                self._book.refill(name)

    def take(self, name: str) -> Row | None:
        """The engine's next query page, which is under way from now on."""
        found = None if name in self._busy else self._book.next(name)
        if found is not None:
            self._busy[name], self._since[name] = found, self._clock()
            self.resting.asked(name)
            self.told[name]["asked"] += 1
        return found

    def dropped(self, row: Mapping[str, Any]) -> None:
        """The frontier knows this query already."""
        if self.is_busy_with(row):
            self._dropped.add(row["engine"])
            self.told[row["engine"]]["asked"] -= 1

    def is_busy_with(self, row: Mapping[str, Any]) -> bool:
        """Whether it is this query page that is under way."""
        return bool(self._busy.get(row["engine"], {}).get("key") == row["key"])

    def release(self, row: Mapping[str, Any]) -> None:
        """This query page is not under way any more."""
        if self.is_busy_with(row):
            self._free(row["engine"])

    def _free(self, name: str) -> None:
        self._busy.pop(name, None)
        self._dropped.discard(name)

    def is_idle(self) -> bool:
        """Whether nothing is under way."""
        return not self._busy

    def blocked(self, row: Row, retry_after: float) -> dict[str, Any]:
        """The engine refuses: its query goes first when it has rested; the row of the rest."""
        name = row["engine"]
        self.told[name]["blocked"] += 1
        self._book.again(row)
        self.release(row)
        return self.resting.blocked(name, retry_after)

    def answered(self, row: Row, results: int, new: int) -> dict[str, Any] | None:
        """The engine has answered; the row of its rest if that is over."""
        self.told[row["engine"]].update(results=results, new=new)
        self.release(row)
        return self.resting.answered(row["engine"])

    def further(self, row: Row, carried: Mapping[str, str]) -> Row:
        """The next page of a query waits too."""
        return self._book.further(row, carried)

    def left(self) -> dict[str, int]:
        """Query pages that wait, by engine."""
        return {name: count for name, count in self._book.waiting().items() if count}

    def lines(self) -> Iterator[str]:
        """For each engine how it stands, for people."""
        waiting = self._book.waiting()
        for name in self._engines:
            told = self.told[name]
            counts = "  ".join(f"{told[count]} {count}" for count in ("asked", "results", "new", "blocked"))
            yield f"{name}: {counts}  {waiting.get(name, 0)} waiting{self._now(name)}"

    def _now(self, name: str) -> str:
        rest = self.resting.rest_left(name)
        if rest > 0:
            return f"  rests {rest:.0f} s"
        row = self._busy.get(name)
        return f"  now: {described(row)}" if row else ""


def described(row: Mapping[str, Any]) -> str:
    """A query page in a few words."""
    site = f" site:{row['site']}" if row["site"] else ""
    return f"{row['words']}{site} ({row['page']})"
