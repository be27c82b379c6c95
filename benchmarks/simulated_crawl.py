"""A focused crawl of a recorded web: our judge, orders and link follower, without network."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scrapy.settings import Settings

from benchmarks.recorded_web import RecordedWeb
from crawler.commands._dry_crawl import Answer, DryCrawl
from crawler.strategies import strategy_class
from extractors.html.document import Document
from extractors.topic.model import Topic
from extractors.topic.relevance import Judgement, Relevance
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store


@dataclass(frozen=True, slots=True)
class Crawl:
    """A finished crawl.

    Attributes:
        order: the pages fetched, in order. requests: all requests, with those answered 404.
        kept: the pages that the judge found relevant.
        seconds: CPU of judging, following and ordering, without finding the recorded pages.
    """

    order: tuple[str, ...]
    requests: int
    kept: frozenset[str]
    seconds: float


class RecordedRelevance(Relevance):
    """Judges each page and text once, for many crawls over the same pages."""

    def __init__(self, topic: Topic) -> None:
        super().__init__(topic)
        self._judged: dict[str, Judgement] = {}
        self._scored: dict[str, float] = {}

    def judge(self, page: Document, most: int = 10) -> Judgement:
        if page.url not in self._judged:
            self._judged[page.url] = super().judge(page, most)
        return self._judged[page.url]

    def score_texts(self, texts: Sequence[str]) -> NDArray[np.float64]:
        if new := [text for text in dict.fromkeys(texts) if text not in self._scored]:
            self._scored.update(zip(new, super().score_texts(new).tolist(), strict=True))
        return np.array([self._scored[text] for text in texts], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class _Fixed:
    """Terms that do not change."""

    relevance: Relevance
    store: None = None

    def current(self) -> Relevance:
        return self.relevance


def simulate(
    web: RecordedWeb, topic: Topic, order: str, work: Path, most: int, *, relevance: Relevance | None = None
) -> Crawl:
    """Crawl for a topic in an order, from the home pages of all hosts; pages are judged by `relevance` if it is given."""
    store = open_store(f"sqlite:///{work}/simulated-{time.monotonic_ns()}.db")
    try:
        return _crawl(web, topic, order, store, relevance, most)
    finally:
        store.close()


def _crawl(web: RecordedWeb, topic: Topic, order: str, store: Store, relevance: Relevance | None, most: int) -> Crawl:
    settings = Settings()
    settings.setmodule("settings.base")
    settings.set("TOPIC_LEARN_PAGES", 0)
    strategy = strategy_class(order, order)(settings, lambda: store, topic)
    if relevance is not None:
        strategy._live = _Fixed(relevance)

    read_seconds = 0.0

    def read(url: str) -> Answer:
        nonlocal read_seconds
        begun, answer = time.process_time(), web.answer(url)
        found = Answer(answer, web.pages[answer].page()) if answer else Answer(url, missing=True)
        read_seconds += time.process_time() - begun
        return found

    pages: list[str] = []
    kept: set[str] = set()
    requests, begun = 0, time.process_time()
    for step in DryCrawl(settings, strategy, web.homes, read, lambda host: web.sitemaps.get(host, ())).steps():
        requests += 1
        if step.verdict is not None:
            pages.append(step.answer.url)
            kept |= {step.answer.url} if step.verdict.relevant else set()
        if len(pages) == most:
            break
    return Crawl(tuple(pages), requests, frozenset(kept), time.process_time() - begun - read_seconds)
