"""Watching: what is new on some sites, within minutes, without end."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from typing import Any, Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider, IgnoreRequest
from scrapy.http import Response
from scrapy.settings import BaseSettings
from twisted.python.failure import Failure

from crawler.answers import url_row, url_state
from crawler.clock import clock_at_speed
from crawler.config.arguments import JOB, ArgumentError, SiteArguments, WatchArguments, watch_arguments
from crawler.frontier.opening import is_shared
from crawler.links.scope import Scope
from crawler.meta import FAILURE_KEY, FOUND_BY_KEY, GIVE_BACK_KEY, REFERRER_KEY, WATCH_KEY
from crawler.metasearch.site_proposals import LET_IN
from crawler.middlewares.failures import NoAnswerError
from crawler.spiders.base import CrawlSpider
from crawler.spiders.page_reader import Output
from crawler.strategies import make_strategy
from crawler.watching.answers import Answer, PageFacts
from crawler.watching.reading import answer_of
from crawler.watching.rows import WatchRows, from_meta, to_meta
from crawler.watching.status import live_lines
from crawler.watching.visits import Options, Visit
from crawler.watching.watch import Watch
from crawler.watching.wishes import Wishes
from extractors.documents import DocumentError, DocumentType
from extractors.links.urls import host_of, url_key
from pipelines.items import PageItem, RowsItem
from pipelines.storage import required_store
from pipelines.stores.base import Condition, Row, Table
from pipelines.stores.tables import PAGES, SITES, URLS, VERSIONS

logger = logging.getLogger(__name__)
_PAGES = ("page", "recheck", "backlog")
_PAUSE, _SHORTEST_PAUSE = 0.5, 0.02
"""Seconds between two looks whether a visit is due."""
_LOST_SECONDS = 600.0
"""After which a visit without any answer counts as failed."""
_SAVE_SECONDS = 60.0


def refuse_several_nodes(arguments: WatchArguments, settings: BaseSettings) -> None:
    """ArgumentError where a queue is shared: two nodes that plan the same visits would ask every source twice."""
    if is_shared(settings):
        raise ArgumentError(
            "A watch runs on one node, with a queue of its own: add -s FRONTIER=local. Its store may be shared."
        )


class WatchSpider(CrawlSpider):
    """`scrapy crawl watch -a sites=FILE`; the arguments are those of `crawler.config.arguments`."""

    name = "watch"
    check_arguments = staticmethod(watch_arguments)
    check_settings = staticmethod(refuse_several_nodes)
    _clock: Any

    def __init__(self, **given: str) -> None:
        self.asked = asked = watch_arguments(**given)
        limits = SiteArguments(asked.starts, (), 0, 0, asked.crawl, asked.topic)
        super().__init__(asked.crawl, Scope(list(asked.starts), []), limits, given.get(JOB, ""))
        self._under_way: dict[str, tuple[Visit, float]] = {}
        self._saved_at = 0.0

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **given: Any) -> Self:
        """Scrapy's way of making it; CloseSpider, said in a line, for a topic that cannot be used."""
        spider = super().from_crawler(crawler, *args, **given)
        try:
            strategy, topic = make_strategy(crawler, spider.asked.topic)
        except ValueError as error:
            logger.error("%s", error)
            raise CloseSpider("wrong_arguments") from error
        spider._starts = [*spider.asked.starts, *(topic.seeds if topic is not None else ())]
        spider.tools = spider.equip(crawler, strategy)
        spider._clock = clock_at_speed(crawler.settings.getfloat("WATCH_CLOCK_SPEED"))
        spider.watch = Watch(options_of(crawler.settings))
        spider.rows = WatchRows(spider.asked.crawl, spider.watch)
        return spider

    _starts: list[str]
    watch: Watch
    rows: WatchRows

    async def start(self) -> AsyncIterator[Request]:
        """Visits, one after the other, as the budget allows; without end."""
        self._open()
        while True:
            now = self._clock()
            while (visit := self.watch.next(now)) is not None:
                yield self._request(visit, now)
            self._keep(now)
            speed = self.settings.getfloat("WATCH_CLOCK_SPEED")
            await asyncio.sleep(min(_PAUSE, max(_SHORTEST_PAUSE, self.watch.budget.wait() / speed)))

    def _open(self) -> None:
        """The store is open now: go on with what an earlier run has learned."""
        store, now = required_store(self.crawler), self._clock()
        known = self.rows.load(store, now)
        self._homes = set() if self._starts else set(self._let_in())
        starts = self._starts or sorted(self._homes)
        if not starts and not known:
            self.count_refusal("There is nothing to watch: name sites, or let some in")
            raise CloseSpider("nothing_to_watch")
        for url in starts:
            self.scope.widen(url)
            self.watch.start(url, now)
        for source in self.watch.sources.rows:
            self.scope.widen(source.url)
        self._wishes = Wishes(self.asked.crawl, self.watch)
        logger.info("Watching %d sites; %d sources are known", len(self.watch.sources.sites), known)

    _wishes: Wishes
    _homes: set[str]

    def _join(self, now: float) -> None:
        """A watch of all sites that are let in takes those up that were let in since."""
        for url in set() if self._starts else set(self._let_in()) - self._homes:
            self._homes.add(url)
            self.scope.widen(url)
            self.watch.start(url, now)

    def _let_in(self) -> list[str]:
        rows = required_store(self.crawler).select(SITES, [Condition("state", "=", LET_IN)])
        return [row["home"] for row in rows if row["home"]]

    def _request(self, visit: Visit, now: float) -> Request:
        meta: dict[str, Any] = {WATCH_KEY: to_meta(visit), REFERRER_KEY: visit.source}
        meta[FOUND_BY_KEY] = "watch" if visit.kind in _PAGES else "start"
        if visit.kind == "recheck":
            meta["dont_redirect"] = True
        if visit.kind == "robots":
            meta["dont_obey_robotstxt"] = True
        self._under_way[visit.url] = visit, now
        return Request(
            visit.url, self.parse_visit, headers=visit.headers, errback=self.on_failure, meta=meta, dont_filter=True
        )

    def _keep(self, now: float) -> None:
        """What no answer will do: visits that were lost, what people wish, what was learned of all sites."""
        lost = [visit for visit, sent in self._under_way.values() if now - sent > _LOST_SECONDS]
        for visit in lost:
            self._answered(visit, Answer(0))
        if now - self._saved_at >= _SAVE_SECONDS:
            self._saved_at = now
            store = required_store(self.crawler)
            self._wishes.read(store, now)
            self._join(now)
            store.write([self.rows.common(now), *self.rows.changed(now)])
            self._report(now)

    def _report(self, now: float) -> None:
        if self.crawler.stats:
            for name, value in self.watch.figures(now).items():
                self.crawler.stats.set_value(f"watch/{name}", value)

    def progress(self) -> list[str]:
        """The live lines."""
        return live_lines(self.watch, self._clock()) if self.crawler.spider is not None else []

    # -- answers -------------------------------------------------------------------------------------------------------

    def parse_visit(self, response: Response) -> Iterator[Output] | AsyncIterator[Output]:
        """Any answer; documents are read off the event loop."""
        request = response.request
        assert request is not None
        visit = from_meta(self._address(request), host_of(self._address(request)), request.meta[WATCH_KEY])
        self.count_page(response)
        is_page = visit.kind in _PAGES and response.status == 200
        kind = self.tools.documents.type_of(response) if is_page else None
        return self._see_document(visit, response, kind) if kind else self._see(visit, response, is_page=is_page)

    async def _see_document(self, visit: Visit, response: Response, kind: DocumentType) -> AsyncIterator[Output]:
        """One that cannot be read is known from now on, without a text."""
        try:
            await self.tools.documents.read(response, kind)
        except DocumentError as error:
            self._answered(visit, Answer(response.status, page=PageFacts("")))
            yield url_state(response, "other", f"{kind}: {error}")
            return
        for output in self._see(visit, response, is_page=True):
            yield output

    def _see(self, visit: Visit, response: Response, *, is_page: bool) -> Iterator[Output]:
        item = self.tools.reader.item(response) if is_page else None
        answer = answer_of(visit, response, item, skipped=self.tools.documents.skipped)
        known = self._stored(item) if item is not None else None
        outcome = self._answered(visit, answer)
        if outcome == "gone":
            yield url_state(response, "dead", "gone")
        elif outcome in ("new", "changed") and item is not None:
            if outcome == "changed" and known and not item.part_of:
                yield RowsItem([_version(known, item)])
            yield item
        elif outcome == "same":
            yield url_state(response, "unchanged")
        if rows := self.rows.changed(self._clock()):
            yield RowsItem(rows)

    def on_failure(self, failure: Failure) -> Iterator[Output]:
        """There was no answer, or we refuse to ask: the watch decides when to ask again, not the queue."""
        request: Request = failure.request  # type: ignore[attr-defined]  # Scrapy sets it
        if request.meta.get(GIVE_BACK_KEY):
            return
        forbidden = isinstance(failure.value, IgnoreRequest) and not isinstance(failure.value, NoAnswerError)
        refused = forbidden and request.meta.get(FAILURE_KEY) is None
        request.meta.pop(FAILURE_KEY, None)
        address = self._address(request)
        self._answered(from_meta(address, host_of(address), request.meta[WATCH_KEY]), Answer(0, refused=refused))
        if refused:
            yield RowsItem([(URLS, url_row(address, "refused", str(failure.value)[:500]))])
        if rows := self.rows.changed(self._clock()):
            yield RowsItem(rows)

    def _answered(self, visit: Visit, answer: Answer) -> str:
        self._under_way.pop(visit.url, None)
        return self.watch.answered(visit, answer, self._clock())

    def _address(self, request: Request) -> str:
        """The address that the watch asked for, before redirects."""
        return str((request.meta.get("redirect_urls") or [request.url])[0])

    def _stored(self, item: PageItem) -> dict[str, Any] | None:
        return required_store(self.crawler).get(PAGES, url_key(item.url))


def options_of(settings: BaseSettings) -> Options:
    """The WATCH_ settings."""
    return Options(
        per_hour=settings.getfloat("WATCH_REQUESTS_PER_HOUR"),
        per_host=settings.getfloat("WATCH_HOST_REQUESTS_PER_HOUR"),
        most_per_host=settings.getfloat("WATCH_HOST_REQUESTS_MAX"),
        gap=settings.getfloat("WATCH_MIN_INTERVAL"),
        rechecks=settings.getfloat("WATCH_RECHECK_SHARE"),
        backlog=settings.getfloat("WATCH_BACKLOG_SHARE"),
    )


def _version(known: dict[str, Any], item: PageItem) -> tuple[Table, Row]:
    """The text that a correction replaces."""
    names = ("url", "title", "body", "content_hash", "fetched_at")
    replaced = item.page.fetched_at.isoformat(timespec="seconds")
    return VERSIONS, {"page": known["key"], "replaced_at": replaced} | {name: known[name] for name in names}
