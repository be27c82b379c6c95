"""The lists of a watch that are read by a recipe or as JSON: their addresses, requests and items."""

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from typing import Any

from scrapy import Request
from scrapy.http import Response

from crawler.clock import crawl_now, crawl_time
from crawler.meta import FAILURE_KEY
from crawler.page_answers import content_type_of, is_readable
from crawler.sources.list_answers import ListReader
from crawler.sources.list_outputs import body_page, hot_list, next_page
from crawler.sources.source_catalog import SourceCatalog
from crawler.sources.source_requests import prepared
from crawler.spiders.base import CrawlSpider
from crawler.spiders.page_reader import Output
from crawler.watching.answers import Listing, VisitAnswer
from crawler.watching.reading import is_large_list, is_list
from crawler.watching.visits import PAGE_KINDS, WatchVisit
from crawler.watching.watch import Watch
from crawler.watching.watcher import Watcher
from extractors.feeds import Feed, looks_like_json
from extractors.links.urls import host_of
from pipelines.items import HotListItem, RowsItem

_GUEST_SECONDS = 3_600.0
"""For so long a guest's cookie is used before its page is visited again."""
Ways = tuple[Callable[..., Any], Callable[..., Any]]
"""Callback and errback."""


def watched_lists(catalog: SourceCatalog, names: tuple[str, ...], starts: tuple[str, ...]) -> dict[str, float]:
    """The addresses of these sources and of start pages that are those of a source, with the seconds between two visits at most."""
    named = catalog.first_addresses(catalog.named(names), crawl_now())
    given = (replace(address, url=url) for url in starts if (address := catalog.of(url)) is not None)
    return {address.url: address.source.every for address in (*named, *given)}


def is_described(visit: WatchVisit, response: Response, lists: ListReader) -> bool:
    """Whether an answer is a list that is read by a recipe or as JSON, or is nothing that lists items."""
    if not is_list(visit, response):
        return False
    is_none = not is_readable(response) and not is_large_list(visit, response) and visit.kind != "map"
    return (
        is_none or looks_like_json(response.body, content_type_of(response)) or lists.address_of(response) is not None
    )


async def see_described_list(
    spider: CrawlSpider, see: Callable[..., Iterator[Output]], watcher: Watcher, visit: WatchVisit, response: Response
) -> AsyncIterator[Output]:
    """Process a list that is read by a recipe, or as JSON; what cannot be read gets a sentence and a state.

    see: processes an answer.
    """
    answer = await spider.tools.lists.read(response)
    if answer.rows:
        yield RowsItem(list(answer.rows))
    if answer.feed is None:
        for row in _see_unreadable(spider, watcher, visit, response, answer.fault):
            yield row
        return
    further = next_page(response, answer)
    listing = Listing.of(answer.feed, further.url if further is not None else "")
    for output in see(visit, response, is_page=False, feed=listing):
        yield output
    for item in hot_list(response, answer):
        yield item
    for asked, made in _waiting_bodies(watcher.watch, visit, response, answer.feed):
        for output in see(asked, made, is_page=True):
            yield output


def unchanged_hot_list(visit: WatchVisit, response: Response, lists: ListReader) -> Iterator[HotListItem]:
    """The item of a visit that shows a hot list as it was; nothing for other answers."""
    if response.status == 304 and visit.kind not in PAGE_KINDS:
        address = lists.address_of(response)
        if address is not None and address.source.is_hot:
            yield HotListItem(address.source.name, response.url, crawl_now(), ())


def _see_unreadable(
    spider: CrawlSpider, watcher: Watcher, visit: WatchVisit, response: Response, fault: str
) -> Iterator[RowsItem]:
    watch = watcher.watch
    watch.answered(visit, VisitAnswer(200, unreadable=visit.kind != "more"), crawl_time())
    if (source := watch.sources.find(visit.source)) is not None and source.depth == 0:
        yield spider.unreadable(response, fault)
    if rows := watcher.changed(crawl_time()):
        yield RowsItem(rows)


def _waiting_bodies(
    watch: Watch, visit: WatchVisit, response: Response, feed: Feed
) -> Iterator[tuple[WatchVisit, Response]]:
    """The items whose text the list has and whose page the watch waits for, as answers to visits of their pages."""
    for entry in feed.entries:
        page = watch.waiting_page(entry.url) if entry.body else None
        if page is not None:
            asked = WatchVisit("page", entry.url, page.host, visit.source, listed=page.listed)
            made = body_page(entry, response)
            made.request = asked.request(_nothing, _nothing)
            yield asked, made


def _nothing(answer: object) -> None:
    """The request is never sent."""


class ListVisits:
    """Makes the requests of visits; for a list whose source needs a cookie, first that of the page which gives it.

    Args:
        ways: of all visits. guest_ways: of a page that gives a cookie.
    """

    def __init__(self, sources: SourceCatalog, ways: Ways, guest_ways: Ways) -> None:
        self._sources, self._ways, self._guest_ways = sources, ways, guest_ways
        self._given: dict[str, float] = {}

    def request(self, visit: WatchVisit) -> Request:
        """The request of a visit."""
        request = visit.request(*self._ways)
        address = None if visit.kind in ("robots", *PAGE_KINDS) else self._sources.of(visit.url)
        if address is None:
            return request
        first, now = address.source.visit_first, crawl_time()
        if not first or now - self._given.get(first, -_GUEST_SECONDS) < _GUEST_SECONDS:
            return prepared(request, replace(address, page=visit.level + 1))
        self._given[first] = now
        callback, errback = self._guest_ways
        return request.replace(url=first, callback=callback, errback=errback)

    def behind(self, request: Request) -> Request:
        """The request of the list for which this page that gives a cookie was requested."""
        request.meta.pop(FAILURE_KEY, None)
        visit = WatchVisit.of(request)
        return self.request(replace(visit, url=visit.source, host=host_of(visit.source)))
