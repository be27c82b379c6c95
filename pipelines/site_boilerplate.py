"""Counts what a host repeats on many pages, keeps it in the store, and removes it from pages."""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Self
from weakref import WeakKeyDictionary

import zstandard
from scrapy.crawler import Crawler

from extractors.links.urls import host_of, url_key
from extractors.page import Page
from extractors.site_boilerplate import NOTHING_KNOWN, Keys, SiteMemory, memory_of, mended, page_lines
from pipelines.items import Item, PageItem
from pipelines.precleaned import Precleaned, precleaned
from pipelines.storage import store_of
from pipelines.stores.base import Row, Store, Table
from pipelines.stores.tables import SITE_MEMORY

__all__ = (
    "Precleaned",
    "SiteMemories",
    "SiteMemoryPipeline",
    "precleaned",
    "remove_boilerplate",
    "site_memories_of",
    "stored_memory",
)
_UNSAVED_SHARE, _MAX_UNSAVED = 1 / 8, 16
"""Largest share and number of a host's counted pages that are not stored yet: a kill loses no more."""
_MAX_BYTES = 200_000
_RECENT_ROWS = 8
"""Most recent rows of a host that may still be on their way to the store."""
_MAX_HOSTS = 150
"""Hosts whose lines are kept in memory, up to 100 kB each; those of other hosts are in the database."""
_memories: "WeakKeyDictionary[Crawler, SiteMemories]" = WeakKeyDictionary()
"""By Scrapy's crawler; an entry ends with it."""


@dataclass(slots=True)
class _HostMemory:
    """The memory of a host, the number of counted pages that are not stored yet, and hashes of the lines sent to the store lately."""

    memory: SiteMemory
    unsaved: int = 0
    written: tuple[int, ...] = ()


class SiteMemories:
    """Memories of the most recently used hosts, read from the store and written to it.

    Args:
        most: hosts that are kept in memory.
        records: count records too.
    """

    def __init__(self, most: int = _MAX_HOSTS, *, records: bool = True) -> None:
        self._most, self._records = most, records
        self._hosts: OrderedDict[str, _HostMemory] = OrderedDict()

    def mended(
        self, page: Page, url: str, name: str, store: Store | None, *, wanted: bool = True
    ) -> tuple[Page, list[tuple[Table, Row]]]:
        """Count the page; returns it without boilerplate, and now and then rows to store.

        url: its address. name: the address of the whole that it is a part of, so that all pages of a thread count as one.
        wanted: whether its content is stored.
        """
        if page.kind.name == "document":  # repetition in documents is not the site's layout
            return page, []
        host, elsewhere = host_of(url), page.once(precleaned)
        if elsewhere is not None and elsewhere.host == host:
            known = self._counted(host, elsewhere.all_keys(records=self._records and wanted), name, store)
            new = page.having_read(elsewhere.changed) if elsewhere.changed else page
        else:
            page = page if elsewhere is None else page.unread()
            lines = page_lines(page, records=self._records and wanted)
            known = self._counted(host, lines.all_keys(), name, store)
            new = mended(page, lines, known.memory)
        return new, [*self._due(host, known, store), *self._forgotten(store)]

    def of_host(self, host: str, store: Store | None) -> SiteMemory:
        """The present memory of a host."""
        return self._known(host, store).memory

    def _known(self, host: str, store: Store | None) -> _HostMemory:
        known = self._hosts.setdefault(host, _HostMemory(NOTHING_KNOWN))
        self._hosts.move_to_end(host)
        if known.memory is NOTHING_KNOWN:
            known.memory = stored_memory(store, host)
        return known

    def _counted(self, host: str, keys: Keys, name: str, store: Store | None) -> _HostMemory:
        """The host, with this page counted."""
        known = self._known(host, store)
        known.memory = known.memory.with_page(keys, url_key(name))
        known.unsaved += 1
        return known

    def _due(self, host: str, known: _HostMemory, store: Store | None) -> list[tuple[Table, Row]]:
        """The host's row, after each of its first pages, then after every few pages."""
        if known.unsaved < min(_UNSAVED_SHARE * known.memory.turn, _MAX_UNSAVED):
            return []
        stored = _stored_lines(store, host)
        if stored and hash(stored) not in known.written:
            known.memory = known.memory.joined(_memory_read(stored))  # with the counts of other nodes
        row = memory_row(host, known.memory)
        known.unsaved, known.written = 0, (*known.written, hash(row["lines"]))[-_RECENT_ROWS:]
        return [(SITE_MEMORY, row)]

    def _forgotten(self, store: Store | None) -> list[tuple[Table, Row]]:
        """Drop the least recently used host if there are too many; returns its row."""
        if len(self._hosts) <= self._most:
            return []
        host, known = self._hosts.popitem(last=False)
        return (
            [(SITE_MEMORY, memory_row(host, known.memory.joined(stored_memory(store, host))))] if known.unsaved else []
        )


class SiteMemoryPipeline:
    """Counts each page, and replaces it by the cleaned page for the pipelines that follow."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._memories = SiteMemories(records=crawler.settings.getbool("DISCUSSION_ENABLED", True))
        _memories[crawler] = self._memories

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_item(self, item: Item) -> Item:
        if isinstance(item, PageItem):
            page, name, store = item.page, item.part_of or item.url, store_of(self._crawler)
            nothing: tuple[Page, list[tuple[Table, Row]]] = (page, [])
            item.page, rows = page.attempt(
                "site memory", lambda: self._memories.mended(page, item.url, name, store, wanted=item.relevant), nothing
            )
            item.rows.extend(rows)
        return item


def site_memories_of(crawler: Crawler) -> SiteMemories | None:
    """The memories of a crawl; None if it keeps none."""
    return _memories.get(crawler)


def remove_boilerplate(crawler: Crawler, page: Page) -> Page:
    """The page without the known boilerplate of its host; does not count the page."""
    memories = site_memories_of(crawler)
    if memories is None or page.kind.name == "document":
        return page
    host, elsewhere = host_of(page.url), page.once(precleaned)
    if elsewhere is not None and elsewhere.host == host:
        return page.having_read(elsewhere.changed) if elsewhere.changed else page
    page, memory = page if elsewhere is None else page.unread(), memories.of_host(host, store_of(crawler))
    return page.attempt("site memory", lambda: mended(page, page_lines(page, records=False), memory), page)


def stored_memory(store: Store | None, host: str) -> SiteMemory:
    """The stored memory of a host."""
    stored = _stored_lines(store, host)
    return _memory_read(stored) if stored else NOTHING_KNOWN


def _stored_lines(store: Store | None, host: str) -> bytes:
    row = store.get(SITE_MEMORY, host) if store is not None else None
    return bytes(row["lines"] or b"") if row else b""


def _memory_read(stored: bytes) -> SiteMemory:
    try:
        return memory_of(zstandard.ZstdDecompressor().decompress(stored, max_output_size=_MAX_BYTES))
    except zstandard.ZstdError:
        return NOTHING_KNOWN


def memory_row(host: str, memory: SiteMemory) -> Row:
    """The row of a host."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return {"host": host, "lines": zstandard.ZstdCompressor(level=1).compress(memory.to_bytes()), "changed_at": now}
