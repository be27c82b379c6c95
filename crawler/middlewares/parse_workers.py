"""Lets worker processes parse pages before the spider gets them."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any, Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from twisted.internet.task import LoopingCall

from crawler.clock import crawl_now
from crawler.download.answer_times import made_at
from crawler.meta import FAILURE_KEY
from crawler.middlewares.failures import NoAnswerError
from crawler.page_answers import content_type_of, has_page, is_readable, keep_page
from crawler.parse_workers.autoscale import SAMPLE_SECONDS, WorkerDemand, usable_cores
from crawler.parse_workers.deferred_free import DeferredFree
from crawler.parse_workers.frames import ParsedPage, ParseTask
from crawler.parse_workers.host_boilerplate import load_precleaned
from crawler.parse_workers.pool import ReaderPool, UnreadablePageError
from crawler.parse_workers.reads import READS, wanted
from crawler.parse_workers.values import unpack
from crawler.services import services_of
from extractors.documents import document_type
from extractors.feeds import is_feed
from extractors.links.urls import host_of
from extractors.page import Page
from extractors.records import RecordSet
from extractors.site_boilerplate import NOTHING_KNOWN
from pipelines.site_boilerplate import precleaned, site_memories_of
from pipelines.stores.base import StoreError

logger = logging.getLogger(__name__)
_MIN_BYTES_FOR_THREAD = 300_000
"""Larger results are unpacked in a thread."""
_MIN_OBJECTS_FREED_IN_STEPS = 2_000
"""Pages with more records, rows and links are freed step by step."""
_CALLBACKS = ("parse", "parse_part")
"""Callbacks of requests whose answers are parsed as pages."""


class ParseWorkersMiddleware:
    """Placed next to the spider, whose `page_of` then returns a parsed page.

    A page on which two processes die or hang fails, and is retried like an unanswered one.

    Args:
        workers: number of worker processes; None: by demand.
    """

    def __init__(self, crawler: Crawler, workers: int | None) -> None:
        settings, self._crawler = crawler.settings, crawler
        self._pool: ReaderPool | None = None
        self._demand = WorkerDemand(usable_cores())
        self._timer = LoopingCall(self._look)
        if workers:
            self._use(workers, "as asked for")
        self._failed_steps, self._rules = services_of(crawler).failed_steps, services_of(crawler).sites.rules
        self._pause = settings.getfloat("RETRY_DELAY")
        self._names = wanted(
            records=settings.getbool("DISCUSSION_ENABLED", True),
            markdown=settings.getbool("KEEP_MARKDOWN"),
            source=settings.getbool("KEEP_SOURCE", True),
            topic=bool(getattr(getattr(crawler.spider, "arguments", None), "topic", "")),
        )

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured if the crawl's own process parses the pages."""
        workers = getattr(getattr(crawler.spider, "arguments", None), "workers", 0)
        if workers == 0:
            raise NotConfigured
        middleware = cls(crawler, workers)
        if workers is None:
            crawler.signals.connect(middleware._opened, signal=signals.spider_opened)
        crawler.signals.connect(middleware._close, signal=signals.engine_stopped)
        return middleware

    def _opened(self) -> None:
        self._timer.start(SAMPLE_SECONDS, now=False)

    def _look(self) -> None:
        if workers := self._demand.workers():
            self._timer.stop()
            logger.info(
                "The crawl's process is busy and other cores are idle: %d worker processes parse pages", workers
            )
            self._use(workers, "since one core was busy")

    def _use(self, workers: int, reason: str) -> None:
        self._pool = ReaderPool(workers)
        if self._crawler.stats is not None:
            self._crawler.stats.set_value("reading/workers", workers)
            self._crawler.stats.set_value("reading/reason", reason)

    async def process_response(self, request: Request, response: Response) -> Response:
        if self._pool is None or not _is_page(request, response):
            return response
        now, host = crawl_now(), host_of(response.url)
        made = made_at(response, now)
        content_type, rules = content_type_of(response), self._rules(host)
        task = ParseTask(
            response.url,
            response.body,
            content_type,
            made.isoformat(),
            self._names,
            self._memory(host),
            (rules.name, rules.declared) if rules else (),
        )
        try:
            reading = await self._pool.read(task)
        except UnreadablePageError as error:
            request.meta[FAILURE_KEY] = (str(error), self._pause)
            raise NoAnswerError(str(error)) from None
        large = sum(map(len, reading.values.values())) > _MIN_BYTES_FOR_THREAD
        known = await asyncio.to_thread(_known, reading, host) if large else _known(reading, host)
        for step, said in reading.failures:
            self._failed_steps(step, response.url, RuntimeError(said))
        page = Page(
            task.body,
            task.url,
            content_type=content_type,
            fetched_at=now,
            made_at=made,
            on_failure=self._failed_steps,
            known=known,
            rules=rules,
        )
        keep_page(response, page)
        return response

    def _memory(self, host: str) -> bytes:
        """The memory of the host, for the process that removes its boilerplate from the page."""
        memories = site_memories_of(self._crawler)
        if memories is None:
            return b""
        try:
            return memories.of_host(host, services_of(self._crawler).store).to_bytes()
        except StoreError:
            return NOTHING_KNOWN.to_bytes()

    async def _close(self) -> None:
        if self._timer.running:
            self._timer.stop()
        if self._pool is not None:
            await self._pool.close()


def _known(reading: ParsedPage, host: str) -> dict[Any, Any]:
    """The parsed values by function; an invalid value is parsed again here."""
    known: dict[Any, Any] = {}
    many: list[Any] = []
    for name, packed in reading.values.items():
        try:
            known[READS[name]] = value = unpack(packed)
            many.extend(_elements(value))
        except (KeyError, ValueError, TypeError) as error:
            logger.warning("A worker process sent an invalid %s: %s", name, error)
    if reading.mended:
        try:
            known[precleaned] = new = load_precleaned(reading.mended, host)
            many.extend(element for value in new.changed.values() for element in _elements(value))
        except (KeyError, ValueError, TypeError) as error:
            logger.warning("A worker process sent an invalid page without boilerplate: %s", error)
    if len(many) > _MIN_OBJECTS_FREED_IN_STEPS:
        known[DeferredFree] = DeferredFree(many)
    return known


def _elements(value: Any) -> Sequence[Any]:
    """Records, rows or links."""
    elements = value.records if isinstance(value, RecordSet) else value
    return elements if isinstance(elements, tuple) else ()


def _is_page(request: Request, response: Response) -> bool:
    if response.status != 200 or getattr(request.callback, "__name__", "") not in _CALLBACKS or has_page(response):
        return False
    content_type = content_type_of(response)
    is_other = is_feed(response.body, content_type) or document_type(response.body, content_type, response.url)
    return is_readable(response) and not is_other
