"""Rows of one table as a Parquet file: written once, in the order of their pages, and read by conditions."""

import json
import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from pipelines.stores.base import Column, Condition, MutableRow, Row, StoreError, Table

try:
    import pyarrow
    from pyarrow import compute, dataset, fs, parquet
except ImportError:
    raise StoreError("Sealed months need pyarrow: pip install 'topicrawl[parquet]'") from None

_TYPES = {"integer": pyarrow.int64(), "real": pyarrow.float64(), "blob": pyarrow.binary()}
_PYTHON_TYPES: dict[str, type | tuple[type, ...]] = {
    "text": str, "integer": int, "real": (float, int), "blob": bytes,
}  # fmt: skip
_ROWS_AT_ONCE = 500
_OPEN_FILES = 32
_ENDING = ".open"


class FileWriter:
    """Writes one file; it has its name only when `close` has brought it to the disk whole.

    Args:
        path: must not exist.
    """

    def __init__(self, path: Path, table: Table) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.rows = 0
        self._path, self._table, self._schema = path, table, _schema(table)
        self._unfinished = path.with_name(path.name + _ENDING)
        self._file = parquet.ParquetWriter(self._unfinished, self._schema, compression="zstd", write_page_checksum=True)

    def write(self, rows: Sequence[Row]) -> None:
        """A group of rows, which is read as a whole later. A value that is not of its column's kind is left out."""
        columns = [
            pyarrow.array([_packed(column, row[column.name]) for row in rows], field.type)
            for column, field in zip(self._table.columns, self._schema, strict=True)
        ]
        self._file.write_table(pyarrow.table(columns, schema=self._schema), row_group_size=max(1, len(rows)))
        self.rows += len(rows)

    def close(self) -> None:
        """Raises OSError if the disk does not take it."""
        self._file.close()
        _to_disk(self._unfinished)
        self._unfinished.rename(self._path)
        _to_disk(self._path.parent)


def remove_file(path: Path) -> None:
    """Whole or not, there or not."""
    path.unlink(missing_ok=True)
    path.with_name(path.name + _ENDING).unlink(missing_ok=True)


def read_rows(
    path: Path, table: Table, where: Sequence[Condition] = (), columns: Sequence[str] = ()
) -> Iterator[list[MutableRow]]:
    """Rows that meet every condition, some hundred at once, in the order of the file; columns that were not known when it was
    written are None.

    Raises:
        StoreError: the file is not there, or damaged.
    """
    wanted = [table.column(name) for name in columns or table.by_name]
    for batch in _batches(path, table, where, [column.name for column in wanted]):
        if not len(batch):
            continue
        values = [_column_values(column, batch.column(column.name)) for column in wanted]
        names = [column.name for column in wanted]
        yield [dict(zip(names, row, strict=True)) for row in zip(*values, strict=True)]


def _batches(path: Path, table: Table, where: Sequence[Condition], columns: Sequence[str]) -> Iterator[Any]:
    """Batches of pyarrow."""
    try:
        yield from (
            _fragment(path)
            .scanner(
                schema=_schema(table),
                columns=list(columns),
                filter=_filter(table, where),
                batch_size=_ROWS_AT_ONCE,
                use_threads=False,
                batch_readahead=1,
            )
            .to_batches()
        )
    except FileNotFoundError:
        raise StoreError(
            f"{path} is missing; bring it back, or say with -s SEALED_DIR=FOLDER where the files are"
        ) from None
    except (pyarrow.ArrowException, OSError) as error:
        raise StoreError(f"{path} cannot be read: {error}") from error


@lru_cache(_OPEN_FILES)
def _fragment(path: Path) -> Any:
    """An open file; it never changes, so that its end is read once."""
    checked = dataset.ParquetFragmentScanOptions(page_checksum_verification=True)
    form = dataset.ParquetFileFormat(default_fragment_scan_options=checked)
    fragment = form.make_fragment(str(path), fs.LocalFileSystem())
    fragment.ensure_complete_metadata()
    return fragment


def _schema(table: Table) -> Any:
    return pyarrow.schema([(column.name, _TYPES.get(column.kind, pyarrow.string())) for column in table.columns])


def _packed(column: Column, value: Any) -> Any:
    if value is None:
        return None
    if column.kind in ("json", "packed"):
        return json.dumps(value, ensure_ascii=False)
    return value if isinstance(value, _PYTHON_TYPES[column.kind]) else None


def _column_values(column: Column, values: Any) -> list[Any]:
    plain: list[Any] = values.to_pylist()
    if column.kind not in ("json", "packed"):
        return plain
    return [None if text is None else json.loads(text) for text in plain]


def _filter(table: Table, where: Sequence[Condition]) -> Any:
    """None without conditions."""
    parts = [_comparison(table.column(each.column), each) for each in where]
    if not parts:
        return None
    whole = parts[0]
    for part in parts[1:]:
        whole = whole & part
    return whole


def _comparison(column: Column, condition: Condition) -> Any:
    """With SQL's meaning: a missing value meets no condition but that it is missing."""
    field, value = compute.field(column.name), condition.value
    match condition.operator:
        case "in":
            return field.isin(pyarrow.array(list(value), _TYPES.get(column.kind, pyarrow.string())))
        case "contains":
            return compute.match_substring(
                field, json.dumps(value, ensure_ascii=False) if column.kind == "json" else value
            )
        case "=":
            return field.is_null() if value is None else field == value
        case "!=":
            return field != value
        case "<":
            return field < value
        case "<=":
            return field <= value
        case ">":
            return field > value
        case _:
            return field >= value


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
