"""Watching: what is new on some sites, within minutes, without end."""

import asyncio
import logging
from collections.abc import AsyncIterator, Collection, Iterator
from typing import TYPE_CHECKING, Any, Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider, IgnoreRequest
from scrapy.http import Response
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.python.failure import Failure

from crawler.answers import request_of, url_row, url_state
from crawler.clock import crawl_seconds, crawl_time, set_speed
from crawler.config.arguments import JOB, SiteArguments, watch_arguments
from crawler.links.scope import Scope
from crawler.meta import FAILURE_KEY, FOUND_BY_KEY, GIVE_BACK_KEY, HUB_KEY, REFERRER_KEY, WATCH_KEY
from crawler.metasearch.site_proposals import LET_IN
from crawler.middlewares.failures import NoAnswerError
from crawler.spiders.base import CrawlSpider
from crawler.spiders.page_reader import Output
from crawler.strategies import make_strategy
from crawler.watching.answers import Answer, PageFacts
from crawler.watching.beats import Beats, open_nodes
from crawler.watching.holding import Holding
from crawler.watching.pushing import Pushes, check_websub, listen
from crawler.watching.reading import answer_of
from crawler.watching.rows import WatchRows, from_meta, to_meta, version_row
from crawler.watching.slots import slot_of
from crawler.watching.status import figures, live_lines
from crawler.watching.visits import Visit, options_of
from crawler.watching.watch import Watch
from crawler.watching.wishes import Wishes
from crawler.watching.writes import Writes
from extractors.documents import DocumentError, DocumentType
from extractors.links.urls import host_of, url_key
from pipelines.items import RowsItem
from pipelines.storage import required_store
from pipelines.stores.base import Condition, Store, StoreAwayError
from pipelines.stores.tables import PAGES, SITES, URLS, WATCH_SOURCES

if TYPE_CHECKING:
    from crawler.watching.websub_listener import Listener

logger = logging.getLogger(__name__)
_PAGES = ("page", "recheck", "backlog")
_PAUSE, _SHORTEST_PAUSE = 0.5, 0.02
"""Seconds between two looks whether a visit is due."""
_LOST_SECONDS = 600.0
"""Of the process, after which a visit without any answer counts as failed."""
_SAVE_SECONDS = 60.0
_SEARCHED = 3
"""Terms of the topic, the first of its file, for which the search of each site is tried."""


class WatchSpider(CrawlSpider):
    """`scrapy crawl watch -a sites=FILE`; the arguments are those of `crawler.config.arguments`."""

    name = "watch"
    check_arguments = staticmethod(watch_arguments)
    check_settings = staticmethod(lambda arguments, settings: check_websub(settings))
    divides_sites = True

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
        set_speed(crawler.settings.getfloat("WATCH_CLOCK_SPEED", 1.0))
        words = tuple(term.word for term in topic.terms[:_SEARCHED]) if topic is not None else ()
        spider.watch = Watch(options_of(crawler.settings, words))
        spider.rows = WatchRows(spider.asked.crawl, spider.watch)
        per_hour = spider.watch.options.per_hour
        spider._holding = Holding(spider.watch, spider.rows, open_nodes(crawler), per_hour, spider._begin)
        spider._beats = Beats(spider._holding)
        spider._writes = Writes(spider.rows, spider.watch.pages)
        crawler.signals.connect(spider._writes.refused, signals.item_error)
        for signal in (signals.item_scraped, signals.item_dropped):
            crawler.signals.connect(spider._page_stored, signal)
        if address := crawler.settings["WATCH_WEBSUB_ADDRESS"]:
            spider._pushes = Pushes(address, spider.watch, crawl_time)
        return spider

    _starts: list[str]
    watch: Watch
    rows: WatchRows
    _holding: Holding
    _beats: Beats
    _writes: Writes
    _pushes: Pushes | None = None
    _listener: "Listener | None" = None

    async def start(self) -> AsyncIterator[Request]:
        """Visits, one after the other, as the budget allows; without end."""
        self._open()
        while True:
            now = crawl_time()
            asked = {visit.source for visit, _ in self._under_way.values()}
            self._beats.turn(required_store(self.crawler), asked, now)
            while self._holding.may_ask() and (visit := self.watch.next(now)) is not None:
                yield self._request(visit, now)
            for request in self._pushes.requests(self.parse_hub, self.on_hub_failure) if self._pushes else ():
                yield request
            self._keep(now)
            speed = self.settings.getfloat("WATCH_CLOCK_SPEED")
            await asyncio.sleep(min(_PAUSE, max(_SHORTEST_PAUSE, self.watch.budget.wait() / speed)))

    def _open(self) -> None:
        """The store is open now: go on with what an earlier run has learned."""
        store = required_store(self.crawler)
        self._homes = set(self._starts or self._let_in())
        known_ones = store.select(WATCH_SOURCES, [Condition("crawl", "=", self.asked.crawl)], limit=1)
        if not self._homes and not any(known_ones):
            raise CloseSpider("nothing_to_watch")
        known = self._holding.open(store, crawl_time())
        self._wishes = Wishes(self.asked.crawl, self.watch, self._holding.owns)
        self._listener = listen(self.settings["WATCH_WEBSUB_LISTEN"], self._pushes)
        self._pushes = self._pushes if self._listener is not None else None
        logger.info("Watching %d sites; %d sources are known", len(self.watch.sources.sites), known)

    def parse_hub(self, response: Response) -> None:
        """A hub's answer to a subscription."""
        self._note_hub(response.meta[HUB_KEY], response.status)

    def on_hub_failure(self, failure: Failure) -> None:
        """A hub did not answer."""
        request = request_of(failure)
        request.meta.pop(FAILURE_KEY, None)
        self._note_hub(request.meta[HUB_KEY], 0)

    def _note_hub(self, token: str, status: int) -> None:
        if self._pushes is not None:
            self._pushes.subscriptions.answered(token, status, crawl_time())

    _wishes: Wishes
    _homes: set[str]

    def _begin(self, slots: Collection[int], now: float) -> None:
        """These slots are this node's from now on."""
        for source in self.watch.sources.rows:
            self.scope.widen(source.url)
        for url in sorted(self._homes):
            if slot_of(url) in slots:
                self._watch_site(url, now)

    def _watch_site(self, url: str, now: float) -> None:
        self.scope.widen(url)
        self.watch.start(url, now)

    def _join(self, now: float) -> None:
        """A watch of all sites that are let in takes those up that were let in since."""
        for url in set() if self._starts else set(self._let_in()) - self._homes:
            self._homes.add(url)
            if self._holding.owns(url):
                self._watch_site(url, now)

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
        lost = [visit for visit, sent in self._under_way.values() if now - sent > crawl_seconds(_LOST_SECONDS)]
        for visit in lost:
            self._answered(visit, Answer(0))
        self._writes.settle()
        if now - self._saved_at >= _SAVE_SECONDS:
            self._saved_at = now
            try:
                self._exchange(required_store(self.crawler), now)
            except StoreAwayError as error:  # the next minute has it all: nothing was marked as stored
                logger.warning("What the watch has learned is stored later: %s", error)
            if self._pushes is not None:
                self._pushes.weigh()
            self._report(now)

    def _exchange(self, store: Store, now: float) -> None:
        """Read what people and other nodes wrote, write what was learned; StoreAwayError if the store cannot be read."""
        self._wishes.read(store, now)
        self._join(now)
        common = self.rows.common(store, now)
        self._writes.begin(store, [common, *self.rows.changed(now)])

    def _page_stored(self, item: Any) -> None:
        if self._writes.page_ends(item):
            self._writes.begin(required_store(self.crawler), self.rows.changed(crawl_time()))

    def _report(self, now: float) -> None:
        if self.crawler.stats:
            for name, value in figures(self.watch, now).items():
                self.crawler.stats.set_value(f"watch/{name}", value)

    def progress(self) -> list[str]:
        """The live lines."""
        return live_lines(self.watch, crawl_time()) if self.crawler.spider is not None else []

    def delays(self) -> dict[str, tuple[int, float]]:
        """For metrics: of each site the new pages that were fetched, and the sum of their delays (seconds)."""
        return {site: (found.count, found.seconds) for site, found in self.watch.finds.items()}

    async def closed(self, reason: str) -> None:
        """Scrapy calls it when everything is stored."""
        if self._listener is not None:
            await maybe_deferred_to_future(self._listener.close())
        await self._beats.end()

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
        known = None if item is None else required_store(self.crawler).get(PAGES, url_key(item.url))
        outcome = self._answered(visit, answer)
        if self._pushes is not None and answer.listing is not None:
            self._pushes.listed(visit.source, answer.listing.hub, answer.listing.topic)
        if outcome == "gone":
            yield url_state(response, "dead", "gone")
        elif outcome in ("new", "changed") and item is not None:
            if outcome == "changed" and known and not item.part_of:
                yield RowsItem([version_row(known, item)])
            self._writes.page_begins(item, visit.url)
            yield item
        elif outcome == "same":
            yield url_state(response, "unchanged")
        if rows := self.rows.changed(crawl_time()):
            yield RowsItem(rows)

    def on_failure(self, failure: Failure) -> Iterator[Output]:
        """There was no answer, or we refuse to ask: the watch decides when to ask again, not the queue."""
        request = request_of(failure)
        if request.meta.get(GIVE_BACK_KEY):
            return
        forbidden = isinstance(failure.value, IgnoreRequest) and not isinstance(failure.value, NoAnswerError)
        refused = forbidden and request.meta.get(FAILURE_KEY) is None
        request.meta.pop(FAILURE_KEY, None)
        address = self._address(request)
        self._answered(from_meta(address, host_of(address), request.meta[WATCH_KEY]), Answer(0, refused=refused))
        if refused:
            yield RowsItem([(URLS, url_row(address, "refused", str(failure.value)[:500]))])
        if rows := self.rows.changed(crawl_time()):
            yield RowsItem(rows)

    def _answered(self, visit: Visit, answer: Answer) -> str:
        self._under_way.pop(visit.url, None)
        return self.watch.answered(visit, answer, crawl_time())

    def _address(self, request: Request) -> str:
        """The address that the watch asked for, before redirects."""
        return str((request.meta.get("redirect_urls") or [request.url])[0])
