"""Pages that a site lists itself, in sitemaps and feeds."""

import gzip
import io
from collections.abc import Iterator

import feedparser
from protego import Protego
from scrapy import Request
from scrapy.http import Response
from scrapy.utils.sitemap import Sitemap

from crawler.links.follower import Callback, LinkFollower
from extractors.links.urls import resolve_url

_MAX_ENTRIES = 50_000
_MAX_BYTES = 50_000_000
_MAX_SITEMAPS = 500
_MAX_LEVEL = 3
"""Sitemap indexes in sitemap indexes that are followed."""


def sitemaps_of_robots(body: bytes) -> list[str]:
    """The addresses of sitemaps in a robots.txt; at most twenty."""
    return list(Protego.parse(body.decode("utf-8", "replace")).sitemaps)[:20]


def read_sitemap(body: bytes) -> tuple[list[str], list[str]]:
    """(further sitemaps, pages) in a sitemap or its index, also gzipped; both empty for anything else."""
    if body[:2] == b"\x1f\x8b":
        body = _unzipped(body)
    try:
        sitemap = Sitemap(body)
        if sitemap.type not in ("sitemapindex", "urlset"):
            return [], []
        places = [entry["loc"] for entry, _ in zip(sitemap, range(_MAX_ENTRIES), strict=False) if entry.get("loc")]
    except (ValueError, AttributeError, SyntaxError, TypeError, StopIteration):
        return [], []
    return (places[:_MAX_SITEMAPS], []) if sitemap.type == "sitemapindex" else ([], places)


def _unzipped(body: bytes) -> bytes:
    try:
        return gzip.GzipFile(fileobj=io.BytesIO(body)).read(_MAX_BYTES)
    except (OSError, EOFError):
        return b""


def is_feed(body: bytes, content_type: str) -> bool:
    """Whether an answer is an RSS or Atom feed."""
    start = body[:1_000].lower()
    return (
        b"<rss" in start or b"<feed" in start or b"<rdf:rdf" in start or "rss" in content_type or "atom" in content_type
    )


def read_feed(body: bytes, url: str) -> Iterator[tuple[str, str]]:
    """(URL, title) of a feed's entries."""
    for entry in feedparser.parse(body).entries[:1_000]:
        address = resolve_url(url, str(entry.get("link", "")))
        if address:
            yield address, str(entry.get("title", ""))


class SiteListings:
    """Requests of what a site lists.

    Args:
        parse, parse_sitemap: callbacks for pages and for sitemaps.
    """

    def __init__(self, follower: LinkFollower, parse: Callback, parse_sitemap: Callback) -> None:
        self._follower, self._parse, self._parse_sitemap = follower, parse, parse_sitemap

    def of_robots(self, response: Response) -> Iterator[Request]:
        """The sitemaps that robots.txt names, else the usual one."""
        root = response.url.rsplit("/", 1)[0]
        named = sitemaps_of_robots(response.body) if response.status == 200 else []
        for address in named or [f"{root}/sitemap.xml"]:
            yield from self._follower.special(resolve_url(response.url, address), self._parse_sitemap, None, "robots")

    def of_sitemap(self, response: Response, level: int) -> Iterator[Request]:
        """Pages that a sitemap lists, and further sitemaps down to three levels."""
        if response.status != 200:
            return
        further, pages = read_sitemap(response.body)
        if level < _MAX_LEVEL:
            for address in further:
                yield from self._follower.special(address, self._parse_sitemap, None, "sitemap", level=level + 1)
        yield from self._follower.listed(pages, self._parse, "sitemap")

    def of_feed(self, response: Response) -> Iterator[Request]:
        """Pages that a feed lists."""
        if response.status == 200:
            entries = [address for address, _ in read_feed(response.body, response.url)]
            yield from self._follower.listed(entries, self._parse, "feed")
