"""Stored sources as an archive."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import BinaryIO

import zstandard

from pipelines.exporting import RowWriter, source_bytes
from pipelines.stores.base import Column, Condition, MutableRow, Order, Row, Store, StoreError, Table
from pipelines.stores.tables import PAGES, SOURCES, URLS
from pipelines.warc.exchange import PageBytes
from pipelines.warc.payloads import Origin, Payloads, payload_digest

_CHARSET = re.compile(r"[\w.:+-]{1,40}")
_TABLES = (SOURCES, PAGES)


class WarcRowWriter(RowWriter):
    """One resource record for each source, since the answer's headers are not stored; a repeated payload becomes a
    revisit record. StoreError where warcio is not installed."""

    def __init__(self, out: BinaryIO, columns: Sequence[Column]) -> None:
        super().__init__(out, columns)
        try:
            from pipelines.warc import records
        except ImportError:
            raise StoreError("WARC needs warcio: pip install 'topicrawl[warc]'") from None
        self._records = records
        self._payloads = Payloads()
        info = {"software": "topicrawl/0.1", "description": "stored sources of pages, decompressed, without headers"}
        out.write(records.warcinfo("", info))

    def write(self, row: Row) -> None:
        """A row of `archived_rows`; rows without a URL or a readable body are skipped and counted."""
        if not row.get("url") or not isinstance(row.get("body"), bytes):
            self.left_out += 1
            return
        try:
            source = _source(row)
        except zstandard.ZstdError:
            self.left_out += 1
            return
        digest = payload_digest(source.body)
        self.out.write(self._records.source_record(source, digest, self._payloads.origin(digest)))
        if source.body:
            self._payloads.add(digest, Origin(source.url, self._records.warc_date(source.at)))


def archived_rows(
    store: Store, table: Table, where: Sequence[Condition], order: Sequence[Order], limit: int
) -> Iterator[MutableRow]:
    """Rows of `sources` with their `url`: all that meet the conditions, or those of the pages that meet them.

    Raises:
        StoreError: the table is neither pages nor sources.
    """
    if table not in _TABLES:
        raise StoreError(f"{table.name} has no sources of pages; use --table sources or --table pages")
    return _sources(store, where, order, limit) if table is SOURCES else _of_pages(store, where, order, limit)


def _sources(store: Store, where: Sequence[Condition], order: Sequence[Order], limit: int) -> Iterator[MutableRow]:
    for row in store.select(SOURCES, where, order, limit):
        same_key = [Condition("key", "=", row["key"])]
        named = (next(store.select(table, same_key, limit=1, columns=("url",)), None) for table in (PAGES, URLS))
        yield {**row, "url": next((each["url"] for each in named if each), "")}


def _of_pages(store: Store, where: Sequence[Condition], order: Sequence[Order], limit: int) -> Iterator[MutableRow]:
    for page in store.select(PAGES, where, order, limit, ("key", "url")):
        yield {**(store.get(SOURCES, page["key"]) or {}), "url": page["url"]}


def _source(row: Row) -> PageBytes:
    charset = row.get("charset") or ""
    media_type = f"text/html; charset={charset}" if _CHARSET.fullmatch(charset) else "text/html"
    return PageBytes(row["url"], _moment(row.get("fetched_at")), media_type, source_bytes(row))


def _moment(text: object) -> datetime:
    try:
        moment = datetime.fromisoformat(str(text))
    except ValueError:
        return datetime.now(UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
