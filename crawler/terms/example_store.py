"""Examples of a topic in the store: wanted and unwanted pages, and the judge learned from them."""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from extractors.links.urls import canonical_url, host_of, url_key
from extractors.page import Page
from extractors.topic.example_model import FEATURES, ExampleModel
from pipelines.exporting import source_bytes
from pipelines.stores.base import Condition, MutableRow, Row, Store, Table
from pipelines.stores.tables import EXAMPLES, JUDGES, SOURCES, TOPICS, URLS

_MAX_DOUBT_DISTANCE = 0.4
"""A relevance within this distance of one half is doubtful."""
_MAX_PAGES_READ = 5_000
_MAX_PAGES_PER_HOST = 3


@dataclass(frozen=True, slots=True)
class Example:
    """A page, and whether it is wanted."""

    url: str
    wanted: bool


class ExampleStore:
    """The examples of one topic."""

    def __init__(self, store: Store, topic: str) -> None:
        self._store, self._topic = store, topic

    def mark(self, urls: Iterable[str], *, wanted: bool, by: str) -> int:
        """Mark pages as wanted or not, replacing earlier marks; returns their number."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        found = {url_key(url): canonical_url(url) or url for url in urls}
        rows = [
            {"topic": self._topic, "key": key, "url": url, "wanted": int(wanted), "by": by, "at": now}
            for key, url in found.items()
        ]
        self._store.upsert(EXAMPLES, rows).result()
        return len(rows)

    def all(self) -> list[Example]:
        """Every marked page."""
        rows = self._store.select(EXAMPLES, [Condition("topic", "=", self._topic)])
        return [Example(row["url"], bool(row["wanted"])) for row in rows]

    def save(self, model: ExampleModel, examples: int) -> None:
        """Store the judge; crawls of the topic, including running ones, then use it."""
        weights = model.weights.astype("<f2").tobytes()
        judge = {"topic": self._topic, "weights": weights, "bias": model.bias, "alone": int(model.alone)}
        version = new_version(self._topic)
        judge |= {"examples": examples, "learned_at": version[1]["changed_at"]}
        self._store.write([(JUDGES, judge), version]).result()

    def model(self) -> ExampleModel | None:
        """The latest judge; None if there is none."""
        row = self._store.get(JUDGES, self._topic)
        if row is None or len(row["weights"] or b"") != 2 * FEATURES:
            return None
        weights = np.frombuffer(row["weights"], "<f2").astype(np.float32)
        return ExampleModel(weights, float(row["bias"]), bool(row["alone"]))

    def doubtful(self, most: int) -> Sequence[Row]:
        """Unmarked rows of the URL table with the relevance nearest to one half, few per host: their marks would teach
        most."""
        bounds = [
            Condition("relevance", ">=", 0.5 - _MAX_DOUBT_DISTANCE),
            Condition("relevance", "<=", 0.5 + _MAX_DOUBT_DISTANCE),
        ]
        marked = {url_key(example.url) for example in self.all()}
        rows = [row for row in self._store.select(URLS, bounds, limit=_MAX_PAGES_READ) if row["key"] not in marked]
        rows.sort(key=lambda row: (abs(row["relevance"] - 0.5), row["url"]))
        hosts: Counter[str] = Counter()
        chosen = []
        for row in rows:
            hosts[host_of(row["url"])] += 1
            if hosts[host_of(row["url"])] <= _MAX_PAGES_PER_HOST:
                chosen.append(row)
        return chosen[:most]

    def address(self, name: str) -> str:
        """The URL of a page named by its URL or its key; "" if there is none."""
        if name.startswith(("http://", "https://")):
            return name
        row = self._store.get(URLS, name)
        return str(row["url"]) if row else ""


def stored_page(store: Store, url: str) -> Page | None:
    """The page as last fetched; None if its source is not stored."""
    row = store.get(SOURCES, url_key(url))
    return Page(source_bytes(row), url, charset=row["charset"] or "") if row else None


def new_version(topic: str) -> tuple[Table, MutableRow]:
    """The row by which running crawls notice that something of the topic has changed."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return TOPICS, {"topic": topic, "version": time.time_ns(), "changed_at": now}
