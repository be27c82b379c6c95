"""Rarity of terms in recent reports of a topic, and which sites report events, counted incrementally."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.events.reading import ReportReading
from analysis.events.window import MAX_TERMS, Vector

_PRIOR_REPORTS = 50
"""Prior of the term counts, in reports of general language."""
_COUNTERS = 1 << 22
_MAX_PIECES = 512
_FACTS_NAMED = 0.4
"""Sites whose reports name a smaller share of the two facts tell lessons and notes, not happenings. News sites in Chinese and English
name .46 to .93 of them, blogs .04 to .35."""
_PRIOR_OF_SITE, _PRIOR_FACTS = 2, 2
"""Prior of a site's counts, in news reports with their facts."""


@dataclass(slots=True)
class _Block:
    """How many reports of each topic some weeks had, and which terms: places of counters with how many reports had them, in pieces. And
    of each site its reports, and how many facts these name."""

    reports: Counter[int]
    pieces: list[tuple[NDArray[np.uint32], NDArray[np.uint32]]]
    sites: dict[int, tuple[int, int]]

    def add(self, terms: NDArray[np.uint32], reading: ReportReading) -> None:
        self.reports[reading.topic] += 1
        if reading.site and not reading.short:
            reports, facts = self.sites.get(reading.site, (0, 0))
            self.sites[reading.site] = reports + 1, facts + _facts(reading)
        self.pieces.append((terms, np.ones(len(terms), np.uint32)))
        if len(self.pieces) > _MAX_PIECES:
            numbers, places = np.unique(np.concatenate([piece[0] for piece in self.pieces]), return_inverse=True)
            weights = np.concatenate([piece[1] for piece in self.pieces])
            self.pieces = [(numbers, np.bincount(places, weights=weights).astype(np.uint32))]


class TermCounts:
    """Document frequencies of terms in recent reports of each topic, and which sites report events.

    What every report of a topic names is common there, however many other topics a store has. Reports are counted in blocks of half
    a window. When a block begins, older ones are dropped as long as two are left that have enough reports. The counts follow from the
    reports since the beginning of a block.
    """

    def __init__(self, window_days: int, enough: int) -> None:
        self._block_days, self._enough = window_days / 2, enough
        self._blocks: dict[int, _Block] = {}
        self._with_term = np.zeros(_COUNTERS, np.uint32)
        self._sites: dict[int, tuple[int, int]] = {}
        self._reports = Counter[int]()
        self._newest = self._oldest = -(1 << 40)

    def add(self, reading: ReportReading) -> None:
        """Count a report; one that is older than the blocks does not count."""
        block = int(reading.days // self._block_days)
        if block > self._newest:
            self._newest = block
            self._drop_old()
        if block >= self._oldest:
            terms = np.unique(_counters(reading))
            self._blocks.setdefault(block, _Block(Counter(), [], {})).add(terms, reading)
            if not reading.short:
                self._count_site(reading.site, 1, _facts(reading))
            self._with_term[terms] += 1
            self._reports[reading.topic] += 1

    def _drop_old(self) -> None:
        for block in sorted(self._blocks):
            left = self._reports - self._blocks[block].reports
            if left.total() < self._enough or block >= self._newest - 2:
                return
            dropped = self._blocks.pop(block)
            for terms, reports in dropped.pieces:
                self._with_term[terms] -= reports
            for site, (gone, facts) in dropped.sites.items():
                self._count_site(site, -gone, -facts)
            self._reports, self._oldest = left, block + 1

    def _count_site(self, site: int, more: int, facts: int) -> None:
        reports, known = self._sites.pop(site, (0, 0))
        if site and reports + more:
            self._sites[site] = reports + more, known + facts

    def reports_happenings(self, site: int) -> bool:
        """Whether a site's reports name enough regions and days near their own; true for a new or unknown site (0).

        Bare titles are not counted: they seldom say when and where.
        """
        reports, facts = self._sites.get(site, (0, 0))
        return facts + _PRIOR_FACTS >= _FACTS_NAMED * 2 * (reports + _PRIOR_OF_SITE)

    def vector(self, reading: ReportReading) -> Vector:
        """TF-IDF weights of the report's terms, by reports of its topic."""
        known = _PRIOR_REPORTS * reading.shares.astype(np.float64) + self._with_term[_counters(reading)]
        rarity = np.maximum(0.0, np.log((_PRIOR_REPORTS + self._reports[reading.topic] + 2) / (known + 0.5)))
        weights = reading.counts.astype(np.float64) * rarity
        pairs = (reading.ids & 1).astype(bool)
        order = np.argsort(-_of_length_1(weights, pairs), kind="stable")[:MAX_TERMS]
        kept = _of_length_1(weights[order], pairs[order])
        order, kept = order[kept > 0], kept[kept > 0]
        return Vector(reading.ids[order], kept.astype(np.float16))


def _counters(reading: ReportReading) -> NDArray[np.uint32]:
    """The places of the counters of a report's terms, those of its topic."""
    return (reading.ids ^ np.uint32(reading.topic)) % _COUNTERS


def _of_length_1(weights: NDArray[np.float64], pairs: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Words by their length, and pairs of characters by theirs."""
    scaled = weights.copy()
    for part in (pairs, ~pairs):
        scaled[part] /= float(np.sqrt(np.square(weights[part]).sum())) or 1.0
    return scaled


def _facts(reading: ReportReading) -> int:
    """Of two kinds: a day near its own, a region."""
    return int(bool(reading.named)) + int(bool(reading.regions))
