"""Candidates for a topic's library: from stored pages, search results, new words, the thesaurus, and a running crawl."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from crawler.terms.corpus import Text, found_by_search, most_relevant, texts
from crawler.terms.term_store import TermStore
from extractors.article import Article
from extractors.topic.expansion import Ranking, TermCandidate, propose, sentence_with
from extractors.topic.lexicon import WordTable, build
from extractors.topic.library import DynamicTerm, TopicLibrary
from extractors.topic.model import Topic
from extractors.topic.newwords import find_new_words
from extractors.topic.relevance import Judgement, Relevance
from extractors.topic.thesaurus import Thesaurus
from extractors.topic.words import add_words
from pipelines.stores.base import Store

_MAX_PAGES = 50
_MIN_TEXT_CHARS = 200
_MAX_CANDIDATES = 30
_MIN_PAGES = 5
_NEW_WORD_FACTOR = 10
"""New words come from this many times `top` relevant pages, since they must occur often."""
_WEIGHT_FACTOR = 4
"""Weights of words come from this many times `top` pages."""


@dataclass(frozen=True, slots=True)
class ExpansionLimits:
    """At most `most` candidates of each source, from the `top` best pages; `published`: ranked by the published formula."""

    top: int = 20
    most: int = 60
    published: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """The sources of candidates.

    Attributes:
        library: the topic's terms.
        of_topic: the number of pages among the best that are of the topic.
        best: its best pages, first the `top` ones, then further relevant ones.
        searched: pages found by search engines.
        weighed: words of the best pages, for weights. store: words of all pages.
        new_words: new words of the best pages.
        related: words related to the topic's terms by the thesaurus, with the relation. examples: sentences with them.
    """

    library: TopicLibrary
    of_topic: int
    best: Sequence[Text]
    searched: Sequence[Text]
    weighed: WordTable
    store: WordTable
    new_words: frozenset[str]
    related: Mapping[str, str]
    examples: Mapping[str, str]


def expand(
    terms: TermStore, store: Store, thesaurus: Thesaurus, sources: Iterable[str], limits: ExpansionLimits
) -> tuple[dict[str, list[DynamicTerm]], int]:
    """Propose candidates, store new and changed ones, and return them by source, with the number of stored pages that are of the topic,
    counted among the best. Where there is none, stored pages propose nothing: their words would be those of other subjects."""
    evidence = gather_evidence(terms, store, thesaurus, limits, searched="search" in sources)
    library, now = evidence.library, datetime.now(UTC)
    proposed = {}
    for source in sources:
        entries = library.propose(SOURCES[source](evidence, limits), source, now)
        proposed[source] = terms.save_candidates(entries)
    return proposed, evidence.of_topic


def gather_evidence(
    terms: TermStore, store: Store, thesaurus: Thesaurus, limits: ExpansionLimits, *, searched: bool
) -> Evidence:
    """Judge all stored pages, find new words in the best, and count the words of all."""
    library = terms.library()
    topic = library.topic()
    add_words(word for term in topic.terms for word in (term.word, *term.synonyms))
    ranked = most_relevant(store, Relevance(topic), limits.top * _NEW_WORD_FACTOR)
    of_topic = sum(text.score >= topic.threshold for text in ranked)
    best = [
        text for place, text in enumerate(ranked) if of_topic and (place < limits.top or text.score >= topic.threshold)
    ]
    found = found_by_search(store, topic.name, limits.top) if searched else []
    new_words = frozenset(word.word for word in find_new_words(text.whole for text in (*best, *found)))
    add_words(new_words)
    related = _related(topic, thesaurus)
    weighed = build(text.whole for text in ranked[: limits.top * _WEIGHT_FACTOR])
    table, examples = _counted(store, frozenset(related))
    return Evidence(library, of_topic, best, found, weighed, table, new_words, related, examples)


def _counted(store: Store, wanted: frozenset[str]) -> tuple[WordTable, dict[str, str]]:
    """The words of all stored pages, and the first sentence with each wanted word."""
    table, examples = WordTable(), dict[str, str]()
    for text in texts(store, "counting words"):
        for word in (table.add(text.whole).keys() & wanted) - examples.keys():
            examples[word] = sentence_with(word, text.whole)
    return table, examples


def _ranked(
    pages: Sequence[Text], evidence: Evidence, limits: ExpansionLimits, only: frozenset[str] | None = None
) -> list[TermCandidate]:
    ranking = _ranking(pages, evidence, limits)
    words = ranking.top.document_count.keys() - evidence.library.decided()
    return ranking.best(words if only is None else words & only, limits.most)


def _ranking(pages: Sequence[Text], evidence: Evidence, limits: ExpansionLimits) -> Ranking:
    return Ranking([text.whole for text in pages], evidence.store, evidence.weighed, published=limits.published)


def _of_thesaurus(evidence: Evidence, limits: ExpansionLimits) -> list[TermCandidate]:
    """Words related to the topic's terms; if pages are stored, only words that occur in one."""
    ranking = _ranking(evidence.best[: limits.top], evidence, limits)
    stored, known = evidence.store, evidence.library.decided()
    words = [
        word for word in evidence.related if word not in known and (stored.document_count[word] or not stored.documents)
    ]
    found = [ranking.candidate(word, evidence.related[word]) for word in words]
    shown = [replace(one, example=one.example or evidence.examples.get(one.word, "")) for one in found]
    return sorted(shown, key=lambda one: (-one.score, one.word))[: limits.most]


def _related(topic: Topic, thesaurus: Thesaurus) -> Mapping[str, str]:
    """Each related word, with the term and the relation."""
    found: dict[str, str] = {}
    for term in topic.terms:
        for word, how in thesaurus.related(term.word):
            found.setdefault(word, f"{how} of {term.word}")
    return found


SOURCES: dict[str, Callable[[Evidence, ExpansionLimits], list[TermCandidate]]] = {
    "thesaurus": _of_thesaurus,
    "pages": lambda evidence, limits: _ranked(evidence.best[: limits.top], evidence, limits),
    "search": lambda evidence, limits: _ranked(evidence.searched, evidence, limits),
    "newwords": lambda evidence, limits: _ranked(evidence.best, evidence, limits, evidence.new_words),
}
"""Sources of candidates by the names for `scrapy topic expand --from`."""


class TermLearner:
    """Proposes terms from strongly relevant pages of a running crawl, for review by people.

    Keeps the latest strongly relevant texts and the words of all texts; proposes after every `every` strong pages.
    """

    def __init__(self, every: int) -> None:
        self._every = every
        self._strong: deque[str] = deque(maxlen=_MAX_PAGES)
        self._seen = 0
        self._words = WordTable()

    def learn(self, article: Article, judgement: Judgement, store: TermStore) -> None:
        """Learn from a page, and propose terms after enough pages."""
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
        """Propose terms from the pages since the last proposal, unless they are too few."""
        if self._every and self._seen % self._every >= _MIN_PAGES:
            self._propose(store)

    def _propose(self, store: TermStore) -> None:
        library = store.library()
        candidates = propose(list(self._strong), self._words, library.decided(), most=_MAX_CANDIDATES)
        store.save_candidates(library.propose(candidates, "crawl", datetime.now(UTC)))
