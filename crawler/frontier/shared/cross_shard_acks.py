"""Acknowledgements across shards: a page is done only once its links are on their servers, which may be other ones."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from crawler.frontier.shared.shard_frontier import ShardFrontier


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A waiting acknowledgement: its own shard, and the number of pushes that must have arrived at other shards."""

    shard: int
    token: str
    marks: tuple[tuple[int, int], ...]


class CrossShardAcks:
    """Sends each acknowledgement after the pushes of its page.

    A page's pushes happen between its lease and its end, so it waits only for shards that got pushes in that time, in the
    line of the first of them. While that shard is unavailable its line is parked: the hosts of these pages are available
    again, and their leases stay valid.
    """

    def __init__(self, shards: Sequence[ShardFrontier]) -> None:
        self._shards = shards
        self._lines: list[deque[_Waiting]] = [deque() for _ in shards]
        self._parked = [0] * len(shards)
        self._pushes = 0
        self._latest = [0] * len(shards)
        self._leased: dict[tuple[int, str], int] = {}

    def __len__(self) -> int:
        """The number of waiting acknowledgements."""
        return sum(map(len, self._lines))

    def pushed(self, shard: int) -> None:
        """Note a push to this shard."""
        self._pushes += 1
        self._latest[shard] = self._pushes

    def leased(self, shard: int, token: str) -> None:
        """Note the start of a lease."""
        self._leased[shard, token] = self._pushes

    def ended(self, shard: int, token: str) -> int:
        """Note the end of a lease; returns the number of pushes before it began."""
        return self._leased.pop((shard, token), 0)

    def done(self, shard: int, token: str) -> int:
        """Mark the request with this lease as done; 1 if it was under way here, else 0."""
        since = self.ended(shard, token)
        marks = tuple(
            (other, buffered.pushed)
            for other, buffered in enumerate(self._shards)
            if other != shard and buffered.backlog and self._latest[other] > since
        )
        if not marks:
            return self._shards[shard].ack([token])
        known = self._shards[shard].set_aside(token)
        if known:
            self._pass_on(_Waiting(shard, token, marks))
        return int(known)

    def look(self) -> None:
        """Send all acknowledgements whose pushes have arrived."""
        for number in range(len(self._shards)):
            self.look_at(number)

    def look_at(self, number: int) -> None:
        """Check the line of this shard, after pushes have arrived or its server became unavailable."""
        line, arrived = self._lines[number], self._shards[number].arrived
        while line and line[0].marks[0][1] <= arrived:
            self._parked[number] = max(0, self._parked[number] - 1)
            self._pass_on(line.popleft())
        if self._shards[number].is_away:
            self._park(number)

    def _park(self, number: int) -> None:
        """Park the acknowledgements that joined the line since it was last parked."""
        line = self._lines[number]
        while self._parked[number] < len(line):
            waiting = line[self._parked[number]]
            self._shards[waiting.shard].park(waiting.token)
            self._parked[number] += 1

    def _pass_on(self, answer: _Waiting) -> None:
        """Move an acknowledgement to the line of the next shard that it needs, or send it to its own shard."""
        for place, (other, mark) in enumerate(answer.marks):
            if self._shards[other].arrived < mark:
                self._lines[other].append(_Waiting(answer.shard, answer.token, answer.marks[place:]))
                if self._shards[other].is_away:
                    self._park(other)
                return
        self._shards[answer.shard].ack_aside(answer.token)
