"""Single visits to robots.txt and to further pages of a list, each kept until it is answered."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from crawler.watching.visits import WatchVisit


@dataclass(frozen=True, slots=True)
class OneOffVisits:
    """The waiting visits in order, and by source all unanswered visits, which are stored with the source."""

    _line: deque[WatchVisit] = field(default_factory=deque)
    _open: dict[str, dict[str, WatchVisit]] = field(default_factory=dict)

    def add(self, visit: WatchVisit) -> None:
        """Queue a visit, or requeue it."""
        self._line.append(visit)
        self._open.setdefault(visit.source, {})[visit.url] = visit

    def next(self, ready: Callable[[WatchVisit], bool]) -> WatchVisit | None:
        """The longest waiting visit that may be made."""
        for _ in range(len(self._line)):
            visit = self._line.popleft()
            if ready(visit):
                return visit
            self._line.append(visit)
        return None

    def done(self, visit: WatchVisit) -> None:
        """Remove an answered visit."""
        visits = self._open.get(visit.source, {})
        visits.pop(visit.url, None)
        if not visits:
            self._open.pop(visit.source, None)

    def of(self, source: str) -> list[WatchVisit]:
        """The unanswered visits of a source, including those under way."""
        return list(self._open.get(source, {}).values())
