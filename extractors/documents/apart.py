"""Reads a document in a separate process, which is killed after a time limit: a hostile file costs only itself."""

import json
from dataclasses import dataclass

from extractors.apart import ApartError, run_apart
from extractors.documents.document_content import Content
from extractors.documents.kinds import DocumentType


class DocumentError(Exception):
    """The document cannot be read; the message says why."""


@dataclass(frozen=True, slots=True)
class DocumentLimits:
    """Limits for a document: seconds, bytes of memory, pages and characters."""

    seconds: float = 20.0
    memory: int = 1_000_000_000
    pages: int = 300
    chars: int = 2_000_000


def read_apart(body: bytes, kind: DocumentType, limits: DocumentLimits) -> Content:
    """The document's content; DocumentError if it cannot be read within the limits. Blocks: call it in a thread."""
    arguments = [kind, str(limits.pages), str(limits.chars)]
    module = "extractors.documents.worker"
    try:
        return _content(run_apart(module, arguments, body, seconds=limits.seconds, memory=limits.memory))
    except ApartError as error:
        raise DocumentError(str(error)) from None


def _content(answer: bytes) -> Content:
    try:
        said = json.loads(answer)
    except ValueError:
        raise DocumentError("the reader gave no answer") from None
    if "error" in said:
        raise DocumentError(said["error"])
    return Content(**{**said, "paragraphs": tuple(map(_text, said["paragraphs"]))})


def _text(said: str) -> str:
    """Storable text: lone surrogates become U+FFFD."""
    return said.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
