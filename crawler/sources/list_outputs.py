"""The output of a list that was read: requests of its items and of its next page, pages whose text it has, ranks."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.http import HtmlResponse, Response

from crawler.clock import crawl_now
from crawler.links.follower import Callback, LinkFollower
from crawler.meta import DEPTH_KEY, FOUND_BY_KEY, LISTED_KEY, REFERRER_KEY
from crawler.page_answers import keep_page
from crawler.sources.list_answers import ListAnswer
from crawler.sources.source_requests import SourceRequests
from extractors import article
from extractors.article.metadata import describe
from extractors.feeds import FeedEntry, body_lines
from extractors.page import Page
from pipelines.dating import listed
from pipelines.items import HotListItem, PageItem

if TYPE_CHECKING:
    from crawler.sources.list_addresses import ListAddress

logger = logging.getLogger(__name__)


class ListOutputs:
    """Makes the outputs of a list.

    Args:
        parse: callback of a page. item: the item of a page, from its answer.
    """

    def __init__(
        self,
        follower: LinkFollower,
        requests: SourceRequests,
        parse: Callback,
        item: Callable[[Response], PageItem],
    ) -> None:
        self._follower, self._requests, self._parse, self._item = follower, requests, parse, item

    def of(self, response: Response, answer: ListAnswer) -> Iterator[Request | PageItem | HotListItem]:
        """The outputs of a list that could be read. The items of a list that the operator has named are followed wherever they
        are; those of other lists in the scope of the crawl."""
        feed = answer.feed
        if feed is None:
            return
        yield from hot_list(response, answer)
        yield from (self._item(body_page(entry, response)) for entry in feed.entries if entry.body and entry.url)
        others = [entry for entry in feed.entries if not entry.body]
        is_start = response.meta.get(FOUND_BY_KEY) == "start" or answer.address is not None
        shown = {entry.url: listed(entry.published, title=entry.title) for entry in others if entry.url}
        yield from self._follower.listed(list(shown), self._parse, "feed", shown, anywhere=is_start)
        if (further := next_page(response, answer)) is not None:
            yield self._requests.of(further)


def next_page(response: Response, answer: ListAnswer) -> "ListAddress | None":
    """The next page of a source; None if there is none."""
    if answer.address is None or answer.feed is None:
        return None
    has_items = bool(answer.feed.entries)
    return answer.address.further(answer.feed.further, response.url, crawl_now(), has_items=has_items)


def hot_list(response: Response, answer: ListAnswer) -> Iterator[HotListItem]:
    """The item of a hot list; nothing for any other."""
    if answer.address is not None and answer.address.source.is_hot and answer.feed is not None and answer.feed.entries:
        yield HotListItem(answer.address.source.name, response.url, crawl_now(), answer.feed.entries)


def body_page(entry: FeedEntry, response: Response) -> Response:
    """An answer that has the text of a list's item, as if its page had been fetched; its page is read already."""
    text = "\n".join(body_lines(entry.body))
    title = entry.title or text[:80].partition("\n")[0]
    lines = "".join(f"<p>{escape(line)}</p>" for line in text.split("\n"))
    source = f"<html><head><title>{escape(title)}</title></head><body><h1>{escape(title)}</h1><article>{lines}</article></body></html>"
    meta: dict[str, Any] = {DEPTH_KEY: 1, FOUND_BY_KEY: "feed", REFERRER_KEY: response.url}
    if shown := listed(entry.published, title=title):
        meta[LISTED_KEY] = shown
    answer = HtmlResponse(entry.url, body=source.encode(), encoding="utf-8", request=Request(entry.url, meta=meta))
    page = Page(answer.body, entry.url, charset="utf-8", fetched_at=crawl_now())
    read = describe(page, text, "list", 1.0)
    summary = replace(read, title=title, author=entry.author, summary=entry.summary or read.summary, published="")
    keep_page(answer, page.having_read({article.extract: summary}))
    return answer
