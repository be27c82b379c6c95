"""Candidates from the strongly relevant pages of a running crawl, for review by people."""

from collections import deque
from datetime import UTC, datetime

from crawler.terms.term_store import TermStore
from extractors.article import Article
from extractors.topic.expansion import propose
from extractors.topic.lexicon import WordTable
from extractors.topic.relevance import Judgement

_MAX_PAGES = 50
_MIN_TEXT_CHARS = 200
_MAX_CANDIDATES = 30
_MIN_PAGES = 5


class TermLearner:
    """Keeps the latest strongly relevant texts and the words of all texts; proposes after every `every` strong pages."""

    def __init__(self, every: int) -> None:
        self._every = every
        self._strong: deque[str] = deque(maxlen=_MAX_PAGES)
        self._seen = 0
        self._words = WordTable()

    def learn(self, article: Article, judgement: Judgement, store: TermStore) -> None:
        """Learn from a page, and propose if enough have come."""
        if not self._every or len(article.text) < _MIN_TEXT_CHARS:
            return
        text = f"{article.title}\n{article.text[:20_000]}"
        self._words.add(text)
        if not judgement.strong:
            return
        self._strong.append(text)
        self._seen += 1
        if self._seen % self._every == 0:
            self._propose(store)

    def finish(self, store: TermStore) -> None:
        """Propose from the pages since the last proposal, unless they are too few."""
        if self._every and self._seen % self._every >= _MIN_PAGES:
            self._propose(store)

    def _propose(self, store: TermStore) -> None:
        library = store.library()
        candidates = propose(list(self._strong), self._words, library.decided(), most=_MAX_CANDIDATES)
        store.save_candidates(library.propose(candidates, "crawl", datetime.now(UTC)))
