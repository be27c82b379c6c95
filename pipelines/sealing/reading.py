"""A store with its sealed months: who reads it need not know where a row is.

A row in the store comes before the same row in a file: a page that was fetched again, or that was not removed yet.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from functools import cmp_to_key
from heapq import merge
from itertools import chain, islice
from pathlib import Path
from typing import Any

from pipelines.sealing.parts import OWNERS, SEALED, WRITTEN, file_of, owned_by, parts, parts_of
from pipelines.stores.base import Condition, MutableRow, Order, Row, Store, Table

_Keys = tuple[Any, ...]


class WholeStore:
    """A store that reads sealed months too; it writes to the store only.

    Args:
        folder: where the files are.
        scans: whether questions that name no page are answered from the files too; without it, files only answer those that
            name pages.
    """

    def __init__(self, store: Store, folder: Path, *, scans: bool = True) -> None:
        self._store, self._folder, self._scans = store, folder, scans

    @property
    def location(self) -> str:
        return self._store.location

    @property
    def away(self) -> bool:
        return self._store.away

    def upsert(self, table: Table, rows: Sequence[Row]) -> Future[None]:
        return self._store.upsert(table, rows)

    def write(self, rows: Sequence[tuple[Table, Row]]) -> Future[None]:
        return self._store.write(rows)

    def change(self, table: Table, where: Sequence[Condition], values: Row) -> Future[None]:
        return self._store.change(table, where, values)

    def remove(self, table: Table, where: Sequence[Condition]) -> Future[None]:
        return self._store.remove(table, where)

    def give_back(self) -> str:
        return self._store.give_back()

    def close(self) -> None:
        self._store.close()

    def get(self, table: Table, *key: Any) -> MutableRow | None:
        found = self._store.get(table, *key)
        if found is not None or table.name not in OWNERS:
            return found
        same = [Condition(name, "=", value) for name, value in zip(table.key, key, strict=True)]
        return next(self._sealed(table, same, ()), None)

    def select(
        self,
        table: Table,
        where: Sequence[Condition] = (),
        order: Sequence[Order] = (),
        limit: int = 0,
        columns: Sequence[str] = (),
    ) -> Iterator[MutableRow]:
        if table.name not in OWNERS:
            return self._store.select(table, where, order, limit, columns)
        names = list(columns or table.by_name)
        wanted = list(dict.fromkeys([*names, *(by.column for by in order)]))
        stored, sealed = self._store.select(table, where, order, limit, wanted), self._sealed(table, where, wanted)
        if order:
            # sealed rows that match are sorted in memory
            in_order = _in_order(order)
            rows: Iterator[MutableRow] = merge(stored, iter(sorted(sealed, key=in_order)), key=in_order)
        else:
            rows = chain(stored, sealed)
        only = rows if wanted == names else ({name: row[name] for name in names} for row in rows)
        return islice(only, limit or None)

    def count(self, table: Table, where: Sequence[Condition] = (), limit: int = 0) -> int:
        count = self._store.count(table, where, limit)
        if table.name not in OWNERS or (limit and count >= limit):
            return count
        sealed = self._sealed(table, where, table.key)
        return count + sum(1 for _ in islice(sealed, limit - count if limit else None))

    def _sealed(self, table: Table, where: Sequence[Condition], columns: Sequence[str]) -> Iterator[MutableRow]:
        """Rows of files that count and meet the conditions."""
        asked = _pages_asked(table, where)
        if asked is None and not self._scans:
            return
        having = None if asked is None else set(parts_of(self._store, asked).values())
        for row in parts(self._store) if having is None or having else ():
            counts = row["state"] in (WRITTEN, SEALED) and row["rows"].get(table.name)
            if counts and (having is None or row["part"] in having):
                yield from sealed_rows(self._store, self._folder, row["part"], table, where, columns)


def sealed_rows(
    store: Store, folder: Path, part: str, table: Table, where: Sequence[Condition] = (), columns: Sequence[str] = ()
) -> Iterator[MutableRow]:
    """Rows of this file that meet the conditions and are neither in a newer file nor in the store; StoreError if it cannot be read."""
    from pipelines.sealing.files import read_rows  # needs pyarrow, and only where something is sealed

    owner, names = OWNERS[table.name], list(columns or table.by_name)
    read = list(dict.fromkeys([*names, owner, *table.key]))
    key_of: Callable[[Row], _Keys] = lambda row: tuple(row[name] for name in table.key)  # noqa: E731
    for rows in read_rows(file_of(folder, part, table), table, where, read):
        pages = list(dict.fromkeys(row[owner] for row in rows))
        here = parts_of(store, pages)
        stored = {key_of(row) for row in store.select(table, [owned_by(table, pages)], columns=table.key)}
        for row in rows:
            if here.get(row[owner]) == part and key_of(row) not in stored:
                yield row if read == names else {name: row[name] for name in names}


def _pages_asked(table: Table, where: Sequence[Condition]) -> list[str] | None:
    """The pages whose rows are asked for; None if no condition names them."""
    for each in where:
        if each.column == OWNERS[table.name] and each.operator in ("=", "in"):
            return [each.value] if each.operator == "=" else list(each.value)
    return None


def _in_order(order: Sequence[Order]) -> Callable[[Row], Any]:
    """The key by which rows sort as stores sort them: rows without a value come before others."""
    if len(order) == 1 and not order[0].descending:
        name = order[0].column
        return lambda row: _sortable(row[name])

    def compared(one: Row, other: Row) -> int:
        for by in order:
            left, right = _sortable(one[by.column]), _sortable(other[by.column])
            if left != right:
                return 1 if (left > right) != by.descending else -1
        return 0

    return cmp_to_key(compared)


def _sortable(value: Any) -> tuple[bool, Any]:
    return value is not None, value
