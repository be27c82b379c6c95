"""A batch of titles decided one after the other, from what was said of them before any of them was stored."""

from collections.abc import Iterator, Sequence

from extractors.titles.answers import Answer, together
from extractors.titles.index import Match, TitleIndex, objected
from extractors.titles.title_text import TitleText


class Batch:
    """Which stored title each title of the batch repeats, as `TitleIndex.search` says it.

    `find` is called for each title in order, and the index stores it or not, before the next; `stored` says that it does.
    """

    def __init__(self, answers: Sequence[Answer], index: TitleIndex) -> None:
        self._index, self._nearest = index, together([answer.nearest for answer in answers])
        self._pairs = {at: pairs for answer in answers for at, pairs in answer.within.items()}
        self._failed = {at for answer in answers for at in answer.failed}
        self._places: dict[int, int] = {}

    def failed(self, at: int) -> bool:
        """Whether a comparison of this title failed."""
        return at in self._failed

    def find(self, at: int, title: TitleText, day: int) -> Match:
        """What title number `at` is found to be."""
        copy = self._index.copies(title, day).match
        if copy.verdict == "repost":
            return copy
        best = self._nearest[at]
        for match in self._within(at) if at in self._pairs else ():
            best = _better(best, match)
        return best if best.verdict == "repost" or copy.position < 0 else copy

    def _within(self, at: int) -> Iterator[Match]:
        for other, cosine, rule in self._pairs[at]:
            if (place := self._places.get(other)) is not None:
                repost = Match("repost", place, cosine)
                yield objected(place, cosine, rule, self._index.threshold) if rule else repost

    def stored(self, at: int, place: int) -> None:
        """Title number `at` was stored at this place."""
        self._places[at] = place


def _better(one: Match, other: Match) -> Match:
    """The one that is a repost, of equals in that the one with the higher cosine, of equals in that the earlier."""
    if one.position < 0 or (one.verdict == "repost") != (other.verdict == "repost"):
        return one if one.verdict == "repost" else other
    if other.cosine == one.cosine:
        return other if other.position < one.position else one
    return other if other.cosine > one.cosine else one
