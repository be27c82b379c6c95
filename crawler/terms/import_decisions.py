"""Stores the decisions in a file of terms."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from crawler.terms.term_files import TermLine
from crawler.terms.term_store import TermStore
from extractors.topic.library import DynamicTerm, State, TopicLibrary
from extractors.topic.model import Term
from extractors.topic.words import fold


@dataclass(slots=True)
class ImportCounts:
    """Number of terms that were accepted, rejected or left waiting, have no decision, or are in the topic's own file."""

    accepted: int = 0
    rejected: int = 0
    candidate: int = 0
    undecided: int = 0
    given: int = 0

    def __str__(self) -> str:
        parts = (f"{count:,} {name}" for name, count in self._counts() if count)
        return ", ".join(parts) or "nothing changed"

    def _counts(self) -> list[tuple[str, int]]:
        return [
            ("accepted", self.accepted),
            ("rejected", self.rejected),
            ("waiting for review", self.candidate),
            ("without a decision", self.undecided),
            ("in the topic's file already", self.given),
        ]


def import_decisions(
    store: TermStore, lines: Iterable[TermLine], *, by: str, otherwise: State | None = None
) -> ImportCounts:
    """Store the decisions of these lines at once; a line without one gets `otherwise`, or counts as undecided."""
    library, counts = store.library(), ImportCounts()
    entries: dict[str, DynamicTerm] = {}
    for line in lines:
        state = line.state or otherwise
        if library.is_given(line.word):
            counts.given += 1
        elif state is None:
            counts.undecided += 1
        else:
            entries[fold(line.word)] = _decided(library, line, state, by)
            setattr(counts, state, getattr(counts, state) + 1)
    store.save(entries.values(), decided=True)
    return counts


def _decided(library: TopicLibrary, line: TermLine, state: State, by: str) -> DynamicTerm:
    if library.get(line.word) is None:
        library.add(DynamicTerm(Term(line.word, dynamic=True), State.CANDIDATE, f"file of {by}"))
    return library.decide(
        line.word,
        state,
        by=by,
        now=datetime.now(UTC),
        term_class=line.term_class,
        weight=line.weight,
        synonyms=line.synonyms,
    )
