"""What a node has to tell a shared frontier, gathered between two round trips."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from crawler.frontier.base import Entry
from crawler.frontier.shared.exchange import Batch, Move

MAX_PUSHES = 2000
"""Pushes of one batch; a longer script would keep other nodes waiting."""


@dataclass(slots=True)
class Outbox:
    """Pushes and answers, in the order in which they must arrive: a parent's answer after the last of its children.

    A request that is moved up is pushed before: its move goes with the last of the pushes.
    """

    pushes: deque[Entry] = field(default_factory=deque)
    acks: list[str] = field(default_factory=list)
    failures: list[tuple[str, str, float]] = field(default_factory=list)
    given_back: list[str] = field(default_factory=list)
    moves: dict[int, Move] = field(default_factory=dict)
    _number: int = 0

    def __bool__(self) -> bool:
        return bool(self.pushes or self.acks or self.failures or self.given_back or self.moves)

    def tokens(self) -> Iterator[str]:
        """Leases whose answer is still here."""
        yield from self.acks
        yield from self.given_back
        yield from (token for token, _, _ in self.failures)

    def next_batch(self, wanted: int, under_way: list[str] | None) -> Batch:
        """The next batch, taken out of here; `under_way` are further leases that the node knows of, or None."""
        known = None if under_way is None else [*under_way, *self.tokens()]
        batch = Batch([], wanted=wanted, known=known, number=self._next_number())
        batch.pushes = [self.pushes.popleft() for _ in range(min(MAX_PUSHES, len(self.pushes)))]
        if not self.pushes:
            batch.acks, batch.failures, batch.given_back = self.acks, self.failures, self.given_back
            self.acks, self.failures, self.given_back = [], [], []
            batch.moves, self.moves = list(self.moves.values()), {}
        return batch

    def _next_number(self) -> int:
        self._number += 1
        return self._number
