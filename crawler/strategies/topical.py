"""What all orders of a focused crawl share: pages are judged by the topic, and what is not of it is not kept."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Self
from urllib.parse import unquote, urlsplit

from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings

from crawler.priorities import TOPIC_SCALE
from crawler.terms.term_store import LiveRelevance, TermStore
from extractors.links.find import Link
from extractors.topic.model import Topic
from extractors.topic.relevance import Judgement, Relevance
from extractors.topic.words import use_engine
from pipelines.items import PageItem
from pipelines.storage import required_store
from pipelines.stores.base import Store

_SEPARATORS = str.maketrans("/-_.+=&", " " * 7)


class TopicalStrategy:
    """Judges pages by the topic's terms; the library in the store is watched while the crawl runs."""

    scale, promotes = TOPIC_SCALE, True

    def __init__(self, settings: BaseSettings, stored: Callable[[], Store], topic: Topic) -> None:
        self._settings, self._store = settings, stored
        self.topic = topic
        self._live: LiveRelevance | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler, topic: Topic) -> Self:
        """Scrapy's way of making it."""
        return cls(crawler.settings, partial(required_store, crawler), topic)

    @property
    def relevance(self) -> Relevance:
        """By the terms that are accepted now."""
        if self._live is None:
            seconds = self._settings.getfloat("TOPIC_RELOAD_SECONDS")
            use_engine(self._settings.get("SEGMENTER", "auto"))
            self._live = LiveRelevance(TermStore(self._store(), self.topic), seconds)
        return self._live.current()

    def judge(self, item: PageItem) -> None:
        """Set the page's relevance, whether it is kept, and why."""
        judgement = self.relevance.judge(item.page)
        item.topic, item.relevance = self.topic.name, round(judgement.score, 4)
        item.relevant, item.reason = judgement.relevant, judgement.reason()
        if self.topic.languages and (language := item.page.article.language) and language not in self.topic.languages:
            item.relevant, item.reason = False, f"{item.reason}; written in {language}"
        self.learn(item, judgement)

    def learn(self, item: PageItem, judgement: Judgement) -> None:
        """Look at a page that was judged."""

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """For each link of the page how much it should be fetched, 0 … 1."""
        raise NotImplementedError

    def score_listed(self, urls: Sequence[str]) -> Sequence[float]:
        """By the words in the URL; behind what a page of the topic leads to."""
        return [0.1 * float(score) for score in self.relevance.score_texts([url_words(url) for url in urls])]


def url_words(url: str) -> str:
    """The path and query of a URL as words."""
    parts = urlsplit(url)
    return unquote(f"{parts.path} {parts.query}").translate(_SEPARATORS)
