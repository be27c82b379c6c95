"""Turns an answer into the item of a page and the requests of its links."""

import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any, Protocol

from scrapy import Request
from scrapy.http import Response
from scrapy.settings import BaseSettings

from crawler.links.article_parts import ArticleParts
from crawler.links.carried_links import carried_entries
from crawler.links.follower import LinkFollower
from crawler.links.page_head import CanonicalAddresses, feeds_of_page, refresh_of_page
from crawler.links.split_threads import ListActivity, ThreadListDiff, Threads, is_discussion, other_pages
from crawler.links.traps import has_own_text
from crawler.meta import ACTIVITY_KEY, DEPTH_KEY, FOUND_BY_KEY, LISTED_KEY, REFERRER_KEY, THREAD_KEY
from crawler.page_answers import RulesOf, content_type_of, has_page, is_readable, page_of, url_state
from crawler.strategies.base import LinkStrategy, PageVerdict
from extractors.links.find import forbids_following
from extractors.links.urls import canonical_url, url_key
from extractors.page import OnFailure, Page
from pipelines.dating import listed
from pipelines.items import Item, PageItem, RowsItem
from pipelines.stores.base import Condition, Store
from pipelines.stores.tables import LINKS, PAGES, URLS

logger = logging.getLogger(__name__)
Output = Request | Item
_KEPT_HEADERS = ("etag", "last-modified", "content-type")
_UNJUDGED = PageVerdict(reason="its relevance could not be computed")
"""A page that cannot be judged is kept."""


class PageCallbacks(Protocol):
    """The callbacks of a spider that reads pages. Stored frontiers hold the names, so they never change."""

    def parse(self, response: Response) -> Iterator[Output] | AsyncIterator[Output]:
        """Parse a page or a feed."""

    def parse_part(self, response: Response, state: dict[str, Any]) -> Iterator[Output]:
        """Parse a further page of an article."""

    def parse_feed(self, response: Response) -> AsyncIterator[Any]:
        """Parse a list."""

    def unreadable(self, response: Response, fault: str) -> RowsItem:
        """Say that a start page cannot be read."""


class PageReader:
    """Reads answers for all spiders.

    Args:
        callbacks: of the requests that it makes.
        stored: the open store, if there is one.
        settings: SITE_MAX_PARTS, SITE_MAX_THREAD_PAGES, DISCUSSION_ENABLED, KEEP_SOURCE and KEEP_MARKDOWN.
        on_failure: takes the errors of steps that fail on a page.
        mended: removes boilerplate of the site from a page.
        rules: of the site of a host, by which its pages are read.
    """

    def __init__(
        self,
        callbacks: PageCallbacks,
        strategy: LinkStrategy,
        follower: LinkFollower,
        stored: Callable[[], Store | None],
        settings: BaseSettings,
        on_failure: OnFailure | None = None,
        mended: Callable[[Page], Page] = lambda page: page,
        rules: RulesOf | None = None,
    ) -> None:
        self._on_failure, self._rules = on_failure, rules
        self._callbacks, self._strategy, self._follower, self._store = callbacks, strategy, follower, stored
        self._addresses = CanonicalAddresses()
        self._parts = ArticleParts(
            follower,
            callbacks.parse_part,
            settings.getint("SITE_MAX_PARTS"),
            mended=mended,
            keep_source=settings.getbool("KEEP_SOURCE", True),
            keep_markdown=settings.getbool("KEEP_MARKDOWN"),
        )
        self._joins_threads = settings.getbool("DISCUSSION_ENABLED", True)
        self._threads = Threads(stored, settings.getint("SITE_MAX_THREAD_PAGES"))
        self._lists = ThreadListDiff(stored)

    def read(self, response: Response) -> Iterator[Output]:
        """The item of a page and the requests of its links, or the row of a URL without a page."""
        if response.status != 200:
            yield from self._without_content(response)
            return
        if has_page(response) or is_readable(response):
            yield from self._read_page(response)
        else:
            yield self._unread(response)

    def _unread(self, response: Response) -> RowsItem:
        """The state of what is not a page."""
        kind = content_type_of(response)[:100]
        if response.meta.get(FOUND_BY_KEY) != "start":
            return url_state(response, "other", kind)
        return self._callbacks.unreadable(response, f"it is neither a page nor a list ({kind or 'no type'})")

    def item(self, response: Response) -> PageItem:
        """The item of a page whose links are not followed."""
        page = page_of(response, self._on_failure, self._rules)
        return self._judged(response, page)

    def read_part(self, response: Response, state: dict[str, Any]) -> Iterator[Output]:
        """Join the text of a further page to its article. Without a text of its own it is read as an ordinary page."""
        if response.url in state["urls"]:
            return
        page = page_of(response, self._on_failure, self._rules)
        text = page.article.text if response.status == 200 else ""
        if not text or text in state["texts"]:
            yield from self.read(response)
            return
        yield url_state(response, "part", state["first"])
        yield from self._parts.join(response, page, state)
        yield from self._links(self._item(response, page, PageVerdict()))

    def _read_page(self, response: Response) -> Iterator[Output]:
        page = page_of(response, self._on_failure, self._rules)
        item = self._judged(response, page)
        none: list[Request] = []
        further = page.attempt("threads", lambda: self._further_pages(item, response.meta.get(THREAD_KEY)), none)
        links = page.attempt("links", lambda: self._links(item), none)
        yield item
        yield from self._follower.learn(item, has_own_text(page), links)
        yield from self._announced(item)
        yield from page.attempt("carried links", lambda: self._carried(item), none)
        yield from further

    def _judged(self, response: Response, page: Page) -> PageItem:
        url = _url(response)
        return self._item(response, page, page.attempt("relevance", lambda: self._strategy.judge(url, page), _UNJUDGED))

    def _item(self, response: Response, page: Page, verdict: PageVerdict) -> PageItem:
        """The item of a page, which is wanted by the strategy or as a further page of a wanted thread."""
        meta, url = response.meta, _url(response)
        came = meta.get(THREAD_KEY)
        joins = self._joins_threads and (verdict.relevant or came)
        place = page.attempt("threads", lambda: self._threads.place(page, url, came), None) if joins else None
        address = self._addresses.of(page)
        listed, first_seen = self._known_sighting(address, page, meta.get(LISTED_KEY) or {})
        return PageItem(
            url=address,
            requested_url=url,
            status=response.status,
            page=page,
            links=page.links,
            depth=meta.get(DEPTH_KEY, 0),
            referrer=meta.get(REFERRER_KEY, ""),
            found_by=meta.get(FOUND_BY_KEY, "link"),
            activity=meta.get(ACTIVITY_KEY, ""),
            listed=listed,
            first_seen=first_seen,
            headers={name: (response.headers.get(name) or b"").decode("latin-1") for name in _KEPT_HEADERS},
            topic=verdict.topic,
            relevance=verdict.relevance,
            relevant=verdict.relevant or place is not None,
            reason=verdict.reason,
            lead=verdict.lead,
            part_of=place.first if place else "",
            part=place.part if place else 1,
            left_out=place.left_out if place else frozenset(),
        )

    def _known_sighting(self, address: str, page: Page, listed: Mapping[str, str]) -> tuple[Mapping[str, str], str]:
        """Facts that lists gave of a page, and when it was stored first: for a page that gives no time itself, the stored facts count."""
        store = self._store()
        if store is None or page.kind.is_list or page.article.published_by not in ("", "text"):
            return listed, ""
        where = [Condition("key", "=", url_key(address))]
        known = next(store.select(PAGES, where, columns=("listed", "first_seen")), None) or {}
        return known.get("listed") or listed, known.get("first_seen") or ""

    def _links(self, item: PageItem) -> list[Request]:
        if item.page.once(forbids_following):
            return []
        listed = self._lists.read(item) if self._joins_threads and item.relevant else ListActivity()
        self._follower.leave_out(listed.leave_out)
        return list(self._follower.requests(item, self._callbacks.parse, listed.activities))

    def _further_pages(self, item: PageItem, came: dict[str, Any] | None) -> list[Request]:
        """The request of the next page of a thread or article, if there is one."""
        if not self._joins_threads:
            return self._parts.second(item)
        if not item.relevant:
            return []
        if not is_discussion(item.page) and (part := self._parts.second(item)):
            return part
        self._follower.leave_out(other_pages(item))
        onward = self._threads.onward(item, came)
        if onward is None:
            return []
        address, state = onward
        return list(self._follower.part(address, self._callbacks.parse, item, state["pages"], {THREAD_KEY: state}))

    def _carried(self, item: PageItem) -> list[Request]:
        """Requests of the items of a list whose links scripts would make."""
        if has_own_text(item.page) and item.depth:
            return []
        shown = {each.url: listed(each.published, title=each.title) for each in item.page.once(carried_entries)}
        return list(self._follower.listed(list(shown), self._callbacks.parse, "link", shown))

    def _announced(self, item: PageItem) -> Iterator[Request]:
        """Requests of a start page's feeds, and of the target of an immediate refresh."""
        if item.depth == 0:
            for address in item.page.once(feeds_of_page):
                yield from self._follower.special(address, self._callbacks.parse_feed, item, "feed")
        if target := item.page.once(refresh_of_page):
            yield from self._follower.special(target, self._callbacks.parse, item, "refresh")

    def _without_content(self, response: Response) -> Iterator[Output]:
        """The row of a dead, unchanged or refused page; the links of an unchanged page are followed again."""
        if response.status == 304:
            known = self._stored_row(URLS, response) or {}
            is_part = known.get("state") == "part"
            yield url_state(response, "part", known["reason"]) if is_part else url_state(response, "unchanged")
            yield from self._follower.known(self._stored_links(response), response, self._callbacks.parse)
        elif response.status in (404, 410):
            yield url_state(response, "dead")
        else:
            yield url_state(response, "failed", f"HTTP {response.status}")

    def _stored_row(self, table: Any, response: Response) -> dict[str, Any] | None:
        store = self._store()
        return store.get(table, url_key(response.url)) if store is not None else None

    def _stored_links(self, response: Response) -> list[list[str]]:
        """The links stored by an earlier visit."""
        return (self._stored_row(LINKS, response) or {}).get("links") or []


def _url(response: Response) -> str:
    return canonical_url(response.url) or response.url
