"""Assignment of pages to events in time order; after a late page, later decisions are made again.

Pages arrive in any order. Each is decided at once with the pages known by then. If it is early or corrected, everything after its time
is decided again in order later (`Placer.repair`); the result is the same as if pages had arrived in time order.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

from analysis.events import Clusters, Placing, Settings
from analysis.events.reading import ReportReading
from analysis.events.store.readings import stored_reading
from analysis.events.window import Vector
from pipelines.stores.analysis_tables import MEMBERS, READINGS
from pipelines.stores.base import Condition, MutableRow, Order, Store

Position = tuple[str, str]
"""Instant and key of a page, the sort key."""
_PLACED = ("page", "at", "placed_event", "placed_story", "likeness", "vector")
_ROWS = 500
START: Position = ("", "")
"""Before every page."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST = datetime(1, 3, 1, tzinfo=UTC)


class Placer:
    """The stream so far; its input is stored in `members` and `readings`."""

    def __init__(self, store: Store, settings: Settings | None = None) -> None:
        self._store, self._settings = store, settings or Settings()
        self._clusters = Clusters(self._settings)
        self.last = START
        self._restore(None)

    def add(self, at: str, page: str, reading: ReportReading) -> tuple[Placing, Vector, bool]:
        """Decide on a page; also returns whether it was late, so that later pages need a repair."""
        position = (at, page)
        late = position < self.last
        placing, vector = self._clusters.place(page, reading)
        self.last = max(self.last, position)
        return placing, vector, late

    def repair(self, since: Position, keep: Callable[[], None]) -> Iterator[tuple[MutableRow, Placing, Vector]]:
        """Decide again on all pages from this position; yields the changed rows for the caller to store."""
        self._restore(since)
        for row, reading in self._stream([Condition("at", ">=", since[0])]):
            if (row["at"], row["page"]) < since:
                continue
            placing, vector = self._clusters.place(row["page"], reading)
            self.last = (row["at"], row["page"])
            old = (row["placed_event"], row["placed_story"], row["likeness"], row["vector"])
            if old != (placing.event, placing.story, round(placing.likeness, 4), vector.pack()):
                yield row, placing, vector
            keep()

    def _restore(self, before: Position | None) -> None:
        """Decisions on the pages before this position, or on all."""
        self._clusters, self.last = Clusters(self._settings), START
        newest = before[0] if before else self._end(descending=True)
        start = _earlier(newest, self._settings.window_days) if newest else ""
        for _, reading in self._stream(
            [Condition("at", ">=", self._first_counted(newest)), Condition("at", "<", start)]
        ):
            self._clusters.count(reading)
        where = [Condition("at", ">=", start), *([Condition("at", "<=", before[0])] if before else [])]
        for row, reading in self._stream(where):
            position = (row["at"], row["page"])
            if before and position >= before:
                continue
            vector = Vector.unpack(row["vector"])
            self._clusters.restore(reading, vector, row["placed_event"], row["placed_story"])
            self.last = position

    def _end(self, *, descending: bool) -> str:
        """The instant of the last or of the first page; "" without any."""
        row = next(self._store.select(MEMBERS, order=[Order("at", descending)], limit=1, columns=["at"]), None)
        return str(row["at"]) if row else ""

    def _first_counted(self, newest: str) -> str:
        """The first time that counts for a report of `at`: the begin of a block, as in `TermCounts`."""
        oldest = self._end(descending=False)
        if not newest or not oldest:
            return ""
        half = timedelta(days=self._settings.window_days / 2)
        begin = _EPOCH + (datetime.fromisoformat(newest) - _EPOCH) // half * half
        count = blocks = 0
        while begin.isoformat() > oldest and begin - half > _FIRST and (blocks < 2 or count < self._settings.counted):
            begin, end, blocks = begin - half, begin, blocks + 1
            between = [Condition("at", ">=", begin.isoformat()), Condition("at", "<", end.isoformat())]
            count += self._store.count(MEMBERS, between)
        return begin.isoformat()

    def _stream(self, where: list[Condition]) -> Iterator[tuple[MutableRow, ReportReading]]:
        """Members with their readings, in order."""
        rows = list(self._store.select(MEMBERS, where, [Order("at"), Order("page")], columns=_PLACED))
        for start in range(0, len(rows), _ROWS):
            part = rows[start : start + _ROWS]
            for row in part:
                reading = self._store.get(READINGS, row["page"])
                if reading is not None and reading["report"]:
                    yield row, stored_reading(reading)


def _earlier(at: str, days: int) -> str:
    try:
        return (datetime.fromisoformat(at) - timedelta(days=days)).isoformat()
    except OverflowError:
        return ""
