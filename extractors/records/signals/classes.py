"""Elements of one kind, by class, tag and place, as numbers: equal numbers mean that elements are of one kind."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.html.tags import NAMES, tag_set
from extractors.records.signals.names import ElementNames, Tokens
from extractors.records.signals.page import page_signals
from extractors.records.signals.vocabulary import AUTHOR

TAGS = len(NAMES) + 1
_CELLS = tag_set("td", "th")


@dataclass(frozen=True, slots=True)
class ElementClasses:
    """Numbers for the N elements of a page.

    Attributes:
        classes: int64[N], by the comparable tokens of the class; 0 for none, and for elements without text.
        kinds: int64[N], by tag, class, microdata, the parent's tag and class, and column of a table.
        bodies: int64[N], by tag and class; by tag and the parent's class (an odd number) where there is no class.
        cell: int32[N], the number in its row of the cell that holds the element; −1 outside of cells.
    """

    classes: NDArray[np.int64]
    kinds: NDArray[np.int64]
    bodies: NDArray[np.int64]
    cell: NDArray[np.int32]


def element_classes(page: Document) -> ElementClasses:
    """The kinds of a page's elements."""
    columns, names = page.columns, page.once(page_signals).names
    classes, cell, properties = _classes(columns, names), _cells(columns), _properties(columns, names)
    parent, tags = columns.parent.clip(0), columns.tag.astype(np.int64)
    count = int(classes.max(initial=0)) + 1
    named = tags * count + classes
    kinds = (named * TAGS + tags[parent]) * count + classes[parent]
    kinds = kinds * (int(properties.max(initial=0)) + 1) + properties
    kinds = kinds * (int(cell.max(initial=0)) + 2) + cell + 1
    bodies = np.where(classes > 0, named * 2, (tags * count + classes[parent]) * 2 + 1)
    return ElementClasses(classes, kinds, bodies, cell)


def _classes(columns: Columns, names: ElementNames) -> NDArray[np.int64]:
    numbers: dict[Tokens, int] = {(): 0}
    known = [numbers.setdefault(each, len(numbers)) for each in names.tokens]
    found = np.zeros(len(columns), dtype=np.int64)
    found[columns.readable] = np.array(known, dtype=np.int64)[columns.names[1]]
    return found


def _cells(columns: Columns) -> NDArray[np.int32]:
    cell = np.full(len(columns), -1, dtype=np.int32)
    places = np.flatnonzero(_CELLS[columns.tag])
    rows, ends = columns.parent[places].tolist(), columns.end[places].tolist()
    counts: dict[int, int] = {}
    for place, row, end in zip(places.tolist(), rows, ends, strict=True):
        counts[row] = number = counts.get(row, -1) + 1
        cell[place:end] = number
    return cell


def _properties(columns: Columns, names: ElementNames) -> NDArray[np.int64]:
    """int64[N]: the microdata property of each element with text, and whether its class or id names an author."""
    numbers = {"": 0}
    found = np.zeros(len(columns), dtype=np.int64)
    for place, value in columns.sparse("itemprop").items():
        found[place] = numbers.setdefault(value, len(numbers))
    return np.asarray(np.where(columns.text_length > 0, 2 * found + names.have(AUTHOR), 0))
