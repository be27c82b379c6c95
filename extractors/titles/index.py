"""Exact search for the titles above a cosine, while titles come in and idf changes with each.

Method: prefix filtering as in all-pairs search (Bayardo, Ma, Srikant 2007), with the bound on the query's side alone
(see `candidates`), so that nothing stored depends on idf.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from extractors.titles.candidates import Query, Stored, candidates
from extractors.titles.columns import Column
from extractors.titles.compiled import compiled, compiled_candidates
from extractors.titles.postings import Postings
from extractors.titles.rules import Rule, Rules, objection
from extractors.titles.vectors import TitleText

Verdict = Literal["new", "repost", "suspected"]
_LARGE = 50_000
"""Titles from which on it pays to load a compiler."""
_BITS = [1 << bit for bit in range(64)]


@dataclass(frozen=True, slots=True)
class Match:
    """What a title was found to be: `position` of the stored title it repeats (-1: none), cosine, and the rule
    that objected where it is only suspected.
    """

    verdict: Verdict
    position: int = -1
    cosine: float = 0.0
    rule: Rule = ""


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
        self.fast = fast
        self.names: list[str] = []
        self.numbers: dict[str, int] = {}
        self.days = Column(np.int32)
        self.stored = Stored(Column(np.uint32), Column(np.uint32), Column(np.uint64), Postings())
        self.stored.starts.append(0)

    def __len__(self) -> int:
        return len(self.days)

    @property
    def reach(self) -> float:
        """Cosine from which on titles are looked at."""
        return min(self.threshold, self.rules.reach) if self.rules.wording else self.threshold

    def add(self, title: TitleText, day: int = 0) -> int:
        """Store a title and its day (days since 1970, 0 unknown); returns its position."""
        position, signature, stored = self.days.size, 0, self.stored
        known = self.numbers.get
        numbers = [self._new(term) if (number := known(term)) is None else number for term in title.terms]
        distinct = dict.fromkeys(numbers)
        stored.postings.post(distinct, position)
        for number in distinct:
            signature |= _BITS[number & 63]
        start = stored.terms.reserve(len(numbers))
        terms = stored.terms.view
        for place, number in enumerate(numbers, start):
            terms[place] = number
        stored.starts.append(start + len(numbers))
        stored.signatures.append(signature)
        self.days.append(day)
        return position

    def _new(self, term: str) -> int:
        number = self.numbers[term] = self.stored.postings.new_term()
        self.names.append(term)
        return number

    def search(self, title: TitleText, day: int = 0) -> Match:
        """The stored title that this one repeats: the nearest that no rule objects to, the earliest of equals."""
        suspected = Match("new")
        for similarity, position in self._near(title, self.reach):
            rule = self._objection(title, position, day)
            if not rule:
                return Match("repost", position, similarity)
            if suspected.position < 0 and similarity >= self.threshold:
                suspected = Match("suspected", position, similarity, rule)
        return suspected

    def similar(self, title: TitleText) -> list[tuple[float, int]]:
        """Cosine and position of all stored titles at or above the threshold, the nearest first; no rules."""
        return self._near(title, self.threshold)

    def _near(self, title: TitleText, least: float) -> list[tuple[float, int]]:
        strange: dict[str, int] = {}
        numbers = [
            number if (number := self.numbers.get(term)) is not None else strange.setdefault(term, -1 - len(strange))
            for term in title.terms
        ]
        if len(strange) == len(set(numbers)):
            return []
        near = compiled() if self.fast or (self.fast is None and len(self) >= _LARGE) else None
        if near is not None:
            places = compiled_candidates(near, numbers, self.stored, self._unknown(), least)
            query = self._query(numbers) if places else None
        else:
            query = self._query(numbers)
            places = candidates(query, self.stored, least)
        found = [(self._cosine(query, place), place) for place in places] if query else []
        return sorted([pair for pair in found if pair[0] >= least], key=lambda pair: (-pair[0], pair[1]))

    def _unknown(self) -> float:
        """The weight of a term that no title has; a known one weighs less by its logarithm."""
        return math.log(len(self) + 1) + 1.0

    def _query(self, numbers: Sequence[int]) -> Query:
        unknown, logs = self._unknown(), self.stored.postings.logs.view
        weights: dict[int, float] = {}
        for number in numbers:
            weights[number] = weights.get(number, 0.0) + (unknown - logs[number] if number >= 0 else unknown)
        norm = sum([weight * weight for weight in weights.values()])
        if min(weights) < 0:
            weights = {number: weight for number, weight in weights.items() if number >= 0}
        return Query(weights, norm, unknown)

    def _cosine(self, query: Query, place: int) -> float:
        starts, logs, unknown = self.stored.starts.view, self.stored.postings.logs.view, query.unknown
        own = self.stored.terms.view[starts[place] : starts[place + 1]].tolist()
        if len(set(own)) < len(own):
            weights = self.weighted(place)
            own, values = list(weights), list(weights.values())
        else:
            values = [unknown - logs[number] for number in own]
        asked, dot, norm = query.weights, 0.0, 0.0
        for number, weight in zip(own, values, strict=True):
            norm += weight * weight
            if number in asked:
                dot += weight * asked[number]
        return min(1.0, dot / math.sqrt(query.norm * norm))

    def weighted(self, position: int) -> dict[int, float]:
        """A stored title's weights by term number, with idf as it is now."""
        starts, logs, unknown = self.stored.starts.view, self.stored.postings.logs.view, self._unknown()
        weights: dict[int, float] = {}
        for number in self.stored.terms.view[starts[position] : starts[position + 1]]:
            weights[number] = weights.get(number, 0.0) + unknown - logs[number]
        return weights

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
        known = self.days.view[position]
        return objection(self.rules, title, self.words(position), abs(day - known) if day and known else None)

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
        self.stored.postings.fill(*_distinct(terms, lengths), len(names))


def _distinct(terms: NDArray[np.uint32], lengths: NDArray[np.uint16]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Each title's terms once, and the title of each."""
    places = np.repeat(np.arange(len(lengths), dtype=np.uint64), lengths)
    pairs = np.sort(places << np.uint64(32) | terms)
    pairs = pairs[np.concatenate([[True], pairs[1:] != pairs[:-1]])[: len(pairs)]]
    return (pairs & np.uint64(0xFFFFFFFF)).astype(np.uint32), (pairs >> np.uint64(32)).astype(np.uint32)


def _signatures(terms: NDArray[np.uint32], ends: NDArray[np.int64], lengths: NDArray[np.uint16]) -> NDArray[np.uint64]:
    signatures = np.zeros(len(lengths), np.uint64)
    filled = lengths > 0
    if filled.any():
        bits = np.left_shift(np.uint64(1), (terms & np.uint32(63)).astype(np.uint64))
        signatures[filled] = np.bitwise_or.reduceat(bits, (ends - lengths)[filled])
    return signatures
