"""Progress of long work on standard error: one line that changes on a terminal, now and then a new one in a log."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

_Thing = TypeVar("_Thing")
_TERMINAL_SECONDS, _LOG_SECONDS = 0.5, 10.0


def shown(things: Iterable[_Thing], total: int, what: str) -> Iterator[_Thing]:
    """The things one by one; how many of `total` have passed is told, with the time that is left."""
    live = sys.stderr.isatty()
    pause = _TERMINAL_SECONDS if live else _LOG_SECONDS
    started = told = time.monotonic()
    for count, thing in enumerate(things, 1):
        yield thing
        now = time.monotonic()
        if now - told >= pause:
            told = now
            left = (now - started) / count * max(0, total - count)
            line = f"{what}: {count:,} of {total:,}, {left:.0f} s left"
            print(f"\r{line}   " if live else line, end="" if live else "\n", file=sys.stderr, flush=True)
    if live and told > started:
        print(file=sys.stderr)
