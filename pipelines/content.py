"""A page becomes rows: its content, its source, its links, and its state in the URL table."""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Self

from scrapy.crawler import Crawler

from extractors.links.urls import host_of, url_key
from extractors.page import Page
from pipelines.compressed_source import compressed_source
from pipelines.dating import time_columns
from pipelines.items import Item, PageItem
from pipelines.stores.base import MutableRow, Row, Table
from pipelines.stores.instant_columns import utc_text
from pipelines.stores.tables import LINKS, PAGES, SOURCES, URLS

_MAX_LINKS = 1_000
_TEXT_COLUMNS = ("title", "author", "modified", "source", "summary", "language", "image", "method")
"""Columns that have the name and the value of an article's field."""


class ContentPipeline:
    """Adds the rows of its page to a page item."""

    def __init__(self, keep_source: bool = True, keep_markdown: bool = False) -> None:
        self._keep_source, self._keep_markdown = keep_source, keep_markdown

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler.settings.getbool("KEEP_SOURCE", True), crawler.settings.getbool("KEEP_MARKDOWN"))

    def process_item(self, item: Item) -> Item:
        if isinstance(item, PageItem):
            item.rows.extend(self._rows(item))
        return item

    def _rows(self, item: PageItem) -> list[tuple[Table, Row]]:
        page = item.page
        key, now = url_key(item.url), utc_text(page.fetched_at)
        requested, links = url_key(item.requested_url), [[link.url, link.text] for link in item.links[:_MAX_LINKS]]
        rows: list[tuple[Table, Row]] = [
            (URLS, _url_row(item, requested, now)),
            (LINKS, {"page": requested, "links": links}),
        ]
        if item.relevant and not item.part_of:
            markdown = {"body_markdown": page.markdown} if self._keep_markdown else {}
            rows.append((PAGES, {**_page_row(item, page, key, now), **markdown}))
        if item.relevant and self._keep_source:
            rows.append((SOURCES, source_row(page, requested if item.part_of else key)))
        return rows


def source_row(page: Page, key: str) -> Row:
    """The row of the table `sources` with the page's bytes, under this key."""
    body, fetched_at = page.once(compressed_source), utc_text(page.fetched_at)
    row = {"key": key, "body": body, "compression": "zstd", "charset": page.charset, "fetched_at": fetched_at}
    return row | {"made_at": utc_text(page.made_at)}


def _url_row(item: PageItem, key: str, now: str) -> Row:
    activity = {"activity": item.activity} if item.activity else {}
    state = "part" if item.part_of else "fetched" if item.relevant else "irrelevant"
    return activity | {
        "key": key,
        "url": item.requested_url,
        "host": host_of(item.requested_url),
        "state": state,
        "status": item.status,
        "depth": item.depth,
        "referrer": item.referrer,
        "found_by": item.found_by,
        "etag": item.headers.get("etag", ""),
        "last_modified": item.headers.get("last-modified", ""),
        "failures": 0,
        "relevance": item.relevance,
        "reason": item.part_of or item.reason,
        "fetched_at": now,
        "first_seen": now,
    }


def _page_row(item: PageItem, page: Page, key: str, now: str) -> Row:
    return read_columns(page, item.listed, item.first_seen) | {
        "key": key,
        "url": item.url,
        "host": host_of(item.url),
        "canonical": "" if item.requested_url == item.url else item.requested_url,
        "topic": item.topic,
        "relevance": item.relevance,
        "relevance_reason": item.reason,
        "status": item.status,
        "depth": item.depth,
        "fetched_at": now,
        "first_seen": now,
    }


def read_columns(page: Page, listed: Mapping[str, str] | None = None, first_seen: str = "") -> MutableRow:
    """The columns of the table `pages` that are read from a page; `listed` and `first_seen` as for `time_columns`."""
    article = page.article
    return {name: getattr(article, name) for name in _TEXT_COLUMNS} | {
        "title": article.title or (listed or {}).get("title", ""),
        **time_columns(page, listed, first_seen),
        "confidence": article.confidence,
        "kind": page.kind.name,
        "body": article.text,
        "keywords": list(article.keywords),
        "content_hash": blake2b(article.text.encode("utf-8", "replace"), digest_size=10).hexdigest(),
    }
