"""A topic's library in the store, and its relevance judge, which follows decisions during a crawl."""

import time
from collections.abc import Callable, Iterable
from typing import Any

from crawler.terms.example_store import ExampleStore, new_version
from extractors.topic.example_model import ExampleModel
from extractors.topic.library import DynamicTerm, TermState, TermStateChange, TopicLibrary
from extractors.topic.model import Term, TermClass, Topic
from extractors.topic.relevance import Relevance
from extractors.topic.words import add_words, fold
from pipelines.stores.base import Condition, Store
from pipelines.stores.tables import TERMS, TOPICS


class TermStore:
    """Reads and writes the library of one topic."""

    def __init__(self, store: Store, topic: Topic) -> None:
        self._store = store
        self.given = topic

    def library(self) -> TopicLibrary:
        rows = self._store.select(TERMS, [Condition("topic", "=", self.given.name)])
        return TopicLibrary(self.given, map(_entry, rows))

    def examples(self) -> ExampleModel | None:
        """The judge learned from the topic's examples."""
        return ExampleStore(self._store, self.given.name).model()

    def version(self) -> int:
        """A number that changes with every decision; 0 before the first one."""
        row = self._store.get(TOPICS, self.given.name)
        return int(row["version"]) if row else 0

    def save(self, entries: Iterable[DynamicTerm], *, decided: bool = False) -> None:
        """Store these entries, with a new version if one is decided or was before (`decided`). Durable on return."""
        entries = list(entries)
        if not entries:
            return
        rows = [(TERMS, _row(self.given.name, entry)) for entry in entries]
        if decided or any(entry.state is not TermState.CANDIDATE for entry in entries):
            rows.append(new_version(self.given.name))
        self._store.write(rows).result()

    def forget(self, word: str) -> None:
        """Remove a term as if it had never been proposed, with a new version. Durable on return."""
        where = [Condition("topic", "=", self.given.name), Condition("word", "=", fold(word))]
        self._store.remove(TERMS, where).result()
        self._store.write([new_version(self.given.name)]).result()

    def save_candidates(self, entries: Iterable[DynamicTerm]) -> list[DynamicTerm]:
        """Store the entries that have no stored decision; returns them."""
        decided = self.library().decided()
        open_ones = [entry for entry in entries if fold(entry.term.word) not in decided]
        self.save(open_ones)
        return open_ones


class LiveRelevance:
    """The relevance judge for the currently accepted terms.

    Args:
        store: the topic's library.
        seconds: between two reads of its version, by key.
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
        """The judge of pages and links; a new object after the terms have changed."""
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
        return Relevance(topic, self.store.examples())


def _row(topic: str, entry: DynamicTerm) -> dict[str, Any]:
    return {
        "topic": topic,
        "word": fold(entry.term.word),
        "shown": entry.term.word,
        "class": str(entry.term.term_class),
        "state": str(entry.state),
        "origin": entry.origin,
        "example": entry.example,
        "weight": entry.term.weight,
        "score": entry.score,
        "pages": entry.pages,
        "synonyms": list(entry.term.synonyms),
        "history": [{"at": change.at, "state": str(change.state), "by": change.by} for change in entry.history],
    }


def _entry(row: dict[str, Any]) -> DynamicTerm:
    term = Term(
        row["shown"] or row["word"],
        TermClass(row["class"] or TermClass.PROFESSIONAL),
        float(row["weight"] or 0.0),
        tuple(row["synonyms"] or ()),
        dynamic=True,
    )
    history = tuple(TermStateChange(each["at"], TermState(each["state"]), each["by"]) for each in row["history"] or ())
    score, pages = float(row["score"] or 0.0), int(row["pages"] or 0)
    return DynamicTerm(term, TermState(row["state"]), row["origin"] or "", score, pages, row["example"] or "", history)
