"""Exact search for the titles above a cosine, while titles come in and idf changes with each.

Method: prefix filtering as in all-pairs search (Bayardo, Ma, Srikant 2007), with the bound on the query's side alone,
so that nothing stored depends on idf. Let |q|² be the query's squared norm and t the threshold. The terms are probed
from rare to common until the rest carries less than t²·|q|²: by Cauchy and Schwarz a title that has none of the probed
terms has a cosine below t. A candidate whose shared terms carry less than t²·|q|² is dropped for the same reason, first
by a signature of 64 bits (shared bits are at least as many as shared terms), and only then is the cosine computed.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from extractors.titles.rules import Rule, Rules, objection
from extractors.titles.vectors import TitleText, cosine, inverse_frequency, weights

Verdict = Literal["new", "repost", "suspected"]
_MARGIN = 1.0 - 1e-9
_FEW = 3


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

    The same calls in the same order give the same index, bit for bit, in every process.
    """

    def __init__(self, threshold: float = 0.8, rules: Rules | None = None) -> None:
        if not 0.0 < threshold <= 1.0:
            raise ValueError(f"the threshold is a cosine above 0 and up to 1, not {threshold}")
        self.threshold = threshold
        self.rules = rules or Rules()
        self.names: list[str] = []
        self.numbers: dict[str, int] = {}
        self.frequencies = array("I")
        self.postings: list[int | array[int]] = []
        self.terms = array("I")
        self.starts = array("I", [0])
        self.signatures = array("Q")
        self.days = array("i")

    def __len__(self) -> int:
        return len(self.days)

    def add(self, title: TitleText, day: int = 0) -> int:
        """Store a title and its day (days since 1970, 0 unknown); returns its position."""
        position, signature = len(self.days), 0
        numbers = sorted([self._number(term) for term in title.terms])
        before = -1
        for number in numbers:
            if number != before:
                self._post(number, position)
                signature |= 1 << (number & 63)
                before = number
        self.terms.extend(numbers)
        self.starts.append(len(self.terms))
        self.signatures.append(signature)
        self.days.append(day)
        return position

    def _number(self, term: str) -> int:
        number = self.numbers.get(term)
        if number is None:
            number = self.numbers[term] = len(self.names)
            self.names.append(term)
            self.frequencies.append(0)
            self.postings.append(-1)
        return number

    def _post(self, number: int, position: int) -> None:
        self.frequencies[number] += 1
        posted = self.postings[number]
        if isinstance(posted, array):
            posted.append(position)
        else:
            self.postings[number] = position if posted < 0 else array("I", (posted, position))

    def search(self, title: TitleText, day: int = 0) -> Match:
        """The stored title that this one repeats: the nearest that no rule objects to, the earliest of equals."""
        query, probe = self._query(title)
        found = sorted(
            (-similarity, position)
            for position in self._candidates(query, probe)
            if (similarity := cosine(query, self.weighted(position))) >= self.threshold
        )
        named = self.named(title) if found else {}
        suspected = Match("new")
        for negative, position in found:
            rule = self._objection(named, position, day, -negative)
            if not rule:
                return Match("repost", position, -negative)
            if suspected.position < 0:
                suspected = Match("suspected", position, -negative, rule)
        return suspected

    def similar(self, title: TitleText) -> list[tuple[float, int]]:
        """Cosine and position of all stored titles at or above the threshold, the nearest first; no rules."""
        query, probe = self._query(title)
        pairs = [(cosine(query, self.weighted(place)), place) for place in self._candidates(query, probe)]
        return sorted((pair for pair in pairs if pair[0] >= self.threshold), key=lambda pair: (-pair[0], pair[1]))

    def weighted(self, position: int) -> dict[int, float]:
        """A stored title's weights by term number, with idf as it is now."""
        numbers, frequencies, titles = (
            self.terms[self.starts[position] : self.starts[position + 1]],
            self.frequencies,
            len(self),
        )
        if len(set(numbers)) == len(numbers):
            idf, every = inverse_frequency, frequencies
            return {number: idf(titles, every[number]) for number in numbers}
        return weights(numbers, {number: frequencies[number] for number in numbers}, titles)

    def words(self, position: int) -> TitleText:
        """A stored title's terms, in the order of their numbers."""
        numbers = self.terms[self.starts[position] : self.starts[position + 1]]
        return TitleText(tuple(self.names[number] for number in numbers))

    def weigh(self, title: TitleText) -> dict[int, float]:
        """Weights of any title by term number; terms that no stored title has get numbers below 0."""
        unknown: dict[str, int] = {}
        numbers, frequencies = [], {}
        for term in title.terms:
            number = self.numbers.get(term)
            if number is None:
                number = unknown.setdefault(term, -1 - len(unknown))
            numbers.append(number)
            frequencies[number] = self.frequencies[number] if number >= 0 else 0
        return weights(numbers, frequencies, len(self))

    def named(self, title: TitleText) -> dict[str, float]:
        """Weights of any title by term."""
        fresh = [term for term in dict.fromkeys(title.terms) if term not in self.numbers]
        weighed = self.weigh(title)
        return {
            (self.names[number] if number >= 0 else fresh[-1 - number]): weight for number, weight in weighed.items()
        }

    def _query(self, title: TitleText) -> tuple[dict[int, float], list[int]]:
        """The weights and the terms to be probed."""
        query, frequencies = self.weigh(title), self.frequencies
        rest = sum(weight * weight for weight in query.values())
        enough = self.threshold * self.threshold * rest * _MARGIN
        probe = []
        for number in sorted(query, key=lambda term: frequencies[term] if term >= 0 else 0):
            if rest < enough:
                break
            if number >= 0:
                probe.append(number)
            rest -= query[number] * query[number]
        return query, probe

    def _candidates(self, query: dict[int, float], probe: Sequence[int]) -> list[int]:
        """Positions that share terms which carry enough of the query."""
        squares = {number: weight * weight for number, weight in query.items()}
        enough = self.threshold * self.threshold * sum(squares.values()) * _MARGIN
        places = {posted for number in probe if isinstance(posted := self.postings[number], int) and posted >= 0}
        lists = {number: posted for number in probe if isinstance(posted := self.postings[number], array)}
        if sum(map(len, lists.values())) <= _FEW:
            places = places.union(*lists.values())
        else:
            places |= self._heavy(lists, squares, enough)
        terms, starts, square = self.terms, self.starts, squares.get
        return [
            place
            for place in places
            if sum([square(number, 0.0) for number in set(terms[starts[place] : starts[place + 1]])]) >= enough
        ]

    def _heavy(self, lists: "dict[int, array[int]]", squares: dict[int, float], enough: float) -> set[int]:
        """Which of the listed may carry enough: probed terms count where they are, others where their bit is set."""
        places = np.concatenate([np.frombuffer(posted, np.uint32) for posted in lists.values()])
        known = [(number, square) for number, square in squares.items() if number >= 0]
        bits = np.array([1 << (number & 63) for number, _ in known], np.uint64)
        shared = np.frombuffer(self.signatures, np.uint64)[places]
        shared &= np.bitwise_or.reduce(bits)
        left = (np.bitwise_count(shared) >= _least(known, enough)).nonzero()[0]
        if not len(left):
            return set()
        has = (shared[left][:, None] & bits) != 0
        both = np.array([[square, 0.0 if number in lists else square] for number, square in known])
        mass, rest = (has.astype(np.float64) @ both).T
        chosen = (mass >= enough).nonzero()[0]
        if not len(chosen):
            return set()
        ends = np.cumsum([len(posted) for posted in lists.values()])
        own = np.array([squares[number] for number in lists])[np.searchsorted(ends, left, side="right")]
        total: dict[int, float] = {}
        for place, square, other in zip(
            places[left[chosen]].tolist(), own[chosen].tolist(), rest[chosen].tolist(), strict=True
        ):
            total[place] = total.get(place, other) + square
        return {place for place, carried in total.items() if carried >= enough}

    def _objection(self, query: dict[str, float], position: int, day: int, similarity: float) -> Rule:
        stored = {self.names[number]: weight for number, weight in self.weighted(position).items()}
        known = self.days[position]
        return objection(self.rules, query, stored, abs(day - known) if day and known else None, similarity)


def _least(known: Sequence[tuple[int, float]], enough: float) -> int:
    """How many bits must be shared at least to be enough; more than there are if all together are not."""
    by_bit: dict[int, float] = {}
    for number, square in known:
        by_bit[number & 63] = by_bit.get(number & 63, 0.0) + square
    count = 0
    for count, square in enumerate(sorted(by_bit.values(), reverse=True), 1):
        enough -= square
        if enough <= 0:
            return count
    return count + 1
