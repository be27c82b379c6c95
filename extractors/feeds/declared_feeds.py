"""Chooses the reader of a document that a site lists its pages in."""

import re
from dataclasses import replace

from extractors.feeds.entries import Feed
from extractors.feeds.json_text import UnreadableError, looks_like_json
from extractors.feeds.reading_lists import read_json_feed
from extractors.feeds.sitemap_format import read_sitemap
from extractors.feeds.syndication import read_syndication
from extractors.feeds.tree import root_of, unzipped

MAX_BYTES, MAX_ENTRIES = 10_000_000, 50_000
"""Limits of what is read of a document; a sitemap may have 50,000 entries."""
_SYNDICATION, _SITEMAPS = ("rss", "RDF", "feed"), ("urlset", "sitemapindex")
"""Root elements."""
_TAG = re.compile(rb"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<(?:[\w.-]{1,100}:)?(?P<name>[A-Za-z_][\w.-]*)", re.S)
_MAX_ROOT_OFFSET_BYTES = 1 << 16
"""The root element must start within these bytes, so that no tree is built of pages that a server sends for any address."""
_FEED_START_BYTES = 1_000


def read_feed(
    body: bytes, url: str, *, max_bytes: int = MAX_BYTES, max_entries: int = MAX_ENTRIES, with_texts: bool = False
) -> Feed | None:
    """The entries of a feed, a sitemap or a JSON list at this address, also gzipped; None for anything else. Never raises.

    Nothing that the bytes name is opened. Of a damaged document, the entries before the damage are read. `with_texts`: also
    titles and summaries.
    """
    body = unzipped(body, max_bytes)
    if looks_like_json(body, ""):
        return _json_feed(body, url, max_entries)
    name = _root_name(body)
    root = root_of(body, max_bytes) if name in _SYNDICATION or name in _SITEMAPS else None
    if root is None:
        return None
    if name in _SITEMAPS:
        return read_sitemap(root, url, max_entries)
    return read_syndication(root, url, max_entries, with_texts=with_texts)


def _json_feed(body: bytes, url: str, max_entries: int) -> Feed | None:
    try:
        found = read_json_feed(body, url).feed
    except UnreadableError:
        return None
    return replace(found, entries=found.entries[:max_entries])


def _root_name(body: bytes) -> str:
    """The name of the first element; "" if none starts early enough."""
    start = body[:_MAX_ROOT_OFFSET_BYTES].replace(b"\0", b"")  # zero bytes of UTF-16
    return next((found["name"].decode() for found in _TAG.finditer(start) if found["name"]), "")


def is_feed(body: bytes, content_type: str) -> bool:
    """Whether an answer is RSS, Atom or JSON, or says so."""
    start = body[:_FEED_START_BYTES].lower()
    return looks_like_json(body, content_type) or (
        b"<rss" in start or b"<feed" in start or b"<rdf:rdf" in start or "rss" in content_type or "atom" in content_type
    )
