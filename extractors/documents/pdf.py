"""A PDF's text, title, author and times, by PDFium. Runs only in the worker process."""

import re
from datetime import UTC, datetime, timedelta, timezone
from itertools import groupby
from typing import Any

from extractors.documents.document_content import TITLE_CHARS, Content, declared_author, declared_title
from extractors.documents.paragraphs import paragraphs_of

_TIME = re.compile(r"^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-])(\d\d)'?(\d\d)?)?")
_CONTROLS = dict.fromkeys({*range(0x20), *range(0x7F, 0xA0)} - {2, 9, 10, 13})
_SIZED_CHARS = 1_500
"""Characters of the first page whose sizes are compared."""


def read_pdf(body: bytes, max_pages: int, max_chars: int) -> Content:
    """The file's content; pypdfium2.PdfiumError for an unreadable file, or one that needs a password."""
    import pypdfium2

    document = pypdfium2.PdfDocument(body)
    pages, left = list[list[str]](), max_chars
    for number in range(min(len(document), max_pages)):
        text = _text_of(document, number)[:left]
        pages.append(text.splitlines())
        left -= len(text)
        if left <= 0:
            break
    said: dict[str, str] = document.get_metadata_dict()
    return Content(
        declared_title(said.get("Title", "").translate(_CONTROLS)) or _largest(document),
        declared_author(said.get("Author", "").translate(_CONTROLS)),
        time_of(said.get("CreationDate", "")),
        time_of(said.get("ModDate", "")),
        tuple(paragraphs_of(pages)),
        left <= 0 or len(document) > max_pages,
    )


def _text_of(document: Any, number: int) -> str:
    page = document[number]
    try:
        text = page.get_textpage()
        found: str = text.get_text_range()
        text.close()
        return found.translate(_CONTROLS)
    finally:
        page.close()


def _largest(document: Any) -> str:
    """The first lines of the first page in its largest letters, "" if all have the same size."""
    from pypdfium2.raw import FPDFText_GetFontSize

    if not len(document):
        return ""
    text = document[0].get_textpage()
    chars = text.get_text_range(0, min(text.count_chars(), _SIZED_CHARS))
    sizes = [round(FPDFText_GetFontSize(text, place), 1) for place in range(len(chars))]
    shown = [size for size, char in zip(sizes, chars, strict=True) if not char.isspace()]
    if not shown or max(shown) <= min(shown):
        return ""
    pairs = [(size if not char.isspace() else 0, char) for size, char in zip(sizes, chars, strict=True)]
    parts = [
        "".join(char for _, char in run)
        for large, run in groupby(pairs, lambda pair: pair[0] in (max(shown), 0))
        if large
    ]
    title = " ".join(max(parts, key=lambda part: len(part.strip())).translate(_CONTROLS).split())
    return title if len(title) in TITLE_CHARS else ""


def time_of(said: str) -> str:
    """ISO 8601 of a PDF's time (D:20240105093000+08'00'); "" for none."""
    found = _TIME.match(said.strip())
    if not found:
        return ""
    year, month, day, hour, minute, second = (int(part) if part else None for part in found.groups()[:6])
    utc, sign, hours, minutes = found.groups()[6:]
    try:
        moment = datetime(year or 0, month or 1, day or 1, hour or 0, minute or 0, second or 0)
        if hour is None:
            return moment.date().isoformat()
        if sign:
            ahead = timedelta(hours=int(hours), minutes=int(minutes or 0))
            moment = moment.replace(tzinfo=timezone(ahead if sign == "+" else -ahead))
        elif utc:
            moment = moment.replace(tzinfo=UTC)
    except ValueError:
        return ""
    return moment.isoformat()
