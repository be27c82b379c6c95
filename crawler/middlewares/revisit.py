"""What is known of a URL from earlier runs: the dead are not asked again, the others only for what has changed."""

from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest

from crawler.meta import LOGIN_KEY
from crawler.services import services_of
from extractors.links.urls import url_key
from pipelines.stores.tables import URLS


class RevisitMiddleware:
    """Looks each page up in the URL table, unless the table was empty when the crawl began."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._known: bool | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Raises IgnoreRequest for a dead URL; asks conditionally for a known one."""
        storage = services_of(self._crawler).storage
        if storage is None or storage.store is None or request.method != "GET" or LOGIN_KEY in request.meta:
            return
        if self._known is None:
            self._known = next(storage.store.select(URLS, limit=1), None) is not None
        row = storage.store.get(URLS, url_key(request.url)) if self._known else None
        if row is None:
            return
        if row["state"] == "dead":
            raise IgnoreRequest(f"{request.url} was dead before ({row['status']})")
        if row["etag"]:
            request.headers.setdefault("If-None-Match", row["etag"])
        if row["last_modified"]:
            request.headers.setdefault("If-Modified-Since", row["last_modified"])
