"""A part of the titles: a node that holds some parts says what they have for a batch of titles, and counts the terms of all.

A title lies whole in one part, by its position. So each pair of titles is found by one part alone, and parts are equal in size.
"""

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from extractors.titles.additions import IndexAddition, check_columns
from extractors.titles.answers import Answer, Known, columns_of
from extractors.titles.columns import Column
from extractors.titles.index import NO_COPIES, Copies, Match, TitleIndex
from extractors.titles.rules import Rules
from extractors.titles.title_text import TitleText
from extractors.titles.vocabulary import Vocabulary
from extractors.titles.within import pairs_within

_NEW = Match("new")
PARTS = 60
"""Divides by many numbers of nodes without a rest."""


class DividedIndex:
    """The titles of some parts, by their positions among all titles.

    Args:
        own: the parts that are here, of 0 … `PARTS` − 1.
    """

    def __init__(self, threshold: float = 0.8, rules: Rules | None = None, own: Collection[int] = ()) -> None:
        self.own = frozenset(own)
        self._titles = TitleIndex(threshold, rules)
        self._positions = Column(np.uint32)
        self.threshold, self.rules = self._titles.threshold, self._titles.rules

    def __len__(self) -> int:
        """Of all parts."""
        return self.vocabulary.total

    @property
    def vocabulary(self) -> Vocabulary:
        """Of all parts."""
        return self._titles.vocabulary

    @property
    def here(self) -> int:
        """How many titles are here."""
        return len(self._titles)

    def add(self, title: TitleText, day: int) -> list[int]:
        """Store a title behind those of all parts, if it belongs to a part that is here; returns its terms' numbers."""
        numbers, position = self._titles.name(title), len(self)
        if position % PARTS in self.own:
            self._positions.append(position)
            self._titles.keep(title, numbers, day)
        self._titles.count(numbers)
        return numbers

    def note(self, title: TitleText, position: int) -> None:
        """See `TitleIndex.note`."""
        if position % PARTS in self.own:
            self._titles.note(title, bisect_left(self._positions.view, position, 0, len(self._positions)))

    def fill(self, addition: IndexAddition) -> None:
        """Take what belongs here into an empty index; ValueError for columns that do not fit each other."""
        check_columns(addition)
        mine = np.isin(np.arange(len(addition.lengths)) % PARTS, list(self.own))
        self._positions.extend(np.flatnonzero(mine))
        self._titles.fill(addition.names, addition.terms, addition.lengths, addition.days, mine)
        marked = mine[addition.marked]
        here = (np.cumsum(mine) - 1)[addition.marked[marked]].astype(np.uint32)
        self._titles.fingerprints.fill(addition.marks[marked], here)

    def answer(self, titles: Sequence[TitleText | None], days: Sequence[int]) -> Answer:
        """What the parts that are here say of titles that follow the last one, not more than `Vocabulary.left` of them.

        None stands for a title that cannot be compared. A title on which a comparison fails is named in the answer.
        """
        nearest, copies, failed = list[Match](), dict[int, Copies](), list[int]()
        for at, (title, day) in enumerate(zip(titles, days, strict=True)):
            found = _NEW
            try:
                if title is not None and title.terms:
                    found = self._compared(title, day, at, copies)
            except Exception:  # as in a whole index: the title is new
                failed.append(at)
            nearest.append(found)
        asked = [at for at in range(len(titles)) if at % PARTS in self.own and titles[at] is not None]
        within, wrong = pairs_within(titles, days, asked, self._titles)
        return Answer(columns_of(nearest), copies, within, self._known(nearest, copies), failed + wrong)

    def _compared(self, title: TitleText, day: int, at: int, copies: dict[int, Copies]) -> Match:
        """The nearest title here; titles with the same full wording are noted under the title's number."""
        same = self._titles.copies(title, day)
        if same is not NO_COPIES:
            places = same.equal, same.near, same.first
            copies[at] = Copies(*(self._positions.view[place] if place >= 0 else place for place in places))
        found = self._titles.nearest(title, day) if same.near < 0 else _NEW
        if found.position < 0:
            return found
        return Match(found.verdict, self._positions.view[found.position], found.cosine, found.rule)

    def _known(self, nearest: Sequence[Match], copies: Mapping[int, Copies]) -> dict[int, Known]:
        """Days and terms of the titles that others may turn out to repeat."""
        places = {match.position for match in nearest if match.verdict == "repost"}
        places.update(place for same in copies.values() for place in (same.equal, same.near, same.first) if place >= 0)
        known: dict[int, Known] = {}
        for position in sorted(places):
            here = bisect_left(self._positions.view, position, 0, len(self._positions))
            known[position] = Known(self._titles.days.view[here], tuple(self._titles.store.own_terms(here)))
        return known
