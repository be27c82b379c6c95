"""From a page's links to requests: in scope, no trap, not pushed before, in order of their score."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from scrapy import Request
from scrapy.http import Response
from scrapy.linkextractors import IGNORED_EXTENSIONS

from crawler.domains import Scope
from crawler.items import PageItem
from crawler.priority import SCALE, LinkStrategy, shape_score
from crawler.traps import Yields, is_growing
from extractors.urls import canonical_url, host_of

Callback = Callable[..., Any]
_REMEMBERED = 200_000
_NO_PAGES = tuple(
    f".{extension}" for extension in {*IGNORED_EXTENSIONS, "json", "js", "apk", "exe", "dmg", "iso", "torrent"}
)


class LinkFollower:
    """Makes the requests of a crawl of sites.

    What was pushed lately is remembered, so that most links, which every page of a site repeats, cost one look-up; the
    frontier remembers all.
    """

    def __init__(self, scope: Scope, strategy: LinkStrategy, *, depth: int, per_host: int) -> None:
        self._scope = scope
        self._strategy = strategy
        self._depth = depth
        self._per_host = per_host
        self._pushed: OrderedDict[str, None] = OrderedDict()
        self._by_host: dict[str, int] = {}
        self._yields = Yields()

    def requests(self, item: PageItem, callback: Callback) -> Iterator[Request]:
        """The links of a page that are worth following."""
        if item.depth >= self._depth:
            return
        fresh = [link for link in item.links if link.url not in self._pushed and self._wanted(link.url)]
        for link, score in zip(fresh, self._strategy.score(item, fresh), strict=True):
            meta = {"depth": item.depth + 1, "referrer": item.url}
            yield self._request(link.url, callback, round(SCALE * score), meta)

    def known(self, links: Sequence[Sequence[str]], response: Response, callback: Callback) -> Iterator[Request]:
        """The stored links of a page that has not changed."""
        meta = {"depth": response.meta.get("depth", 0) + 1, "referrer": response.url}
        for url, _ in links:
            if url not in self._pushed and self._wanted(url):
                yield self._request(url, callback, round(SCALE * shape_score(url)), meta)

    def listed(self, urls: Iterable[str], callback: Callback, found_by: str) -> Iterator[Request]:
        """Pages that a sitemap or feed lists; they come after equally good links."""
        for url in map(canonical_url, urls):
            if url and url not in self._pushed and self._wanted(url):
                yield self._request(
                    url, callback, round(SCALE * 0.8 * shape_score(url)), {"depth": 1, "found_by": found_by}
                )

    def special(
        self, url: str, callback: Callback, item: PageItem | None, found_by: str, **arguments: Any
    ) -> Iterator[Request]:
        """Sitemaps, feeds, refreshes: first of all."""
        if self._scope.holds(url) and url not in self._pushed:
            meta = {"depth": item.depth + 1 if item else 0, "found_by": found_by}
            yield self._request(url, callback, 2 * SCALE, meta, **arguments)

    def leave_out(self, urls: Iterable[str]) -> None:
        """These are fetched in another way."""
        self._pushed.update(dict.fromkeys(urls))

    def learn(self, item: PageItem, useful: bool) -> None:
        """What a page of its pattern has brought."""
        self._yields.fetched(item.requested_url, useful)

    def _wanted(self, url: str) -> bool:
        path = url.split("?", 1)[0].lower()
        if path.endswith(_NO_PAGES) or not self._scope.holds(url) or is_growing(url) or self._yields.is_barren(url):
            return False
        return self._by_host.get(host_of(url), 0) < self._per_host

    def _request(self, url: str, callback: Callback, priority: int, meta: dict[str, Any], **arguments: Any) -> Request:
        self._pushed[url] = None
        if len(self._pushed) > _REMEMBERED:
            self._pushed.popitem(last=False)
        host = host_of(url)
        self._by_host[host] = self._by_host.get(host, 0) + 1
        return Request(url, callback, priority=priority, meta=meta, cb_kwargs=arguments)
