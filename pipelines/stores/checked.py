"""A store whose readers get values of the declared kinds and shapes: a malformed value is empty, and its row is noted.

What a file holds was written by strangers' pages, by other versions and by other programs; whoever shows rows to people should lose one
value, not a list.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime
from typing import Any

from pipelines.stores.base import Condition, MutableRow, Order, Row, Store, Table
from pipelines.stores.shapes import check_of, empty_value

_MAX_NOTED = 20
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


class _TableCheck:
    """Which values of a table's rows do not fit."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._fits = {column.name: check_of(column) for column in table.columns}
        self._needed = {each.name for each in table.columns if each.name in table.key or each.shape in (date, datetime)}

    def row(self, row: MutableRow) -> MutableRow:
        """The row, changed in place: what does not fit is empty, and so are missing keys and instants."""
        fits, needed = self._fits, self._needed
        wrong = [name for name, value in row.items() if (name in needed if value is None else not fits[name](value))]
        if wrong:
            _note(self.table, row, wrong)
            row.update({name: empty_value(self.table.column(name)) for name in wrong})
        return row


class CheckedStore:
    """Reads through another store, and writes to it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._checks: dict[str, _TableCheck] = {}
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
        return row and self._check(table).row(row)

    def select(
        self,
        table: Table,
        where: Sequence[Condition] = (),
        order: Sequence[Order] = (),
        limit: int = 0,
        columns: Sequence[str] = (),
    ) -> Iterator[MutableRow]:
        return map(self._check(table).row, self._store.select(table, where, order, limit, columns))

    def _check(self, table: Table) -> _TableCheck:
        found = self._checks.get(table.name)
        if found is None:
            found = self._checks[table.name] = _TableCheck(table)
        return found


def _note(table: Table, row: Row, wrong: Sequence[str]) -> None:
    noted = _noted.get()
    if noted is None or len(noted) >= _MAX_NOTED:
        return
    key = " ".join(str(row[name])[:200] for name in table.key if name in row and name not in wrong)
    entry = {"table": table.name, "key": key, "columns": wrong}
    if entry not in noted:
        noted.append(entry)
