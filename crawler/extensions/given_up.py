"""URLs whose last attempt failed are marked in the URL table."""

from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler

from crawler.answers import url_row
from crawler.frontier.acknowledging import given_up
from crawler.services import services_of
from extractors.links.urls import canonical_url
from pipelines.stores.tables import URLS


class GivenUp:
    """Listens to the scheduler."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way of making it."""
        extension = cls(crawler)
        crawler.signals.connect(extension._mark, signal=given_up)
        return extension

    def _mark(self, request: Request, reason: str) -> None:
        storage = services_of(self._crawler).storage
        if storage is not None and storage.is_open and storage.store is not None:
            storage.store.upsert(URLS, [url_row(canonical_url(request.url) or request.url, "failed", reason)])
