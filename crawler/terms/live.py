"""A topic's relevance in a crawl that runs: made again when people have decided on its terms."""

import time
from collections.abc import Callable

from crawler.terms.book import TermBook
from extractors.topic.relevance import Relevance
from extractors.topic.words import add_words


class LiveRelevance:
    """The relevance by the terms that are accepted now.

    Args:
        book: the topic's library in the store.
        seconds: between two looks at its version, which cost one read by key.
        clock: seconds that only grow.
    """

    def __init__(self, book: TermBook, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.book = book
        self._seconds = seconds
        self._clock = clock
        self._version = book.version()
        self._looked = clock()
        self._current = self._made()

    def current(self) -> Relevance:
        """Judges pages and links; another one after accepted terms have changed."""
        now = self._clock()
        if now - self._looked >= self._seconds:
            self._looked = now
            version = self.book.version()
            if version != self._version:
                self._version = version
                self._current = self._made()
        return self._current

    def _made(self) -> Relevance:
        topic = self.book.library().topic()
        add_words(word for term in topic.terms for word in (term.word, *term.synonyms))
        return Relevance(topic)
