"""Review in the terminal: one candidate after another, each decision stored at once."""

from collections.abc import Callable
from datetime import UTC, datetime

from crawler.terms.book import TermBook
from extractors.topic.library import DynamicTerm, State, TopicLibrary
from extractors.topic.model import TermClass

_CLASSES = {"s": TermClass.SUBJECT, "p": TermClass.PROFESSIONAL, "i": TermClass.INTELLIGENCE}
HELP = (
    "a accept   r reject   s, p, i accept as subject, professional or intelligence   w 0.5 accept with this weight   "
    "ENTER later   u undo   q end"
)


class Review:
    """Asks for a decision on every candidate.

    Args:
        ask: gives the answer to a question, EOFError or KeyboardInterrupt at the end.
        tell: shows a line.
        by: who decides.
    """

    def __init__(self, book: TermBook, ask: Callable[[str], str], tell: Callable[[str], None], by: str) -> None:
        self._book = book
        self._library: TopicLibrary = book.library()
        self._ask = ask
        self._tell = tell
        self._by = by
        self.decided: list[DynamicTerm] = []

    def run(self) -> None:
        """Until all candidates were shown, or an end was asked for; what was decided is stored by then."""
        waiting = self._library.entries(State.CANDIDATE)
        self._tell(HELP)
        at = 0
        while at < len(waiting):
            self._show(waiting[at], at + 1, len(waiting))
            try:
                answer = self._ask("> ").strip().lower()
            except (EOFError, KeyboardInterrupt):
                return
            if answer == "q":
                return
            if answer == "u":
                at = self._undo(waiting, at)
            elif not answer or self._decide(waiting[at], answer):
                at += 1

    def _show(self, entry: DynamicTerm, number: int, count: int) -> None:
        self._tell(f"\n{number}/{count}  {entry.term.word}   {entry.origin}, on {entry.pages} pages")
        if entry.example:
            self._tell(f"    {entry.example}")

    def _decide(self, entry: DynamicTerm, answer: str) -> bool:
        word, weight = answer.partition(" ")[::2]
        known = word in ("a", "r", "w") or word in _CLASSES
        number = _weight(weight) if word == "w" else None
        if not known or (word == "w" and number is None) or (word != "w" and weight):
            self._tell(HELP)
            return False
        state = State.REJECTED if word == "r" else State.ACCEPTED
        now, term_class = datetime.now(UTC), _CLASSES.get(word)
        decided = self._library.decide(
            entry.term.word, state, by=self._by, now=now, term_class=term_class, weight=number
        )
        self._book.save([decided])
        self.decided.append(entry)
        return True

    def _undo(self, waiting: list[DynamicTerm], at: int) -> int:
        """The last decision is taken back, and its candidate shown again."""
        if not self.decided:
            self._tell("nothing to undo")
            return at
        entry = self.decided.pop()
        now = datetime.now(UTC)
        self._library.decide(entry.term.word, State.CANDIDATE, by=self._by, now=now)
        self._library.add(entry)
        self._book.save([entry], decided=True)
        return waiting.index(entry)


def _weight(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 < number <= 1 else None
