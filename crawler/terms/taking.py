"""What people wrote in a file becomes decisions on a topic's terms."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from crawler.terms.book import TermBook
from crawler.terms.sheets import Line
from extractors.topic.library import DynamicTerm, State, TopicLibrary
from extractors.topic.model import Term
from extractors.topic.words import fold


@dataclass(slots=True)
class Taken:
    """How many terms were accepted, rejected, left waiting, undecided by the file, or known from the topic's own file."""

    accepted: int = 0
    rejected: int = 0
    candidate: int = 0
    undecided: int = 0
    given: int = 0

    def __str__(self) -> str:
        told = (f"{count:,} {name}" for name, count in self._counts() if count)
        return ", ".join(told) or "nothing changed"

    def _counts(self) -> list[tuple[str, int]]:
        return [
            ("accepted", self.accepted),
            ("rejected", self.rejected),
            ("waiting for review", self.candidate),
            ("without a decision", self.undecided),
            ("in the topic's file already", self.given),
        ]


def take(book: TermBook, lines: Iterable[Line], *, by: str, otherwise: State | None = None) -> Taken:
    """Store the decisions of these lines at once; a line without one gets that of `otherwise`, or is passed over."""
    library, taken = book.library(), Taken()
    entries: dict[str, DynamicTerm] = {}
    for line in lines:
        state = line.state or otherwise
        if library.is_given(line.word):
            taken.given += 1
        elif state is None:
            taken.undecided += 1
        else:
            entries[fold(line.word)] = _decided(library, line, state, by)
            setattr(taken, state, getattr(taken, state) + 1)
    book.save(entries.values(), decided=True)
    return taken


def _decided(library: TopicLibrary, line: Line, state: State, by: str) -> DynamicTerm:
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
