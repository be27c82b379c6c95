"""A Word file's text, title, author and times. Runs only in the worker process."""

import io
import re
from xml.etree import ElementTree
from zipfile import ZipFile

from extractors.documents.document_content import Content, declared_author, declared_title
from extractors.documents.office_zip import part_of, properties_of

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEADLINE = re.compile(r"^(?:title|heading ?1|标题 ?1?)$", re.I)


def read_docx(body: bytes, max_chars: int) -> Content:
    """The file's content; ValueError, KeyError or zipfile.BadZipFile for an unreadable file."""
    with ZipFile(io.BytesIO(body)) as archive:
        text, said = part_of(archive, "word/document.xml"), properties_of(archive)
    paragraphs, headline, left = list[str](), "", max_chars
    for paragraph in text.iter(f"{_WORD}p"):
        line = _line(paragraph)[:left]
        style = paragraph.find(f"{_WORD}pPr/{_WORD}pStyle")
        if not headline and style is not None and _HEADLINE.match(style.get(f"{_WORD}val", "")):
            headline = line
        paragraphs.append(line)
        left -= len(line)
        if left <= 0:
            break
    shown = [line for line in paragraphs if line]
    title = declared_title(said.get("title", "")) or headline or declared_title(next(iter(shown), ""))
    author, times = declared_author(said.get("creator", "")), (said.get("created", ""), said.get("modified", ""))
    return Content(title, author, *times, tuple(shown), left <= 0)


def _line(paragraph: ElementTree.Element) -> str:
    parts = []
    for element in paragraph.iter():
        if element.tag == f"{_WORD}t":
            parts.append(element.text or "")
        elif element.tag in (f"{_WORD}tab", f"{_WORD}br"):
            parts.append(" ")
    return " ".join("".join(parts).split())
