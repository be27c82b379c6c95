"""The layout of the records of one candidate group: owners of chunks, shared texts, titles."""

import re
from collections import Counter
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.html.tags import TAG, tag_set
from extractors.kernels import kernel
from extractors.records.groups import Members, RecordGroup
from extractors.records.groups.ownership import Ownership, nested_parents, ownership_of
from extractors.records.groups.repeated_endings import repeated_endings
from extractors.records.groups.titles import TitleElements, are_titled, find_title_links
from extractors.records.signals import (
    PageSignals,
    hidden_elements,
    no_text_chunks,
    no_text_elements,
    page_signals,
    quote_elements,
)
from extractors.records.signals.class_names import ElementClasses, element_classes, tell_parts
from extractors.records.signals.template_words import BODY

_LONG_CHARS = 40
"""A longer text shared by only some records is not a template's: a person wrote it, and other records repeat it."""
_CELLS = tag_set("td", "th")
_MAX_HEADER_CHARS = 24
_MIN_HEADERS = 3
"""Minimum headings of a row that is narrower than the records."""
_MAX_HEADER_CELLS = 40
"""Cells before the first record that are searched for a row of headings."""
_MAX_LABEL_CHARS = 20
_LEADING_SHARE = 0.8
_MIN_TITLE_CHARS = 8
"""Minimum visible characters of the median title; the texts of other links, such as people's, are shorter."""
_CONTROLS = tag_set("button", "select", "textarea", "label", "time", "nav")
_MIN_HELD_CHARS = 12
_WHOLE_TEXT_SHARE = 0.9
"""Minimum mean share of a record's words in an element, for the element to be its text whatever its name."""
_BODY_SHARE = 0.55
"""The same for forms, and for names that have a word for texts too."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The R records of a candidate group on a page of N elements and M chunks.

    Attributes:
        records: owners of chunks.
        parents: intp[R], the number of the record that each answers by the nesting of the markup, −1 for none.
        quotes: bool[N], quotes by tag or name. hidden: bool[M], chunks of quotes that are not shown; None if there are none.
        template: bool[M], chunks that records share. no_text: bool[M], chunks that are not part of a text.
        titles: by record the element that is its title. is_list: the records are lines of a list.
        headers: by column of a table its heading.
    """

    page: Document
    signals: PageSignals
    classes: ElementClasses
    group: RecordGroup
    records: Ownership
    parents: NDArray[np.intp]
    quotes: NDArray[np.bool_]
    hidden: NDArray[np.bool_] | None
    template: NDArray[np.bool_]
    no_text: NDArray[np.bool_]
    titles: TitleElements
    is_list: bool
    headers: dict[int, str]

    @property
    def columns(self) -> Columns:
        """The page's columns."""
        return self.signals.columns

    @property
    def members(self) -> Members:
        """intp[R]: the records' elements."""
        return self.group.members

    def names_around(self, place: int) -> str:
        """Class and id of an element, its parent and its grandparent."""
        names, above = self.signals.names, self.columns.parent
        parent = max(0, int(above[place]))
        return f"{names.spelling(place)} {names.spelling(parent)} {names.spelling(max(0, int(above[parent])))}"

    def label_before(self, chunk: int) -> str:
        """The chunk before, in lower case, if it is short and in the same record; else ""."""
        before, owner = chunk - 1, self.records.outer_owner
        if before < 0 or owner[before] != owner[chunk] or self.signals.visible[before] > _MAX_LABEL_CHARS:
            return ""
        return self.columns.texts[before].strip().lower()

    def header(self, place: int) -> str:
        """The heading of an element's column in a table, "" if there is none."""
        return self.headers.get(int(self.classes.cell[place]), "") if self.headers else ""

    def headed_cells(self, words: re.Pattern[str]) -> NDArray[np.bool_]:
        """bool, by number of a cell + 1: the heading of its column has one of these words; empty without headings."""
        found = np.zeros(int(self.classes.cell.max(initial=-1)) + 2 if self.headers else 0, dtype=np.bool_)
        columns = [column + 1 for column, header in self.headers.items() if words.search(header)]
        found[[column for column in columns if column < len(found)]] = True
        return found


def layout_of(
    page: Document, group: RecordGroup, without: Members | None = None, apart: Members | None = None
) -> Layout:
    """The layout of a group's records. without: elements inside them that belong to no record. apart: elements that no record
    may contain, ascending."""
    columns, signals, members = page.columns, page.once(page_signals), group.members
    records = ownership_of(columns, members, without, apart)
    quotes = _quotes(page, members)
    template = _template(signals, records, quotes)
    hidden, no_text = _hidden(page, quotes), _no_text(page, records, template)
    titles = find_title_links(page, records, template)
    return Layout(
        page=page,
        signals=signals,
        classes=page.once(element_classes),
        group=group,
        records=records,
        parents=nested_parents(columns, members),
        quotes=quotes,
        hidden=hidden,
        template=template,
        no_text=no_text if hidden is None else no_text | hidden,
        titles=titles,
        is_list=_is_list(page, records, titles),
        headers=_headers(page, int(members[min(titles, default=0)])),
    )


def _quotes(page: Document, members: Members) -> NDArray[np.bool_]:
    """bool[N]: quotes, except those before the records, records, and elements that hold records."""
    found, places = page.once(quote_elements).copy(), page.once(_quote_places)
    found[: members[0]] = False
    found[places[np.searchsorted(members, page.columns.end[places]) > np.searchsorted(members, places)]] = False
    return found


def _quote_places(page: Document) -> NDArray[np.intp]:
    return np.flatnonzero(page.once(quote_elements))


def _hidden(page: Document, quotes: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
    """bool[M]: chunks of elements that are not shown and hold nothing but quotes; None if there are none."""
    if not quotes.any() or not (unseen := page.once(hidden_elements)).any():
        return None
    columns = page.columns
    quoted = columns.within(quotes)[columns.owner]
    held = columns.subtree_chunks(np.where(quoted, columns.counts("visible"), 0))
    hidden = unseen & (held > 0) & (held == columns.text_length)
    return columns.within(hidden)[columns.owner] if hidden.any() else None


def _no_text(page: Document, records: Ownership, template: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool[M]: chunks in elements that are not part of a text, unless these are records, may hold all records, or hold most of
    what the records say."""
    elements, members = page.once(no_text_elements), records.members
    if not page.once(tell_parts):
        elements = elements | repeated_endings(page, records, template)
    whole = _whole_texts(page, elements, records, template)
    if elements is page.once(no_text_elements) and not (
        len(whole) or elements[: members[0]].any() or elements[members].any()
    ):
        return page.once(no_text_chunks)
    left = elements.copy()
    left[members] = False
    left[whole] = False
    left[: members[0]] = False
    return page.columns.within(left)[page.columns.owner]


def _whole_texts(
    page: Document, elements: NDArray[np.bool_], records: Ownership, template: NDArray[np.bool_]
) -> NDArray[np.intp]:
    """Those of the elements whose kind holds most of the words of its records: forms around posts, misleading names."""
    columns, signals, owner = page.columns, page.once(page_signals), records.owner
    places = np.flatnonzero(elements & (columns.text_length >= _MIN_HELD_CHARS) & ~_CONTROLS[columns.tag])
    holding = np.searchsorted(records.members, columns.end[places]) > np.searchsorted(records.members, places)
    places = places[(owner[columns.chunk_start[places]] >= 0) & ~holding]
    if len(places) < 2:
        return places[:0]
    free = np.where(signals.linked | signals.has_time | template | (owner < 0), 0, signals.visible)
    held = columns.subtree_chunks(free)
    places = places[held[places] >= _MIN_HELD_CHARS]
    said = np.bincount(owner + 1, free, len(records.members) + 1)[1:][owner[columns.chunk_start[places]]]
    share = held[places] / np.maximum(1, said)
    if np.count_nonzero(share >= _BODY_SHARE) < 2:
        return places[:0]
    _, kinds = np.unique(page.once(element_classes).bodies[places], return_inverse=True)
    count, mean = np.bincount(kinds)[kinds], (np.bincount(kinds, share) / np.bincount(kinds))[kinds]
    named = signals.names.have(BODY)[places] | (columns.tag[places] == TAG["form"])
    return places[(count > 1) & (mean >= np.where(named, _BODY_SHARE, _WHOLE_TEXT_SHARE))]


def _template(signals: PageSignals, records: Ownership, quotes: NDArray[np.bool_]) -> NDArray[np.bool_]:
    columns, texts = signals.columns, signals.texts
    quoted = columns.within(quotes)[columns.owner] if quotes.any() else np.zeros(len(columns.owner), dtype=np.bool_)
    return shared_texts(texts.number, texts.length, records.outer_owner, quoted, len(records.members), _LONG_CHARS)


@kernel
def shared_texts(
    text: NDArray[np.int64], length: NDArray[np.int64], owner: NDArray[np.intp], left_out: NDArray[np.bool_], records: int,
    long_from: int,
) -> NDArray[np.bool_]:  # fmt: skip
    """bool[M]: the chunk's text, given by its number, is in at least 40 % of the records, a text longer than long_from in
    80 %, and in more than one. owner: intp[M], −1 for no record; left_out: bool[M]."""
    places = np.flatnonzero((owner >= 0) & ~left_out)
    pairs = np.unique(text[places] * records + owner[places])
    count = np.bincount(pairs // records, minlength=len(text))
    least = np.where(length[places] <= long_from, 0.4, 0.8) * records
    shared = np.zeros(len(owner), dtype=np.bool_)
    shared[places] = count[text[places]] >= np.maximum(2, least)
    return shared


def _is_list(page: Document, records: Ownership, titles: TitleElements) -> bool:
    """Whether the records are lines of a list: most have a title that leads elsewhere, and little text besides."""
    columns, count, owner = page.columns, len(records.members), records.owner
    if len(titles) < 0.7 * count:
        return False
    own = np.bincount(owner + 1, page.once(page_signals).visible, count + 1)[1:]
    numbers, links = np.array(list(titles)), columns.sparse("href")
    targets = {links.get(title, "") or str(title) for title in titles.values()}
    if len(targets) < 0.7 * len(numbers):
        return False
    length = columns.text_length[np.array(list(titles.values()))]
    share, middle = median((length / np.maximum(own[numbers], 1)).tolist()), median(own.tolist())
    return (share > 0.2 and middle < 260) or (share > 0.08 and middle < 450 and _are_titles(page, records, titles))


def _are_titles(page: Document, records: Ownership, titles: TitleElements) -> bool:
    """Whether the titles are named as titles, or are headings; where names say nothing, by their place."""
    return are_titled(page, titles) or (not page.once(tell_parts) and _lead(page, records, titles))


def _lead(page: Document, records: Ownership, titles: TitleElements) -> bool:
    """Whether nearly all titles stand first in the elements that hold them, and in the first half of their records' texts: links in
    what people wrote do neither."""
    columns, places, numbers = page.columns, np.array(list(titles.values())), np.array(list(titles))
    start, members = columns.chunk_start[places], records.members[numbers]
    first = columns.owner[np.maximum(start - 1, 0)] != columns.parent[places]
    running = np.concatenate(([0], np.cumsum(page.once(page_signals).visible)))
    before = running[start] - running[columns.chunk_start[members]]
    early = 2 * before <= running[columns.chunk_end[members]] - running[columns.chunk_start[members]]
    brief = np.median(columns.text_length[places]) < _MIN_TITLE_CHARS
    return bool(not brief and (first & early).mean() >= _LEADING_SHARE)


def _cells(page: Document) -> NDArray[np.intp]:
    """The cells of tables."""
    return np.flatnonzero(_CELLS[page.columns.tag])


def _headers(page: Document, first: int) -> dict[int, str]:
    """By column, the cells of the last row before the first record, an element, with as many cells as the record, else of one with fewer:
    its first heading spans several columns."""
    columns, end = page.columns, int(page.columns.end[first])
    cells = page.once(_cells)
    begin, stop = np.searchsorted(cells, (first, end)).tolist()
    if begin == stop or not begin:
        return {}
    rows = columns.parent[cells[max(0, begin - _MAX_HEADER_CELLS) : stop]].tolist()
    rows, own = rows[: min(begin, _MAX_HEADER_CELLS)], rows[min(begin, _MAX_HEADER_CELLS) :]
    width, narrower = own.count(own[0]), dict[int, str]()
    if width < 2:
        return {}
    for row, count in reversed(Counter(rows).items()):
        if count > width or count < min(width, _MIN_HEADERS):
            continue
        places = [place for place in cells[begin - len(rows) : begin].tolist() if columns.parent[place] == row]
        found = [" ".join(columns.text(place).split()).lower() for place in places]
        if max(map(len, found)) > _MAX_HEADER_CHARS:
            continue
        if count == width:
            return dict(enumerate(found))
        narrower = narrower or dict(enumerate(found, width - count))
    return narrower
