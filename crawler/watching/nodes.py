"""How nodes of one watch divide its sites and its budget among them, through Redis.

A node says every few seconds that it lives, and holds its slots until `LEASE_SECONDS` after that. One that dies loses them to the
others; one that joins gets its part as soon as the others have stored what they know of these sites. A node that cannot reach
Redis stops before others may take its place.
"""

import time
from collections.abc import Callable, Collection, Sequence
from importlib import resources
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from crawler.frontier.shared.lease_owner import has_died, new_owner
from crawler.watching.portions import NodesAwayError, Part
from crawler.watching.slots import SLOTS

LEASE_SECONDS = 20.0
_SAFETY = 2.0
"""Seconds before the end of its lease at which a node stops: clocks differ, and a request takes its time."""


class Nodes:
    """One node's side.

    Args:
        key: names the watch; in a Redis Cluster it needs a hash tag.
        clock: seconds, for simulations; else the server's clock rules, and for the node its own steady one.
    """

    def __init__(self, client: Redis, key: str, *, owner: str = "", clock: Callable[[], float] | None = None) -> None:
        self.owner = owner or new_owner()
        self._client, self._key, self._clock = client, f"{key}:watch", clock
        script = (resources.files(__package__) / "nodes.lua").read_text(encoding="utf-8")
        self._script = client.register_script(script)
        self._until = 0.0

    def holds(self) -> bool:
        """Whether the node's slots are surely its own still."""
        return self._now() < self._until

    def beat(self, given_back: Collection[int] = (), weight: float = 1.0, margin: float = 1.0) -> Part:
        """Say that this node lives; NodesAwayError where that is not certain."""
        begin = self._now()
        part = self._run(given_back, weight, margin, leaves=False)
        self._until = begin + LEASE_SECONDS - _SAFETY
        return part

    def leave(self) -> None:
        """Others may have the slots at once; NodesAwayError: they get them when the lease ends."""
        self._until = 0.0
        self._run((), 0.0, 0.0, leaves=True)

    def names(self) -> list[str]:
        """The nodes of the watch."""
        return [name.decode() for name in self._ask(lambda: self._client.zrange(f"{self._key}:nodes", 0, -1))]

    def _run(self, given_back: Collection[int], weight: float, margin: float, *, leaves: bool) -> Part:
        dead = [name for name in self.names() if name != self.owner and has_died(name)]
        now = "" if self._clock is None else repr(self._clock())
        arguments: Sequence[Any] = [
            *(now, self.owner, LEASE_SECONDS, SLOTS, int(leaves), repr(weight), repr(weight * margin)),
            *(len(given_back), *given_back, *dead),
        ]
        slots, excess, weights, margins, nodes = self._ask(lambda: self._script(keys=[self._key], args=arguments))
        return Part(frozenset(slots), excess, float(weights), float(margins), nodes)

    def _ask(self, question: Callable[[], Any]) -> Any:
        try:
            return question()
        except RedisError as error:
            raise NodesAwayError(f"Redis does not answer: {type(error).__name__}") from error

    def _now(self) -> float:
        return time.monotonic() if self._clock is None else self._clock()
