"""What was pushed lately: keys that need no second push, and entries that a restarted server may have forgotten."""

import time
from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence

from crawler.frontier.base import Entry

KEYS = 65_536
SECONDS = 10.0
"""A Redis that writes its file every second may lose about two when it is killed."""


class RecentPushes:
    """Bounded: the latest `KEYS` keys, and the entries of the last `SECONDS` seconds."""

    def __init__(self) -> None:
        self._keys: OrderedDict[int, None] = OrderedDict()
        self._entries: deque[tuple[float, Sequence[Entry]]] = deque()

    def knows(self, key: int) -> bool:
        """Whether the key is among the latest; if so, it is the very latest now."""
        if key not in self._keys:
            return False
        self._keys.move_to_end(key)
        return True

    def add(self, key: int) -> None:
        """It was pushed."""
        self._keys[key] = None
        if len(self._keys) > KEYS:
            self._keys.popitem(last=False)

    def delivered(self, entries: Sequence[Entry]) -> None:
        """These have just arrived at the server."""
        now = time.monotonic()
        if entries:
            self._entries.append((now, entries))
        while self._entries and self._entries[0][0] < now - SECONDS:
            self._entries.popleft()

    def entries(self) -> Iterator[Entry]:
        """What has arrived lately, oldest first."""
        return (entry for _, entries in self._entries for entry in entries)

    def forget_entries(self) -> None:
        """None of them is to be sent again."""
        self._entries.clear()
