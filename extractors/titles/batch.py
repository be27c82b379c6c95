"""A batch of titles decided one after the other, from what all parts have said of them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from extractors.titles.answers import Answer, Known, best_of
from extractors.titles.index import NO_COPIES, Copies, Match, objected
from extractors.titles.rules import Rules, too_far
from extractors.titles.title_text import TitleText


class Batch:
    """Which stored title each title of the batch repeats, as a search in an index of all titles says it.

    `find` is called for each title in order, and then `stored` or `noted` says what became of it.
    """

    def __init__(self, answers: Sequence[Answer], threshold: float, rules: Rules, numbers: Mapping[str, int]) -> None:
        self._answers, self._threshold, self._rules, self._numbers = answers, threshold, rules, numbers
        self._nearest = best_of([answer.nearest for answer in answers])
        self._pairs = {at: pairs for answer in answers for at, pairs in answer.within.items()}
        self._known: dict[int, Known] = {}
        for answer in answers:
            self._known.update(answer.known)
        self._failed = {at for answer in answers for at in answer.failed}
        self._places: dict[int, int] = {}
        self._marked = defaultdict[int, list[int]](list)

    def failed(self, at: int) -> bool:
        """Whether a comparison of this title failed."""
        return at in self._failed

    def find(self, at: int, title: TitleText, day: int) -> tuple[Match, bool]:
        """What title number `at` was found to be, and whether by its full wording."""
        copy = self._copies(at, title, day).match
        if copy.verdict == "repost":
            return copy, True
        best = self._nearest[at]
        for match in self._within(at) if at in self._pairs else ():
            best = _better(best, match)
        return (copy, True) if copy.position >= 0 and best.verdict != "repost" else (best, False)

    def _within(self, at: int) -> Iterator[Match]:
        for other, cosine, rule in self._pairs[at]:
            if (place := self._places.get(other)) is not None:
                yield objected(place, cosine, rule, self._threshold) if rule else Match("repost", place, cosine)

    def _copies(self, at: int, title: TitleText, day: int) -> Copies:
        said = [answer.copies[at] for answer in self._answers if at in answer.copies]
        if title.fingerprint and title.terms and title.fingerprint in self._marked:
            said += [self._copy(place, title, day) for place in self._marked[title.fingerprint]]
        if not said:
            return NO_COPIES
        return Copies(
            *(
                min((place for place in places if place >= 0), default=-1)
                for places in zip(*map(_places, said), strict=True)
            )
        )

    def _copy(self, place: int, title: TitleText, day: int) -> Copies:
        known = self._known[place]
        if too_far(self._rules, abs(day - known.day) if day and known.day else None):
            return Copies(-1, -1, place)
        return Copies(place if self.is_same(place, title) else -1, place, place)

    def is_same(self, place: int, title: TitleText) -> bool:
        """Whether a title that was found has the same terms."""
        terms = self._known[place].terms
        return len(terms) == len(title.terms) and terms == tuple(map(self._numbers.get, title.terms))

    def stored(self, at: int, title: TitleText, day: int, place: int, terms: Sequence[int]) -> None:
        """Title number `at` was stored at this place, with terms of these numbers."""
        self._places[at] = place
        self._known[place] = Known(day, tuple(terms))
        self.noted(title, place)

    def noted(self, title: TitleText, place: int) -> None:
        """The title tells the same news as the one at this place."""
        if title.fingerprint:
            self._marked[title.fingerprint].append(place)


def _places(copies: Copies) -> tuple[int, int, int]:
    return copies.equal, copies.near, copies.first


def _better(one: Match, other: Match) -> Match:
    """The one that is a repost, of equals in that the one with the higher cosine, of equals in that the earlier."""
    if one.position < 0 or (one.verdict == "repost") != (other.verdict == "repost"):
        return one if one.verdict == "repost" else other
    if other.cosine == one.cosine:
        return other if other.position < one.position else one
    return other if other.cosine > one.cosine else one
