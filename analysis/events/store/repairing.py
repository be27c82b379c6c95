"""Decides again on the pages that a late, corrected or removed page may affect.

A decision depends on the pages of the window before it. So a repair reaches one window beyond the last decision that changes and at
least two beyond each doubt, and ends there. The rarity of terms reaches further (`TermCounts`), with weights that hardly differ: a
repair also decides on the next `_MIN_REPORTS` reports, and leaves later ones as they are.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from analysis.events import Placing, Settings
from analysis.events.reading import ReportReading
from analysis.events.store.doubts import Position, apart, later
from analysis.events.store.moved_limits import MovedLimits
from analysis.events.store.restoring import members, restored
from analysis.events.window import Vector
from pipelines.stores.base import MutableRow, Store

_MIN_REPORTS = 500
"""Reports after a doubt that are decided again at least."""


@dataclass(frozen=True, slots=True)
class Redecided:
    """A member that was decided on again, where anything differs from what is stored.

    Attributes:
        moves: its event or its story differs. spreads: others may follow from that.
    """

    position: Position
    row: MutableRow
    placing: Placing
    vector: Vector
    moves: bool
    spreads: bool


class Repair:
    """One repair, from the first doubt on.

    Attributes:
        clusters: after it. left: doubts that it has not reached. is_at_end: whether it has reached the last page.
        position: of the last page that was looked at.
    """

    def __init__(self, store: Store, settings: Settings, doubts: Sequence[Position], moved: MovedLimits) -> None:
        self._store, self._days, self._moved = store, settings.window_days, moved
        self.left = apart(doubts, self._days)
        self.position = self.left[0]
        self.clusters = restored(store, settings, self.position)
        self.is_at_end = False
        self._end, self._more_reports = "", 0

    def run(self, keep: Callable[[], None]) -> Iterator[Redecided]:
        """Decide; yields what differs, to be stored before the next one. `keep` is called for each page."""
        for position, row, reading in members(self._store, self.position):
            self.position = position
            self._take_doubts()
            if self._is_over():
                return
            redecided = self._redecided(row, reading)
            if redecided is not None:
                yield redecided
            keep()
        self.left, self.is_at_end = [], True

    def _take_doubts(self) -> None:
        while self.left and self.left[0] <= self.position:
            self._end = max(self._end, later(self.left.pop(0), 2 * self._days))
            self._more_reports = _MIN_REPORTS

    def _is_over(self) -> bool:
        """Whether nothing reaches this page; else it counts as decided on."""
        self._more_reports -= 1
        return self.position[0] > self._end and self._more_reports < 0

    def _redecided(self, row: MutableRow, reading: ReportReading) -> Redecided | None:
        factor = self._moved.factor(row["topic"] or "", self.position[0])
        placing, vector = self.clusters.place(row["page"], reading, factor)
        old = (row["placed_event"], row["placed_story"])
        moves = old != (placing.event, placing.story)
        spreads = moves and self.position[0] <= self._end
        if spreads:
            self._end = max(self._end, later(self.position, self._days))
        if moves or (row["likeness"], row["vector"]) != (round(placing.likeness, 4), vector.pack()):
            return Redecided(self.position, row, placing, vector, moves, spreads)
        return None
