"""Requests of the pages that a site lists in sitemaps."""

import asyncio
from collections.abc import Iterator

from scrapy import Request
from scrapy.http import Response

from crawler.links.follower import Callback, LinkFollower
from crawler.links.robots_rules import named_sitemaps
from extractors.feeds import Feed, read_feed
from extractors.links.urls import resolve_url
from pipelines.dating import listed

_MAX_SITEMAP_BYTES = 50_000_000
_MAX_SITEMAPS = 500
_MAX_LEVEL = 3
"""Nesting of sitemap indexes that are followed."""


async def sitemap_of(response: Response) -> Feed | None:
    """The sitemap or index in an answer, read off the event loop: a large one takes half a second."""
    if response.status != 200:
        return None
    found = await asyncio.to_thread(read_feed, response.body, response.url, max_bytes=_MAX_SITEMAP_BYTES)
    return found if found is not None and found.kind != "feed" else None


def sitemaps_of_robots(response: Response) -> list[str]:
    """The sitemaps that robots.txt names, else the one at the default address."""
    named = named_sitemaps(response.body) if response.status == 200 else []
    default = f"{response.url.rsplit('/', 1)[0]}/sitemap.xml"
    return [address for each in named or [default] if (address := resolve_url(response.url, each))]


class SiteListings:
    """Requests for the pages that a site lists.

    Args:
        parse, parse_sitemap: callbacks for pages and for sitemaps.
    """

    def __init__(self, follower: LinkFollower, parse: Callback, parse_sitemap: Callback) -> None:
        self._follower, self._parse, self._parse_sitemap = follower, parse, parse_sitemap

    def of_robots(self, response: Response) -> Iterator[Request]:
        """See `sitemaps_of_robots`."""
        for address in sitemaps_of_robots(response):
            yield from self._follower.special(address, self._parse_sitemap, None, "robots")

    def of_sitemap(self, found: Feed | None, level: int) -> Iterator[Request]:
        """Pages that a sitemap lists; for an index its sitemaps, down to three levels."""
        if found is None:
            return
        if found.kind == "sitemap":
            shown = {url: listed(said) for url, said in found.published.items()}
            yield from self._follower.listed(found.addresses, self._parse, "sitemap", shown)
            return
        for address in found.addresses[:_MAX_SITEMAPS] if level < _MAX_LEVEL else ():
            yield from self._follower.special(address, self._parse_sitemap, None, "sitemap", level=level + 1)
