"""Expansion: candidates for a topic's library from the thesaurus, from pages, from the search entry, and new words."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from crawler.terms.book import TermBook
from crawler.terms.corpus import Text, found_by_search, most_relevant, texts
from extractors.topic.expansion import Candidate, Ranking, sentence_with
from extractors.topic.lexicon import WordTable, build
from extractors.topic.library import DynamicTerm, TopicLibrary
from extractors.topic.model import Topic
from extractors.topic.newwords import find_new_words
from extractors.topic.relevance import Relevance
from extractors.topic.thesaurus import Thesaurus
from extractors.topic.words import add_words
from pipelines.stores.base import Store

_NEW_WORD_PAGES = 10
"""So many times the pages from which words are proposed are read for new words, as far as they are relevant: new words must
occur often to be found."""
_WEIGHED_PAGES = 4
"""So many times those pages show how much a word should count."""


@dataclass(frozen=True, slots=True)
class Asked:
    """How much is wanted: of each source at most `most` candidates, from the `top` best pages; ranked as published or not."""

    top: int = 20
    most: int = 60
    published: bool = False


@dataclass(frozen=True, slots=True)
class Grounds:
    """What candidates are looked for in: the topic, its best pages (more of them for new words), words of the best pages and
    of all, words that the thesaurus relates to the topic's own, with how, and sentences in which these stand."""

    library: TopicLibrary
    best: Sequence[Text]
    searched: Sequence[Text]
    weighed: WordTable
    store: WordTable
    new_words: frozenset[str]
    related: Mapping[str, str]
    examples: Mapping[str, str]


def expand(
    book: TermBook, store: Store, thesaurus: Thesaurus, sources: Iterable[str], asked: Asked
) -> dict[str, list[DynamicTerm]]:
    """Propose, store what is new or has changed, and return it by source."""
    grounds = survey(book, store, thesaurus, asked, searched="search" in sources)
    library, now = grounds.library, datetime.now(UTC)
    proposed = {}
    for source in sources:
        entries = library.propose(SOURCES[source](grounds, asked), source, now)
        proposed[source] = book.save_candidates(entries)
    return proposed


def survey(book: TermBook, store: Store, thesaurus: Thesaurus, asked: Asked, *, searched: bool) -> Grounds:
    """Judge all stored pages, find new words in the best, and count the words of all."""
    library = book.library()
    topic = library.topic()
    add_words(word for term in topic.terms for word in (term.word, *term.synonyms))
    ranked = most_relevant(store, Relevance(topic), asked.top * _NEW_WORD_PAGES)
    best = [text for place, text in enumerate(ranked) if place < asked.top or text.score >= topic.threshold]
    found = found_by_search(store, topic.name, asked.top) if searched else []
    new_words = frozenset(word.word for word in find_new_words(text.whole for text in (*best, *found)))
    add_words(new_words)
    related = _related(topic, thesaurus)
    weighed = build(text.whole for text in ranked[: asked.top * _WEIGHED_PAGES])
    table, examples = _counted(store, frozenset(related))
    return Grounds(library, best, found, weighed, table, new_words, related, examples)


def _counted(store: Store, wanted: frozenset[str]) -> tuple[WordTable, dict[str, str]]:
    """Words of all stored pages, and the first sentence of each wanted one."""
    table, examples = WordTable(), dict[str, str]()
    for text in texts(store, "counting words"):
        for word in (table.add(text.whole).keys() & wanted) - examples.keys():
            examples[word] = sentence_with(word, text.whole)
    return table, examples


def _of_pages(grounds: Grounds, asked: Asked) -> list[Candidate]:
    return _ranked(grounds.best[: asked.top], grounds, asked)


def _of_search(grounds: Grounds, asked: Asked) -> list[Candidate]:
    return _ranked(grounds.searched, grounds, asked)


def _of_new_words(grounds: Grounds, asked: Asked) -> list[Candidate]:
    return _ranked(grounds.best, grounds, asked, grounds.new_words)


def _ranked(
    pages: Sequence[Text], grounds: Grounds, asked: Asked, only: frozenset[str] | None = None
) -> list[Candidate]:
    ranking = _ranking(pages, grounds, asked)
    words = ranking.top.document_count.keys() - grounds.library.decided()
    return ranking.best(words if only is None else words & only, asked.most)


def _ranking(pages: Sequence[Text], grounds: Grounds, asked: Asked) -> Ranking:
    return Ranking([text.whole for text in pages], grounds.store, grounds.weighed, published=asked.published)


def _of_thesaurus(grounds: Grounds, asked: Asked) -> list[Candidate]:
    """Words related to the topic's own; where pages are stored, only those that stand on one of them."""
    ranking = _ranking(grounds.best[: asked.top], grounds, asked)
    stored, known = grounds.store, grounds.library.decided()
    words = [
        word for word in grounds.related if word not in known and (stored.document_count[word] or not stored.documents)
    ]
    found = [ranking.candidate(word, grounds.related[word]) for word in words]
    shown = [replace(one, example=one.example or grounds.examples.get(one.word, "")) for one in found]
    return sorted(shown, key=lambda one: (-one.score, one.word))[: asked.most]


def _related(topic: Topic, thesaurus: Thesaurus) -> Mapping[str, str]:
    """Each related word, and to which term and how."""
    found: dict[str, str] = {}
    for term in topic.terms:
        for word, how in thesaurus.related(term.word):
            found.setdefault(word, f"{how} of {term.word}")
    return found


SOURCES: dict[str, Callable[[Grounds, Asked], list[Candidate]]] = {
    "thesaurus": _of_thesaurus,
    "pages": _of_pages,
    "search": _of_search,
    "newwords": _of_new_words,
}
"""Where candidates come from, by the names that `scrapy topic expand --from` takes."""
