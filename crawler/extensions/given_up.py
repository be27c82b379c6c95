"""URLs whose last attempt failed, and those whose host refuses, are marked in the URL table."""

from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler

from crawler.answers import url_row
from crawler.frontier.acknowledging import given_up, refused
from crawler.services import services_of
from extractors.links.urls import canonical_url, url_key
from pipelines.stores.tables import URLS


class GivenUp:
    """Listens to the scheduler."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls(crawler)
        crawler.signals.connect(extension._mark, signal=given_up)
        crawler.signals.connect(extension._mark_unknown, signal=refused)
        return extension

    def _mark_unknown(self, request: Request, reason: str) -> None:
        """A URL that was fetched before keeps its row; the request is tried again."""
        storage = services_of(self._crawler).storage
        store = storage.store if storage is not None and storage.is_open else None
        if store is not None and store.get(URLS, url_key(request.url)) is None:
            self._mark(request, reason)

    def _mark(self, request: Request, reason: str) -> None:
        storage = services_of(self._crawler).storage
        if storage is not None and storage.is_open and storage.store is not None:
            storage.store.upsert(URLS, [url_row(canonical_url(request.url) or request.url, "failed", reason)])
