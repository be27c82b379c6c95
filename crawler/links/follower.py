"""Turns a page's links into requests: in scope, not traps, not pushed before, in order of their score."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from scrapy import Request
from scrapy.http import Response

from crawler.links.domain_shares import DomainShares
from crawler.links.files import NO_PAGE_EXTENSIONS
from crawler.links.scope import Scope
from crawler.links.traps import PatternYields, is_growing
from crawler.meta import ACTIVITY_KEY, DEPTH_KEY, FOUND_BY_KEY, LISTED_KEY, PROMOTE_KEY, REFERRER_KEY
from crawler.priorities import START_SCORE, priority_of
from crawler.strategies.base import LinkStrategy
from extractors.links.urls import host_of
from pipelines.items import PageItem

Callback = Callable[..., Any]
_NONE: Mapping[str, Any] = MappingProxyType({})
_MAX_PUSHED = 20_000
_FETCHED_PRIORITY = 1 << 60
_MAX_FULL_SCORE_PAGES = 10
"""Pages of a thread after which further ones score no more than the best links."""
_MIN_RISE = 0.05
"""Minimum gain in score that raises the priority of a queued request."""


class LinkFollower:
    """Creates the requests of a crawl of sites.

    Caches recently pushed addresses, so that the many links that every page of a site repeats cost one look-up. The
    frontier knows all of them.

    Args:
        yields: the yield of each address pattern.
        depth: links from a start page. per_host: pages of one host.
        skipped: filename extensions that are not followed.
    """

    def __init__(
        self,
        scope: Scope,
        strategy: LinkStrategy,
        yields: PatternYields,
        *,
        depth: int,
        per_host: int,
        skipped: tuple[str, ...] = NO_PAGE_EXTENSIONS,
    ) -> None:
        self._scope = scope
        self._skipped = skipped
        self._strategy = strategy
        self._depth = depth
        self._per_host = per_host
        self._pushed: OrderedDict[str, int] = OrderedDict()
        self._by_host: dict[str, int] = {}
        self._yields = yields
        self._shares = DomainShares()

    def requests(self, item: PageItem, callback: Callback, activities: Mapping[str, str] = _NONE) -> Iterator[Request]:
        """The links of a page that are worth following.

        `activities` has the page's activity stamps of linked threads.
        """
        if item.depth >= self._depth:
            return
        links = [link for link in item.links if self._considered(link.url)]
        rise = _MIN_RISE * self._strategy.scale
        for link, score in zip(links, self._strategy.score(item, links), strict=True):
            waiting = self._pushed.get(link.url)
            if waiting is not None and priority_of(score, self._strategy.scale) <= waiting + rise:
                continue
            meta = {DEPTH_KEY: item.depth + 1, REFERRER_KEY: item.url}
            if activity := activities.get(link.url):
                meta[ACTIVITY_KEY] = activity
            priority = self._priority(link.url, score)
            if waiting is None:
                yield self._request(link.url, callback, priority, meta)
            elif priority > waiting + rise:
                yield self._moved_up(link.url, callback, priority, meta)

    def _moved_up(self, url: str, callback: Callback, priority: int, meta: dict[str, Any]) -> Request:
        """A request that only raises the priority of the queued one."""
        self._pushed[url] = priority
        return Request(url, callback, priority=priority, meta=meta | {PROMOTE_KEY: True})

    def start(
        self, url: str, callback: Callback, meta: dict[str, Any], *, again: bool = False, **arguments: Any
    ) -> Request:
        """A request for a start page, in scope or not; `again`: even if it was requested before."""
        self._shares.choose(url)
        priority = priority_of(self._strategy.start_score, self._strategy.scale)
        return Request(url, callback, priority=priority, meta=meta, cb_kwargs=arguments, dont_filter=again)

    def holds(self, url: str) -> bool:
        return self._scope.holds(url)

    def known(self, links: Sequence[Sequence[str]], response: Response, callback: Callback) -> Iterator[Request]:
        """The stored links of a page that has not changed."""
        meta = {DEPTH_KEY: response.meta.get(DEPTH_KEY, 0) + 1, REFERRER_KEY: response.url}
        fresh = [url for url, _ in links if url not in self._pushed and self._wanted(url)]
        for url, score in zip(fresh, self._strategy.score_listed(fresh), strict=True):
            yield self._request(url, callback, self._priority(url, score), meta)

    def listed(
        self,
        urls: Iterable[str],
        callback: Callback,
        found_by: str,
        shown: Mapping[str, Mapping[str, str]] = _NONE,
        *,
        anywhere: bool = False,
    ) -> Iterator[Request]:
        """Requests of these canonical addresses; `shown`: what the list shows of some of them, see `pipelines.dating`. anywhere:
        also outside the scope."""
        fresh = [url for url in urls if url not in self._pushed and self._wanted(url, anywhere=anywhere)]
        for url, score in zip(fresh, self._strategy.score_listed(fresh), strict=True):
            meta: dict[str, Any] = {DEPTH_KEY: 1, FOUND_BY_KEY: found_by}
            if shown.get(url):
                meta[LISTED_KEY] = dict(shown[url])
            yield self._request(url, callback, self._priority(url, score), meta)

    def special(
        self, url: str, callback: Callback, item: PageItem | None, found_by: str, **arguments: Any
    ) -> Iterator[Request]:
        """Sitemaps, feeds and refreshes, with the highest score."""
        if self._scope.holds(url) and url not in self._pushed:
            meta = {DEPTH_KEY: item.depth + 1 if item else 0, FOUND_BY_KEY: found_by}
            yield self._request(url, callback, self._priority(url, START_SCORE), meta, **arguments)

    def part(
        self, url: str, callback: Callback, item: PageItem, pages: int, meta: Mapping[str, Any]
    ) -> Iterator[Request]:
        """The next page of an article or thread, at the same depth; its score falls with the number of pages before it.

        The frontier drops it if it was fetched before.
        """
        if self._scope.holds(url) and not is_growing(url):
            known = {DEPTH_KEY: item.depth, REFERRER_KEY: item.url, FOUND_BY_KEY: "part"}
            priority = self._priority(url, START_SCORE / (1 + pages / _MAX_FULL_SCORE_PAGES))
            yield self._request(url, callback, priority, {**known, **meta})

    def leave_out(self, urls: Iterable[str]) -> None:
        """Skip these addresses, which are fetched in another way."""
        self._pushed.update(dict.fromkeys(urls, _FETCHED_PRIORITY))

    def learn(self, item: PageItem, has_text: bool, links: Sequence[Request]) -> list[Request]:
        """Note a page that was read: whether it has its own text, and the requests of its links.

        Returns the requests worth sending. A target linked only from useless pages is dropped if its pattern is barren, also
        later, while it is queued; targets of useful pages are never dropped.
        """
        self._shares.learn(item)
        if item.requested_url in self._pushed:
            self._pushed[item.requested_url] = _FETCHED_PRIORITY
        new = (request.url for request in links if PROMOTE_KEY not in request.meta)
        if self._yields.add(item.requested_url, has_text, new, of_use=bool(item.part_of)) is not False:
            self._yields.vouch(link.url for link in item.links)
            return list(links)
        return [request for request in links if PROMOTE_KEY in request.meta or self._may_lead_on(request.url)]

    def _may_lead_on(self, url: str) -> bool:
        self._yields.suspect(url)
        if is_trap := self._yields.is_trap(url):
            self._pushed.pop(url, None)  # a useful page may still link to it
        return not is_trap

    def _considered(self, url: str) -> bool:
        waiting = self._pushed.get(url)
        if waiting is None:
            return self._wanted(url)
        return self._strategy.promotes and waiting < _FETCHED_PRIORITY

    def _wanted(self, url: str, *, anywhere: bool = False) -> bool:
        if not (anywhere or self._scope.holds(url)) or is_growing(url):
            return False
        is_page = not url.split("?", 1)[0].lower().endswith(self._skipped)
        return is_page and self._by_host.get(host_of(url), 0) < self._per_host

    def _priority(self, url: str, score: float) -> int:
        return self._shares.share(url, priority_of(score, self._strategy.scale))

    def _request(self, url: str, callback: Callback, priority: int, meta: dict[str, Any], **arguments: Any) -> Request:
        self._pushed[url] = priority
        if len(self._pushed) > _MAX_PUSHED:
            self._pushed.popitem(last=False)
        host = host_of(url)
        self._by_host[host] = self._by_host.get(host, 0) + 1
        return Request(url, callback, priority=priority, meta=meta, cb_kwargs=arguments)
