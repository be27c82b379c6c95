"""Kinds of element inside a page's records: what one record leaves open, all of them tell together.

Elements alike by tag, class, microdata, parent's class and column of a table are of one kind.
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from extractors.html.tags import tag_set

if TYPE_CHECKING:
    from extractors.records.reading import Reader

Inside = dict[int, int]
"""For a kind: by record the first element or chunk of it."""

SAMPLE = 20
"""Records by which a kind is weighed."""
_CELLS = tag_set("td", "th")
_LONGEST_HEADER = 24


class Kinds:
    """Names of kinds for the elements of a reader's records."""

    def __init__(self, reader: "Reader") -> None:
        self.reader, self.columns = reader, reader.columns
        self.cell = reader.signals.alike.cell
        self.headers = self._headers()

    def of(self, places: NDArray[np.integer[Any]]) -> list[int]:
        """The kinds of some elements."""
        found: list[int] = self.reader.signals.alike.kinds[places].tolist()
        return found

    def share(self, inside: Mapping[int, object]) -> float:
        """The share of records that have a kind."""
        return len(inside) / len(self.reader.group.members)

    def said_of(self, place: int) -> str:
        """What an element and those around it in its record are called."""
        columns, names = self.columns, self.reader.names
        parent = max(0, int(columns.parent[place]))
        return f"{names[place]} {names[parent]} {names[max(0, int(columns.parent[parent]))]}"

    def label(self, chunk: int) -> str:
        """What stands before a chunk in the same record, if it is short; "" else."""
        before, reader = chunk - 1, self.reader
        if before < 0 or reader.around[before] != reader.around[chunk] or reader.signals.length[before] > 20:
            return ""
        return self.columns.texts[before].strip().lower()

    def header(self, place: int) -> str:
        """The heading of the table's column in which an element stands, "" where there is none."""
        return self.headers.get(int(self.cell[place]), "") if self.headers else ""

    def headed(self, words: re.Pattern[str], places: NDArray[np.intp]) -> NDArray[np.bool_]:
        """bool[places]: the heading of the column has one of these words."""
        if not self.headers:
            return np.zeros(len(places), dtype=np.bool_)
        return np.asarray(self.headed_cells(words)[self.cell[places] + 1])

    def headed_cells(self, words: re.Pattern[str]) -> NDArray[np.bool_]:
        """bool: by number of a cell, and 1 more, whether the heading of its column has one of these words; empty where there
        are no headings."""
        found = np.zeros(int(self.cell.max(initial=-1)) + 2 if self.headers else 0, dtype=np.bool_)
        found[
            [column + 1 for column, said in self.headers.items() if words.search(said) and column + 1 < len(found)]
        ] = True
        return found

    def _headers(self) -> dict[int, str]:
        """By column what the row says that stands next before the first record and has as many cells."""
        columns, members = self.columns, self.reader.group.members
        first, end = int(members[0]), int(columns.end[members[0]])
        cells = np.flatnonzero(_CELLS[columns.tag])
        rows = columns.parent[cells]
        inside = (
            cells[(cells >= first) & (cells < end) & (rows == rows[np.searchsorted(cells, first) % len(rows)])]
            if len(cells)
            else cells
        )
        before = np.flatnonzero(cells < first)
        if len(inside) < 2 or not len(before):
            return {}
        for row in list(dict.fromkeys(rows[before[-40:]][::-1].tolist())):
            said = [" ".join(columns.text(place).split()).lower() for place in cells[rows == row].tolist()]
            if len(said) == len(inside) and max(map(len, said)) <= _LONGEST_HEADER:
                return dict(enumerate(said))
        return {}
