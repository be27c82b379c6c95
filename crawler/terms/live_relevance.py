"""A topic's relevance in a running crawl, renewed when people decide on its terms."""

import time
from collections.abc import Callable

from crawler.terms.term_store import TermStore
from extractors.topic.relevance import Relevance
from extractors.topic.words import add_words


class LiveRelevance:
    """The relevance by the currently accepted terms.

    Args:
        store: the topic's library.
        seconds: between two reads of its version; each is one read by key.
        clock: monotonic seconds.
    """

    def __init__(self, store: TermStore, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.store = store
        self._seconds = seconds
        self._clock = clock
        self._version = store.version()
        self._checked = clock()
        self._current = self._build()

    def current(self) -> Relevance:
        """Judges pages and links; a new object after the terms have changed."""
        now = self._clock()
        if now - self._checked >= self._seconds:
            self._checked = now
            version = self.store.version()
            if version != self._version:
                self._version = version
                self._current = self._build()
        return self._current

    def _build(self) -> Relevance:
        topic = self.store.library().topic()
        add_words(word for term in topic.terms for word in (term.word, *term.synonyms))
        return Relevance(topic)
