"""Pages that are surely of the topic teach the crawl new terms, which wait for people."""

from collections import deque
from datetime import UTC, datetime

from crawler.terms.book import TermBook
from extractors.article import Article
from extractors.topic.expansion import propose
from extractors.topic.lexicon import WordTable
from extractors.topic.relevance import Judgement

_TOP = 50
_LEAST_TEXT = 200
_PROPOSED = 30
_LEAST_PAGES = 5


class TermLearner:
    """Keeps the latest strongly relevant texts and the words of all; proposes after every `every` of the former."""

    def __init__(self, every: int) -> None:
        self._every = every
        self._strong: deque[str] = deque(maxlen=_TOP)
        self._seen = 0
        self._words = WordTable()

    def see(self, article: Article, judgement: Judgement, book: TermBook) -> None:
        """Look at a page."""
        if not self._every or len(article.text) < _LEAST_TEXT:
            return
        text = f"{article.title}\n{article.text[:20_000]}"
        self._words.add(text)
        if not judgement.strong:
            return
        self._strong.append(text)
        self._seen += 1
        if self._seen % self._every == 0:
            self._propose(book)

    def finish(self, book: TermBook) -> None:
        """Propose from what has come since the last proposal; nothing from too few pages."""
        if self._every and self._seen % self._every >= _LEAST_PAGES:
            self._propose(book)

    def _propose(self, book: TermBook) -> None:
        library = book.library()
        candidates = propose(list(self._strong), self._words, library.decided(), most=_PROPOSED)
        book.save_candidates(library.propose(candidates, "crawl", datetime.now(UTC)))
