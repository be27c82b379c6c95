"""When a node makes its next round trip to a shared frontier."""

import asyncio
import contextlib
from collections.abc import Callable

GATHER_SECONDS = 0.02
IDLE_SECONDS = 0.5
"""Between two round trips of an idle node, which limits the delay until it finds another node's pushes."""
SURVEY_SECONDS = 3.0
"""Between two surveys of the hosts' queues and of dead processes on this machine."""
LEAVE_SECONDS = 10.0
"""Maximum wait of a closing node for an unavailable server."""
_RESTING_SECONDS = 10.0


class PollTimer:
    """Waits until there is something to send or to request.

    Attributes:
        starved: the scheduler wanted a request, and none was here.
        next_wait: seconds after `asked_at` until the server can give something; None if unknown.
        asked_at: start of the last round trip, by the event loop's clock.

    Args:
        room: how many requests may be fetched at present.
        capacity: maximum number of requests under way on the node.
    """

    def __init__(self, room: Callable[[], int], capacity: int) -> None:
        self.starved = False
        self.next_wait: float | None = None
        self.asked_at = 0.0
        self._room = room
        self._capacity = capacity
        self._kicked = asyncio.Event()

    def kick(self) -> None:
        """Wake up after a change."""
        self._kicked.set()

    def has_waited(self) -> bool:
        """Whether the server may have available requests."""
        return self.next_wait is None or self.asked_at + self.next_wait <= asyncio.get_running_loop().time()

    async def until_needed(self, has_calls: Callable[[], bool]) -> None:
        """Wait until there is something to send or to request, and a busy node has batched calls for a moment."""
        loop = asyncio.get_running_loop()
        if self._room() < 0.25 * self._capacity:  # otherwise this node would be idle until its next page
            await asyncio.sleep(max(0.0, self.asked_at + GATHER_SECONDS - loop.time()))
        while not has_calls():
            wait = self._idle_seconds(loop.time())
            if wait <= 0:
                break
            self._kicked.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._kicked.wait(), wait)
        self.asked_at = loop.time()

    def _idle_seconds(self, now: float) -> float:
        """Seconds until the next round trip of a node that has nothing to send."""
        if not self.starved:
            return _RESTING_SECONDS
        wait = IDLE_SECONDS if self.next_wait is None else min(IDLE_SECONDS, max(0.002, self.next_wait))
        return self.asked_at + (wait if self._room() > 0 else IDLE_SECONDS) - now
