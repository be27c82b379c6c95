"""The different values of a column, read by a look along its index for each."""

from collections.abc import Iterator, Sequence

from pipelines.stores.base import Condition, Order, Store, Table


def each_value(
    store: Store, table: Table, column: str, where: Sequence[Condition] = (), after: str = ""
) -> Iterator[str]:
    """Texts in their order, each once, those behind `after`; an index begins with the columns of `where` and this one."""
    last = after
    while True:
        conditions = [*where, Condition(column, ">", last)]
        row = next(store.select(table, conditions, [Order(column)], 1, [column]), None)
        if row is None:
            return
        last = str(row[column])
        yield last
