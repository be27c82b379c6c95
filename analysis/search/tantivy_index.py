"""The index of one machine: tantivy's, in a folder beside the database. One process writes, any number read."""

import json
import shutil
import time
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tantivy import Document as Stored
from tantivy import Index, IndexWriter, Query, Schema, SchemaBuilder, Searcher

from analysis.search.found import Found, FoundOrder
from analysis.search.query import Node
from analysis.search.search_documents import FORMAT, SearchDocument
from analysis.search.tantivy_query import TantivyFound
from pipelines.lease import LeaseLostError
from pipelines.stores.base import StoreError

_IDENTITY = "topicrawl.json"
_WRITER_BYTES = 64_000_000
"""Memory of documents that are not written yet."""
Signature = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class _Opened:
    """One state of the index, with the means of `length` and `all_terms` of its documents."""

    signature: Signature
    schema: Schema
    searcher: Searcher
    means: tuple[float, float]


class TantivyIndex:
    """An index in this folder; searches may come from several threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._opened: _Opened | None = None
        self._writer: IndexWriter | None = None

    @property
    def location(self) -> str:
        return str(self._folder)

    def identity(self) -> str:
        """Which index it is, as it was committed last; "" if it is missing, damaged or of another format."""
        try:
            known = json.loads((self._folder / _IDENTITY).read_text())
            seen = (self._folder / "meta.json").stat()
            signature = (known["identity"], seen.st_mtime_ns, seen.st_ino)
            if known["format"] != FORMAT:
                return ""
            if self._opened is None or self._opened.signature != signature:
                self._opened = _open(self.location, signature)
        except (OSError, ValueError, KeyError, TypeError):
            return ""
        return str(known["identity"])

    def create(self) -> str:
        """An empty index in the place of the one that is there; its identity."""
        self.close()
        try:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder.mkdir(parents=True, exist_ok=True)
            Index(_schema(), self.location, reuse=False)
            identity = uuid.uuid4().hex
            (self._folder / _IDENTITY).write_text(json.dumps({"identity": identity, "format": FORMAT}))
        except (OSError, ValueError) as error:
            raise StoreError(f"The search index in {self.location} cannot be made: {error}") from None
        return identity

    def write(self, pages: Iterable[str], documents: Iterable[SearchDocument]) -> None:
        """Replace all documents of these pages; durable when this returns."""
        try:
            writer = self._writer = self._writer or self._open_writer()
            for page in pages:
                writer.delete_documents_by_term("page", page)
            for document in documents:
                writer.add_document(Stored(**document.fields(time.time_ns())))
            writer.commit()
        except (OSError, ValueError) as error:
            self.close()
            raise StoreError(f"The search index in {self.location} cannot be written: {error}") from None

    def close(self) -> None:
        """Stop writing; merges that are under way are given up."""
        self._writer = self._opened = None

    def find(self, node: Node, now: datetime, order: FoundOrder) -> Found:
        """The matches in the index that `identity` has seen."""
        opened = self._opened
        if opened is None:
            raise StoreError(f"The search index in {self.location} was not opened.")
        return TantivyFound(opened.searcher, opened.schema, opened.means, node, now, order)

    def _open_writer(self) -> IndexWriter:
        index = Index.open(self.location)
        try:
            return index.writer(_WRITER_BYTES, num_threads=1)
        except ValueError as error:
            if "LockBusy" in str(error):
                raise LeaseLostError(f"another process still writes {self.location}") from None
            raise


def _open(folder: str, signature: Signature) -> _Opened:
    """ValueError for a damaged index."""
    index = Index.open(folder)
    searcher = index.searcher()
    names = ("length", "all_terms")
    found = searcher.aggregate(Query.all_query(), {name: {"avg": {"field": name}} for name in names})
    length, all_terms = (float(found[name]["value"] or 1.0) for name in names)
    return _Opened(signature, index.schema, searcher, (length, all_terms))


def _schema() -> Schema:
    builder = SchemaBuilder()
    builder.add_text_field("terms", tokenizer_name="whitespace", index_option="freq")
    for name in ("page", "record", "host"):
        builder.add_text_field(name, stored=True, tokenizer_name="raw", index_option="basic", fast=name == "host")
    for name in ("domains", "kind", "topic", "language"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in ("seconds", "indexed", "length", "all_terms", "page_number"):
        builder.add_integer_field(name, fast=True)
    return builder.build()
