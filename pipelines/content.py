"""A page becomes rows: its content, its source, its links, and its state in the URL table."""

from datetime import UTC
from hashlib import blake2b
from typing import Any

import zstandard

from extractors.links.urls import host_of, url_key
from extractors.page import Page
from pipelines.stores.base import Row, Table
from pipelines.stores.tables import LINKS, PAGES, SOURCES, URLS

_LEVEL = 3
_HIGHEST_LINKS = 1_000


class ContentPipeline:
    """Adds to an item that carries a page the rows to be stored of it; lets others pass."""

    def __init__(self, keep_source: bool = True) -> None:
        self._keep_source = keep_source
        self._compressor = zstandard.ZstdCompressor(level=_LEVEL)

    @classmethod
    def from_crawler(cls, crawler: Any) -> "ContentPipeline":
        """Scrapy's way of making it; reads KEEP_SOURCE."""
        return cls(crawler.settings.getbool("KEEP_SOURCE", True))

    def process_item(self, item: Any) -> Any:
        """Add the rows."""
        if getattr(item, "page", None) is not None:
            item.rows.extend(self._rows(item))
        return item

    def _rows(self, item: Any) -> list[tuple[Table, Row]]:
        page: Page = item.page
        key, now = url_key(item.url), page.fetched_at.astimezone(UTC).isoformat(timespec="seconds")
        asked, links = url_key(item.requested_url), [[link.url, link.text] for link in item.links[:_HIGHEST_LINKS]]
        rows: list[tuple[Table, Row]] = [
            (URLS, _url_row(item, asked, now)),
            (LINKS, {"page": asked, "links": links}),
        ]
        if item.relevant and not item.part_of:
            rows.append((PAGES, _page_row(item, page, key, now)))
        if item.relevant and self._keep_source:
            rows.append((SOURCES, self._source_row(page, asked if item.part_of else key, now)))
        return rows

    def _source_row(self, page: Page, key: str, now: str) -> Row:
        body = self._compressor.compress(page.body)
        return {"key": key, "body": body, "compression": "zstd", "charset": page.charset, "fetched_at": now}


def _url_row(item: Any, key: str, now: str) -> Row:
    told = {"activity": item.activity} if item.activity else {}
    state = "part" if item.part_of else "fetched" if item.relevant else "irrelevant"
    return told | {
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


def _page_row(item: Any, page: Page, key: str, now: str) -> Row:
    article = page.article
    return {
        "key": key,
        "url": item.url,
        "host": host_of(item.url),
        "canonical": "" if item.requested_url == item.url else item.requested_url,
        "kind": "article" if article.confidence >= 0.5 else "other",
        "title": article.title,
        "author": article.author,
        "published": article.published,
        "modified": article.modified,
        "source": article.source,
        "body": article.text,
        "summary": article.summary,
        "language": article.language,
        "image": article.image,
        "keywords": list(article.keywords),
        "method": article.method,
        "confidence": article.confidence,
        "topic": item.topic,
        "relevance": item.relevance,
        "relevance_reason": item.reason,
        "content_hash": blake2b(article.text.encode("utf-8", "replace"), digest_size=10).hexdigest(),
        "status": item.status,
        "depth": item.depth,
        "fetched_at": now,
        "first_seen": now,
    }
