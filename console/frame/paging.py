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
    return isinstance(value, str) or (isinstance(value, (int, float)) and abs(value) <= _MAX_NUMBER)


def in_order(
    store: Store,
    table: Table,
    where: Sequence[Condition],
    order: Sequence[Order],
    after: Cursor = (),
    columns: Sequence[str] = (),
) -> Iterator[MutableRow]:
    """Rows in this order (the last column is the key), starting after the given row.

    A store compares single columns. Rows behind (a, b) are those with the same a and a later b, and then those with a later a.
    """
    if not after:
        yield from store.select(table, where, order, columns=columns)
        return
    for depth in reversed(range(len(order))):
        same = [Condition(by.column, "=", value) for by, value in zip(order[:depth], after, strict=False)]
        last = order[depth]
        later = Condition(last.column, "<" if last.descending else ">", after[depth])
        yield from store.select(table, [*where, *same, later], order[depth:], columns=columns)


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
