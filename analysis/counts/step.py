"""Incremental counts: each page adds the difference between its new and its previous cells.

New cell values are written to a journal first and then to their rows; after a kill the journal is replayed, which is idempotent.
A page is never counted twice, and recomputed counts are identical.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from analysis.counts.cells import Cell, cells_of
from analysis.jobs import Step, StoredPage
from pipelines.lease import Lease
from pipelines.stores.analysis_tables import COUNT_JOURNAL, COUNTED_PAGES, COUNTS
from pipelines.stores.base import Condition, Row, Store, Table
from pipelines.stores.tables import PAGES

JOB = "counts"
_JOURNAL = "counts"
_HOURS = 24
_BATCH_VALUES = 100
RowKey = tuple[str, str, str, str]
"""Topic, dimension, value, day."""


class CountStep(Step):
    """The analysis step that maintains `COUNTS`."""

    def __init__(self, store: Store, lease: Lease | None = None) -> None:
        self._store, self._lease = store, lease

    def process(self, pages: Sequence[StoredPage]) -> None:
        """Count these pages; the earlier cells of a page are replaced."""
        self._redo()
        change: Counter[Cell] = Counter()
        counted: list[Row] = []
        for page in {page.key: page for page in pages}.values():
            before, now = self._before(page.key), cells_of(page)
            if before != now:
                change.update(now)
                change.subtract(before)
                counted.append({"page": page.key, "cells": [[*cell, count] for cell, count in sorted(now.items())]})
        self._put(PAGES, [{"key": page.key, "counted_at": page.at} for page in pages if _lacks_time(page)])
        rows = self._changed_rows(cell for cell in change.items() if cell[1])
        if rows or counted:
            self._write_through({"rows": rows, "counted": counted})

    def tidy(self) -> None:
        """Replay the journal after a kill."""
        self._redo()

    def clear(self) -> None:
        """Delete all counts."""
        for table, column in ((COUNT_JOURNAL, "name"), (COUNTED_PAGES, "page"), (COUNTS, "day")):
            self._store.remove(table, [Condition(column, ">=", "")]).result()

    def _before(self, page: str) -> Counter[Cell]:
        row = self._store.get(COUNTED_PAGES, page)
        return Counter({Cell(*cell): count for *cell, count in (row or {}).get("cells") or ()})

    def _changed_rows(self, change: Iterable[tuple[Cell, int]]) -> list[dict[str, Any]]:
        by_row: defaultdict[RowKey, list[tuple[Cell, int]]] = defaultdict(list)
        for cell, count in change:
            by_row[cell[:4]].append((cell, count))
        known = self._known(by_row)
        return [_changed_row(key, known.get(key, {}), cells) for key, cells in sorted(by_row.items())]

    def _known(self, keys: Iterable[RowKey]) -> dict[RowKey, Row]:
        """The rows with these keys that are stored: one query for values of the same topic, dimension and day."""
        values: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
        for topic, dimension, value, day in keys:
            values[topic, dimension, day].append(value)
        found: dict[RowKey, Row] = {}
        for (topic, dimension, day), each in values.items():
            same = [Condition("topic", "=", topic), Condition("dimension", "=", dimension), Condition("day", "=", day)]
            for start in range(0, len(each), _BATCH_VALUES):
                where = [*same, Condition("value", "in", each[start : start + _BATCH_VALUES])]
                rows = self._store.select(COUNTS, where, columns=("value", "pages", "posts"))
                found |= {(topic, dimension, row["value"], day): row for row in rows}
        return found

    def _write_through(self, entry: dict[str, Any]) -> None:
        if self._lease:
            self._lease.renew()  # a node that lost its lease must not overwrite newer counts
        self._put(COUNT_JOURNAL, [{"name": _JOURNAL, "entry": entry}])
        self._apply(entry)

    def _apply(self, entry: dict[str, Any]) -> None:
        self._put(COUNTS, entry["rows"])
        self._put(COUNTED_PAGES, entry["counted"])
        self._put(COUNT_JOURNAL, [{"name": _JOURNAL, "entry": None}])

    def _redo(self) -> None:
        """Replay journal entries that an earlier process, or an error of this one, left unfinished."""
        if (entry := (self._store.get(COUNT_JOURNAL, _JOURNAL) or {}).get("entry")) is not None:
            self._apply(entry)

    def _put(self, table: Table, rows: Sequence[Row]) -> None:
        if rows:
            self._store.upsert(table, rows).result()


def _lacks_time(page: StoredPage) -> bool:
    """Whether a page was stored without the time by which lists sort it."""
    return page.row is not None and not page.row.get("counted_at") and bool(page.at)


def _changed_row(key: RowKey, known: Row, cells: Iterable[tuple[Cell, int]]) -> dict[str, Any]:
    hours = {name: list(known.get(name) or [0] * _HOURS) for name in ("pages", "posts")}
    for cell, count in cells:
        hours[cell.measure][cell.hour] += count
    topic, dimension, value, day = key
    totals = {f"{name}_total": sum(each) for name, each in hours.items()}
    shown = {name: each if any(each) else None for name, each in hours.items()}
    return {"topic": topic, "dimension": dimension, "value": value, "day": day, **shown, **totals}
