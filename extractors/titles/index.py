"""Exact online search for titles above a cosine; idf changes with each added title."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from extractors.titles.days import NO_WINDOW, DayBlocks, DayWindow
from extractors.titles.fingerprints import FingerprintTable
from extractors.titles.repost_rules import Rule, Rules, objection, too_far
from extractors.titles.title_column import TitleColumn
from extractors.titles.title_search import Near, similar_titles
from extractors.titles.title_store import TitleStore
from extractors.titles.title_text import TitleText
from extractors.titles.vocabulary import Vocabulary, unsettled
from extractors.titles.wording_bound import unlike_titles

Verdict = Literal["new", "repost", "suspected"]


@dataclass(frozen=True, slots=True)
class TitleMatch:
    """The result of a search for a title.

    Attributes:
        position: of the stored title that it repeats, else of the nearest one to which a rule objects; −1 if there is none.
        rule: the rule that objected. Such a title is suspected, or new below the threshold.
    """

    verdict: Verdict
    position: int = -1
    cosine: float = 0.0
    rule: Rule = ""


_NEW = TitleMatch("new")
_FIRST_BATCH_TITLES = 16
"""Titles in the first batch of wording comparisons."""


class TitleIndex:
    """Titles by position, in the order in which they were added.

    The same calls in the same order give the same index and the same answers, bit for bit, in every process.

    Args:
        threshold: minimum cosine of two titles with the same news.
    """

    def __init__(self, threshold: float = 0.8, rules: Rules | None = None) -> None:
        if not 0.0 < threshold <= 1.0:
            raise ValueError(f"the threshold is a cosine above 0 and up to 1, not {threshold}")
        self.threshold, self.rules = threshold, rules or Rules()
        if not 0.0 < self.rules.lower_threshold <= 1.0:
            raise ValueError(f"the lower threshold is a cosine above 0 and up to 1, not {self.rules.lower_threshold}")
        self.min_cosine = min(threshold, self.rules.lower_threshold) if self.rules.wording else threshold
        self.vocabulary = Vocabulary()
        self.days = TitleColumn(np.int32)
        self._blocks = DayBlocks(self.days)
        self._stored, self._waiting = TitleStore(), list[list[int]]()
        self.fingerprints = FingerprintTable()
        self._last: tuple[TitleText | None, list[int]] = (None, [])

    def __len__(self) -> int:
        return len(self.days)

    @property
    def store(self) -> TitleStore:
        """The stored titles. Added titles are buffered, and written to it in one batch on the next access."""
        if self._waiting:
            self._stored.add(self._waiting)
            self._waiting = []
        return self._stored

    def add(self, title: TitleText, day: int = 0) -> int:
        """Store a title and its day (days since 1970, 0 unknown); returns its position."""
        numbers = self.known(title)
        if len(numbers) < len(title.terms):
            numbers = self._numbers(title.terms)
            self._last = title, numbers
        self._waiting.append(numbers)
        position = self.days.size
        self.days.append(day)
        self.note(title, position)
        changed = self.vocabulary.count(numbers)
        if changed is not None:
            self.store.lower(changed, self.vocabulary.unknown - self.vocabulary.logs.data[changed])
        return position

    def note(self, title: TitleText, position: int) -> None:
        """Record that a title that is not stored is the same news as the title at this position."""
        if title.fingerprint:
            self.fingerprints.add(title.fingerprint, position)

    def _numbers(self, terms: Sequence[str]) -> list[int]:
        """The numbers of a title's terms, adding new ones."""
        new, numbers = dict[str, int](), list[int]()
        for term, number in zip(terms, self.vocabulary.names.find(terms), strict=True):
            if number < 0 and term not in new:
                new[term] = self._new(term)
            numbers.append(new[term] if number < 0 else number)
        return numbers

    def _new(self, term: str) -> int:
        self._stored.add_term(self.vocabulary.unknown)
        return self.vocabulary.add(term)

    def search(self, title: TitleText, day: int = 0) -> TitleMatch:
        """The stored title that this title repeats: one with the same full wording, else the nearest to which no rule
        objects; the earliest of equals."""
        copy = self._copy(title, day)
        if copy.verdict == "repost":
            return copy
        found = self._nearest(title, day)
        return found if found.verdict == "repost" or copy.position < 0 else copy

    def _nearest(self, title: TitleText, day: int) -> TitleMatch:
        """`search` by terms only, ignoring full wordings.

        Titles outside the window of days are searched down to the threshold, not the lower threshold: they are not reposts,
        and are not reported below the threshold.
        """
        window = self._blocks.window(day, self.rules.window_days, self.threshold)
        cosines, places = near = self._near(title, self.min_cosine, window)
        first = _NEW
        for at, unlike in self._candidates(title, near):
            position, similarity = places[at], cosines[at]
            if at and self._is_too_far(position, day):
                continue
            rule = self._objection(title, position, day, similarity, unlike)
            if not rule:
                return TitleMatch("repost", position, similarity)
            if not at:
                first = TitleMatch("suspected" if similarity >= self.threshold else "new", position, similarity, rule)
        return first

    def _candidates(self, title: TitleText, near: Near) -> Iterator[tuple[int, bool]]:
        """The nearest title, and those after it whose wording may agree: their numbers, and whether the wording certainly
        disagrees."""
        cosines, places = near
        if not self.rules.wording:
            yield from ((at, False) for at in range(len(places)))
            return
        start, size, known = 0, _FIRST_BATCH_TITLES, self.known(title)
        while start < len(places):
            some = slice(start, start + size)
            unlike = unlike_titles(title, known, cosines[some], places[some], self.vocabulary.names, self.store)
            yield from [each for each in enumerate(unlike, start) if not each[1] or not each[0]]
            start, size = start + size, size * _FIRST_BATCH_TITLES

    def _copy(self, title: TitleText, day: int) -> TitleMatch:
        """The match among titles with the same fingerprint. Numbers and wording are equal, so that only the window can object; within
        it, the earliest with the same present terms counts, else the earliest."""
        places = self.fingerprints.find(title.fingerprint) if title.fingerprint and title.terms else ()
        if not places:
            return _NEW
        near = [place for place in places if not too_far(self.rules, self._days_apart(place, day))]
        if not near:
            return TitleMatch("suspected", places[0], 1.0, "window")
        equal = next((place for place in near if self.words(place) == title), near[0])
        return TitleMatch("repost", equal, 1.0)

    def similar(self, title: TitleText) -> list[tuple[float, int]]:
        """Cosine and position of all stored titles at or above the threshold, the nearest first; no rules."""
        return list(zip(*self._near(title, self.threshold), strict=True))

    def _near(self, title: TitleText, cosine: float, window: DayWindow = NO_WINDOW) -> Near:
        numbers = self.known(title)
        if not numbers:
            return [], []
        words = self.vocabulary
        strange = _strangeness(title, words) if len(numbers) < len(title.terms) else []
        return similar_titles(self.store, words.logs, numbers, words.unknown, strange, cosine, window)

    def known(self, title: TitleText) -> list[int]:
        """Numbers of its terms that stored titles have. Cached for the last title, since most titles are searched and then added."""
        if self._last[0] is not title:
            self._last = title, self.vocabulary.known(title.terms)
        return self._last[1]

    def words(self, position: int) -> TitleText:
        """A stored title."""
        begin = len(self) - len(self._waiting)
        own = self._waiting[position - begin] if position >= begin else self._stored.own_terms(position)
        return TitleText(self.vocabulary.names.texts(own))

    def named(self, title: TitleText) -> dict[str, float]:
        """Weights of any title by term."""
        words, weights = self.vocabulary, dict.fromkeys(title.terms, 0.0)
        for term, number in zip(title.terms, words.names.find(title.terms), strict=True):
            weights[term] += words.unknown - (0.0 if number < 0 else words.logs.view[number])
        return weights

    def _objection(self, title: TitleText, position: int, day: int, cosine: float, unlike: bool) -> Rule:
        return objection(self.rules, title, self.words(position), self._days_apart(position, day), cosine, unlike)

    def _is_too_far(self, position: int, day: int) -> bool:
        return bool(self.rules.window_days) and too_far(self.rules, self._days_apart(position, day))

    def _days_apart(self, position: int, day: int) -> int | None:
        """None if one of them is unknown."""
        known: int = self.days.view[position]
        return abs(day - known) if day and known else None

    def fill(
        self, names: Sequence[str], terms: NDArray[np.uint32], lengths: NDArray[np.uint16], days: NDArray[np.int32]
    ) -> None:
        """Store many titles at once in an empty index: the terms' names by number, and the terms title by title."""
        self.days.extend(days)
        frequencies = self.store.take(terms, lengths, len(names))
        last = range(len(lengths) - unsettled(len(lengths)), len(lengths))
        self.vocabulary.fill(names, frequencies, len(lengths), [list(self.store.own_terms(place)) for place in last])
        self.store.post(self.vocabulary.unknown - self.vocabulary.logs.filled())


def _strangeness(title: TitleText, words: Vocabulary) -> list[float]:
    """The contribution of each term without a number to the title's squared length."""
    weights: dict[str, float] = {}
    for term, number in zip(title.terms, words.names.find(title.terms), strict=True):
        if number < 0:
            weights[term] = weights.get(term, 0.0) + words.unknown
    return [weight * weight for weight in weights.values()]
