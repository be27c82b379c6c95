"""A document as a page: its paragraphs are the main text, its kind is "document"; its links are the addresses in its text."""

import re
from datetime import datetime
from html import escape
from urllib.parse import unquote, urlsplit

import numpy as np

from extractors import article, records
from extractors.article.author_names import is_junk
from extractors.article.blocks import find_blocks
from extractors.article.body import Body, find_body
from extractors.article.kinds import PageKind, find_kind
from extractors.article.metadata import language_of
from extractors.article.published import declared_time
from extractors.article.zones import time_style
from extractors.documents.apart import DocumentLimits, read_apart
from extractors.documents.document_content import Content
from extractors.documents.kinds import APART, DocumentType
from extractors.html.document import Document, OnFailure, ParseLimits
from extractors.html.encoding import decode
from extractors.page import Page

_LINK = re.compile(r"https?://[\w./?=&%#~:+,;@!$()*\[\]-]{4,300}", re.A)
_MAX_TITLE_CHARS = 120


def read_document(body: bytes, kind: DocumentType, limits: DocumentLimits, content_type: str = "") -> Content:
    """The contents of a document; DocumentError if it cannot be read within the limits. Blocks: call it in a thread."""
    return read_apart(body, kind, limits) if kind in APART else read_text(body, limits, content_type)


def read_text(body: bytes, limits: DocumentLimits, content_type: str = "", charset: str = "") -> Content:
    """The content of a plain text: each line is a paragraph, the first is the title."""
    text = body.decode(charset, "replace") if charset else decode(body, content_type).text
    lines = [line for line in (raw.rstrip() for raw in text[: limits.chars].splitlines()) if line.strip()]
    first = " ".join(lines[0].split()).strip("=-#* ") if lines else ""
    title = first if 0 < len(first) <= _MAX_TITLE_CHARS else ""
    return Content(title=title, paragraphs=tuple(lines), is_cut=len(text) > limits.chars)


def document_page(
    body: bytes,
    url: str,
    content: Content,
    *,
    fetched_at: datetime | None = None,
    made_at: datetime | None = None,
    on_failure: OnFailure | None = None,
) -> Page:
    """The page of a document; `page.body` is the document as fetched."""
    limits, markup = ParseLimits(size=len(body)), _markup(content)
    page = Page(body, url, fetched_at=fetched_at, made_at=made_at, limits=limits, on_failure=on_failure, markup=markup)
    text = "\n".join(content.paragraphs)
    language = language_of(page, text) if text else ""
    zone = time_style(language).zone
    created = declared_time(page, [content.created], zone)
    found = article.Article(
        title=content.title or _name_of(url),
        text=text,
        author="" if is_junk(content.author) else content.author,
        published=created,
        published_by="declared" if created else "",
        modified=declared_time(page, [content.modified], zone),
        language=language,
        method="document",
        confidence=1.0 if text else 0.0,
    )
    return page.having_read(
        {
            article.extract: found,
            find_body: _whole(page),
            find_kind: PageKind("document", 1.0),
            records.extract: records.RecordSet("none"),
        }
    )


def _markup(content: Content) -> str:
    """The document as HTML, for extractors of blocks and links."""
    lines = "".join(f"<p>{_LINK.sub(_linked, escape(line))}</p>" for line in content.paragraphs)
    return f"<html><head><title>{escape(content.title)}</title></head><body><article>{lines}</article></body></html>"


def _linked(found: re.Match[str]) -> str:
    address = found[0].rstrip(".,;:!)]")
    return f'<a href="{address}">{address}</a>{found[0][len(address) :]}'


def _whole(page: Document) -> Body:
    blocks = find_blocks(page.columns)
    chosen = np.ones(len(blocks), np.bool_)
    return Body(blocks, chosen.astype(np.float32), chosen, ~chosen, np.zeros(0, np.float32))


def _name_of(url: str) -> str:
    """The name of the file in an address."""
    try:
        name = unquote(urlsplit(url).path.rpartition("/")[2])
    except ValueError:
        return ""
    return name.rpartition(".")[0] or name
