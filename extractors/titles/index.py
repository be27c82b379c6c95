"""Exact search for the titles above a cosine, while titles come in and idf changes with each.

Method: prefix filtering as in all-pairs search (Bayardo, Ma, Srikant 2007), with the bound on the query's side alone
(see `candidates`), so that nothing stored depends on idf.
"""

import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from extractors.titles.candidates import Query, candidates
from extractors.titles.columns import Column
from extractors.titles.compiled import compiled, compiled_add, compiled_candidates
from extractors.titles.rules import Rule, Rules, objection, too_far
from extractors.titles.stored import Stored
from extractors.titles.vectors import TitleText
from extractors.titles.whole import WholeTitles

Verdict = Literal["new", "repost", "suspected"]
_LARGE = 50_000
"""Titles from which on it pays to load a compiler."""


@dataclass(frozen=True, slots=True)
class Match:
    """What a title was found to be: `position` of the stored title it repeats (-1: none), cosine, and the rule
    that objected where it is only suspected.
    """

    verdict: Verdict
    position: int = -1
    cosine: float = 0.0
    rule: Rule = ""


_NEW = Match("new")


class TitleIndex:
    """Titles by position, in the order in which they were added.

    The same calls in the same order give the same index and the same answers, bit for bit, in every process.

    Args:
        threshold: cosine from which two titles tell the same news.
        rules: what may object.
        fast: search by numba; None: where it is installed and there are titles enough. The answers are the same.
    """

    def __init__(self, threshold: float = 0.8, rules: Rules | None = None, *, fast: bool | None = None) -> None:
        if not 0.0 < threshold <= 1.0:
            raise ValueError(f"the threshold is a cosine above 0 and up to 1, not {threshold}")
        self.threshold, self.rules = threshold, rules or Rules()
        if not 0.0 < self.rules.reach <= 1.0:
            raise ValueError(f"the reach is a cosine above 0 and up to 1, not {self.rules.reach}")
        self.reach = min(threshold, self.rules.reach) if self.rules.wording else threshold
        self.fast = fast
        self.names: list[str] = []
        self.numbers: dict[str, int] = {}
        self.days = Column(np.int32)
        self.stored, self.whole = Stored(), WholeTitles()
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
        machine = self._machine()
        if machine is None:
            self.stored.add(numbers)
        else:
            compiled_add(machine, numbers, self.stored)
        position = self.days.size
        self.days.append(day)
        self.note(title, position)
        return position

    def note(self, title: TitleText, position: int) -> None:
        """Remember that a title that is not stored itself tells what stands at this position."""
        if title.whole:
            self.whole.add(title.whole, position)

    def _machine(self) -> Any:
        return compiled() if self.fast or (self.fast is None and self.days.size >= _LARGE) else None

    def _new(self, term: str) -> int:
        number = self.numbers[term] = self.stored.postings.new_term()
        self.names.append(term)
        return number

    def search(self, title: TitleText, day: int = 0) -> Match:
        """The stored title that this one repeats: one that stood like it before anything was cut off, or the nearest that
        no rule objects to; the earliest of equals.
        """
        suspected = self._alike(title, day) if title.whole and title.terms else _NEW
        if suspected.verdict == "repost":
            return suspected
        for similarity, position in self._near(title, self.reach):
            rule = self._objection(title, position, day)
            if not rule:
                return Match("repost", position, similarity)
            if suspected.position < 0 and similarity >= self.threshold:
                suspected = Match("suspected", position, similarity, rule)
        return suspected

    def _alike(self, title: TitleText, day: int) -> Match:
        """A title that stood like this one: of those that the window allows one with the same terms now, else the earliest.

        Its numbers and its wording are the same, so that no other rule can object.
        """
        places = self.whole.find(title.whole)
        if not places:
            return _NEW
        near = [place for place in places if not too_far(self.rules, self._days_apart(place, day))]
        if not near:
            return Match("suspected", places[0], 1.0, "window")
        return Match("repost", next((place for place in near if self.words(place) == title), near[0]), 1.0)

    def similar(self, title: TitleText) -> list[tuple[float, int]]:
        """Cosine and position of all stored titles at or above the threshold, the nearest first; no rules."""
        return self._near(title, self.threshold)

    def _near(self, title: TitleText, least: float) -> list[tuple[float, int]]:
        numbers = self._known(title)
        if not numbers:
            return []
        strange = _strangeness(title, self.numbers) if len(numbers) < len(title.terms) else 0
        machine = self._machine()
        if machine is None:
            query = self._query(numbers, strange)
            places = candidates(query, self.stored, least)
        else:
            unknown = self._unknown()
            places = compiled_candidates(machine, numbers, unknown, unknown * unknown * strange, self.stored, least)
        if not places:
            return []
        if machine is not None:
            query = self._query(numbers, strange)
        found = [(self._cosine(query, place), place) for place in places]
        return sorted([pair for pair in found if pair[0] >= least], key=lambda pair: (-pair[0], pair[1]))

    def _known(self, title: TitleText) -> list[int]:
        """Numbers of the terms that stored titles have. Who looks for a title mostly adds it then: the last one's are kept."""
        if self._last[0] is not title:
            numbers = map(self.numbers.get, title.terms)
            self._last = title, [number for number in numbers if number is not None]
        return self._last[1]

    def _unknown(self) -> float:
        """The weight of a term that no title has; a known one weighs less by its logarithm."""
        return math.log(self.days.size + 1) + 1.0

    def _query(self, numbers: Sequence[int], strange: int) -> Query:
        """Of known terms by number, as often as they occur, and `_strangeness`."""
        unknown, view = self._unknown(), self.stored.postings.logs.view
        logs = {number: view[number] for number in numbers}
        order = sorted(logs, key=logs.__getitem__)
        if len(order) == len(numbers):
            weights = [unknown - logs[number] for number in order]
        else:
            weights = list(map(self._summed(numbers).__getitem__, order))
        masses = [weight * weight for weight in weights]
        return Query(order, weights, masses, sum(masses) + unknown * unknown * strange, unknown)

    def _summed(self, numbers: Iterable[int]) -> dict[int, float]:
        """Weights of a title whose terms have these numbers, as often as they occur there."""
        unknown, logs = self._unknown(), self.stored.postings.logs.view
        weights: dict[int, float] = {}
        for number in numbers:
            weights[number] = weights.get(number, 0.0) + (unknown - logs[number])
        return weights

    def _cosine(self, query: Query, place: int) -> float:
        starts, logs, unknown = self.stored.starts.view, self.stored.postings.logs.view, query.unknown
        own = self.stored.terms.view[starts[place] : starts[place + 1]].tolist()
        asked, dot, norm = query.asked, 0.0, 0.0
        if len(set(own)) < len(own):
            for number, weight in self.weighted(place).items():
                norm += weight * weight
                dot += weight * asked.get(number, 0.0)
        else:
            for number in own:
                weight = unknown - logs[number]
                norm += weight * weight
                if number in asked:
                    dot += weight * asked[number]
        return min(1.0, dot / math.sqrt(query.norm * norm))

    def weighted(self, position: int) -> dict[int, float]:
        """A stored title's weights by term number, with idf as it is now."""
        starts = self.stored.starts.view
        return self._summed(self.stored.terms.view[starts[position] : starts[position + 1]])

    def words(self, position: int) -> TitleText:
        """A stored title."""
        starts = self.stored.starts.view
        numbers = self.stored.terms.view[starts[position] : starts[position + 1]]
        return TitleText(tuple([self.names[number] for number in numbers]))

    def named(self, title: TitleText) -> dict[str, float]:
        """Weights of any title by term."""
        unknown, weights = self._unknown(), dict.fromkeys(title.terms, 0.0)
        for term in title.terms:
            number = self.numbers.get(term)
            weights[term] += unknown - (0.0 if number is None else self.stored.postings.logs.view[number])
        return weights

    def _objection(self, title: TitleText, position: int, day: int) -> Rule:
        return objection(self.rules, title, self.words(position), self._days_apart(position, day))

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
        self.stored.terms.extend(terms)
        ends = np.cumsum(lengths, dtype=np.int64)
        self.stored.starts.extend(ends)
        self.stored.signatures.extend(_signatures(terms, ends, lengths))
        self.stored.seconds.extend(_signatures(terms >> np.uint32(6), ends, lengths))
        self.stored.postings.fill(*_distinct(terms, lengths), len(names))


def _strangeness(title: TitleText, known: Container[str]) -> int:
    """How often unknown terms occur, squared and summed over terms."""
    strange = [term for term in title.terms if term not in known]
    distinct = set(strange)
    if len(distinct) == len(strange):
        return len(strange)
    return sum([strange.count(term) ** 2 for term in distinct])


def _distinct(terms: NDArray[np.uint32], lengths: NDArray[np.uint16]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Each title's terms once, by term and then by title: the terms, and the title of each."""
    pairs = terms.astype(np.uint64) << np.uint64(32)
    pairs |= np.repeat(np.arange(len(lengths), dtype=np.uint64), lengths)
    pairs.sort()
    pairs = pairs[np.concatenate([[True], pairs[1:] != pairs[:-1]])[: len(pairs)]]
    return (pairs >> np.uint64(32)).astype(np.uint32), (pairs & np.uint64(0xFFFFFFFF)).astype(np.uint32)


def _signatures(terms: NDArray[np.uint32], ends: NDArray[np.int64], lengths: NDArray[np.uint16]) -> NDArray[np.uint64]:
    signatures = np.zeros(len(lengths), np.uint64)
    filled = lengths > 0
    if filled.any():
        bits = np.left_shift(np.uint64(1), (terms & np.uint32(63)).astype(np.uint64))
        signatures[filled] = np.bitwise_or.reduceat(bits, (ends - lengths)[filled])
    return signatures
