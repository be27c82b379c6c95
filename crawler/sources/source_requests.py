"""The requests of a source's pages, and of the page whose cookies they send."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from scrapy import Request

from crawler.links.follower import Callback, LinkFollower
from crawler.meta import DEPTH_KEY, FOUND_BY_KEY, SOURCE_KEY
from crawler.sources.list_addresses import ListAddress
from crawler.sources.source_catalog import SourceCatalog


def as_values(address: ListAddress) -> dict[str, Any]:
    """The value of `SOURCE_KEY`."""
    return {
        "name": address.source.name,
        "values": dict(address.values),
        "page": address.page,
        "cursor": address.cursor,
    }


def prepared(request: Request, address: ListAddress) -> Request:
    """The request with the headers and the form of its source, and with its place."""
    meta = {**request.meta, SOURCE_KEY: as_values(address)}
    headers = {**dict(request.headers), **address.headers()}
    if not address.body:
        return request.replace(meta=meta, headers=headers)
    kind = "application/json" if address.body.startswith(("{", "[")) else "application/x-www-form-urlencoded"
    return request.replace(meta=meta, headers={"Content-Type": kind, **headers}, method="POST", body=address.body)


class SourceRequests:
    """Makes the requests.

    Args:
        sources: by name. parse: callback of a list. parse_guest: callback and errback of a page whose cookies are sent.
    """

    def __init__(self, follower: LinkFollower, parse: Callback, parse_guest: Callback, sources: SourceCatalog) -> None:
        self._follower, self._parse, self._parse_guest, self._sources = follower, parse, parse_guest, sources

    def start(self, addresses: Iterable[ListAddress]) -> Iterator[Request]:
        """Requests of first pages; where a cookie is needed, of the page that gives it, which is followed by those of the lists."""
        by_first = sorted(addresses, key=lambda each: each.source.visit_first)
        for first, group in groupby(by_first, key=lambda each: each.source.visit_first):
            if first:
                lists = [[each.url, as_values(each), each.body] for each in group]
                meta = {DEPTH_KEY: 0, FOUND_BY_KEY: "source"}
                yield self._follower.start(first, self._parse_guest, meta, again=True, lists=lists)
            else:
                yield from map(self.of, group)

    def of_stored(self, lists: Iterable[list[Any]]) -> Iterator[Request]:
        """The requests of lists that waited for a cookie; those of sources that are gone are left out."""
        for url, values, body in lists:
            if source := self._sources.sources.get(values["name"]):
                yield self.of(ListAddress(source, url, values["values"], values["page"], values["cursor"], body))

    def of(self, address: ListAddress) -> Request:
        """The request of one page, even if it was requested before."""
        meta = {DEPTH_KEY: 0, FOUND_BY_KEY: "start"}
        return prepared(self._follower.start(address.url, self._parse, meta, again=True), address)
