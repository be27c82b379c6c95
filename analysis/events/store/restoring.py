"""Members with their readings in order, and clusters as they were before a position, read in bounded parts."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Literal

from analysis.events import Clusters, Settings
from analysis.events.reading import ReportReading, topic_number
from analysis.events.store.doubts import END, START, Position, earlier
from analysis.events.store.readings import stored_reading
from analysis.events.window import Vector
from pipelines.stores.analysis_tables import MEMBERS, READINGS
from pipelines.stores.base import Condition, MutableRow, Order, Store

_PLACED = ("page", "at", "event", "placed_event", "placed_story", "likeness", "vector", "topic")
_BATCH_ROWS = 500
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
Member = tuple[Position, MutableRow, ReportReading]


def restored(store: Store, settings: Settings, before: Position | None = None) -> Clusters:
    """Clusters with the stored decisions on the pages before this position, or on all."""
    clusters = Clusters(settings)
    newest = before[0] if before else newest_of(store)[0]
    begin = earlier(newest, settings.window_days) if newest else ""
    for _, _, reading in members(store, (_first_counted(store, settings, newest), ""), (begin, "")):
        clusters.count(reading)
    for _, row, reading in members(store, (begin, ""), before):
        clusters.restore(reading, Vector.unpack(row["vector"]), row["placed_event"], row["placed_story"])
    return clusters


def newest_of(store: Store) -> Position:
    """The position of the last page; `START` without any."""
    order = [Order("at", descending=True), Order("page", descending=True)]
    row = next(iter(store.select(MEMBERS, (), order, 1, ("at", "page"))), None)
    return (str(row["at"]), str(row["page"])) if row else START


def members(store: Store, since: Position, until: Position | None = None) -> Iterator[Member]:
    """Pages from a position on, before another one, with row and reading. They may be written while this goes on."""
    equal: Literal[">=", ">"] = ">="
    while rows := _batch(store, since, equal, until[0] if until is not None else END):
        since, equal = (str(rows[-1]["at"]), str(rows[-1]["page"])), ">"
        readings = _readings(store, [row["page"] for row in rows])
        for row in rows:
            position = (str(row["at"]), str(row["page"]))
            if until is not None and position >= until:
                return
            if row["page"] in readings:
                yield position, row, replace(readings[row["page"]], topic=topic_number(row["topic"] or ""))


def _batch(store: Store, since: Position, equal: Literal[">=", ">"], end: str) -> list[MutableRow]:
    """Pages of the same instant, or if none is left, of later ones."""
    of_instant = [Condition("at", "=", since[0]), Condition("page", equal, since[1])]
    rows = list(store.select(MEMBERS, of_instant, [Order("page")], _BATCH_ROWS, _PLACED))
    between, order = [Condition("at", ">", since[0]), Condition("at", "<=", end)], [Order("at"), Order("page")]
    return rows or list(store.select(MEMBERS, between, order, _BATCH_ROWS, _PLACED))


def _readings(store: Store, pages: list[str]) -> dict[str, ReportReading]:
    rows = store.select(READINGS, [Condition("page", "in", pages)], columns=("page", "report"))
    return {row["page"]: stored_reading(row) for row in rows if row["report"]}


def _first_counted(store: Store, settings: Settings, newest: str) -> str:
    """The first instant that counts for a report of `newest`, the beginning of a block as in `TermCounts`; "" if every one counts."""
    if not newest:
        return ""
    begin = _block(newest, settings)
    older, order = [Condition("at", "<", begin)], [Order("at", descending=True)]
    counted = store.select(MEMBERS, older, order, settings.counted, ["at"])
    last = next(islice(counted, max(0, settings.counted - 1), None), None)
    return min(_block(last["at"], settings), earlier(begin, settings.window_days)) if last else ""


def _block(at: str, settings: Settings) -> str:
    """The beginning of the block of an instant."""
    half = timedelta(days=settings.window_days / 2)
    try:
        return (_EPOCH + (datetime.fromisoformat(at) - _EPOCH) // half * half).isoformat()
    except OverflowError:
        return ""
