"""The text of a presentation's slides in their order, its title, author and times. Runs only in the worker process."""

import io
from collections.abc import Iterator
from xml.etree import ElementTree
from zipfile import ZipFile

from extractors.documents.document_content import Content, declared_author, declared_title
from extractors.documents.office_zip import part_of, properties_of, targets_of

_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_SLIDES = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def read_pptx(body: bytes, max_pages: int, max_chars: int) -> Content:
    """The slides' content; ValueError, KeyError, ParseError or zipfile.BadZipFile for an unreadable file."""
    shown, left = list[str](), max_chars
    with ZipFile(io.BytesIO(body)) as archive:
        said, slides = properties_of(archive), _slides(archive)
        for slide in slides[:max_pages]:
            for line in _lines(part_of(archive, slide)):
                shown.append(line[:left])
                left -= len(shown[-1])
                if left <= 0:
                    break
            if left <= 0:
                break
    title = declared_title(said.get("title", "")) or declared_title(next(iter(shown), ""))
    author, times = declared_author(said.get("creator", "")), (said.get("created", ""), said.get("modified", ""))
    return Content(title, author, *times, tuple(shown), left <= 0 or len(slides) > max_pages)


def _slides(archive: ZipFile) -> list[str]:
    targets = targets_of(archive, "ppt", "presentation.xml")
    order = part_of(archive, "ppt/presentation.xml").iter(f"{_SLIDES}sldId")
    return [targets[key] for slide in order if (key := slide.get(_LINK, "")) in targets]


def _lines(slide: ElementTree.Element) -> Iterator[str]:
    for paragraph in slide.iter(f"{_DRAWING}p"):
        line = " ".join("".join(each.text or "" for each in paragraph.iter(f"{_DRAWING}t")).split())
        if line:
            yield line
