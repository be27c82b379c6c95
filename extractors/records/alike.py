"""What is alike on a page, as numbers worked out once for all groups that are read: classes, kinds of element, texts."""

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from extractors.html.tags import NAMES, tag_set
from extractors.kernels import native
from extractors.records.hints import Tokens, compared_names

if TYPE_CHECKING:
    from extractors.records.signals import Signals

_CELLS = tag_set("td", "th")
_NOWHERE = ("#", "javascript:")
_TAGS = len(NAMES) + 1


def leading_by_numpy(
    places: NDArray[np.intp], targets: dict[int, str], nowhere: tuple[str, ...]
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """bool[places]: the link leads to another place; int64: the number of the address of each that does."""
    written = [targets.get(place, "") for place in places.tolist()]
    leading = [bool(target) and not target.startswith(nowhere) for target in written]
    numbers: dict[str, int] = {}
    kept = (target for target, leads in zip(written, leading, strict=True) if leads)
    known = [numbers.setdefault(target, len(numbers)) for target in kept]
    return np.array(leading, dtype=np.bool_), np.array(known, dtype=np.int64)


class Links(NamedTuple):
    """Links kind after kind, those of one kind in document order."""

    places: NDArray[np.intp]
    starts: NDArray[np.intp]
    """Where each kind begins."""
    targets: NDArray[np.int64]
    """The number of the address to which each leads."""


class Alike:
    """Numbers for the N elements and M chunks of a page; equal numbers mean that things are of one kind."""

    def __init__(self, signals: "Signals") -> None:
        self._signals, self._columns = signals, signals.columns

    @cached_property
    def names(self) -> tuple[list[Tokens], list[str], list[str]]:
        """What is comparable in the D different names of the page's elements: tokens of classes, stems of ids, spellings."""
        return compared_names(self._columns.names[0])

    @cached_property
    def classes(self) -> NDArray[np.int64]:
        """int64[N]: the comparable tokens of each element's class; 0 for none, and for elements without text."""
        _, which = self._columns.names
        tokens: dict[Tokens, int] = {(): 0}
        known = [tokens.setdefault(each, len(tokens)) for each in self.names[0]]
        found = np.zeros(len(self._columns), dtype=np.int64)
        found[self._columns.readable] = np.array(known, dtype=np.int64)[which]
        return found

    @cached_property
    def kinds(self) -> NDArray[np.int64]:
        """int64[N]: elements alike by tag, class, microdata, parent's tag and class, and column of a table."""
        columns, classes = self._columns, self.classes
        parent = columns.parent.clip(0)
        most, tags = int(classes.max(initial=0)) + 1, columns.tag.astype(np.int64)
        key = (tags * most + classes) * _TAGS + tags[parent]
        key = key * most + classes[parent]
        key = key * (int(self._properties.max(initial=0)) + 1) + self._properties
        return np.asarray(key * (int(self.cell.max(initial=0)) + 2) + self.cell + 1)

    @cached_property
    def links(self) -> "Links":
        """Links with text that lead to other places; they are of one kind by their own and their parent's class, and their
        parent's tag."""
        columns, classes = self._columns, self.classes
        places = np.flatnonzero(columns.tagged("a") & (columns.text_length > 1))
        given = places, columns.sparse("href"), _NOWHERE
        leading, targets = compiled.leading_links(*given) if (compiled := native()) else leading_by_numpy(*given)
        places = places[leading]
        parents = columns.parent[places].clip(0)
        most = int(classes.max(initial=0)) + 1
        kinds = (classes[places] * _TAGS + columns.tag[parents]) * most + classes[parents]
        order = np.argsort(kinds, kind="stable")
        return Links(places[order], np.flatnonzero(np.diff(kinds[order], prepend=-1)), targets[order])

    @cached_property
    def bodies(self) -> NDArray[np.int64]:
        """int64[N]: elements alike by tag and class; by tag and parent's class where they have none."""
        columns, classes = self._columns, self.classes
        most, tags = int(classes.max(initial=0)) + 1, columns.tag.astype(np.int64)
        named = (tags * most + classes) * 2
        return np.asarray(np.where(classes > 0, named, (tags * most + classes[columns.parent.clip(0)]) * 2 + 1))

    @cached_property
    def cell(self) -> NDArray[np.int32]:
        """int32[N]: the number in its row of the cell that holds an element; −1 outside of cells."""
        columns = self._columns
        cell = np.full(len(columns), -1, dtype=np.int32)
        places = np.flatnonzero(_CELLS[columns.tag])
        counts: dict[int, int] = {}
        for place, row, end in zip(
            places.tolist(), columns.parent[places].tolist(), columns.end[places].tolist(), strict=True
        ):
            counts[row] = number = counts.get(row, -1) + 1
            cell[place:end] = number
        return cell

    @cached_property
    def _properties(self) -> NDArray[np.int64]:
        """int64[N]: the microdata property of each element with text, and whether its class or id names an author."""
        numbers = {"": 0}
        found = np.zeros(len(self._columns), dtype=np.int64)
        for place, value in self._columns.sparse("itemprop").items():
            found[place] = numbers.setdefault(value, len(numbers))
        return np.asarray(np.where(self._columns.text_length > 0, 2 * found + self._signals.authors, 0))
