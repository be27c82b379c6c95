"""The sites that a node of a watch has, and how they come and go with the slots that it holds."""

from collections.abc import Callable, Collection
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from crawler.watching.portions import NodesAwayError, Part, Portion
from crawler.watching.rows import WatchRows
from crawler.watching.slots import ALL_SLOTS, slot_of
from crawler.watching.watch import Watch
from pipelines.stores.base import Store

if TYPE_CHECKING:  # a watch on one machine needs no Redis client in its memory
    from crawler.watching.nodes import Nodes


@dataclass(slots=True)
class _Leaving:
    """A slot that goes to another node: its sites get no more visits; once none is under way, what is known of them is stored."""

    beats: int = 0
    saved: "Future[None] | None" = None


@dataclass(slots=True)
class Holding:
    """One node's part of a watch; without `nodes` it is the whole watch.

    Attributes:
        per_hour: requests of the whole watch.
        gained: called with slots that came, once what is known of their sites is loaded.
        slots: what this node may visit.
    """

    watch: Watch
    rows: WatchRows
    nodes: "Nodes | None"
    per_hour: float
    gained: Callable[[Collection[int], float], None]
    slots: frozenset[int] = frozenset()
    others: int = 0
    _portion: Portion = field(default_factory=Portion)
    _leaving: dict[int, _Leaving] = field(default_factory=dict)
    _given: set[int] = field(default_factory=set)

    def open(self, store: Store, now: float) -> int:
        """Begin alone, with everything that is stored; nodes begin with nothing. Returns the number of sources."""
        if self.nodes is not None:
            self.watch.budget.per_hour = 0.0
            self.rows.number_slots(store)
            return 0
        self.slots = ALL_SLOTS
        count = self.rows.load(store, now)
        self.gained(self.slots, now)
        return count

    def may_ask(self) -> bool:
        """Whether what this node holds is surely its own."""
        return self.nodes is None or self.nodes.holds()

    def owns(self, url: str) -> bool:
        """Whether the site of an address is this node's."""
        return slot_of(url) in self.slots

    def beat(self) -> Part:
        """Tell the others, and hear what is this node's; it has no access to the watch, so that a thread may call it."""
        assert self.nodes is not None
        return self.nodes.beat(tuple(self._given), self._portion.weight(len(self.slots)), self.watch.sources.margin)

    def update(self, part: Part, store: Store, under_way: Collection[str], now: float) -> None:
        """After a beat: take what came, give back what is too much.

        Args:
            under_way: addresses of sources whose visits, or visits to what they announced, have no answer yet.

        Raises:
            StoreAwayError: what came cannot be loaded now; the next beat tries again.
        """
        self._given &= part.slots
        self.others = part.nodes - 1
        self._lose(self.slots - part.slots)
        self._give_back(part, store, frozenset(map(slot_of, (*under_way, *self.watch.pages.storing_sources()))))
        came = part.slots - self.slots - self._given
        if came:
            self.rows.load(store, now, came)
            self.slots |= came
            self.gained(came, now)
        self.watch.budget.per_hour = self.per_hour * self._portion.update(part, self.watch.sources.margin, now)

    def _lose(self, slots: frozenset[int]) -> None:
        if slots:
            self.slots -= slots
            self.watch.forget(slots)
            for slot in slots:
                self._leaving.pop(slot, None)

    def _give_back(self, part: Part, store: Store, busy: frozenset[int]) -> None:
        have = sorted(self.slots)
        wanted = set(have[len(have) - min(part.excess, len(have)) :])
        for slot in self._leaving.keys() - wanted:
            del self._leaving[slot]
            self.watch.hold((slot,), held=False)
        for slot in wanted - self._leaving.keys():
            self._leaving[slot] = _Leaving()
            self.watch.hold((slot,), held=True)
        for slot, leaving in list(self._leaving.items()):
            self._hand_over(slot, leaving, store, is_busy=slot in busy)

    def _hand_over(self, slot: int, leaving: _Leaving, store: Store, *, is_busy: bool) -> None:
        leaving.beats += 1
        if leaving.saved is None:
            if (
                leaving.beats > 1 and not is_busy
            ):  # what its last answers brought is on its way to the store for a moment
                leaving.saved = store.write(self.rows.of_slot(slot))
        elif leaving.saved.done():
            if leaving.saved.exception() is not None:
                leaving.saved = None
                return
            self._lose(frozenset((slot,)))
            self._given.add(slot)

    def leave(self) -> None:
        """The node ends; others may have its slots at once."""
        if self.nodes is not None:
            try:
                self.nodes.leave()
            except NodesAwayError:  # then they get them when the lease ends
                return
