"""When fetched pages are fetched again: at growing ages for corrections and removals, and running reports as fast as they grow."""

import heapq
from collections.abc import Callable, Mapping
from itertools import count
from typing import Protocol

from crawler.watching.site_turns import Ready, SiteTurns

HOUR_SECONDS = 3_600.0
RECHECK_AGES = (3 * HOUR_SECONDS, 9 * HOUR_SECONDS, 21 * HOUR_SECONDS, 48 * HOUR_SECONDS, 120 * HOUR_SECONDS)
"""Nearly all corrections come within a day, most within two hours; two ages with less than six hours between them find nine of ten of
them within six hours."""
_FIRST_PAUSE, _MIN_PAUSE, _MAX_PAUSE = 900.0, 300.0, 3_600.0
"""Seconds between fetches of a page that grows; with longer ones it counts as ended."""
_FASTER, _SLOWER = 0.6, 1.7


class Rechecked(Protocol):
    """A page that is fetched again.

    Attributes:
        found, due: seconds since the epoch of its announcement and of the next fetch, 0: none.
        stage: the next of `RECHECK_AGES`. pause: seconds between fetches while it grows, 0: it does not.
    """

    url: str
    host: str
    found: float
    due: float
    stage: int
    pause: float

    @property
    def site(self) -> str:
        """The registered domain that named it."""


class Rechecks:
    """Pages due for another fetch: growing ones first, then by stage, as the early ages find most; sites take turns.

    Args:
        worth: of a site's pages, see `SiteTurns`.
    """

    def __init__(self, worth: Callable[[str], float]) -> None:
        self._lines = [SiteTurns(worth) for _ in range(len(RECHECK_AGES) + 1)]
        self._later: list[tuple[float, int, str]] = []
        self._order = count()

    def plan(self, page: Rechecked, now: float, *, changed: bool) -> None:
        """Choose the next fetch of a page that was fetched: `changed` since it was last, or it certainly will be soon."""
        while page.stage < len(RECHECK_AGES) and RECHECK_AGES[page.stage] <= now - page.found + 600:
            page.stage += 1
        page.pause = _next_pause(page.pause, changed=changed)
        ages = [age + page.found for age in RECHECK_AGES[page.stage : page.stage + 1]]
        times = [now + page.pause] if page.pause else ages
        self.add(page, times[0] if times else 0.0)

    def add(self, page: Rechecked, due: float) -> None:
        """Fetch a page at this moment; 0: never."""
        page.due = due
        if due:
            heapq.heappush(self._later, (due, next(self._order), page.url))

    def next(
        self, now: float, known: Mapping[str, Rechecked], ready: Ready, is_free: Callable[[str], bool]
    ) -> str | None:
        """The address of the page to fetch, of an available host."""
        while self._later and self._later[0][0] <= now:
            due, _, url = heapq.heappop(self._later)
            page = known.get(url)
            if page is not None and page.due == due:
                self._lines[0 if page.pause else page.stage + 1].add(page.site, page.host, url)
        due_now = (line.next(ready, lambda url: is_free(url) and 0 < known[url].due <= now) for line in self._lines)
        return next((url for url in due_now if url), None)


def _next_pause(pause: float, *, changed: bool) -> float:
    if changed:
        return max(_MIN_PAUSE, pause * _FASTER) if pause else _FIRST_PAUSE
    longer = pause * _SLOWER
    return longer if longer <= _MAX_PAUSE else 0.0
