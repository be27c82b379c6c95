"""Exact search for titles above a cosine, while titles come in and idf changes with each of them."""

import math
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from extractors.titles.fingerprints import FingerprintTable
from extractors.titles.rules import Rule, Rules, objection, too_far
from extractors.titles.search import similar_titles
from extractors.titles.storage import Column, TitleStore
from extractors.titles.title_text import TitleText
from extractors.titles.unlike import unlike_titles

Verdict = Literal["new", "repost", "suspected"]


@dataclass(frozen=True, slots=True)
class Match:
    """What the index found for a title.

    Attributes:
        position: of the stored title that it repeats, else of the nearest one to which a rule objects; −1 without one.
        rule: the rule that objected. Such a title is suspected, or new where it is below the threshold.
    """

    verdict: Verdict
    position: int = -1
    cosine: float = 0.0
    rule: Rule = ""


_NEW = Match("new")
_BATCH = 16
"""Titles whose wordings are compared at once."""


class TitleIndex:
    """Titles by position, in the order in which they were added.

    The same calls in the same order give the same index and the same answers, bit for bit, in every process.

    Args:
        threshold: cosine from which two titles tell the same news.
    """

    def __init__(self, threshold: float = 0.8, rules: Rules | None = None) -> None:
        if not 0.0 < threshold <= 1.0:
            raise ValueError(f"the threshold is a cosine above 0 and up to 1, not {threshold}")
        self.threshold, self.rules = threshold, rules or Rules()
        if not 0.0 < self.rules.reach <= 1.0:
            raise ValueError(f"the reach is a cosine above 0 and up to 1, not {self.rules.reach}")
        self.reach = min(threshold, self.rules.reach) if self.rules.wording else threshold
        self.names: list[str] = []
        self.numbers: dict[str, int] = {}
        self.days = Column(np.int32)
        self.store, self.fingerprints = TitleStore(), FingerprintTable()
        self._last: tuple[TitleText | None, list[int]] = (None, [])

    def __len__(self) -> int:
        return len(self.days)

    def add(self, title: TitleText, day: int = 0) -> int:
        """Store a title and its day (days since 1970, 0 unknown); returns its position."""
        numbers = self._known(title)
        if len(numbers) < len(title.terms):
            known = self.numbers.get
            numbers = [self._new(term) if (number := known(term)) is None else number for term in title.terms]
            self._last = title, numbers
        self.store.add(numbers)
        position = self.days.size
        self.days.append(day)
        self.note(title, position)
        return position

    def note(self, title: TitleText, position: int) -> None:
        """Remember that a title that is not stored itself tells the same news as the one at this position."""
        if title.fingerprint:
            self.fingerprints.add(title.fingerprint, position)

    def _new(self, term: str) -> int:
        number = self.numbers[term] = self.store.add_term()
        self.names.append(term)
        return number

    def search(self, title: TitleText, day: int = 0) -> Match:
        """The stored title that this one repeats: one with the same full wording, else the nearest to which no rule
        objects; of equals the earliest."""
        suspected = self._same_wording(title, day) if title.fingerprint and title.terms else _NEW
        if suspected.verdict == "repost":
            return suspected
        for similarity, position, unlike in self._likely(title):
            rule = self._objection(title, position, day, similarity, unlike)
            if not rule:
                return Match("repost", position, similarity)
            if suspected.position < 0:
                suspected = Match("suspected" if similarity >= self.threshold else "new", position, similarity, rule)
        return suspected

    def _likely(self, title: TitleText) -> Iterator[tuple[float, int, bool]]:
        """Cosine and position of the stored titles from the lower threshold on, the nearest first, and whether their wordings
        disagree for sure; those are left out but for the nearest."""
        similar = self._similar(title, self.reach)
        for start in range(0, len(similar), _BATCH):
            batch = similar[start : start + _BATCH]
            sure = [False] * len(batch)
            if self.rules.wording:
                sure = unlike_titles(title, self.numbers, batch, self.names, self.store)
            for at, ((similarity, position), unlike) in enumerate(zip(batch, sure, strict=True), start):
                if not (at and unlike):
                    yield similarity, position, unlike

    def _same_wording(self, title: TitleText, day: int) -> Match:
        """A title with the same fingerprint, within the window: one with the same terms now, else the earliest.

        Its numbers and wording are the same, so that only the window can object.
        """
        places = self.fingerprints.find(title.fingerprint)
        if not places:
            return _NEW
        near = [place for place in places if not too_far(self.rules, self._days_apart(place, day))]
        if not near:
            return Match("suspected", places[0], 1.0, "window")
        return Match("repost", next((place for place in near if self.words(place) == title), near[0]), 1.0)

    def similar(self, title: TitleText) -> list[tuple[float, int]]:
        """Cosine and position of all stored titles at or above the threshold, the nearest first; no rules."""
        return self._similar(title, self.threshold)

    def _similar(self, title: TitleText, cosine: float) -> list[tuple[float, int]]:
        numbers = self._known(title)
        if not numbers:
            return []
        unknown = self._unknown()
        strange = _strangeness(title, self.numbers) if len(numbers) < len(title.terms) else 0
        return similar_titles(self.store, numbers, unknown, unknown * unknown * strange, cosine)

    def _known(self, title: TitleText) -> list[int]:
        """Numbers of the terms that stored titles have. Most titles are searched and then added: the last one's are kept."""
        if self._last[0] is not title:
            numbers = map(self.numbers.get, title.terms)
            self._last = title, [number for number in numbers if number is not None]
        return self._last[1]

    def _unknown(self) -> float:
        """The weight of a term that no title has; a known one weighs less by its logarithm."""
        return math.log(self.days.size + 1) + 1.0

    def weighted(self, position: int) -> dict[int, float]:
        """A stored title's weights by term number, with idf as it is now."""
        unknown, logs = self._unknown(), self.store.logs.view
        weights: dict[int, float] = {}
        for number in self.store.own_terms(position):
            weights[number] = weights.get(number, 0.0) + (unknown - logs[number])
        return weights

    def words(self, position: int) -> TitleText:
        """A stored title."""
        return TitleText(tuple([self.names[number] for number in self.store.own_terms(position)]))

    def named(self, title: TitleText) -> dict[str, float]:
        """Weights of any title by term."""
        unknown, weights = self._unknown(), dict.fromkeys(title.terms, 0.0)
        for term in title.terms:
            number = self.numbers.get(term)
            weights[term] += unknown - (0.0 if number is None else self.store.logs.view[number])
        return weights

    def _objection(self, title: TitleText, position: int, day: int, cosine: float, unlike: bool) -> Rule:
        return objection(self.rules, title, self.words(position), self._days_apart(position, day), cosine, unlike)

    def _days_apart(self, position: int, day: int) -> int | None:
        """None if one of them is unknown."""
        known: int = self.days.view[position]
        return abs(day - known) if day and known else None

    def fill(
        self, names: Sequence[str], terms: NDArray[np.uint32], lengths: NDArray[np.uint16], days: NDArray[np.int32]
    ) -> None:
        """Store many titles at once in an empty index: the terms' names by number, and each title's terms after another's."""
        self.names.extend(names)
        self.numbers.update(zip(names, range(len(names)), strict=True))
        self.days.extend(days)
        self.store.fill(terms, lengths, len(names))


def _strangeness(title: TitleText, known: Container[str]) -> int:
    """How often unknown terms occur, squared and summed over terms."""
    strange = [term for term in title.terms if term not in known]
    distinct = set(strange)
    if len(distinct) == len(strange):
        return len(strange)
    return sum([strange.count(term) ** 2 for term in distinct])
