"""A frontier made again from the store, after its file or its Redis was lost."""

from collections.abc import Callable, Iterator
from itertools import islice
from urllib.parse import urlsplit

from scrapy import Request, Spider

from crawler.frontier.base import Entry, Frontier
from crawler.frontier.requests import dump_request, request_key
from crawler.meta import DEPTH_KEY, FOUND_BY_KEY
from pipelines.stores.base import Store
from pipelines.stores.tables import LINKS, URLS

_AT_ONCE = 1000
_SETTLED = ("fetched", "unchanged", "redirected", "irrelevant", "dead", "other")


def rebuild(
    frontier: Frontier,
    store: Store,
    spider: Spider,
    in_scope: Callable[[str], bool],
    priority: Callable[[str], int],
) -> tuple[int, int]:
    """Mark what was visited as seen, then queue every stored link in scope that was not; (marked, queued).

    `priority` gives a URL its place in the queue: nothing is known of the page that has the link.
    """
    marked = sum(len(part) for part in _pushed(frontier, _visited(store)))
    queued = sum(sum(part) for part in _pushed(frontier, _unvisited(store, spider, in_scope, priority)))
    frontier.flush()
    return marked, queued


def _pushed(frontier: Frontier, entries: Iterator[Entry]) -> Iterator[list[bool]]:
    while part := list(islice(entries, _AT_ONCE)):
        yield frontier.push(part)


def _visited(store: Store) -> Iterator[Entry]:
    for row in store.select(URLS, columns=("url", "state")):
        if row["state"] in _SETTLED:
            yield Entry(request_key(Request(row["url"])), "", 0, b"")


def _unvisited(
    store: Store, spider: Spider, in_scope: Callable[[str], bool], priority: Callable[[str], int]
) -> Iterator[Entry]:
    meta = {DEPTH_KEY: 1, FOUND_BY_KEY: "rebuild"}
    for row in store.select(LINKS, columns=("page", "links")):
        for url, *_ in row["links"] or ():
            if not url.startswith(("http://", "https://")) or not in_scope(url):
                continue
            request = Request(url, spider.parse, meta=meta, priority=priority(url))
            host = (urlsplit(url).hostname or "").lower()
            yield Entry(request_key(request), host, request.priority, dump_request(request, spider))
