"""The rows of a workbook's sheets as lines, its title, author and times. Runs only in the worker process."""

import io
import warnings
from collections.abc import Iterator
from datetime import date, datetime, time
from typing import TYPE_CHECKING

from extractors.documents.document_content import Content, declared_author, declared_title

if TYPE_CHECKING:
    from openpyxl import Workbook

_MAX_COLUMNS = 200


def read_xlsx(body: bytes, max_pages: int, max_chars: int) -> Content:
    """The text of the cells, with a sheet's name before its rows if there are several; openpyxl's errors, KeyError or
    zipfile.BadZipFile for an unreadable file."""
    import openpyxl

    warnings.simplefilter("ignore")  # about styles unknown to the library
    book = openpyxl.load_workbook(io.BytesIO(body), read_only=True, data_only=True)
    shown, left = list[str](), max_chars
    for line in _lines(book, max_pages):
        shown.append(line[:left])
        left -= len(shown[-1])
        if left <= 0:
            break
    said = book.properties
    title = declared_title(said.title or "") or declared_title(next((line for line in shown if "\t" not in line), ""))
    times = (_instant(said.created), _instant(said.modified))
    is_cut = left <= 0 or len(book.worksheets) > max_pages
    return Content(title, declared_author(said.creator or ""), *times, tuple(shown), is_cut)


def _lines(book: "Workbook", max_pages: int) -> Iterator[str]:
    sheets = book.worksheets[:max_pages]
    for sheet in sheets:
        if len(sheets) > 1:
            yield str(sheet.title)
        for row in sheet.iter_rows(max_col=_MAX_COLUMNS, values_only=True):
            if line := "\t".join(map(_shown, row)).strip():
                yield line


def _shown(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime) and value.time() == time():
        value = value.date()
    if isinstance(value, date | time):
        return value.isoformat()
    return f"{value:.12g}" if isinstance(value, float) else " ".join(str(value).split())


def _instant(value: datetime | None) -> str:
    return f"{value.isoformat()}Z" if value else ""
