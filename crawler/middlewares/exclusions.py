"""Hosts excluded by operators in the console: running crawls stop requesting them."""

import asyncio
import time
from collections.abc import Callable
from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest

from crawler.services import services_of
from extractors.links.urls import host_of
from pipelines.stores.base import Store
from pipelines.stores.people_tables import EXCLUSIONS

REFRESH_SECONDS = 30.0
_MAX_HOSTS = 100_000


class ExclusionMiddleware:
    """Reads the table every half minute in a thread; only the first request waits for it."""

    def __init__(self, crawler: Crawler, clock: Callable[[], float] = time.monotonic) -> None:
        self._crawler = crawler
        self._clock = clock
        self._excluded: dict[str, str] = {}
        self._read_at = float("-inf")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        """Raises IgnoreRequest for an excluded host or a subdomain of one."""
        store = services_of(self._crawler).store
        if store is None:
            return
        if self._clock() - self._read_at >= REFRESH_SECONDS:
            self._read_at = self._clock()
            self._excluded = await asyncio.to_thread(_read, store)
        if self._excluded and (by := self._excluded_by(host_of(request.url))):
            raise IgnoreRequest(f"the host was excluded by {by}")

    def _excluded_by(self, host: str) -> str:
        while host:
            if by := self._excluded.get(host, ""):
                return by
            host = host.partition(".")[2]
        return ""


def _read(store: Store) -> dict[str, str]:
    """The excluded hosts, each with the operator's name."""
    return {row["host"]: row["by"] or "an operator" for row in store.select(EXCLUSIONS, limit=_MAX_HOSTS)}
