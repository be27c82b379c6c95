"""Rows as MongoDB documents, and conditions as MongoDB queries.

A document's `_id` is its row's key: the value itself or, if several columns make the key, their values as a JSON list;
these columns are fields too, so that each can be searched. Every server of the protocol looks a text up fast.

Values too large for a document (16 MB in all) are kept in GridFS, and the document has a reference. A file is named by
its content, so rows may share it; files that no document refers to are not deleted.
"""

import contextlib
import json
import re
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

from gridfs.asynchronous import AsyncGridFSBucket
from gridfs.errors import FileExists, NoFile

from pipelines.stores.base import Column, Condition, Order, Row, StoreError, Table
from pipelines.stores.values import pack, read_packed, storable

_OPERATORS = {"=": "$eq", "<": "$lt", "<=": "$lte", ">": "$gt", ">=": "$gte"}
Document = dict[str, Any]
_LARGE_BYTES = 4_000_000
"""Texts and blobs above this size are stored outside the document; few columns of a row are so large."""
_REFERENCE_FIELD = "kept in GridFS"


def identity(table: Table, row: Row) -> Any:
    """The `_id` of this row's document; StoreError if a key column is missing."""
    try:
        values = [_to_mongo(table.column(name), row[name]) for name in table.key]
    except KeyError as error:
        raise StoreError(f"a row of {table.name} needs the column {error}, which is part of its key") from None
    return values[0] if len(values) == 1 else json.dumps(values, ensure_ascii=False)


def fields(table: Table, row: Row) -> Document:
    """The row without a single key column, which is the `_id`; StoreError for columns that the table lacks."""
    single = table.key[0] if len(table.key) == 1 else ""
    return {name: _to_mongo(table.column(name), value) for name, value in row.items() if name != single}


def row_of(table: Table, document: Mapping[str, Any], columns: Sequence[Column]) -> dict[str, Any]:
    """The row of a document, with these columns."""
    return {column.name: _from_mongo(column, document.get(field(table, column.name))) for column in columns}


def field(table: Table, name: str) -> str:
    column = table.column(name)
    return "_id" if table.key == (column.name,) else column.name


def query(table: Table, conditions: Sequence[Condition]) -> Document:
    """Conditions as a filter with SQL's semantics: a missing value meets no condition."""
    parts = [{field(table, each.column): _comparison(table.column(each.column), each)} for each in conditions]
    return {"$and": parts} if parts else {}


def _comparison(column: Column, condition: Condition) -> Document:
    if condition.operator == "in":
        return {"$in": [storable(value) for value in condition.value]}
    value = storable(condition.value)
    if condition.operator == "!=":
        return {"$nin": [value, None]}
    if condition.operator != "contains":
        return {_OPERATORS[condition.operator]: value}
    return {"$eq": value} if column.kind == "json" else {"$regex": re.escape(str(value))}


def sorting(table: Table, order: Sequence[Order]) -> list[tuple[str, int]]:
    return [(field(table, by.column), -1 if by.descending else 1) for by in order]


def _to_mongo(column: Column, value: Any) -> Any:
    if column.kind == "packed" and value is not None:
        return pack(json.dumps(value, ensure_ascii=False))
    return storable(value)


def _from_mongo(column: Column, value: Any) -> Any:
    if column.kind == "packed" and value is not None:
        return read_packed(value)
    return value


async def move_large_out(bucket: AsyncGridFSBucket, document: Document) -> Document:
    """The document with each large value replaced by a reference to a file that holds it."""
    large = {name: value for name, value in document.items() if _is_large(value)}
    if not large:
        return document
    return document | {name: {_REFERENCE_FIELD: await _stored(bucket, value)} for name, value in large.items()}


async def _stored(bucket: AsyncGridFSBucket, value: str | bytes) -> str:
    """The name of the file with this content: its hash, so that a retry writes nothing new."""
    kind, content = ("text", value.encode()) if isinstance(value, str) else ("bytes", value)
    name = f"{kind}:{blake2b(content, digest_size=20).hexdigest()}"
    try:
        await bucket.upload_from_stream_with_id(name, name, content)
    except FileExists:
        if not await bucket.find({"_id": name}).to_list(1):  # an upload was interrupted
            with contextlib.suppress(NoFile):
                await bucket.delete(name)
            await bucket.upload_from_stream_with_id(name, name, content)
    return name


async def read_large_in(bucket: AsyncGridFSBucket, document: Mapping[str, Any]) -> Document:
    """The document with references replaced by the values; None for one whose file is missing."""
    return {name: await _read(bucket, value) if _is_reference(value) else value for name, value in document.items()}


async def _read(bucket: AsyncGridFSBucket, reference: Document) -> str | bytes | None:
    name = str(reference[_REFERENCE_FIELD])
    try:
        content = await (await bucket.open_download_stream(name)).read()
    except NoFile:
        return None
    return content.decode() if name.startswith("text:") else bytes(content)


def _is_large(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) * 4 > _LARGE_BYTES and len(value.encode()) > _LARGE_BYTES
    return isinstance(value, bytes) and len(value) > _LARGE_BYTES


def _is_reference(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {_REFERENCE_FIELD}
