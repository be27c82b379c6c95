"""The protocol of stores: tables declared once, rows as plain mappings, the same few calls on every engine.

`upsert` merges by key: new values replace stored ones, except in columns marked `first`, which keep their first value.
A write is durable when its future is done; until then a kill may lose it.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol

Kind = Literal["text", "integer", "real", "blob", "json", "packed"]
"""`json` is stored readable, `packed` compressed; both return plain lists, mappings, numbers and texts."""
Operator = Literal["=", "!=", "<", "<=", ">", ">=", "contains", "in"]
Row = Mapping[str, Any]
MutableRow = dict[str, Any]


class StoreError(Exception):
    """An operation failed; the message says why and what to do."""


class StoreAwayError(StoreError):
    """The store is unavailable: retry later."""


class StoreBrokenError(StoreError):
    """The store refuses every row; a retry would not help."""


@dataclass(frozen=True, slots=True)
class Column:
    """A named value of one kind; `first`: a row keeps its first value. `shape` is what a json or packed value looks like, as
    `stores.shapes` describes it; datetime and date for texts that are instants with a zone, or days."""

    name: str
    kind: Kind = "text"
    first: bool = False
    shape: Any = field(default=object, compare=False)


@dataclass(frozen=True)
class Table:
    """Columns, key columns, and groups of indexed columns."""

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    indexes: tuple[tuple[str, ...], ...] = ()

    @cached_property
    def by_name(self) -> dict[str, Column]:
        return {column.name: column for column in self.columns}

    def column(self, name: str) -> Column:
        """The column of that name; if there is none, StoreError lists the columns."""
        try:
            return self.by_name[name]
        except KeyError:
            raise StoreError(f"{self.name} has no column {name!r}; it has {', '.join(self.by_name)}") from None


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison of a column with a value; "contains" finds a text inside a text, or an element of a list; "=" with None finds
    rows without a value, "in" rows whose value is in a list."""

    column: str
    operator: Operator
    value: Any


@dataclass(frozen=True, slots=True)
class Order:
    """Sort by a column."""

    column: str
    descending: bool = False


@dataclass(frozen=True, slots=True)
class WriteBuffer:
    """How long (seconds) and up to which size (bytes) writes wait in memory for an unavailable server."""

    seconds: float = 120.0
    memory: int = 64_000_000


class Store(Protocol):
    """The interface of every store."""

    @property
    def location(self) -> str:
        """Where the data is, for messages; without passwords."""

    @property
    def away(self) -> bool:
        """Whether the store is unavailable: writes wait, and no new work should begin."""

    def upsert(self, table: Table, rows: Sequence[Row]) -> Future[None]:
        """Merge rows by key; the future is done when they are durable.

        It raises StoreError if they cannot be written, StoreAwayError if a retry may succeed.
        """

    def write(self, rows: Sequence[tuple[Table, Row]]) -> Future[None]:
        """As `upsert`, for rows of several tables."""

    def get(self, table: Table, *key: Any) -> MutableRow | None:
        """The row with this key; sees durable writes."""

    def select(
        self,
        table: Table,
        where: Sequence[Condition] = (),
        order: Sequence[Order] = (),
        limit: int = 0,
        columns: Sequence[str] = (),
    ) -> Iterator[MutableRow]:
        """Rows that meet every condition, streamed; all columns unless some are named; limit 0 means none."""

    def count(self, table: Table, where: Sequence[Condition] = (), limit: int = 0) -> int:
        """The number of rows that meet every condition, at most `limit` unless it is 0."""

    def change(self, table: Table, where: Sequence[Condition], values: Row) -> Future[None]:
        """Set these values in every row that meets all conditions. Each row is compared and changed atomically: of two processes
        that change `holder` from "", one succeeds, and sees that by reading the row again."""

    def remove(self, table: Table, where: Sequence[Condition]) -> Future[None]:
        """Remove every row that meets all conditions, compared as for `change`."""

    def give_back(self) -> str:
        """Give the space of removed rows back to the disk, as far as possible while others use the store.

        Returns:
            A sentence that says how to free the rest; "" if there is none.
        """

    def close(self) -> None:
        """Write what is pending, and close."""


def each_value(
    store: Store, table: Table, column: str, where: Sequence[Condition] = (), after: str = ""
) -> Iterator[str]:
    """Texts of a column in their order, each once, those behind `after`, by a look along the index for each; an index begins with the
    columns of `where` and this one."""
    last = after
    while True:
        conditions = [*where, Condition(column, ">", last)]
        row = next(store.select(table, conditions, [Order(column)], 1, [column]), None)
        if row is None:
            return
        last = str(row[column])
        yield last
