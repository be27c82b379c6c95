"""The fields of a chosen group's records."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from extractors.page import Page
from extractors.records.candidates import Group
from extractors.records.fields import Fields, target_of
from extractors.records.heads import called, find_heads, parent_tag
from extractors.records.hints import NOT_BODY, NOTICE, TITLE
from extractors.records.keys import record_keys
from extractors.records.model import Record
from extractors.records.nesting import answered
from extractors.records.quotes import called_quotes, quoted_chunks
from extractors.records.signals import Signals
from extractors.records.territories import rows_beside, territories
from extractors.tags import tag_set

_NEVER_BODY = tag_set("form", "button", "select", "textarea", "label", "time", "nav")
_LONG = 40
"""Characters; a longer text that some records share is no template's."""
_FEW = 4
_NEARLY_ALL = 0.8
_MOST_FURNITURE = 2
"""Elements before the first record, and after the last, that may be headings or links to pages."""
_LARGEST_WORTH = 1500
"""Of one record's body, so that a long one does not decide for all."""
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


class Reader:
    """Reads the records of one group; every record owns its chunks but those of records nested in it."""

    def __init__(self, page: Page, signals: Signals, group: Group) -> None:
        self.page, self.signals, self.group, self.columns = page, signals, group, page.columns
        columns = self.columns
        self.record = np.full(len(columns.texts), -1)
        self.parents = answered(columns, group.members)
        for number, member in enumerate(group.members.tolist()):
            self.record[columns.chunk_start[member] : columns.chunk_end[member]] = number
        self.around = self._territories()
        self.names = signals.names
        self.quotes = called_quotes(signals, group.members)
        self.template = self._shared_chunks()
        refused = _NEVER_BODY[columns.tag] | signals.named(NOT_BODY)
        refused[group.members] = False
        above = np.zeros(len(columns), dtype=bool)
        above[: group.members[0]] = True
        self.refused = columns.within(refused & ~above)[columns.owner]
        self.heads = find_heads(self)
        self.is_list = self._is_list()
        self._records: list[Record] | None = None
        self._kept: list[int] = []

    def records(self) -> list[Record]:
        """The records in document order; elements without text or title are left out."""
        records = [self._counted(record, number) for record, number in zip(self.read(), self._kept, strict=True)]
        members = self.group.members
        tops = self.tops if len(members) > 1 else members
        shells = [(int(tops[number]), int(members[number])) for number in self._kept]
        keys = record_keys(self.columns, shells, records, is_list=self.is_list)
        return [replace(record, key=key) for record, key in zip(records, keys, strict=True)]

    def _counted(self, record: Record, number: int) -> Record:
        told = self.fields.counts(number)
        last_time, last_time_text = self.fields.last_time(number)
        return replace(
            record,
            last_time=last_time,
            last_time_text=last_time_text,
            replies=told["replies"],
            views=told["views"],
            likes=told["likes"],
            floor=told["floor"],
        )

    def read(self) -> list[Record]:
        """The records in document order, without counts, last activity and keys: what tells whether they are records; read once."""
        if self._records is None:
            bodies = self._bodies()
            self.quoted = quoted_chunks(self, bodies)
            self.fields = Fields(self, bodies)
            self._records = self._without_empty(bodies)
        return self._records

    def _without_empty(self, bodies: dict[int, int]) -> list[Record]:
        order = np.argsort(self.record, kind="stable")
        edges = np.searchsorted(self.record[order], np.arange(len(self.group.members)))
        place: dict[int, int] = {}
        records: list[Record] = []
        for number, chunks in enumerate(np.split(order, edges)[1:]):
            record = self._read(number, chunks, bodies, parent=place.get(self.parents[number], -1))
            if record is not None:
                place[number] = len(records)
                records.append(record)
        first, last = _furnished(records)
        self._kept, records = list(place)[first:last], records[first:last]
        if first:
            records = [replace(record, parent=max(-1, record.parent - first)) for record in records]
        return [replace(records[0], is_first=not self.is_list), *records[1:]] if records else []

    def _territories(self) -> NDArray[np.intp]:
        """int[M]: the record to which a chunk belongs, where what stands beside a record belongs to it as well.

        A record's territory is the largest element around it that holds no other record, with the rows beside it
        that recur between all records: a name and a time in a row or term of their own.
        """
        columns, around = self.columns, self.record.copy()
        self.tops = tops = territories(columns, self.group.members)
        pieces = enumerate(zip(tops.tolist(), self.group.members.tolist(), strict=True))
        own = [(number, top) for number, (top, member) in pieces if top != member]
        for number, place in (*own, *rows_beside(columns, tops)):
            inside = slice(int(columns.chunk_start[place]), int(columns.chunk_end[place]))
            around[inside] = np.where(around[inside] < 0, number, around[inside])
        return around

    def _shared_chunks(self) -> NDArray[np.bool_]:
        """bool[M]: a text that stands in at least 40 % of the records, a long one in 80 %, and in more than one; not what
        some quote.

        What is long and comes again in some records only is one person's words, shown again by others.
        """
        places = np.flatnonzero((self.around >= 0) & ~self.columns.within(self.quotes)[self.columns.owner])
        numbers, lengths = self.signals.alike.texts
        records = len(self.group.members)
        pairs = np.unique(numbers[places] * records + self.around[places])
        count = np.bincount(pairs // records, minlength=len(numbers))
        least = np.where(lengths[places] <= _LONG, 0.4, 0.8) * records
        shared = np.zeros(len(self.record), dtype=bool)
        shared[places] = count[numbers[places]] >= np.maximum(2, least)
        return shared

    def _worth(self) -> NDArray[np.float64]:
        """float[M]: what a chunk adds to a body that holds it; template, times and names take away."""
        length = self.signals.length.astype(float)
        worth = np.where(self.signals.linked, -0.3 * length, length)
        bad = self.template | self.signals.time | self.refused
        worth[bad] = -12 - np.minimum(length[bad], 40)
        worth[self.record < 0] = 0
        return worth

    def _bodies(self) -> dict[int, int]:
        """Which element is a record's body: of all kinds of element inside the records, the one worth most over all."""
        columns = self.columns
        value = columns.subtree_chunks(self._worth())
        numbers, places = self._own_elements()
        if not len(places):
            return {}
        kind = self.signals.alike.bodies[places] << 8  # where they have no class, by their depth in the record too
        deep = (columns.depth[places] - columns.depth[self.group.members[numbers]]).clip(0, 255)
        kind += np.where(kind >> 8 & 1, deep, 0)
        order = np.lexsort((places, -value[places], numbers, kind))
        kind, number, place = kind[order], numbers[order], places[order]
        first = np.append(True, (kind[1:] != kind[:-1]) | (number[1:] != number[:-1]))
        starts = np.flatnonzero(np.append(True, kind[1:] != kind[:-1]))
        worth = np.add.reduceat(np.where(first, np.minimum(_LARGEST_WORTH, value[place]), 0.0), starts).round(6)
        earliest = np.minimum.reduceat(order, starts)
        best = np.lexsort((earliest, -worth))[0]
        chosen = first & (kind == kind[starts[best]])
        return dict(zip(number[chosen].tolist(), place[chosen].tolist(), strict=True))

    def _own_elements(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Numbers of records, and elements with text that lie in them and before the first record nested there."""
        columns, members = self.columns, self.group.members
        starts = columns.chunk_start.clip(0, len(self.record) - 1)
        places = np.flatnonzero((columns.text_length > 0) & (self.record[starts] >= 0))
        number = np.searchsorted(members, places, side="right") - 1
        inside = (number >= 0) & (self.record[starts[places]] == number)
        inside[inside] = places[inside] < columns.end[members[number[inside]]]
        return number[inside], places[inside]

    def _is_list(self) -> bool:
        """Whether the records are lines of a list: most have a title that leads on, and little text besides."""
        columns, members = self.columns, self.group.members
        if len(self.heads) < 0.7 * len(members):
            return False
        own = np.bincount(self.record[self.record >= 0], self.signals.length[self.record >= 0], len(members))
        numbers = np.array(list(self.heads))
        length = columns.text_length[np.array(list(self.heads.values()))]
        targets = {columns.elements[head].get("href") or str(head) for head in self.heads.values()}
        if len(targets) < 0.7 * len(numbers):
            return False
        share = float(np.median(length / np.maximum(own[numbers], 1)))
        return bool(
            (share > 0.2 and np.median(own) < 260) or (share > 0.08 and np.median(own) < 450 and self._titled())
        )

    def _titled(self) -> bool:
        """Whether the titles are called so, or are headings."""
        first = next(iter(self.heads.values()))
        return TITLE.search(called(self, first)) is not None or parent_tag(self, first).startswith("h")

    def _read(self, number: int, chunks: NDArray[np.intp], bodies: dict[int, int], *, parent: int) -> Record | None:
        if not len(chunks) or self._is_notice(number):
            return None
        author, author_url = self.fields.author(number)
        time_text = self.fields.time(number)
        title, url = self._title(number)
        if self.is_list and not title:
            return None
        text, quote, own_text = self._text(number, chunks, bodies)
        if self.is_list and text == title:
            text = own_text = ""
        if not (title or text):
            return None
        time = self.signals.clocks.parsed(time_text, self.page.fetched_at) if time_text else ""
        return Record(
            author=author,
            author_url=author_url,
            time=time,
            time_text=time_text,
            title=title,
            url=url,
            text=text,
            quote=quote,
            own_text=own_text,
            parent=parent,
        )

    def _is_notice(self, number: int) -> bool:
        """Whether a record is but another site's notice that it links here, among comments."""
        places = (int(self.tops[number]), int(self.group.members[number]))
        return any(NOTICE.search(self.names[place]) is not None for place in places)

    def _title(self, number: int) -> tuple[str, str]:
        head = self.heads.get(number, -1)
        if head < 0 or not (self.is_list or self._titled()):
            return "", ""
        element = self.columns.elements[head]
        member = int(self.group.members[number])
        part = member if head < member < self.columns.end[head] else self._titled_part(head)
        return " ".join(self.columns.text(part).split()), target_of(self.page, element)

    def _titled_part(self, head: int) -> int:
        """Of a link around a whole record the part that is its title; else the link itself."""
        columns = self.columns
        if columns.chunk_end[head] - columns.chunk_start[head] < 3:
            return head
        inside = range(head + 1, int(columns.end[head]))
        headings = (place for place in inside if columns.elements[place].tag in _HEADINGS)
        named = (place for place in inside if columns.text_length[place] and TITLE.search(self.names[place]))
        return next(headings, next(named, head))

    def _text(self, number: int, chunks: NDArray[np.intp], bodies: dict[int, int]) -> tuple[str, str, str]:
        """(the record's text, what of it is quoted, what is not)."""
        columns, body = self.columns, bodies.get(number, -1)
        usable = chunks
        if body >= 0:
            usable = chunks[(chunks >= columns.chunk_start[body]) & (chunks < columns.chunk_end[body])]
        usable = usable[~self.refused[usable] & ~self.fields.used[usable]]
        if body < 0:
            usable = usable[~self.template[usable] & ~self.signals.time[usable]]
        usable = self._without_frame(usable)
        text, quoted = columns.join(usable), self.quoted[usable]
        return (text, columns.join(usable[quoted]), columns.join(usable[~quoted])) if quoted.any() else (text, "", text)

    def _without_frame(self, chunks: NDArray[np.intp]) -> NDArray[np.intp]:
        """Without the template's words before and after the text, where something is left."""
        own = np.flatnonzero(~self.template[chunks])
        return chunks[own[0] : own[-1] + 1] if len(own) else chunks


def _furnished(records: Sequence[Record]) -> tuple[int, int]:
    """From which record to which the page's own words before and after them are left out.

    These are alike in make only: where nearly all records tell a time (an author, where they tell none), they do not.
    """
    count = len(records)
    for told in ([bool(record.time_text) for record in records], [bool(record.author) for record in records]):
        if count >= _FEW and sum(told) >= _NEARLY_ALL * count:
            first, last = told.index(True), count - told[::-1].index(True)
            return (first if first <= _MOST_FURNITURE else 0), (last if count - last <= _MOST_FURNITURE else count)
    return 0, count
