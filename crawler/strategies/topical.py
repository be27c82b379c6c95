"""Base of all crawl orders with a topic: judges pages by the topic, and keeps only on-topic ones."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Self

from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings

from crawler.priorities import START_SCORE, TOPIC_SCALE
from crawler.strategies.base import LinkStrategy, PageVerdict
from crawler.terms.term_store import LiveRelevance, TermStore
from extractors.links.urls import address_words
from extractors.page import Page
from extractors.topic.model import Topic
from extractors.topic.relevance import Judgement, Relevance
from extractors.topic.words import use_engine
from pipelines.storage import required_store
from pipelines.stores.base import Store


class TopicalStrategy(LinkStrategy):
    """Judges pages by the topic's terms, and follows changes of the term library in the store."""

    scale, promotes = TOPIC_SCALE, True
    start_score: float = START_SCORE

    def __init__(self, settings: BaseSettings, stored: Callable[[], Store], topic: Topic) -> None:
        self._settings, self._store = settings, stored
        self.topic = topic
        self._live: LiveRelevance | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler, topic: Topic) -> Self:
        return cls(crawler.settings, partial(required_store, crawler), topic)

    @property
    def relevance(self) -> Relevance:
        """The judge for the terms accepted at present."""
        if self._live is None:
            seconds = self._settings.getfloat("TOPIC_RELOAD_SECONDS")
            use_engine(self._settings.get("SEGMENTER", "auto"))
            self._live = LiveRelevance(TermStore(self._store(), self.topic), seconds)
        return self._live.current()

    def judge(self, url: str, page: Page) -> PageVerdict:
        """Judge by the topic, and by the language if the topic names some."""
        judgement = self.relevance.judge(page)
        relevant, reason = judgement.relevant, judgement.reason()
        if self.topic.languages and (language := page.article.language) and language not in self.topic.languages:
            relevant, reason = False, f"{reason}; written in {language}"
        self.learn(url, page, judgement, relevant=relevant)
        return PageVerdict(relevant, round(judgement.score, 4), self.topic.name, reason, judgement.lead)

    def learn(self, url: str, page: Page, judgement: Judgement, *, relevant: bool) -> None:
        """Called with each judged page."""

    def score_listed(self, urls: Sequence[str]) -> Sequence[float]:
        """Scores by the words in the URL, below those of links on on-topic pages."""
        return [0.1 * float(score) for score in self.relevance.score_texts([address_words(url) for url in urls])]

    def why(self, url: str) -> str:
        """The reasons for the score of a queued link; "" if the order gives none."""
        return ""
