"""The overlap of a site's sources, learned from where each item was seen."""

from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_PRIOR_HITS, _PRIOR_TRIALS = 0.3, 0.5
_PRIOR_SHARE = 0.1
"""The assumed share before the first trial."""
_MAX_TRIALS = 60.0
"""Above this, all trials are halved."""
_MAX_ITEMS = 300
_MAX_SHARE = 0.998
_TRIAL_DECAY = 0.95
_MAX_LAG_SECONDS = 3_600.0
"""A source that shows an item later than this only recommends it, and does not count as announcing it."""


@dataclass(slots=True)
class _Item:
    """An item of the site: when it was first seen, and bit sets of the sources that have shown it and were visited since."""

    since: float
    shown: int = 0
    tried: int = 0
    missed_at: float = 0.0


class ListCoverage:
    """For pairs of sources the share of items that both show; sources are numbered within their site."""

    def __init__(self) -> None:
        self._items: OrderedDict[int, _Item] = OrderedDict()
        self._trials, self._hits = np.zeros((8, 8)), np.zeros((8, 8))
        self._lags = np.zeros((2, 8))

    def shares(self, sources: int) -> NDArray[np.float64]:
        """Matrix [of, by]: the share of items of one source that another shows too, 0 … 1."""
        self._make_room(sources)
        trials, hits = self._trials[:sources, :sources], self._hits[:sources, :sources]
        known = np.where(hits > 0, (hits + _PRIOR_HITS) / (trials + _PRIOR_TRIALS), 0.0)
        return np.minimum(_MAX_SHARE, np.where(trials > 0, known, _PRIOR_SHARE))

    def lags(self, sources: int) -> NDArray[np.float64]:
        """Mean seconds after which each source shows items that others have shown."""
        self._make_room(sources)
        found: NDArray[np.float64] = self._lags[0, :sources] / (self._lags[1, :sources] + 1)
        return found

    def visit(self, source: int, now: float, fresh: list[int], listed: set[int]) -> None:
        """Note a visit of a source that lists these items; `fresh` are new, to the site or to this source since its last visit."""
        self._make_room(source + 1)
        for key in fresh:
            item = self._items.get(key)
            if item is None:
                item = self._items[key] = _Item(now)
            self._show(item, source)
        while len(self._items) > _MAX_ITEMS:
            self._items.popitem(last=False)
        bit = 1 << source
        for key, item in self._items.items():
            if item.tried & bit:
                if item.shown & bit:
                    continue
                if key in listed:
                    self._show(item, source)
                else:
                    item.missed_at = now
            else:
                self._try(item, source, key in listed, now)

    def compare_first(self, of: int, top: list[int], by: int, listed: set[int]) -> None:
        """Compare at the first visits: whether the newest items of one source are on the other."""
        for key in top:
            self._count(of, by, key in listed)

    def pairs_of(self, source: int) -> list[tuple[int, float, float]]:
        """(other source, trials, hits) for the items of this source, to be stored."""
        self._make_room(source + 1)
        others = np.flatnonzero(self._trials[source]).tolist()
        return [(int(by), float(self._trials[source, by]), float(self._hits[source, by])) for by in others]

    def restore(self, of: int, by: int, trials: float, hits: float) -> None:
        """Restore stored trials and hits."""
        self._make_room(max(of, by) + 1)
        self._trials[of, by], self._hits[of, by] = trials, hits

    def _try(self, item: _Item, source: int, hit: bool, now: float) -> None:
        bit = 1 << source
        item.tried |= bit
        if hit and not item.shown & bit:
            self._show(item, source)
        for other in _numbers(item.shown & ~bit):
            self._count(other, source, hit)
        if hit:
            self._note_lag(source, 0.0)
        else:
            item.missed_at = now

    def _show(self, item: _Item, source: int) -> None:
        """Correct the counts for a late sighting: the miss becomes a hit, and sources visited earlier get a trial. One that comes
        too late counts as none."""
        bit = 1 << source
        if item.shown & bit:
            return
        if item.tried & bit:
            if item.missed_at - item.since > _MAX_LAG_SECONDS:
                return
            for other in _numbers(item.shown):
                self._hits[other, source] = min(self._hits[other, source] + 1, self._trials[other, source])
            self._note_lag(source, max(0.0, item.missed_at - item.since))
        for other in _numbers(item.tried & ~bit):
            self._count(source, other, bool(item.shown >> other & 1))
        item.shown |= bit

    def _note_lag(self, source: int, lag: float) -> None:
        self._lags[0, source] = self._lags[0, source] * _TRIAL_DECAY + lag
        self._lags[1, source] = self._lags[1, source] * _TRIAL_DECAY + 1

    def _count(self, of: int, by: int, hit: bool) -> None:
        self._make_room(max(of, by) + 1)
        self._trials[of, by] += 1
        self._hits[of, by] += hit
        if self._trials[of, by] > _MAX_TRIALS:
            self._trials[of, by] /= 2
            self._hits[of, by] /= 2

    def _make_room(self, sources: int) -> None:
        have = len(self._trials)
        if sources <= have:
            return
        more = max(sources, 2 * have) - have
        self._trials, self._hits = (np.pad(counts, (0, more)) for counts in (self._trials, self._hits))
        self._lags = np.pad(self._lags, ((0, 0), (0, more)))


def unseen_moments(
    visited: NDArray[np.float64], seen_by: NDArray[np.float64], shares: NDArray[np.float64], now: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each source of a site, its unseen time in seconds and the integral of its age, both weighted.

    Items that appeared at a moment are unseen with the weight ∏(1 − share) over the sources visited since.

    Args:
        visited: each source's last visit. seen_by: the moment up to which that visit shows other sources' items.
        shares: see `ListCoverage.shares`.
    """
    order = np.argsort(seen_by)
    times = seen_by[order]
    weights = np.ones((len(visited), len(visited) + 1))
    weights[:, :-1] = np.cumprod((1 - shares[:, order])[:, ::-1], axis=1)[:, ::-1]
    ages = now - np.maximum(np.concatenate(([-np.inf], times)), visited[:, None])
    ends = now - np.concatenate((times, [now]))
    unseen = weights * np.maximum(ages - ends, 0.0)
    moments: NDArray[np.float64] = (unseen * (ages + ends)).sum(axis=1) / 2
    return unseen.sum(axis=1), moments


def _numbers(bits: int) -> list[int]:
    return [place for place in range(bits.bit_length()) if bits >> place & 1]
