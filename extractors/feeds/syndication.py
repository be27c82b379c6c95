"""Reads RSS and Atom."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from lxml import etree

from extractors.feeds.entries import Feed, FeedEntry
from extractors.feeds.tree import Bases, local_name
from extractors.links.urls import resolve_url

_TIMES = {
    "pubDate": "published",
    "published": "published",
    "date": "published",
    "updated": "changed",
    "modified": "changed",
}
_TEXTS = _TIMES | {"title": "title", "description": "summary", "summary": "summary"}
"""The attribute of `FeedEntry` that an element gives."""
_OWN_RELATIONS = ("hub", "self")
_MAX_TEXT_CHARS, _MAX_RAW_CHARS, _MAX_EVENTS = 500, 2_000, 400
"""Characters of a title or summary, those that are read for it, and the beginnings and ends of elements among them."""


def read_syndication(root: etree._Element, url: str, max_entries: int, *, with_texts: bool) -> Feed:
    """The entries of a feed at this address, the first `max_entries`, and the feed's own links."""
    kept = _TEXTS if with_texts else _TIMES
    bases = Bases(url)
    entries = tuple(_entry(each, bases, kept) for each in islice(root.iter("{*}item", "{*}entry"), max_entries))
    channel = root if local_name(root) == "feed" else next(root.iter("{*}channel"), root)
    own = {name: resolve_url(url, reference) for name, reference in _relations(channel).items()}
    return Feed("feed", entries, hub=own.get("hub", ""), topic=own.get("self", ""))


def _relations(channel: etree._Element) -> dict[str, str]:
    """The first references of a feed's own links to its hub and to itself."""
    found: dict[str, str] = {}
    for child in channel.iterchildren("{*}link"):
        relation, reference = child.get("rel", ""), child.get("href", "")
        if relation in _OWN_RELATIONS and reference:
            found.setdefault(relation, reference)
            if len(found) == len(_OWN_RELATIONS):
                break
    return found


def _entry(entry: etree._Element, bases: Bases, kept: Mapping[str, str]) -> FeedEntry:
    """An entry; its address is that of its link to the page, else an identity that is an address."""
    link = identity = ""
    texts: dict[str, Any] = {}
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
    return FeedEntry(_address(entry, bases, link or identity), **texts)


def _plain(element: etree._Element) -> str:
    text = "".join(_texts(element)) if len(element) else element.text or ""
    return " ".join(text[:_MAX_RAW_CHARS].split())[:_MAX_TEXT_CHARS]


def _texts(element: etree._Element) -> Iterator[str]:
    """The text of the first nodes of an element, each cut."""
    for event, each in islice(etree.iterwalk(element, ("start", "end", "comment", "pi")), _MAX_EVENTS):
        if event == "start":
            yield (each.text or "")[:_MAX_RAW_CHARS]
        elif each is not element:
            yield (each.tail or "")[:_MAX_RAW_CHARS]


def _address(entry: etree._Element, bases: Bases, reference: str) -> str:
    return resolve_url(bases.of(entry), reference) if reference else ""
