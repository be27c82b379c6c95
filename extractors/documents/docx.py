"""A Word file's text, title, author and times: XML in a ZIP archive (ECMA-376). Runs in the worker's process alone."""

import io
import re
from xml.etree import ElementTree
from zipfile import ZipFile

from extractors.documents.content import Content

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MAX_PART = 50_000_000
"""Bytes of one part of the archive."""
_HEADLINE = re.compile(r"^(?:title|heading ?1|标题 ?1?)$", re.I)
_TITLE_CHARS = range(2, 201)


def read_docx(body: bytes, max_chars: int) -> Content:
    """What the file says; ValueError, KeyError or zipfile.BadZipFile for one that cannot be read."""
    with ZipFile(io.BytesIO(body)) as archive:
        text = ElementTree.fromstring(_part(archive, "word/document.xml"))
        said = _properties(archive)
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
    title = said.get("title", "") or headline or (shown[0] if shown and len(shown[0]) in _TITLE_CHARS else "")
    times = said.get("created", ""), said.get("modified", "")
    return Content(title, said.get("creator", ""), *times, tuple(shown), left <= 0)


def _part(archive: ZipFile, name: str) -> bytes:
    with archive.open(name) as part:
        found = part.read(_MAX_PART + 1)
    if len(found) > _MAX_PART:
        raise ValueError(f"{name} is larger than {_MAX_PART:,} bytes")
    return found


def _properties(archive: ZipFile) -> dict[str, str]:
    """Title, creator, created and modified, as far as the file says them."""
    try:
        root = ElementTree.fromstring(_part(archive, "docProps/core.xml"))
    except (KeyError, ElementTree.ParseError):
        return {}
    return {element.tag.rpartition("}")[2]: " ".join((element.text or "").split()) for element in root}


def _line(paragraph: ElementTree.Element) -> str:
    parts = []
    for element in paragraph.iter():
        if element.tag == f"{_WORD}t":
            parts.append(element.text or "")
        elif element.tag in (f"{_WORD}tab", f"{_WORD}br"):
            parts.append(" ")
    return " ".join("".join(parts).split())
