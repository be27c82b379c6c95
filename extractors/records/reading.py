"""The fields of a chosen group's records."""

from collections.abc import Sequence
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.page import Page
from extractors.records.bodies import find_bodies
from extractors.records.candidates import Group
from extractors.records.fields import Fields
from extractors.records.heads import are_titled, find_heads, titles_of
from extractors.records.hints import NOTICE
from extractors.records.indents import answered_by_indent
from extractors.records.keys import record_keys
from extractors.records.model import Draft, Record
from extractors.records.nesting import answered
from extractors.records.quotes import called_quotes
from extractors.records.signals import Signals
from extractors.records.territories import rows_beside, territories
from extractors.records.texts import Texts

_LONG = 40
"""Characters; a longer text that some records share is no template's."""
_FEW = 4
_NEARLY_ALL = 0.8
_MOST_FURNITURE = 2
"""Elements before the first record, and after the last, that may be headings or links to pages."""
_NOTHING = ("", "")


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
        self.refused = self._refused()
        self.heads = find_heads(self)
        self.is_list = self._is_list()
        self._drafts: list[Draft] | None = None
        self._kept: list[int] = []

    def records(self) -> list[Record]:
        """The records in document order; elements without text or title are left out."""
        drafts, members = self.read(), self.group.members
        tops = self.tops if len(members) > 1 else members
        shells = [(int(tops[number]), int(members[number])) for number in self._kept]
        told = [self._told_besides(number) for number in self._kept]
        keys = record_keys(self.columns, shells, drafts, [each["floor"] for each in told], is_list=self.is_list)
        parents = [draft.parent for draft in drafts]
        if not self.is_list and max(parents, default=-1) < 0:
            parents = answered_by_indent(self.columns, [top for top, _ in shells])
        first = [not self.is_list, *[False] * len(drafts)]
        return [
            Record(**(draft._asdict() | besides | {"parent": parent}), key=key, is_first=is_first)
            for draft, besides, key, is_first, parent in zip(drafts, told, keys, first, parents, strict=False)
        ]

    def _told_besides(self, number: int) -> dict[str, Any]:
        last_time, last_time_text = self.fields.last_time(number)
        return self.fields.counts(number) | {"last_time": last_time, "last_time_text": last_time_text}

    def read(self) -> list[Draft]:
        """The records in document order, without counts, last activity and keys; read once."""
        if self._drafts is None:
            bodies = find_bodies(self)
            self.fields = Fields(self, bodies)
            drafts = self._filled(Texts(self, bodies, self.fields.used))
            first, last = _furnished(drafts)
            drafts, self._kept = drafts[first:last], self._kept[first:last]
            if first:
                drafts = [draft._replace(parent=max(-1, draft.parent - first)) for draft in drafts]
            self._drafts = drafts
        return self._drafts

    def _filled(self, texts: Texts) -> list[Draft]:
        drafts: list[Draft] = []
        titles, now, parsed = titles_of(self), self.page.fetched_at, self.signals.clocks.parsed
        self._kept, place = [], {-1: -1}
        for number in self._with_text():
            title, url = titles.get(number, _NOTHING)
            if self.is_list and not title:
                continue
            text, quote, own_text = texts.of(number)
            if self.is_list and text == title:
                text = own_text = ""
            if not (title or text):
                continue
            author, author_url = self.fields.author(number)
            time_text = self.fields.time(number)
            time = parsed(time_text, now) if time_text else ""
            parent = place.get(self.parents[number], -1)
            place[number] = len(drafts)
            self._kept.append(number)
            drafts.append(Draft(author, author_url, time, time_text, title, url, text, own_text, quote, parent))
        return drafts

    def _with_text(self) -> list[int]:
        """The numbers of records that are neither empty nor but another site's notice that it links here, among comments."""
        filled = np.bincount(self.record + 1, minlength=len(self.group.members) + 1)[1:] > 0
        notices = self.signals.named(NOTICE)
        found: list[int] = np.flatnonzero(filled & ~(notices[self.tops] | notices[self.group.members])).tolist()
        return found

    def within_own(self, places: dict[int, int], owner: NDArray[np.intp]) -> NDArray[np.bool_]:
        """bool[M]: a chunk stands inside the element that belongs to the record that owns it, by record."""
        columns, chunks = self.columns, np.arange(len(owner))
        start, end = np.zeros((2, len(self.group.members) + 1), dtype=np.int32)
        numbers, elements = np.array(list(places), dtype=np.intp), np.array(list(places.values()), dtype=np.intp)
        start[numbers], end[numbers] = columns.chunk_start[elements], columns.chunk_end[elements]
        return np.asarray((chunks >= start[owner]) & (chunks < end[owner]))

    def _territories(self) -> NDArray[np.intp]:
        """int[M]: the record to which a chunk belongs, where what stands beside a record belongs to it as well.

        A record's territory is the largest element around it that holds no other record, with the rows beside it
        that recur between all records: a name and a time in a row or term of their own.
        """
        columns, around = self.columns, self.record.copy()
        self.tops = tops = territories(columns, self.group.members)
        wider = np.flatnonzero(tops != self.group.members)
        pieces = [*zip(wider.tolist(), tops[wider].tolist(), strict=True), *rows_beside(columns, tops)]
        if pieces:
            starts, ends = columns.chunk_start.tolist(), columns.chunk_end.tolist()
            owners: list[int] = around.tolist()
            for number, place in pieces:
                for chunk in range(starts[place], ends[place]):
                    if owners[chunk] < 0:
                        owners[chunk] = number
            around = np.array(owners)
        return around

    def _refused(self) -> NDArray[np.bool_]:
        """bool[M]: chunks of what is no text's part, unless it is a record or may hold them all."""
        columns, members, furniture = self.columns, self.group.members, self.signals.furniture
        if not (furniture[: members[0]].any() or furniture[members].any()):
            return self.signals.in_furniture
        refused = furniture.copy()
        refused[members] = False
        refused[: members[0]] = False
        return columns.within(refused)[columns.owner]

    def _shared_chunks(self) -> NDArray[np.bool_]:
        """bool[M]: a text that stands in at least 40 % of the records, a long one in 80 %, and in more than one; not what
        some quote.

        What is long and comes again in some records only is one person's words, shown again by others.
        """
        own = self.around >= 0
        if self.quotes.any():
            own &= ~self.columns.within(self.quotes)[self.columns.owner]
        places = np.flatnonzero(own)
        numbers, lengths = self.signals.alike.texts
        records = len(self.group.members)
        pairs = np.unique(numbers[places] * records + self.around[places])
        count = np.bincount(pairs // records, minlength=len(numbers))
        least = np.where(lengths[places] <= _LONG, 0.4, 0.8) * records
        shared = np.zeros(len(self.record), dtype=bool)
        shared[places] = count[numbers[places]] >= np.maximum(2, least)
        return shared

    def _is_list(self) -> bool:
        """Whether the records are lines of a list: most have a title that leads on, and little text besides."""
        columns, members = self.columns, self.group.members
        if len(self.heads) < 0.7 * len(members):
            return False
        own = np.bincount(self.record[self.record >= 0], self.signals.length[self.record >= 0], len(members))
        numbers = np.array(list(self.heads))
        length = columns.text_length[np.array(list(self.heads.values()))]
        targets = {self.signals.targets[head] or str(head) for head in self.heads.values()}
        if len(targets) < 0.7 * len(numbers):
            return False
        share, middle = median((length / np.maximum(own[numbers], 1)).tolist()), median(own.tolist())
        return (share > 0.2 and middle < 260) or (share > 0.08 and middle < 450 and are_titled(self))


def _furnished(drafts: Sequence[Draft]) -> tuple[int, int]:
    """From which record to which the page's own words before and after them are left out.

    These are alike in make only: where nearly all records tell a time (an author, where they tell none), they do not.
    """
    count = len(drafts)
    for told in ([bool(draft.time_text) for draft in drafts], [bool(draft.author) for draft in drafts]):
        if count >= _FEW and sum(told) >= _NEARLY_ALL * count:
            first, last = told.index(True), count - told[::-1].index(True)
            return (first if first <= _MOST_FURNITURE else 0), (last if count - last <= _MOST_FURNITURE else count)
    return 0, count
