"""A store whose readers get values of the declared kinds and shapes: a malformed value is empty, and its row is noted.

What a file holds was written by strangers' pages, by other versions and by other programs; whoever shows rows to people should lose one
value, not a list.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime
from typing import Any

from pipelines.stores.base import Column, Condition, MutableRow, Order, Row, Store, Table
from pipelines.stores.shapes import check_of, empty_value

_MAX_NOTED = 20
_MAX_TYPES = 1_000
"""Combinations of types of one selection that are remembered."""
_PLAIN_TYPES: dict[str, type] = {"text": str, "integer": int, "blob": bytes}
_noted: ContextVar[list[MutableRow] | None] = ContextVar("malformed", default=None)


@contextmanager
def noting_malformed() -> Iterator[list[MutableRow]]:
    """The malformed rows read meanwhile, each once: its table, its key as text, and the columns with empty values; at most 20."""
    noted: list[MutableRow] = []
    token = _noted.set(noted)
    try:
        yield noted
    finally:
        _noted.reset(token)


class _RowCheck:
    """Which values of a table's rows with these columns do not fit."""

    def __init__(self, table: Table, names: Sequence[str]) -> None:
        self.table = table
        self._columns = [table.column(name) for name in names]
        self._fits = {column.name: check_of(column) for column in self._columns}
        self._unsettled: dict[tuple[type, ...], list[str]] = {}

    def row(self, row: MutableRow) -> MutableRow:
        """The row, changed in place: what does not fit is empty, and so are missing keys and instants."""
        types = tuple(map(type, row.values()))
        names = self._unsettled.get(types)
        if names is None:
            names = self._learn(types)
        if names and (wrong := [name for name in names if not self._fits[name](row[name])]):
            _note(self.table, row, wrong)
            row.update({name: empty_value(self.table.column(name)) for name in wrong})
        return row

    def _learn(self, types: tuple[type, ...]) -> list[str]:
        """The columns whose values must be looked at in rows with these types: for most the type says enough."""
        names = [each.name for each, kind in zip(self._columns, types, strict=True) if not self._is_settled(each, kind)]
        if len(self._unsettled) < _MAX_TYPES:
            self._unsettled[types] = names
        return names

    def _is_settled(self, column: Column, kind: type) -> bool:
        is_instant = column.shape in (date, datetime)
        if kind is type(None):
            return not is_instant and column.name not in self.table.key
        return not is_instant and _PLAIN_TYPES.get(column.kind) is kind


class CheckedStore:
    """Reads through another store, and writes to it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._checks: dict[tuple[str, *tuple[str, ...]], _RowCheck] = {}
        self.upsert, self.write = store.upsert, store.write
        self.change, self.remove = store.change, store.remove
        self.count, self.give_back, self.close = store.count, store.give_back, store.close

    @property
    def location(self) -> str:
        return self._store.location

    @property
    def away(self) -> bool:
        return self._store.away

    def get(self, table: Table, *key: Any) -> MutableRow | None:
        row = self._store.get(table, *key)
        return row and self._check(table, ()).row(row)

    def select(
        self,
        table: Table,
        where: Sequence[Condition] = (),
        order: Sequence[Order] = (),
        limit: int = 0,
        columns: Sequence[str] = (),
    ) -> Iterator[MutableRow]:
        return map(self._check(table, columns).row, self._store.select(table, where, order, limit, columns))

    def _check(self, table: Table, columns: Sequence[str]) -> _RowCheck:
        found = self._checks.get((table.name, *columns))
        if found is None:
            found = self._checks[table.name, *columns] = _RowCheck(table, columns or list(table.by_name))
        return found


def _note(table: Table, row: Row, wrong: Sequence[str]) -> None:
    noted = _noted.get()
    if noted is None or len(noted) >= _MAX_NOTED:
        return
    key = " ".join(str(row[name])[:200] for name in table.key if name in row and name not in wrong)
    entry = {"table": table.name, "key": key, "columns": wrong}
    if entry not in noted:
        noted.append(entry)
