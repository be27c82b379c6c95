"""Answers that are documents instead of HTML, read off the event loop."""

import asyncio

from scrapy.http import Response
from scrapy.settings import BaseSettings

from crawler.clock import crawl_now
from crawler.download.answer_times import made_at
from crawler.links.files import skipped_extensions
from crawler.page_answers import content_type_of, keep_page
from extractors.documents import (
    DOCUMENT_TYPES,
    DocumentLimits,
    DocumentType,
    document_page,
    document_type,
    read_document,
)
from extractors.page import OnFailure

_MAX_PARALLEL_DOCUMENTS = 2


class Documents:
    """Reads the wanted types of documents.

    Args:
        settings: DOCUMENT_TYPES and the limits DOCUMENT_….
        on_failure: takes the errors of steps that fail on a page.

    Attributes:
        skipped: filename extensions of files that are not read.

    Raises:
        ValueError: for an unknown type; the message names it.
    """

    def __init__(self, settings: BaseSettings, on_failure: OnFailure | None = None) -> None:
        self._types = wanted_types(settings)
        self.skipped = skipped_extensions(self._types)
        self._limits, self._on_failure = document_limits(settings), on_failure
        self._turn = asyncio.Semaphore(_MAX_PARALLEL_DOCUMENTS)

    def type_of(self, response: Response) -> DocumentType | None:
        """The type of an answer that is a wanted document."""
        kind = document_type(response.body, content_type_of(response), response.url)
        return kind if kind in self._types else None

    async def read(self, response: Response, kind: DocumentType) -> None:
        """Make the document the page of the answer; DocumentError if it cannot be read."""
        now = crawl_now()
        async with self._turn:
            content = await asyncio.to_thread(
                read_document, response.body, kind, self._limits, content_type_of(response)
            )
        page = document_page(
            response.body,
            response.url,
            content,
            fetched_at=now,
            made_at=made_at(response, now),
            on_failure=self._on_failure,
        )
        keep_page(response, page)


def wanted_types(settings: BaseSettings) -> frozenset[str]:
    """The types in DOCUMENT_TYPES; ValueError for an unknown one."""
    types = frozenset(name.strip().lower() for name in settings.getlist("DOCUMENT_TYPES") if name.strip())
    if unknown := types.difference(DOCUMENT_TYPES):
        raise ValueError(f"DOCUMENT_TYPES has {min(unknown)!r}; there are {', '.join(DOCUMENT_TYPES)}")
    return types


def document_limits(settings: BaseSettings) -> DocumentLimits:
    """The limits in the settings."""
    return DocumentLimits(
        settings.getfloat("DOCUMENT_TIMEOUT", 20.0),
        settings.getint("DOCUMENT_MEMORY_MAX", 1_000_000_000),
        settings.getint("DOCUMENT_MAX_PAGES", 300),
    )
