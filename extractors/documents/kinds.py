"""Which bytes are a document, by their beginning and by what the server says of them."""

import re
from typing import Literal, get_args

DocumentType = Literal["pdf", "text", "docx"]
DOCUMENT_TYPES: tuple[DocumentType, ...] = get_args(DocumentType)
APART: frozenset[DocumentType] = frozenset(("pdf", "docx"))
"""Types that are read in another process."""
_PDF_CHARS = 1_024
"""Within which a PDF says that it is one (ISO 32000-1, Annex H.3.4.1)."""
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_MARKUP = re.compile(rb"<(?:!doctype|html|head|body|title|meta|div|table|p|script|\?xml|rss|feed)\b", re.I)
_MARKUP_BYTES = 2_000


def document_type(body: bytes, content_type: str = "", url: str = "") -> DocumentType | None:
    """The type of a document; None for a page, and for what cannot be read.

    A page that is sent as plain text is a page.
    """
    if b"%PDF-" in body[:_PDF_CHARS]:
        return "pdf"
    said = content_type.partition(";")[0].strip().lower()
    if body.startswith(b"PK\x03\x04"):
        return "docx" if said == _WORD or url.partition("?")[0].lower().endswith(".docx") else None
    is_text = said == "text/plain" and b"\0" not in body[:_MARKUP_BYTES]
    return "text" if is_text and not _MARKUP.search(body[:_MARKUP_BYTES]) else None
