"""Pages that a site lists in sitemaps and feeds."""

import asyncio
import contextlib
import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Any
from urllib.parse import urljoin

from lxml import etree
from scrapy import Request
from scrapy.http import Response

from crawler.links.follower import Callback, LinkFollower
from crawler.links.robots_rules import named_sitemaps
from extractors.links.urls import resolve_url

_MAX_ENTRIES = 50_000
_MAX_BYTES = 50_000_000
_GZIP_WINDOW_BITS, _UNPACK_BYTES = 31, 1 << 16
"""zlib's code for a gzip header; bytes unpacked at a time."""
_ROOTS = (b"urlset", b"sitemapindex")
_MAX_ROOT_OFFSET_BYTES = 1 << 16
"""The root element must start within these bytes, so that no tree is built of pages that a server sends for any address."""
_MAX_SITEMAPS = 500
_MAX_LEVEL = 3
"""Nesting of sitemap indexes that are followed."""
_MAX_FEED_BYTES = 2_000_000
_MAX_FEED_ENTRIES = 1_000
_PLACES = etree.XPath("*/*[local-name()='loc']")
_ENTRIES = etree.XPath("//*[local-name()='item' or local-name()='entry']")
_LINKS = etree.XPath("*[local-name()='link']")
_GUIDS = etree.XPath("*[local-name()='guid' and not(@isPermaLink='false') and starts-with(normalize-space(), 'http')]")


def read_sitemap(body: bytes) -> tuple[list[str], list[str]]:
    """(further sitemaps, pages) in a sitemap or its index, also gzipped; both empty for anything else. Never raises."""
    if body[:2] == b"\x1f\x8b":
        body = unzipped(body)
    start = body[:_MAX_ROOT_OFFSET_BYTES].replace(b"\0", b"")  # zero bytes of UTF-16
    root = xml_root(body[:_MAX_BYTES]) if any(name in start for name in _ROOTS) else None
    kind = str(root.tag).rpartition("}")[2] if root is not None else ""
    if root is None or kind not in ("sitemapindex", "urlset"):
        return [], []
    found: Any = _PLACES(root)
    places = [text.strip() for place in found[:_MAX_ENTRIES] if (text := place.text or "").strip()]
    return (places[:_MAX_SITEMAPS], []) if kind == "sitemapindex" else ([], places)


async def sitemap_of(response: Response) -> tuple[list[str], list[str]]:
    """`read_sitemap` of an answer, off the event loop: a large one takes half a second."""
    return await asyncio.to_thread(read_sitemap, response.body) if response.status == 200 else ([], [])


def xml_root(body: bytes) -> etree._Element | None:
    """The root element of the readable part. Bytes are never interpreted as a file or address, and none is opened."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True)
    try:
        return etree.fromstring(body.lstrip(), parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def unzipped(body: bytes) -> bytes:
    """At most `_MAX_BYTES` of a gzipped body, up to the first damage."""
    unpacker, found = zlib.decompressobj(wbits=_GZIP_WINDOW_BITS), bytearray()
    with contextlib.suppress(zlib.error):
        for begin in range(0, len(body), _UNPACK_BYTES):
            found += unpacker.decompress(body[begin : begin + _UNPACK_BYTES], _MAX_BYTES - len(found))
            if len(found) >= _MAX_BYTES or unpacker.eof:
                break
    return bytes(found)


def is_feed(body: bytes, content_type: str) -> bool:
    start = body[:1_000].lower()
    return (
        b"<rss" in start or b"<feed" in start or b"<rdf:rdf" in start or "rss" in content_type or "atom" in content_type
    )


def read_feed(body: bytes, url: str) -> list[str]:
    """The addresses of the entries in a feed's first `_MAX_FEED_BYTES`; none if it is not a feed. Never raises.

    The parser opens no file and no address, whatever the content refers to.
    """
    root = xml_root(_whole_elements(body))
    entries: Any = _ENTRIES(root) if root is not None else []
    found = (_address(entry, url) for entry, _ in zip(entries, range(_MAX_FEED_ENTRIES), strict=False))
    return [address for address in found if address]


def _whole_elements(body: bytes) -> bytes:
    """The first `_MAX_FEED_BYTES`, cut after an element, so that no address is truncated."""
    return body if len(body) <= _MAX_FEED_BYTES else body[: body.rfind(b">", 0, _MAX_FEED_BYTES) + 1]


def _address(entry: etree._Element, url: str) -> str:
    """For RSS the text of its link, or a guid that is an address; for Atom the link to the page itself."""
    links: Any = _LINKS(entry)
    written = next((link.text for link in links if (link.text or "").strip()), None)
    of_atom = (link.get("href") for link in links if link.get("rel", "alternate") == "alternate" and link.get("href"))
    guids: Any = _GUIDS(entry)
    reference = written or next(of_atom, None) or next((guid.text for guid in guids), None) or ""
    try:
        return resolve_url(urljoin(url, entry.base or ""), reference.strip()) if reference.strip() else ""
    except ValueError:
        return ""


class SiteListings:
    """Requests for the pages that a site lists.

    Args:
        parse, parse_sitemap: callbacks for pages and for sitemaps.
    """

    def __init__(self, follower: LinkFollower, parse: Callback, parse_sitemap: Callback) -> None:
        self._follower, self._parse, self._parse_sitemap = follower, parse, parse_sitemap

    def of_robots(self, response: Response) -> Iterator[Request]:
        """The sitemaps that robots.txt names, else the one at the default address."""
        root = response.url.rsplit("/", 1)[0]
        named = named_sitemaps(response.body) if response.status == 200 else []
        for address in named or [f"{root}/sitemap.xml"]:
            yield from self._follower.special(resolve_url(response.url, address), self._parse_sitemap, None, "robots")

    def of_sitemap(self, further: list[str], pages: list[str], level: int) -> Iterator[Request]:
        """Pages that a sitemap lists, and nested sitemaps down to three levels."""
        for address in further if level < _MAX_LEVEL else ():
            yield from self._follower.special(address, self._parse_sitemap, None, "sitemap", level=level + 1)
        yield from self._follower.listed(pages, self._parse, "sitemap")

    async def of_feed(self, response: Response) -> AsyncIterator[Request]:
        """Pages that a feed lists, parsed off the event loop."""
        if response.status == 200:
            entries = await asyncio.to_thread(read_feed, response.body, response.url)
            for request in self._follower.listed(entries, self._parse, "feed"):
                yield request
