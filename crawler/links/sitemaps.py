"""What a site lists of itself: sitemaps and feeds."""

import gzip
import io
from collections.abc import Iterator

import feedparser
import numpy as np
from protego import Protego
from scrapy.utils.sitemap import Sitemap

from extractors.links.urls import host_of, resolve_url
from extractors.page import Page

MAX_ENTRIES = 50_000
_LARGEST = 50_000_000
_FEED_TYPES = ("application/rss+xml", "application/atom+xml", "application/feed+json")


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
        places = [entry["loc"] for entry, _ in zip(sitemap, range(MAX_ENTRIES), strict=False) if entry.get("loc")]
    except (ValueError, AttributeError, SyntaxError, TypeError, StopIteration):
        return [], []
    return (places[:500], []) if sitemap.type == "sitemapindex" else ([], places)


def _unzipped(body: bytes) -> bytes:
    try:
        return gzip.GzipFile(fileobj=io.BytesIO(body)).read(_LARGEST)
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


def feeds_of_page(page: Page) -> list[str]:
    """The feeds that a page announces; at most five."""
    columns = page.columns
    links = np.flatnonzero(columns.tagged("link")).tolist()
    feeds = (place for place in links if columns.value(place, "type").lower() in _FEED_TYPES)
    addresses = (resolve_url(page.base_url, columns.value(place, "href")) for place in feeds)
    return list(filter(None, addresses))[:5]


def canonical_of_page(page: Page) -> str:
    """The address under which the page wants to be known, "" if it does not say."""
    columns = page.columns
    for place in np.flatnonzero(columns.tagged("link")).tolist():
        if columns.value(place, "rel").lower() == "canonical":
            return resolve_url(page.base_url, _with_scheme(columns.value(place, "href").strip(), page.url))
    return ""


def _with_scheme(reference: str, url: str) -> str:
    """Sites write their own host without `http://` in front, which by the rules is a folder of that name."""
    if host_of(url) and reference.split("/", 1)[0].lower() == host_of(url):
        return f"{url.split(':', 1)[0]}://{reference}"
    return reference


def refresh_of_page(page: Page) -> str:
    """Where a page sends its reader at once by a meta refresh, "" if it does not."""
    columns = page.columns
    for place in np.flatnonzero(columns.tagged("meta")).tolist():
        if columns.value(place, "http-equiv").lower() == "refresh":
            seconds, _, target = columns.value(place, "content").partition(";")
            name, _, address = target.strip().partition("=")
            if seconds.strip().split(".")[0] in ("0", "1", "2", "3") and name.strip().lower() == "url":
                return resolve_url(page.base_url, address.strip(" '\""))
    return ""
