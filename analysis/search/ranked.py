"""Documents that match, ranked; and what finds them, wherever the index is."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from analysis.search.documents import Columns
from analysis.search.lookup import Places

Scores = NDArray[np.float32]
_FRESH_SHARE, _FRESH_DAYS = 0.25, 30.0
"""By how much the score of a page of this moment is raised, and after how many days by half of that."""
_DAY = 86_400
_MOST_RANKED = 10_000


@dataclass(frozen=True, slots=True)
class Ranked:
    """Documents that match, the best first, as places in `columns`; `exact` if each surely has every word and phrase."""

    places: Places
    scores: Scores
    columns: Columns
    names: tuple[str, ...]
    exact: bool

    def __len__(self) -> int:
        return len(self.places)

    def per_day(self) -> dict[str, int]:
        """How many match of each day in UTC, in order; those without a time under ""."""
        days = self.columns.seconds[self.places] // _DAY
        first = int(days.min()) if len(days) else 0
        counts = np.bincount(days - first)
        return {_day(first + int(day)): int(counts[day]) for day in np.flatnonzero(counts)}

    def per_host(self) -> dict[str, int]:
        """How many match of each host, most first."""
        counts = np.bincount(self.columns.hosts[self.places])
        found = {self.names[int(host)]: int(counts[host]) for host in np.flatnonzero(counts)}
        return dict(sorted(found.items(), key=lambda entry: (-entry[1], entry[0])))


def _day(day: int) -> str:
    return datetime.fromtimestamp(day * _DAY, UTC).date().isoformat() if day >= 0 else ""


class Finder(Protocol):
    """What answers queries, wherever the index is."""

    def search(self, text: str, now: datetime | None = None) -> Ranked:
        """Documents that match, best first; QueryError if the query cannot be understood."""

    def refresh(self) -> None:
        """See what was indexed meanwhile."""


def rank(
    places: Places, scores: Scores, columns: Columns, names: tuple[str, ...], now: datetime, *, exact: bool
) -> Ranked:
    """Documents with the scores of their words, the best first: of late pages the score is raised.

    Behind the best 10,000 come the others in the order in which they were indexed, the last ones first.
    """
    seconds = columns.seconds[places]
    ranked = _raised(scores, seconds, now) if scores.any() else scores
    order = _order(ranked, seconds)
    return Ranked(places[order], ranked[order], columns, names, exact)


def _raised(scores: Scores, seconds: NDArray[np.int64], now: datetime) -> Scores:
    """The scores, higher for late pages."""
    age = np.maximum(0.0, now.timestamp() - seconds).astype(np.float32)
    fresh = np.where(seconds < 0, np.float32(0.0), np.exp2(age * np.float32(-1.0 / (_FRESH_DAYS * _DAY))))
    return (scores * (np.float32(1.0) + np.float32(_FRESH_SHARE) * fresh)).astype(np.float32)


def _order(ranked: Scores, seconds: NDArray[np.int64]) -> Places:
    """The best first, of equals the latest."""
    if len(ranked) <= _MOST_RANKED:
        return np.lexsort((-seconds, -ranked))
    best = _best(ranked)
    left = np.ones(len(ranked), dtype=bool)
    left[best] = False
    return np.concatenate([best[np.lexsort((-seconds[best], -ranked[best]))], np.flatnonzero(left)[::-1]])


def _best(ranked: Scores) -> Places:
    """Where the best are, at least 10,000 and at most twice as many; of equals those that were indexed last."""
    if not ranked.any():  # a query without a word that hits must have
        return np.arange(max(0, len(ranked) - 2 * _MOST_RANKED), len(ranked))
    limit = np.partition(ranked, len(ranked) - _MOST_RANKED)[len(ranked) - _MOST_RANKED]
    return np.flatnonzero(ranked >= limit)[-2 * _MOST_RANKED :]
