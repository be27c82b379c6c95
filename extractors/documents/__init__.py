"""Documents other than HTML: PDF, plain text, and Office files, read as pages of the kind "document"."""

from extractors.documents.apart import DocumentError, DocumentLimits, read_apart
from extractors.documents.document_content import Content
from extractors.documents.kinds import APART, DOCUMENT_TYPES, DocumentType, document_type
from extractors.documents.page import document_page, read_document

__all__ = [
    "APART",
    "DOCUMENT_TYPES",
    "Content",
    "DocumentError",
    "DocumentLimits",
    "DocumentType",
    "document_page",
    "document_type",
    "read_apart",
    "read_document",
]
