"""Rows of a table as CSV, JSON lines or Parquet, written one by one."""

import base64
import csv
import io
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import BinaryIO

import zstandard

from pipelines.stores.base import Column, MutableRow, Row, StoreError

_BATCH_ROWS = 1_000
_MAX_SOURCE_BYTES = 64_000_000
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
_NO_CONTROLS = dict.fromkeys({*range(0x20), *range(0x7F, 0xA0), 0xFFFE, 0xFFFF} - {ord("\t"), ord("\n"), ord("\r")})
_ORDERS = re.compile("[\x7f-\x9f\u2028\u2029\ufffe\uffff]")


class RowWriter(ABC):
    """Writes rows with these columns to a binary file; `close` ends the data but not the file.

    Attributes:
        left_out: rows passed to `write` that this format cannot express.
    """

    def __init__(self, out: BinaryIO, columns: Sequence[Column]) -> None:
        self.out = out
        self.left_out = 0
        self.columns = columns

    @abstractmethod
    def write(self, row: Row) -> None:
        """Write one row."""

    def close(self) -> None:
        self.out.flush()


class CsvWriter(RowWriter):
    """CSV for spreadsheets: UTF-8 with a byte order mark, a line of names, and no cell that would run as a formula."""

    def __init__(self, out: BinaryIO, columns: Sequence[Column]) -> None:
        super().__init__(out, columns)
        self._text = io.TextIOWrapper(out, "utf-8-sig", "replace", newline="", write_through=False)
        self._csv = csv.writer(self._text)
        self._csv.writerow([column.name for column in columns])

    def write(self, row: Row) -> None:
        self._csv.writerow([spreadsheet_cell(row[column.name]) for column in self.columns])

    def close(self) -> None:
        self._text.detach()
        super().close()


class JsonLinesWriter(RowWriter):
    """One JSON object a line, in UTF-8; terminal control characters and Unicode line separators are escaped."""

    def write(self, row: Row) -> None:
        line = json.dumps({column.name: row[column.name] for column in self.columns}, ensure_ascii=False, default=_text)
        line = _ORDERS.sub(lambda found: f"\\u{ord(found[0]):04x}", line)
        self.out.write(line.encode("utf-8", "replace") + b"\n")


class ParquetWriter(RowWriter):
    """Parquet with typed columns; lists and mappings are JSON texts. StoreError where pyarrow is not installed."""

    def __init__(self, out: BinaryIO, columns: Sequence[Column]) -> None:
        super().__init__(out, columns)
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError:
            raise StoreError("Parquet needs pyarrow: pip install 'topicrawl[parquet]'") from None
        kinds = {"integer": pyarrow.int64(), "real": pyarrow.float64(), "blob": pyarrow.binary()}
        fields = [(column.name, kinds.get(column.kind, pyarrow.string())) for column in columns]
        self._schema = pyarrow.schema(fields)
        self._batch_of = pyarrow.RecordBatch.from_pylist
        self._file = parquet.ParquetWriter(pyarrow.PythonFile(out, mode="w"), self._schema, compression="zstd")
        self._rows: list[dict[str, object]] = []

    def write(self, row: Row) -> None:
        self._rows.append({column.name: _parquet_value(column, row[column.name]) for column in self.columns})
        if len(self._rows) >= _BATCH_ROWS:
            self._write_batch()

    def _write_batch(self) -> None:
        self._file.write_batch(self._batch_of(self._rows, schema=self._schema))
        self._rows.clear()

    def close(self) -> None:
        if self._rows:
            self._write_batch()
        self._file.close()
        super().close()


WRITERS: dict[str, type[RowWriter]] = {"csv": CsvWriter, "jsonl": JsonLinesWriter, "parquet": ParquetWriter}


def with_readable_source(row: MutableRow) -> MutableRow:
    """A row of `sources` with its page decompressed and decoded, without one that cannot be decompressed; other rows unchanged."""
    if not isinstance(row.get("body"), bytes) or row.get("compression") != "zstd":
        return row
    try:
        return {**row, "body": _decoded(source_bytes(row), row.get("charset") or "utf-8"), "compression": ""}
    except zstandard.ZstdError:
        return {**row, "body": None}


def _decoded(body: bytes, charset: str) -> str:
    try:
        return body.decode(charset, "replace")
    except LookupError:  # a page may name any charset
        return body.decode("utf-8", "replace")


def source_bytes(row: Row) -> bytes:
    """The page of a row of `sources`, decompressed; zstandard.ZstdError for a damaged one."""
    body: bytes = row["body"]
    if row.get("compression") != "zstd":
        return body
    return zstandard.ZstdDecompressor().decompressobj().decompress(body)[:_MAX_SOURCE_BYTES]


def cell_of(value: object) -> str | int | float:
    """A value for a cell that holds a text or a number: without control characters; a list as one text."""
    if value is None:
        return ""
    if isinstance(value, (int, float)):
        return value
    return _text(value).translate(_NO_CONTROLS)


def spreadsheet_cell(value: object) -> str | int | float:
    """The same for spreadsheets, which may take a text for a formula."""
    text = cell_of(value)
    if not isinstance(text, str):
        return text
    return f"'{text}" if text.startswith(_FORMULA_STARTS) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _text(value: object) -> str:
    """Texts unchanged, lists of texts with semicolons, bytes in base64, everything else as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return "; ".join(value)
    return json.dumps(value, ensure_ascii=False, default=str)


def _parquet_value(column: Column, value: object) -> object:
    if value is None or column.kind in ("integer", "real", "text", "blob"):
        return value.encode("utf-8", "replace") if column.kind == "blob" and isinstance(value, str) else value
    return json.dumps(value, ensure_ascii=False, default=str)
