"""Visits that are made once: to robots.txt, and to further pages of a list. Each is kept until it has its answer."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from crawler.watching.visits import WatchVisit


@dataclass(frozen=True, slots=True)
class OneOffVisits:
    """The visits that wait, in order, and by source all that have no answer yet: these are stored with the source."""

    _line: deque[WatchVisit] = field(default_factory=deque)
    _open: dict[str, dict[str, WatchVisit]] = field(default_factory=dict)

    def add(self, visit: WatchVisit) -> None:
        """A visit that is to be made, or made again."""
        self._line.append(visit)
        self._open.setdefault(visit.source, {})[visit.url] = visit

    def next(self, ready: Callable[[str], bool]) -> WatchVisit | None:
        """The one that has waited longest at a host that may be asked."""
        for _ in range(len(self._line)):
            visit = self._line.popleft()
            if ready(visit.host):
                return visit
            self._line.append(visit)
        return None

    def done(self, visit: WatchVisit) -> None:
        """The visit has its answer."""
        visits = self._open.get(visit.source, {})
        visits.pop(visit.url, None)
        if not visits:
            self._open.pop(visit.source, None)

    def of(self, source: str) -> list[WatchVisit]:
        """The visits of a source that have no answer yet, also those under way."""
        return list(self._open.get(source, {}).values())
