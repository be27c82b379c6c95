"""The extended topic feature library: experts' terms, and terms learned during crawls that people accept or reject."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from extractors.topic.expansion import TermCandidate
from extractors.topic.model import Term, TermClass, Topic
from extractors.topic.words import fold


class TermState(StrEnum):
    """People's decision on a learned term."""

    CANDIDATE = "candidate"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class TermStateChange:
    """A state of a term: since when, and by whom or what."""

    at: str
    state: TermState
    by: str


@dataclass(frozen=True, slots=True)
class DynamicTerm:
    """A learned term.

    Attributes:
        origin: pages, thesaurus, new words, search, crawl, import.
        score: the ranking score. pages: the number of examined pages with it.
        example: a sentence with it.
        history: its states, oldest first.
    """

    term: Term
    state: TermState
    origin: str
    score: float = 0.0
    pages: int = 0
    example: str = ""
    history: tuple[TermStateChange, ...] = ()


class UnknownTermError(KeyError):
    """The library does not have the term."""


class TopicLibrary:
    """A topic's terms, static (given by experts) and dynamic (learned), by the folded word."""

    def __init__(self, topic: Topic, dynamic: Iterable[DynamicTerm] = ()) -> None:
        self.given = topic
        self._static = {fold(word) for term in topic.terms for word in (term.word, *term.synonyms)}
        self._dynamic = {fold(entry.term.word): entry for entry in dynamic}

    def topic(self) -> Topic:
        """The topic with every accepted term."""
        gained = (entry.term for entry in self.entries(TermState.ACCEPTED) if fold(entry.term.word) not in self._static)
        return replace(self.given, terms=(*self.given.terms, *gained))

    def entries(self, state: TermState | None = None) -> list[DynamicTerm]:
        """Learned terms with this state, or all, best first."""
        found = [entry for entry in self._dynamic.values() if state is None or entry.state is state]
        return sorted(found, key=lambda entry: (-entry.score, entry.term.word))

    def known(self) -> frozenset[str]:
        """Folded words of all terms: given, accepted, rejected or waiting."""
        return frozenset(self._static | self._dynamic.keys())

    def decided(self) -> frozenset[str]:
        """Folded words that are given, accepted or rejected."""
        settled = {word for word, entry in self._dynamic.items() if entry.state is not TermState.CANDIDATE}
        return frozenset(self._static | settled)

    def propose(self, candidates: Sequence[TermCandidate], origin: str, now: datetime) -> list[DynamicTerm]:
        """Add candidates; returns the new ones and the waiting ones that changed."""
        added, settled = [], self.decided()
        for candidate in candidates:
            word = fold(candidate.word)
            if word in settled:
                continue
            waiting = self._dynamic.get(word)
            history = waiting.history if waiting else (TermStateChange(_time(now), TermState.CANDIDATE, origin),)
            entry = DynamicTerm(
                Term(candidate.word, weight=candidate.weight, dynamic=True),
                TermState.CANDIDATE,
                waiting.origin if waiting else f"{origin}: {candidate.because}" if candidate.because else origin,
                candidate.score,
                candidate.pages,
                candidate.example,
                history,
            )
            self._dynamic[word] = entry
            added.append(entry)
        return added

    def get(self, word: str) -> DynamicTerm | None:
        """The learned term with this word, or None."""
        return self._dynamic.get(fold(word))

    def is_given(self, word: str) -> bool:
        """Whether the word is an expert's."""
        return fold(word) in self._static

    def add(self, entry: DynamicTerm) -> None:
        """Add or replace an entry."""
        self._dynamic[fold(entry.term.word)] = entry

    def decide(
        self,
        word: str,
        state: TermState,
        *,
        by: str,
        now: datetime,
        term_class: TermClass | None = None,
        weight: float | None = None,
        synonyms: tuple[str, ...] | None = None,
    ) -> DynamicTerm:
        """Accept, reject or change a term; returns it. UnknownTermError if it was never proposed."""
        entry = self._dynamic.get(fold(word))
        if entry is None:
            raise UnknownTermError(word)
        term = replace(
            entry.term,
            term_class=term_class or entry.term.term_class,
            weight=entry.term.weight if weight is None else weight,
            synonyms=entry.term.synonyms if synonyms is None else synonyms,
        )
        history = (
            (*entry.history, TermStateChange(_time(now), state, by)) if state is not entry.state else entry.history
        )
        decided = replace(entry, term=term, state=state, history=history)
        self._dynamic[fold(word)] = decided
        return decided


def _time(now: datetime) -> str:
    return now.isoformat(timespec="seconds")
