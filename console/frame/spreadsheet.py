"""Rows as an Excel workbook: texts are never formulas or links, and only one row is in memory."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from tempfile import TemporaryFile
from typing import Any

from pipelines.exporting import cell_of
from pipelines.stores.base import Column, MutableRow, StoreError

_MAX_ROWS = 1_048_576
"""Maximum rows of a sheet, header included."""
_MAX_CELL_CHARS = 32_767
_CHUNK_BYTES = 64_000
_OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "nan_inf_to_errors": True,
}


def workbook(columns: Sequence[Column], rows: Iterator[MutableRow]) -> Iterator[bytes]:
    """The file in parts. Rows beyond the limit of a sheet continue on the next one; texts too long for a cell are cut.

    StoreError without XlsxWriter.
    """
    try:
        from xlsxwriter import Workbook
    except ImportError:
        raise StoreError("Excel files need XlsxWriter: pip install 'topicrawl[console]'") from None
    return _parts(Workbook, columns, rows)


def _parts(kind: Any, columns: Sequence[Column], rows: Iterator[MutableRow]) -> Iterator[bytes]:
    with TemporaryFile() as file:
        book = kind(file, _OPTIONS)
        book.set_properties({"created": datetime.now(UTC).replace(tzinfo=None)})
        sheet, line = None, _MAX_ROWS
        for row in rows:
            if line >= _MAX_ROWS:
                sheet, line = _sheet(book, columns), 1
            _write(sheet, line, columns, row)
            line += 1
        if sheet is None:
            _sheet(book, columns)
        book.close()
        file.seek(0)
        while part := file.read(_CHUNK_BYTES):
            yield part


def _sheet(book: Any, columns: Sequence[Column]) -> Any:
    sheet = book.add_worksheet()
    sheet.freeze_panes(1, 0)
    for place, column in enumerate(columns):
        sheet.write_string(0, place, column.name)
    return sheet


def _write(sheet: Any, line: int, columns: Sequence[Column], row: MutableRow) -> None:
    for place, column in enumerate(columns):
        value = cell_of(row[column.name])
        if isinstance(value, str):
            sheet.write_string(line, place, value[:_MAX_CELL_CHARS])
        else:
            sheet.write_number(line, place, value)
