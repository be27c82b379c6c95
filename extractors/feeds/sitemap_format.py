"""Reads sitemaps and their indexes."""

from collections.abc import Iterator
from itertools import islice

from lxml import etree

from extractors.feeds.entries import Feed, FeedEntry
from extractors.feeds.tree import local_name
from extractors.links.urls import canonical_url, resolve_url

_MAX_TIME_CHARS = 60


def read_sitemap(root: etree._Element, url: str, max_entries: int) -> Feed:
    """The first `max_entries` addresses of a sitemap or an index with the times of their last changes."""
    entries = tuple(islice(_entries(root, url), max_entries))
    return Feed("index" if local_name(root) == "sitemapindex" else "sitemap", entries)


def _entries(root: etree._Element, url: str) -> Iterator[FeedEntry]:
    for entry in root.iter("{*}url", "{*}sitemap"):
        texts = {local_name(child): (child.text or "").strip() for child in entry}
        if (place := texts.get("loc")) and (address := _address(url, place)):
            yield FeedEntry(address, texts.get("lastmod", ""), _publication(entry) if "news" in texts else "")


def _publication(entry: etree._Element) -> str:
    """The time of publication in Google's extension for news."""
    news = next(entry.iterchildren("{*}news"), None)
    date = None if news is None else next(news.iterchildren("{*}publication_date"), None)
    return "" if date is None else (date.text or "").strip()[:_MAX_TIME_CHARS]


def _address(url: str, place: str) -> str:
    """The canonical address; nearly all are absolute, and need not be resolved."""
    return canonical_url(place) if place.startswith(("http://", "https://")) else resolve_url(url, place)
