"""Answers of a divided crawl: a page is done only when its links are on their servers, which may be other ones."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from crawler.frontier.shared.part import PartFrontier


@dataclass(frozen=True, slots=True)
class _Waiting:
    """An answer that waits: its own part, and for other parts how many pushes must have arrived there."""

    part: int
    token: str
    marks: tuple[tuple[int, int], ...]


class Answers:
    """Sends each answer after the pushes that came before it.

    An answer waits in the line of the first part that it needs, so that a part whose server is away keeps only those that
    need it.
    """

    def __init__(self, parts: Sequence[PartFrontier]) -> None:
        self._parts = parts
        self._lines: list[deque[_Waiting]] = [deque() for _ in parts]

    def done(self, part: int, token: str) -> int:
        """The request with this lease is done; 1 if it was under way here, else 0."""
        others = (other for other, buffered in enumerate(self._parts) if other != part and buffered.backlog)
        marks = tuple((other, self._parts[other].pushed) for other in others)
        if not marks:
            return self._parts[part].ack([token])
        known = self._parts[part].set_aside([token])
        for own in known:
            self._pass_on(_Waiting(part, own, marks))
        return len(known)

    def look(self) -> None:
        """Send what no longer waits."""
        for number in range(len(self._parts)):
            self.look_at(number)

    def look_at(self, number: int) -> None:
        """Pushes have arrived at this part."""
        line, arrived = self._lines[number], self._parts[number].arrived
        while line and line[0].marks[0][1] <= arrived:
            self._pass_on(line.popleft())

    def _pass_on(self, answer: _Waiting) -> None:
        """To the line of the next part that it needs, or to its own part."""
        for place, (other, mark) in enumerate(answer.marks):
            if self._parts[other].arrived < mark:
                self._lines[other].append(_Waiting(answer.part, answer.token, answer.marks[place:]))
                return
        self._parts[answer.part].ack_aside(answer.token)
