"""One process at a time, on this machine."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

_SECONDS = 5.0


@contextmanager
def only_one(path: Path, ended: Event, say: Callable[[str], None]) -> Iterator[bool]:
    """Wait until no other process holds the lock; False if `ended` comes first. It is free when its process ends, however it does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a", encoding="ascii") as lock:
        is_mine = _is_taken(lock.fileno())
        if not is_mine:
            say("another process executes this plan; this one stands by")
        while not is_mine and not ended.wait(_SECONDS):
            is_mine = _is_taken(lock.fileno())
        yield is_mine


def _is_taken(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
