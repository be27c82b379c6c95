"""Rows as an Excel workbook for people: texts are never formulas or links, and only one row is in memory."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from tempfile import TemporaryFile
from typing import Any

from pipelines.exporting import cell_of
from pipelines.stores.base import Column, MutableRow, StoreError

_MAX_ROWS = 1_048_576
"""Maximum rows of a sheet, header included."""
_MAX_CELL_CHARS = 32_767
_CHUNK_BYTES = 64_000
_WIDTHS = {
    "title": 48,
    "name": 48,
    "url": 48,
    "body": 60,
    "summary": 60,
    "host": 22,
    "site": 22,
    "relevance_reason": 40,
}
_WIDTH, _TIME_WIDTH = 12, 20
_FIRST_YEAR = 1900
"""Excel has no earlier times."""
_TIMES = ("published_at", "fetched_at", "first_seen", "first_at", "last_at", "at")
_OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "nan_inf_to_errors": True,
}


@dataclass(frozen=True, slots=True)
class Headings:
    """The name of the sheet, of its columns by name, and the zone of its times."""

    sheet: str
    columns: Mapping[str, str]
    zone: tzinfo


def workbook(columns: Sequence[Column], rows: Iterator[MutableRow], headings: Headings) -> Iterator[bytes]:
    """The file in parts. Rows beyond the limit of a sheet continue on the next one; texts too long for a cell are cut.

    StoreError without XlsxWriter.
    """
    try:
        from xlsxwriter import Workbook
    except ImportError:
        raise StoreError("Excel files need XlsxWriter: pip install 'topicrawl[console]'") from None
    return _parts(Workbook, columns, rows, headings)


def _parts(kind: Any, columns: Sequence[Column], rows: Iterator[MutableRow], headings: Headings) -> Iterator[bytes]:
    with TemporaryFile() as file:
        book = kind(file, _OPTIONS)
        book.set_properties({"created": datetime.now(UTC).replace(tzinfo=None)})
        formats = (
            book.add_format({"bold": True}),
            book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss", "align": "left"}),
        )
        sheet, line, count = None, _MAX_ROWS, 0
        for row in rows:
            if line >= _MAX_ROWS:
                count += 1
                sheet, line = _sheet(book, columns, headings, count, formats[0]), 1
            _write(sheet, line, columns, row, headings.zone, formats[1])
            line += 1
        if sheet is None:
            _sheet(book, columns, headings, 1, formats[0])
        book.close()
        file.seek(0)
        while part := file.read(_CHUNK_BYTES):
            yield part


def _sheet(book: Any, columns: Sequence[Column], headings: Headings, number: int, bold: Any) -> Any:
    sheet = book.add_worksheet(headings.sheet if number == 1 else f"{headings.sheet} {number}")
    sheet.freeze_panes(1, 1)
    for place, column in enumerate(columns):
        sheet.set_column(place, place, _TIME_WIDTH if column.name in _TIMES else _WIDTHS.get(column.name, _WIDTH))
        sheet.write_string(0, place, headings.columns.get(column.name, column.name), bold)
    return sheet


def _write(sheet: Any, line: int, columns: Sequence[Column], row: MutableRow, zone: tzinfo, as_time: Any) -> None:
    for place, column in enumerate(columns):
        value = cell_of(row[column.name])
        if not isinstance(value, str):
            sheet.write_number(line, place, value)
        elif column.name in _TIMES and (moment := _moment(column.name, row, zone)):
            sheet.write_datetime(line, place, moment, as_time)
        else:
            sheet.write_string(line, place, value[:_MAX_CELL_CHARS])


def _moment(name: str, row: MutableRow, zone: tzinfo) -> datetime | None:
    """The reader's time without its zone, as Excel has them; None for what is no instant, or known to the day only."""
    if name == "published_at" and row.get("published_precision") in ("day", "month", "year"):
        return None
    try:
        moment = datetime.fromisoformat(row[name])
        local = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(zone).replace(tzinfo=None)
    except (TypeError, ValueError, OverflowError):
        return None
    return local if local.year >= _FIRST_YEAR else None
