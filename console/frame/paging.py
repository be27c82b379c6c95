"""Keyset pagination: the cost of a page does not depend on its depth."""

import base64
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from console.frame.params import ParamError
from pipelines.stores.base import Condition, MutableRow, Order, Store, Table

PAGE_ROWS = 50
_MAX_NUMBER = 2**53
_FIRST_BATCH_ROWS, _MAX_BATCH_ROWS = 64, 256
Cursor = tuple[Any, ...]
BAD_CURSOR = "after is not a cursor of this list; take it from the last response"


@dataclass(frozen=True, slots=True)
class Part:
    """A page of rows and the cursor of the next one.

    Attributes:
        after: cursor of the next part; "" after the last row.
        looked: number of rows scanned.
        is_cut: the scan limit was reached before enough rows were found.
    """

    rows: list[MutableRow]
    after: str
    looked: int = 0
    is_cut: bool = False

    def shown(self) -> dict[str, Any]:
        """As the data of pages have it."""
        return {"rows": self.rows, "after": self.after, "looked": self.looked, "is_cut": self.is_cut}


def pack_cursor(values: Sequence[Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(list(values), ensure_ascii=False).encode()).decode().rstrip("=")


def unpack_cursor(text: str, length: int) -> Cursor:
    """Decode a cursor of `length` values; raises ParamError if it is invalid."""
    try:
        values = json.loads(base64.urlsafe_b64decode(text.encode() + b"=" * (-len(text) % 4)))
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, list) or len(values) != length or not all(map(_is_cursor_value, values)):
        raise ParamError(BAD_CURSOR)
    return tuple(values)


def _is_cursor_value(value: Any) -> bool:
    """Whether every store can compare it."""
    return value is None or isinstance(value, str) or (isinstance(value, (int, float)) and abs(value) <= _MAX_NUMBER)


def cursor_of(params: Mapping[str, Any], length: int) -> Cursor:
    """The cursor of a page's filters; () without one. Raises ParamError if it does not have `length` values."""
    return unpack_cursor(params["after"], length) if "after" in params else ()


def in_order(
    store: Store,
    table: Table,
    where: Sequence[Condition],
    order: Sequence[Order],
    after: Cursor = (),
    columns: Sequence[str] = (),
) -> Iterator[MutableRow]:
    """Rows in this order (the last column is the key), starting after the given row.

    They are read in short batches, so that a slow reader of the rows holds no snapshot of the store.
    """
    read = [*columns, *(by.column for by in order if by.column not in columns)] if columns else ()
    size = _FIRST_BATCH_ROWS
    while True:
        rows = _batch(store, table, where, order, after, read, size)
        yield from rows
        if len(rows) < size:
            return
        after, size = tuple(rows[-1][by.column] for by in order), min(_MAX_BATCH_ROWS, 2 * size)


def _batch(
    store: Store,
    table: Table,
    where: Sequence[Condition],
    order: Sequence[Order],
    after: Cursor,
    columns: Sequence[str],
    size: int,
) -> list[MutableRow]:
    """A store compares single columns: rows behind (a, b) are those with the same a and a later b, then those with a later a."""
    if not after:
        return list(store.select(table, where, order, size, columns))
    found: list[MutableRow] = []
    for depth in reversed(range(len(order))):
        same = [Condition(by.column, "=", value) for by, value in zip(order[:depth], after, strict=False)]
        for later in _later(table, order[depth], after[depth]):
            if len(found) < size:
                found += store.select(table, [*where, *same, later], order[depth:], size - len(found), columns)
    return found


def _later(table: Table, by: Order, value: Any) -> Iterator[Condition]:
    """Conditions on what comes behind this value; rows without a value are the smallest."""
    is_missing = value is None
    if by.descending and not is_missing:
        yield Condition(by.column, "<", value)
        if by.column not in table.key:
            yield Condition(by.column, "=", None)
    elif not by.descending:
        lowest = "" if table.column(by.column).kind == "text" else -_MAX_NUMBER
        yield Condition(by.column, ">=" if is_missing else ">", lowest if is_missing else value)


def part(
    rows: Iterator[MutableRow],
    order: Sequence[Order],
    keep: Callable[[MutableRow], bool] = lambda row: True,
    size: int = PAGE_ROWS,
    most: int = 2_000,
) -> Part:
    """The next rows that pass `keep`, scanning at most `limit` rows."""
    found: list[MutableRow] = []
    last: Mapping[str, Any] | None = None
    looked = 0
    for row in islice(rows, most):
        looked += 1
        if keep(row):
            if len(found) == size:
                return Part(found, _cursor(found[-1], order), looked)
            found.append(row)
        last = row
    is_cut = looked == most
    return Part(found, _cursor(last, order) if is_cut and last else "", looked, is_cut)


def _cursor(row: Mapping[str, Any], order: Sequence[Order]) -> str:
    return pack_cursor([row[by.column] for by in order])
