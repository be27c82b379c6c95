"""What short elements of a page say of people: names, and signs that somebody wrote what stands around them."""

import re
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from extractors.html.tags import TAG, tag_set
from extractors.kernels import native
from extractors.records.addresses import absolute
from extractors.records.hints import OTHER_PERSON, may_be_names
from extractors.text.multi_search import APART, holding

if TYPE_CHECKING:
    from extractors.records.signals import Signals

LONGEST_NAME = 40
MOST_WORDS = 5
_MOST_CHUNKS = 3
_LONGEST_LABEL = 20
_STRESSED = tag_set("a", "strong", "b", "cite")
_NAMING = frozenset(("author", "creator", "name"))
_LONGEST_TITLE = 40
_TELLING = ("data-author", "data-username", "author", "data-user-name", "data-author-name")
_LEADS = re.compile(
    "|".join(
        rf"{word[0]}(?<![^\s{APART}]{word[0]}){word[1:]}\s?[:：]?(?![^{APART}])"
        for word in "by 作者 楼主 发布者 发表者 von par de autor author posted[ ]by".split()
    )
)


class People:
    """Arrays over the N elements and M chunks of a page."""

    def __init__(self, signals: "Signals") -> None:
        self._signals, self._columns = signals, signals.columns
        self._links: dict[int, str] = {}

    @cached_property
    def short(self) -> NDArray[np.bool_]:
        """bool[N]: the element is no longer than a name."""
        columns = self._columns
        length, chunks = columns.text_length, columns.chunk_end - columns.chunk_start
        return np.asarray((length > 1) & (length <= LONGEST_NAME) & (chunks <= _MOST_CHUNKS))

    @cached_property
    def kinds(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The short elements kind after kind, those of one kind in document order; and where each kind begins."""
        places = np.flatnonzero(self.short)
        kinds = self._signals.alike.kinds[places]
        order = np.argsort(kinds, kind="stable")
        return places[order], np.flatnonzero(np.diff(kinds[order], prepend=-1))

    @cached_property
    def said(self) -> NDArray[np.intp]:
        """intp[N]: the number in `sayings` of what a short element says beside times and what is no name; 0 for nothing."""
        return self._said[0]

    @property
    def sayings(self) -> list[str]:
        """What short elements say, the first one nothing."""
        return self._said[1]

    @cached_property
    def plain(self) -> NDArray[np.bool_]:
        """bool[sayings]: has no more words than names."""
        return np.array([bool(text) and text.count(" ") < MOST_WORDS - 1 for text in self.sayings])

    @cached_property
    def _said(self) -> tuple[NDArray[np.intp], list[str]]:
        places = np.flatnonzero(self.short)
        chosen = self._naming_chunks(places)
        sayings, folded = {"": 0}, self._signals.folded
        numbers = [sayings.setdefault(folded[chunk], len(sayings)) if chunk >= 0 else 0 for chunk in chosen.tolist()]
        said = np.zeros(len(self._columns), dtype=np.intp)
        said[places] = numbers
        return said, list(sayings)

    def _naming_chunks(self, places: NDArray[np.intp]) -> NDArray[np.intp]:
        """By element its first chunk that may be a name, of several the first with more than one character; −1 for none."""
        columns, (usable, longer) = self._columns, self._names()
        if compiled := native():
            masks = usable.view(np.uint8), longer.view(np.uint8)
            return np.asarray(
                compiled.naming_chunks(places, columns.chunk_start, columns.chunk_end, *masks, _MOST_CHUNKS)
            )
        start, end = columns.chunk_start[places], columns.chunk_end[places]
        found = np.full(len(places), -1, dtype=np.intp)
        for wanted in (usable, longer):
            for step in range(_MOST_CHUNKS - 1, -1, -1):
                chunk = start + step
                inside = chunk < end
                inside[inside] = wanted[chunk[inside]]
                found[inside] = chunk[inside]
        return found

    def _names(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """bool[M] twice: the chunk may be a name; and is longer than one character."""
        wording = self._signals.wording
        asked = np.flatnonzero((self._signals.length <= LONGEST_NAME) & ~self._signals.time)
        different = np.unique(wording.numbers[asked])
        named = np.zeros(len(wording.distinct), dtype=np.bool_)
        named[different] = may_be_names([wording.distinct[number] for number in different.tolist()])
        usable = np.zeros(len(wording.numbers), dtype=np.bool_)
        usable[asked] = named[wording.numbers[asked]]
        return usable, usable & (self._signals.text_lengths > 1)

    def link(self, place: int, base: str) -> str:
        """Where a link in an element, or around it, leads, the page's address being `base`; "" where there is none."""
        found = self._links.get(place)
        if found is None:
            columns, targets = self._columns, self._signals.targets
            links = self._linking
            first = int(np.searchsorted(links, place))
            inside = first < len(links) and links[first] < columns.end[place]
            above = max(0, int(columns.parent[place]))
            chosen = int(links[first]) if inside else above if columns.tag[above] == TAG["a"] else -1
            target = targets[chosen] if chosen >= 0 else ""
            found = self._links[place] = absolute(base, target) if target else ""
        return found

    @cached_property
    def _linking(self) -> NDArray[np.intp]:
        """The links that lead somewhere."""
        links = np.flatnonzero(self._columns.tagged("a"))
        targets = self._signals.targets
        return links[[bool(targets[link]) for link in links.tolist()]] if len(links) else links

    def told(self, place: int) -> str:
        """The name that an attribute of an element tells, "" where there is none."""
        return self._told.get(place, "")

    @cached_property
    def _told(self) -> dict[int, str]:
        found: dict[int, str] = {}
        for name in reversed(_TELLING):
            found |= {place: value for place, value in self._columns.sparse(name).items() if value}
        return found

    @cached_property
    def signs(self) -> NDArray[np.int64]:
        """int64[N]: what an element's names, address and microdata say for an author, in tenths."""
        authors, columns = self._signals.authors, self._columns
        parent = columns.parent.clip(0)
        under = authors | authors[parent] | authors[parent[parent]]
        found = 20 * self._signals.profiles + 15 * authors + 10 * under + 3 * _STRESSED[columns.tag]
        properties, relations = self._columns.sparse("itemprop"), self._columns.sparse("rel")
        micro = {place for place, value in properties.items() if value in _NAMING}
        found[list(micro.union(place for place, value in relations.items() if value == "author"))] += 30
        return np.asarray(found)

    @cached_property
    def other(self) -> NDArray[np.bool_]:
        """bool[N]: an element, or what it stands in, is called somebody else than an author: who came last, who is answered."""
        named, parent = self._signals.named(OTHER_PERSON), self._columns.parent.clip(0)
        found = named | named[parent] | named[parent[parent]]
        titles = self._columns.sparse("title")
        found[list(titles)] |= holding(OTHER_PERSON, [title[:_LONGEST_TITLE].lower() for title in titles.values()])
        return np.asarray(found)

    @cached_property
    def led(self) -> NDArray[np.bool_]:
        """bool[M]: the chunk before is short and leads to an author: "by"."""
        found = np.zeros(len(self._signals.length), dtype=np.bool_)
        short = np.flatnonzero(self._signals.length[:-1] <= _LONGEST_LABEL)
        lowered = self._signals.lowered
        found[short + 1] = holding(_LEADS, [lowered[chunk] for chunk in short.tolist()])
        return found
