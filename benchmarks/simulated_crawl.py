"""A focused crawl of a recorded web: our judge, orders and link follower, without network.

The frontier is the production rule in memory: hosts by priority band, in turn within a band, within a host by priority.
"""

import heapq
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scrapy import Request
from scrapy.settings import Settings

from benchmarks.recorded_web import RecordedWeb, WebPage
from crawler.frontier.rescorer import Rescorer
from crawler.links.follower import LinkFollower
from crawler.links.scope import Scope
from crawler.links.traps import PatternYields
from crawler.meta import DEPTH_KEY, PROMOTE_KEY, REFERRER_KEY, STRAYED_KEY
from crawler.priorities import BAND
from crawler.spiders.page_reader import has_own_text
from crawler.strategies import strategy_class
from crawler.strategies.base import LinkStrategy, PageVerdict
from extractors.html.document import Document
from extractors.links.urls import host_of
from extractors.topic.model import Topic
from extractors.topic.relevance import Judgement, Relevance
from pipelines.items import PageItem
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store


@dataclass(frozen=True, slots=True)
class Crawl:
    """A finished crawl.

    Attributes:
        order: the pages fetched, in order. requests: all requests, with those answered 404.
        kept: the pages that the judge found relevant.
        seconds: CPU of judging and ordering.
    """

    order: tuple[str, ...]
    requests: int
    kept: frozenset[str]
    seconds: float


@dataclass(slots=True)
class Queue:
    """Requests by host."""

    _hosts: dict[str, list[tuple[int, int, Request]]] = field(default_factory=dict)
    _served: dict[str, int] = field(default_factory=dict)
    _waiting: dict[str, Request] = field(default_factory=dict)
    _turn: int = 0

    def push(self, request: Request) -> None:
        """A new request, or a better place for one that waits."""
        self._turn += 1
        if PROMOTE_KEY in request.meta:
            request = self._waiting[request.url].replace(priority=request.priority)
        self._waiting[request.url] = request
        heapq.heappush(self._hosts.setdefault(host_of(request.url), []), (-request.priority, self._turn, request))

    def pop(self) -> Request | None:
        """The next one; None if there is none."""
        waiting = [host for host, heap in self._hosts.items() if heap]
        if not waiting:
            return None
        host = max(waiting, key=lambda host: (-self._hosts[host][0][0] // BAND, -self._served.get(host, 0)))
        self._turn += 1
        self._served[host] = self._turn
        return heapq.heappop(self._hosts[host])[2]


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
        return _Run(web, topic, order, store, web.homes, relevance).crawl(most)
    finally:
        store.close()


class _Run:
    def __init__(
        self,
        web: RecordedWeb,
        topic: Topic,
        order: str,
        store: Store,
        seeds: Sequence[str],
        relevance: Relevance | None,
    ) -> None:
        settings = Settings()
        settings.setmodule("settings.base")
        settings.set("TOPIC_LEARN_PAGES", 0)
        self._web, self._queue, self._seeds = web, Queue(), seeds
        self._strategy: LinkStrategy = strategy_class(order, order)(settings, lambda: store, topic)
        if relevance is not None:
            self._strategy._live = _Fixed(relevance)
        self._follower = LinkFollower(
            Scope(list(seeds), []),
            self._strategy,
            PatternYields(),
            depth=settings.getint("SITE_MAX_DEPTH"),
            per_host=settings.getint("SITE_MAX_PAGES_PER_HOST"),
            tunnel=settings.getint("TOPIC_TUNNEL"),
        )
        self._rescorer = Rescorer(self._strategy)
        self._kept: set[str] = set()

    def crawl(self, most: int) -> Crawl:
        done, order, requests, begun = set(), [], 0, time.process_time()
        for url in self._seeds:
            self._queue.push(self._follower.start(url, _nothing, {}))
            for request in self._follower.listed(self._web.sitemaps.get(host_of(url), ()), _nothing, "sitemap"):
                self._queue.push(request)
        while len(order) < most and (request := self._queue.pop()):
            if request.url in done:
                continue
            looked_at = self._rescorer.at(request)
            if looked_at is not request:
                if looked_at is not None:
                    self._queue.push(looked_at)
                continue
            done.add(request.url)
            requests += 1
            answer = self._web.answer(request.url)
            self._rescorer.found(request.url, missing=not answer)
            if answer != request.url and answer in done:
                continue
            done.add(answer)
            if answer:
                order.append(answer)
                self._read(self._web.pages[answer], request)
        return Crawl(tuple(order), requests, frozenset(self._kept), time.process_time() - begun)

    def _read(self, known: WebPage, request: Request) -> None:
        page, meta = known.page(), request.meta
        verdict: PageVerdict = self._strategy.judge(known.url, page)
        if verdict.relevant:
            self._kept.add(known.url)
        item = PageItem(
            url=known.url,
            requested_url=known.url,
            status=200,
            page=page,
            links=page.links,
            depth=meta.get(DEPTH_KEY, 0),
            off_topic_steps=meta.get(STRAYED_KEY, 0),
            topic=verdict.topic,
            relevance=verdict.relevance,
            relevant=verdict.relevant,
            lead=verdict.lead,
            referrer=meta.get(REFERRER_KEY, ""),
        )
        requests = list(self._follower.requests(item, _nothing))
        for found in self._follower.learn(item, has_own_text(page), requests):
            self._queue.push(found)


def _nothing(response: Any) -> Iterator[Any]:
    """The callback of requests that nobody answers."""
    yield from ()
