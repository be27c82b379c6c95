"""A part of the titles: a node that holds some parts says what they have for a batch of titles, and counts the terms of all.

A title lies whole in one part, by its position. So each pair of titles is found by one part alone, and parts are equal in size.
"""

from bisect import bisect_left
from collections.abc import Collection, Sequence

import numpy as np

from extractors.titles.additions import IndexAddition, check_columns
from extractors.titles.answers import Answer, Known, Said
from extractors.titles.columns import Column
from extractors.titles.index import NO_COPIES, Copies, Match, TitleIndex
from extractors.titles.rules import Rules
from extractors.titles.title_text import TitleText
from extractors.titles.vocabulary import Vocabulary
from extractors.titles.within import pairs_within

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
        said, failed = list[Said](), list[int]()
        for at, (title, day) in enumerate(zip(titles, days, strict=True)):
            try:
                said.append(self._said(title, day) if title is not None and title.terms else Said())
            except Exception:  # as in a whole index: the title is new
                said.append(Said())
                failed.append(at)
        asked = [at for at in range(len(titles)) if at % PARTS in self.own and titles[at] is not None]
        within, wrong = pairs_within(titles, days, asked, self._titles)
        return Answer(said, within, self._known(said), failed + wrong)

    def _said(self, title: TitleText, day: int) -> Said:
        copies = self._titles.copies(title, day)
        if copies.near >= 0:
            return Said(copies=self._among_all(copies))
        found = self._titles.nearest(title, day)
        if found.position >= 0:
            found = Match(found.verdict, self._positions.view[found.position], found.cosine, found.rule)
        return Said(found, self._among_all(copies))

    def _among_all(self, copies: Copies) -> Copies:
        if copies is NO_COPIES:
            return copies
        places = copies.equal, copies.near, copies.first
        return Copies(*(self._positions.view[place] if place >= 0 else place for place in places))

    def _known(self, said: Sequence[Said]) -> dict[int, Known]:
        """Days and terms of the titles that others may turn out to repeat."""
        known: dict[int, Known] = {}
        for each in said:
            found = [each.nearest.position] if each.nearest.verdict == "repost" else []
            for position in (*found, each.copies.equal, each.copies.near, each.copies.first):
                if position >= 0 and position not in known:
                    here = bisect_left(self._positions.view, position, 0, len(self._positions))
                    known[position] = Known(self._titles.days.view[here], tuple(self._titles.store.own_terms(here)))
        return known
