"""Continuous watching: fetches new pages of sites within minutes."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from functools import partial
from typing import Any, Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider, IgnoreRequest
from scrapy.http import Response
from twisted.python.failure import Failure

from crawler.clock import crawl_seconds, crawl_time
from crawler.config.arguments import JOB, SiteArguments, watch_arguments
from crawler.links.scope import Scope
from crawler.meta import FAILURE_KEY, GIVE_BACK_KEY, HUB_KEY
from crawler.middlewares.failures import NoAnswerError
from crawler.page_answers import request_of, url_row, url_state
from crawler.services import services_of
from crawler.spiders.base import CrawlSpider
from crawler.spiders.page_reader import Output
from crawler.spiders.watched_lists import (
    ListVisits,
    is_described,
    see_described_list,
    unchanged_hot_list,
    watched_lists,
)
from crawler.strategies import make_strategy
from crawler.watching.answers import Listing, PageFacts, VisitAnswer
from crawler.watching.lease_keeper import LeaseKeeper
from crawler.watching.pushing import check_websub
from crawler.watching.reading import answer_of, feed_of, is_large_list
from crawler.watching.rows import version_row
from crawler.watching.shift import WatchShift
from crawler.watching.status import figures, live_lines
from crawler.watching.visits import PAGE_KINDS, WatchVisit, options_of
from crawler.watching.watch import Watch
from crawler.watching.watcher import WatchPlan
from extractors.documents import DocumentError, DocumentType
from extractors.links.urls import url_key
from pipelines.items import RowsItem
from pipelines.storage import required_store
from pipelines.stores.base import StoreAwayError
from pipelines.stores.opening import open_store, store_address
from pipelines.stores.tables import PAGES, URLS

logger = logging.getLogger(__name__)
_PAUSE_SECONDS, _MIN_PAUSE_SECONDS = 0.5, 0.02
"""Seconds between two checks for a due visit."""
_MAX_SET_BACK_SECONDS = 60.0
"""If the clock is set back by more, the moments of a shift are useless."""
_MAX_SEARCHED_TERMS = 3
"""The first terms of the topic's file, which are tried in the search of each site."""


class WatchSpider(CrawlSpider):
    """`scrapy crawl watch -a sites=FILE`; the arguments are those of `crawler.config.arguments`.

    Of several processes with the same watch and store, one watches and the others are standbys. All state is in the store,
    so the frontier of each process is local and starts empty.
    """

    name = "watch"
    check_arguments = staticmethod(watch_arguments)
    check_settings = staticmethod(lambda arguments, settings: check_websub(settings))
    has_own_frontier = True

    def __init__(self, **given: str) -> None:
        self.asked = asked = watch_arguments(**given)
        limits = SiteArguments(asked.starts, (), 0, 0, asked.crawl, asked.topic)
        super().__init__(asked.crawl, Scope(list(asked.starts), []), limits, given.get(JOB, ""))
        self._shift: WatchShift | None = None
        self._looked_at = 0.0
        self._open = AsyncExitStack()

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **given: Any) -> Self:
        """Called by Scrapy. Raises CloseSpider with a one-line message for an unusable topic."""
        spider = super().from_crawler(crawler, *args, **given)
        try:
            strategy, topic = make_strategy(crawler, spider.asked.topic)
        except ValueError as error:
            logger.error("%s", error)
            raise CloseSpider("wrong_arguments") from error
        spider.tools = spider.equip(crawler, strategy)
        seeds = topic.seeds if topic is not None else ()
        words = tuple(term.word for term in topic.terms[:_MAX_SEARCHED_TERMS]) if topic is not None else ()
        catalog, ways = spider.tools.lists.sources, (spider.parse_visit, spider.on_failure)
        spider._visits = ListVisits(catalog, ways, (spider.parse_guest_visit, spider.on_guest_failure))
        starts = (*spider.asked.starts, *seeds)
        names = (*spider.asked.sources, *(topic.sources if topic is not None else ()))
        spider._plan = WatchPlan(
            spider.asked.crawl,
            starts,
            options_of(crawler.settings, words),
            spider.scope.widen,
            partial(watched_lists, catalog, names, starts),
            lambda url: catalog.of(url) is not None,
        )
        crawler.signals.connect(spider._item_refused, signals.item_error)
        for signal in (signals.item_scraped, signals.item_dropped):
            crawler.signals.connect(spider._item_ends, signal)
        return spider

    _plan: WatchPlan
    _visits: ListVisits

    # -- the lease -----------------------------------------------------------------------------------------------------

    async def start(self) -> AsyncIterator[Request]:
        """Endless sequence of visits within the budget, while this process holds the lease."""
        if self._plan.is_empty(required_store(self.crawler)):
            raise CloseSpider("nothing_to_watch")
        keeper = LeaseKeeper(await asyncio.to_thread(open_store, store_address(self.settings)), self._plan.crawl)
        self._open.push_async_callback(keeper.close)
        services_of(self.crawler).delays.append(keeper.reason_to_wait)
        while True:
            shift = await self._current_shift(keeper)
            for request in self._requests(shift, crawl_time()) if shift is not None else ():
                yield request
            if shift is not None and shift.watcher.watch.is_unreadable():
                raise CloseSpider("unreadable")
            await asyncio.sleep(_pause_after(shift))

    async def _current_shift(self, keeper: LeaseKeeper) -> WatchShift | None:
        """Begin a shift after gaining the lease; discard its state after another process gained the lease, and load it again
        after the clock was set back."""
        shift, before, self._looked_at = self._shift, self._looked_at, crawl_time()
        if shift is not None and self._looked_at < before - _MAX_SET_BACK_SECONDS:
            logger.warning(
                "The clock was set back by %.0f s; the watch goes on with what is stored", before - self._looked_at
            )
            await shift.store()
            await shift.close()
            shift = self._shift = None
        if shift is not None and shift.tenure != keeper.tenure:
            self._report(Watch(self._plan.options))
            self._shift = None
            await shift.close()
        elif shift is None and keeper.tenure:
            try:
                self._shift = await WatchShift.begin(keeper, self._plan, required_store(self.crawler), self.settings)
            except StoreAwayError as error:
                logger.warning("The state of the watch cannot be read: %s", error)
        return self._shift

    async def closed(self, reason: str) -> None:
        """Scrapy calls it when everything is stored."""
        if self._shift is not None:
            await self._shift.close()
        await self._open.aclose()

    # -- requests ------------------------------------------------------------------------------------------------------

    def _requests(self, shift: WatchShift, now: float) -> Iterator[Request]:
        while (visit := shift.watcher.watch.next(now)) is not None:
            yield self._visits.request(visit)
        if shift.pushes is not None:
            yield from shift.pushes.requests(self.parse_hub, self.on_hub_failure)
        if shift.watcher.keep(now):
            self._report(shift.watcher.watch)
            if shift.pushes is not None:
                shift.pushes.weigh()

    def parse_guest_visit(self, response: Response) -> Iterator[Request]:
        """Visit the list whose guest cookie this answer has set."""
        assert response.request is not None
        yield self._visits.behind(response.request)

    def on_guest_failure(self, failure: Failure) -> Iterator[Request]:
        """Visit the list without a cookie, which not all lists need."""
        yield self._visits.behind(request_of(failure))

    # -- hubs ----------------------------------------------------------------------------------------------------------

    def parse_hub(self, response: Response) -> None:
        """A hub's answer to a subscription."""
        self._note_hub(response.meta[HUB_KEY], response.status)

    def on_hub_failure(self, failure: Failure) -> None:
        """A hub did not answer."""
        request = request_of(failure)
        request.meta.pop(FAILURE_KEY, None)
        self._note_hub(request.meta[HUB_KEY], 0)

    def _note_hub(self, token: str, status: int) -> None:
        if self._shift is not None and self._shift.pushes is not None:
            self._shift.pushes.subscriptions.answered(token, status, crawl_time())

    # -- storing and reporting -----------------------------------------------------------------------------------------

    def _item_ends(self, item: Any) -> None:
        if self._shift is not None:
            self._shift.watcher.item_ends(item, crawl_time())

    def _item_refused(self, item: Any) -> None:
        if self._shift is not None:
            self._shift.watcher.writes.refused(item)

    def _report(self, watch: Watch) -> None:
        if self.crawler.stats:
            for name, value in figures(watch, crawl_time()).items():
                self.crawler.stats.set_value(f"watch/{name}", value)

    def progress(self) -> list[str]:
        """The live lines."""
        return [] if self._shift is None else live_lines(self._shift.watcher.watch, crawl_time())

    def delays(self) -> dict[str, tuple[int, float]]:
        """For metrics, by site: the number of new pages fetched, and the sum of their delays in seconds."""
        finds = {} if self._shift is None else self._shift.watcher.watch.finds
        return {site: (found.count, found.seconds) for site, found in finds.items()}

    # -- answers -------------------------------------------------------------------------------------------------------

    def parse_visit(self, response: Response) -> Iterator[Output] | AsyncIterator[Output]:
        """Process any answer; documents are read off the event loop. Without the lease it is ignored."""
        request, shift = response.request, self._shift
        assert request is not None
        self.count_page(response)
        if shift is None:
            return iter(())
        visit = WatchVisit.of(request)
        is_page = visit.kind in PAGE_KINDS and response.status == 200
        kind = self.tools.documents.type_of(response) if is_page else None
        if kind:
            return self._see_document(shift, visit, response, kind)
        if is_described(visit, response, self.tools.lists):
            return see_described_list(self, partial(self._see, shift), shift.watcher, visit, response)
        if is_large_list(visit, response):
            return self._see_large_list(shift, visit, response)
        return self._see(shift, visit, response, is_page=is_page)

    async def _see_large_list(self, shift: WatchShift, visit: WatchVisit, response: Response) -> AsyncIterator[Output]:
        """Process what may be a large feed, which is read beside the event loop."""
        feed = await feed_of(response)
        for output in self._see(shift, visit, response, is_page=False, feed=feed):
            yield output

    async def _see_document(
        self, shift: WatchShift, visit: WatchVisit, response: Response, kind: DocumentType
    ) -> AsyncIterator[Output]:
        """Process a document; an unreadable one becomes known without a text."""
        try:
            await self.tools.documents.read(response, kind)
        except DocumentError as error:
            shift.watcher.watch.answered(visit, VisitAnswer(response.status, page=PageFacts("")), crawl_time())
            yield url_state(response, "other", f"{kind}: {error}")
            return
        for output in self._see(shift, visit, response, is_page=True):
            yield output

    def _see(
        self, shift: WatchShift, visit: WatchVisit, response: Response, *, is_page: bool, feed: Listing | None = None
    ) -> Iterator[Output]:
        watcher, item = shift.watcher, self.tools.reader.item(response) if is_page else None
        answer = answer_of(visit, response, item, skipped=self.tools.documents.skipped, feed=feed)
        known = None if item is None else required_store(self.crawler).get(PAGES, url_key(item.url))
        outcome = watcher.watch.answered(visit, answer, crawl_time())
        if shift.pushes is not None and answer.listing is not None:
            shift.pushes.listed(visit.source, answer.listing.hub, answer.listing.topic)
        if outcome == "gone":
            yield url_state(response, "dead", "gone")
        elif outcome in ("new", "changed") and item is not None:
            if outcome == "changed" and known and not item.part_of:
                yield RowsItem([version_row(known, item)])
            watcher.writes.page_begins(item, visit.url)
            yield item
        elif outcome == "same":
            yield url_state(response, "unchanged")
        yield from unchanged_hot_list(visit, response, self.tools.lists)
        if rows := watcher.changed(crawl_time()):
            yield RowsItem(rows)

    def on_failure(self, failure: Failure) -> Iterator[Output]:
        """Report a failed or refused request to the watch, which decides on retries instead of the queue."""
        request, shift = request_of(failure), self._shift
        if request.meta.get(GIVE_BACK_KEY) or shift is None:
            return
        forbidden = isinstance(failure.value, IgnoreRequest) and not isinstance(failure.value, NoAnswerError)
        refused = forbidden and request.meta.get(FAILURE_KEY) is None
        request.meta.pop(FAILURE_KEY, None)
        visit = WatchVisit.of(request)
        shift.watcher.watch.answered(visit, VisitAnswer(0, refused=refused), crawl_time())
        if refused:
            yield RowsItem([(URLS, url_row(visit.url, "refused", str(failure.value)[:500]))])
        if rows := shift.watcher.changed(crawl_time()):
            yield RowsItem(rows)


def _pause_after(shift: WatchShift | None) -> float:
    """Seconds until the next check for a due visit."""
    wait = _PAUSE_SECONDS if shift is None else shift.watcher.watch.budget.wait() / crawl_seconds(1.0)
    return min(_PAUSE_SECONDS, max(_MIN_PAUSE_SECONDS, wait))
