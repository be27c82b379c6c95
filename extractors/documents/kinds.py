"""Recognises documents by their first bytes and the server's headers."""

import re
from typing import Literal, get_args

DocumentType = Literal["pdf", "text", "docx", "pptx", "xlsx"]
DOCUMENT_TYPES: tuple[DocumentType, ...] = get_args(DocumentType)
APART: frozenset[DocumentType] = frozenset(("pdf", "docx", "pptx", "xlsx"))
"""Types that are read in a separate process."""
_PDF_CHARS = 1_024
"""First characters of a PDF that contain its signature (ISO 32000-1, Annex H.3.4.1)."""
_OFFICE: dict[str, DocumentType] = {
    "wordprocessingml.document": "docx",
    "presentationml.presentation": "pptx",
    "spreadsheetml.sheet": "xlsx",
}
_OFFICE_PREFIX = "application/vnd.openxmlformats-officedocument."
_MARKUP = re.compile(rb"<(?:!doctype|html|head|body|title|meta|div|table|p|script|\?xml|rss|feed)\b", re.I)
_MARKUP_BYTES = 2_000


def document_type(body: bytes, content_type: str = "", url: str = "") -> DocumentType | None:
    """The type of a document; None for an HTML page, and for unsupported types.

    An HTML page sent as plain text is a page.
    """
    if b"%PDF-" in body[:_PDF_CHARS]:
        return "pdf"
    said = content_type.partition(";")[0].strip().lower()
    if body.startswith(b"PK\x03\x04"):
        ending = url.partition("?")[0].lower()[-5:]
        return _OFFICE.get(said.removeprefix(_OFFICE_PREFIX)) or next(
            (kind for kind in _OFFICE.values() if ending == f".{kind}"), None
        )
    is_text = said == "text/plain" and b"\0" not in body[:_MARKUP_BYTES]
    return "text" if is_text and not _MARKUP.search(body[:_MARKUP_BYTES]) else None
