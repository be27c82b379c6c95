"""The moment at which a request is done.

Scrapy's engine takes a request out of its slot's set of requests in progress when it was downloaded, its callback has
ended, each of its items has passed every pipeline, and each of its children has been given to the scheduler, or when
any of that failed. No public signal says so; a set that reports its removals does. The engine's side of this is held
by a contract test, and Scrapy's version by pyproject.
"""

from collections.abc import Callable
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler


class ReportingSet(set[Request]):
    """A set that calls `removed` with each element taken out of it."""

    def __init__(self, elements: set[Request], removed: Callable[[Request], None]) -> None:
        super().__init__(elements)
        self._removed = removed

    def remove(self, element: Request) -> None:
        """As in any set; then report it."""
        super().remove(element)
        self._removed(element)


def watch_requests(crawler: Crawler, done: Callable[[Request], None]) -> Callable[[], None]:
    """Call `done` for every request at the moment described above; the result wakes the engine up."""
    slot: Any = crawler.engine._slot if crawler.engine else None  # the engine has no public name for it
    if slot is None or not isinstance(slot.inprogress, set):
        raise RuntimeError(
            "this Scrapy keeps its requests in progress elsewhere; pyproject names the versions that fit"
        )
    slot.inprogress = ReportingSet(slot.inprogress, done)
    wake: Callable[[], None] = slot.nextcall.schedule
    return wake
