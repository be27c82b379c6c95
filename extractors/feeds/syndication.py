"""Reads RSS and Atom."""

from collections.abc import Iterator, Mapping
from itertools import islice

from lxml import etree

from extractors.feeds.entries import Feed, FeedEntry
from extractors.feeds.tree import local_name
from extractors.html.addresses import resolve
from extractors.links.urls import resolve_url

_TIMES = {"pubDate": "published", "published": "published", "updated": "changed", "modified": "changed"}
_TEXTS = _TIMES | {"title": "title", "description": "summary", "summary": "summary"}
"""The attribute of `FeedEntry` that an element gives."""
_WHOLE_TEXT = etree.XPath("string()")
_MAX_TEXT_CHARS, _MAX_RAW_CHARS = 500, 2_000
"""Characters of a title or summary, and those that are read for it."""


def read_syndication(root: etree._Element, url: str, max_entries: int, *, with_texts: bool) -> Feed:
    """The entries of a feed at this address, the first `max_entries`, and the feed's own links."""
    kept = _TEXTS if with_texts else _TIMES
    entries = tuple(_entry(each, url, kept) for each in islice(root.iter("{*}item", "{*}entry"), max_entries))
    channel = root if local_name(root) == "feed" else next(root.iter("{*}channel"), root)
    own = dict(_relations(channel, url))
    return Feed("feed", entries, hub=own.get("hub", ""), topic=own.get("self", ""))


def _relations(channel: etree._Element, url: str) -> Iterator[tuple[str, str]]:
    """The addresses of a feed's own links by relation; the first link of a relation comes last."""
    for child in reversed(channel):
        if local_name(child) == "link" and child.get("href"):
            yield child.get("rel", "alternate"), resolve_url(url, child.get("href", ""))


def _entry(entry: etree._Element, url: str, kept: Mapping[str, str]) -> FeedEntry:
    """An entry; its address is that of its link to the page, else an identity that is an address."""
    link = identity = ""
    texts: dict[str, str] = {}
    for child in entry:
        name = local_name(child)
        if name == "link":
            if not link and child.get("rel", "alternate") == "alternate":
                link = (child.text or "").strip() or child.get("href", "").strip()
        elif name in ("guid", "id"):
            text = (child.text or "").strip()
            if text.startswith("http") and child.get("isPermaLink") != "false":
                identity = text
        elif (attribute := kept.get(name)) and not texts.get(attribute):
            texts[attribute] = _plain(child)
    return FeedEntry(_address(entry, url, link or identity), **texts)


def _plain(element: etree._Element) -> str:
    text = str(_WHOLE_TEXT(element)) if len(element) else element.text or ""
    return " ".join(text[:_MAX_RAW_CHARS].split())[:_MAX_TEXT_CHARS]


def _address(entry: etree._Element, url: str, reference: str) -> str:
    if not reference:
        return ""
    base = entry.base
    return resolve_url(resolve(url, base) if base else url, reference)
