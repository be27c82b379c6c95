"""Review of candidates in the terminal; each decision is stored at once."""

from collections.abc import Callable
from datetime import UTC, datetime

from crawler.terms.term_store import TermStore
from extractors.topic.library import DynamicTerm, State, TopicLibrary
from extractors.topic.model import TermClass

_CLASSES = {"s": TermClass.SUBJECT, "p": TermClass.PROFESSIONAL, "i": TermClass.INTELLIGENCE}
HELP = (
    "a accept   r reject   s, p, i accept as subject, professional or intelligence   w 0.5 accept with this weight   "
    "ENTER skip   u undo   q quit"
)


class Review:
    """Asks for a decision on every candidate.

    Args:
        ask: returns the answer to a prompt; raises EOFError or KeyboardInterrupt at the end.
        show: shows a line.
        by: name of the person who decides.
    """

    def __init__(self, store: TermStore, ask: Callable[[str], str], show: Callable[[str], None], by: str) -> None:
        self._store = store
        self._library: TopicLibrary = store.library()
        self._ask = ask
        self._show_line = show
        self._by = by
        self.decided: list[DynamicTerm] = []

    def run(self) -> None:
        """Show all candidates, or until the person quits; all decisions are stored by then."""
        waiting = self._library.entries(State.CANDIDATE)
        self._show_line(HELP)
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
        self._show_line(f"\n{number}/{count}  {entry.term.word}   {entry.origin}, on {entry.pages} pages")
        if entry.example:
            self._show_line(f"    {entry.example}")

    def _decide(self, entry: DynamicTerm, answer: str) -> bool:
        word, weight = answer.partition(" ")[::2]
        known = word in ("a", "r", "w") or word in _CLASSES
        number = _weight(weight) if word == "w" else None
        if not known or (word == "w" and number is None) or (word != "w" and weight):
            self._show_line(HELP)
            return False
        state = State.REJECTED if word == "r" else State.ACCEPTED
        now, term_class = datetime.now(UTC), _CLASSES.get(word)
        decided = self._library.decide(
            entry.term.word, state, by=self._by, now=now, term_class=term_class, weight=number
        )
        self._store.save([decided])
        self.decided.append(entry)
        return True

    def _undo(self, waiting: list[DynamicTerm], at: int) -> int:
        """Revoke the last decision; returns the place of its candidate."""
        if not self.decided:
            self._show_line("nothing to undo")
            return at
        entry = self.decided.pop()
        now = datetime.now(UTC)
        self._library.decide(entry.term.word, State.CANDIDATE, by=self._by, now=now)
        self._library.add(entry)
        self._store.save([entry], decided=True)
        return waiting.index(entry)


def _weight(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 < number <= 1 else None
