"""Rows as MongoDB documents, and what is asked of rows as MongoDB queries.

A document's `_id` is its row's key: the value itself, or, of several columns, their values as a JSON list, and then the
columns are fields too, so that each can be asked for. A text is looked up fast by every server of the protocol.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pipelines.stores.base import Column, Condition, Order, Row, StoreError, Table
from pipelines.stores.packing import pack, unpack
from pipelines.stores.values import storable

_OPERATORS = {"=": "$eq", "<": "$lt", "<=": "$lte", ">": "$gt", ">=": "$gte"}
Document = dict[str, Any]


def identity(table: Table, row: Row) -> Any:
    """The `_id` of this row's document; StoreError if a key column is missing."""
    try:
        values = [_to_mongo(table.column(name), row[name]) for name in table.key]
    except KeyError as error:
        raise StoreError(f"a row of {table.name} needs the column {error}, which is part of its key") from None
    return values[0] if len(values) == 1 else json.dumps(values, ensure_ascii=False)


def fields(table: Table, row: Row) -> Document:
    """All of the row but a single key column, which is the `_id`; StoreError for columns that the table lacks."""
    single = table.key[0] if len(table.key) == 1 else ""
    return {name: _to_mongo(table.column(name), value) for name, value in row.items() if name != single}


def row_of(table: Table, document: Mapping[str, Any], columns: Sequence[Column]) -> dict[str, Any]:
    """The row that the document holds, as far as these columns go."""
    return {column.name: _from_mongo(column, document.get(field(table, column.name))) for column in columns}


def field(table: Table, name: str) -> str:
    """Under which name a document has this column."""
    column = table.column(name)
    return "_id" if table.key == (column.name,) else column.name


def query(table: Table, conditions: Sequence[Condition]) -> Document:
    """Conditions as a filter that answers as SQL would: what has no value meets none of them."""
    parts = [{field(table, each.column): _comparison(table.column(each.column), each)} for each in conditions]
    return {"$and": parts} if parts else {}


def _comparison(column: Column, condition: Condition) -> Document:
    value = storable(condition.value)
    if condition.operator == "!=":
        return {"$nin": [value, None]}
    if condition.operator != "contains":
        return {_OPERATORS[condition.operator]: value}
    return {"$eq": value} if column.kind == "json" else {"$regex": re.escape(str(value))}


def sorting(table: Table, order: Sequence[Order]) -> list[tuple[str, int]]:
    """Orders as MongoDB wants them."""
    return [(field(table, by.column), -1 if by.descending else 1) for by in order]


def _to_mongo(column: Column, value: Any) -> Any:
    if column.kind == "packed" and value is not None:
        return pack(json.dumps(value, ensure_ascii=False))
    return storable(value)


def _from_mongo(column: Column, value: Any) -> Any:
    if column.kind == "packed" and value is not None:
        return json.loads(unpack(value))
    return value
