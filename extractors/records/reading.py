"""The fields of a chosen group's records."""

from collections.abc import Sequence
from statistics import median

import numpy as np
from numpy.typing import NDArray

from extractors.html.document import Document
from extractors.kernels import native
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
from extractors.records.territories import claimed, owned, rows_beside, territories
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

    def __init__(self, page: Document, signals: Signals, group: Group) -> None:
        self.page, self.signals, self.group, self.columns = page, signals, group, page.columns
        columns = self.columns
        self.record = owned(columns, group.members)
        self.parents = answered(columns, group.members)
        self.around = self._territories()
        self.names = signals.names
        self.quotes = called_quotes(signals, group.members)
        self.template = self._shared_chunks()
        self.unseen = self._unseen()
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
        rows = zip(drafts, told, keys, first, parents, strict=False)
        return [_record(draft, besides, key, is_first, parent) for draft, besides, key, is_first, parent in rows]

    def _told_besides(self, number: int) -> dict[str, str]:
        last_time, last_time_text = self.fields.last_time(number)
        return self.fields.counts(number) | {"last_time": last_time, "last_time_text": last_time_text}

    def read(self) -> list[Draft]:
        """The records in document order, without counts, last activity and keys; read once."""
        if self._drafts is None:
            bodies = find_bodies(self)
            self.fields = Fields(self, bodies)
            self._texts = Texts(self, bodies, self.fields.used)
            drafts = self._filled(self._texts)
            first, last = _furnished(drafts)
            drafts, self._kept = drafts[first:last], self._kept[first:last]
            if first:
                drafts = [draft._replace(parent=max(-1, draft.parent - first)) for draft in drafts]
            self._drafts = drafts
        return self._drafts

    def spoken(self) -> NDArray[np.intp]:
        """The chunks of the texts of what `read` gives, ascending."""
        chunks = [self._texts.chunks(number) for number in self.numbers]
        return np.sort(np.concatenate(chunks)) if chunks else np.zeros(0, np.intp)

    @property
    def numbers(self) -> list[int]:
        """Of the records that `read` gives the numbers of their members."""
        self.read()
        return self._kept

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

    def within_own(self, places: NDArray[np.intp], owner: NDArray[np.intp]) -> NDArray[np.bool_]:
        """bool[M]: a chunk stands inside the element that belongs to the record that owns it, places[R], −1 for none."""
        columns, chunks = self.columns, np.arange(len(owner))
        if compiled := native():
            return np.asarray(compiled.within_own(places, owner, columns.chunk_start, columns.chunk_end))
        none = places < 0
        start, end = columns.chunk_start[places], columns.chunk_end[places]
        end[none] = 0
        return np.asarray((chunks >= start[owner]) & (chunks < end[owner]) & (owner >= 0))

    def _territories(self) -> NDArray[np.intp]:
        """int[M]: the record to which a chunk belongs, where what stands beside a record belongs to it as well.

        A record's territory is the largest element around it that holds no other record, with the rows beside it
        that recur between all records: a name and a time in a row or term of their own.
        """
        columns = self.columns
        self.tops = tops = territories(columns, self.group.members)
        wider = np.flatnonzero(tops != self.group.members)
        beside = rows_beside(columns, tops)
        numbers = np.concatenate((wider, np.array([number for number, _ in beside], dtype=np.intp)))
        places = np.concatenate((tops[wider], np.array([place for _, place in beside], dtype=np.intp)))
        return claimed(columns, self.record, numbers, places) if len(numbers) else self.record

    def _refused(self) -> NDArray[np.bool_]:
        """bool[M]: chunks of what is no text's part, unless it is a record or may hold them all; and what is unseen."""
        furniture = self._furniture()
        return furniture if self.unseen is None else furniture | self.unseen

    def _unseen(self) -> NDArray[np.bool_] | None:
        """bool[M]: chunks of quotes that are not shown: they wait for who answers; None where there are none."""
        if not self.quotes.any():
            return None
        unseen = self.quotes & self.signals.hidden
        return self.columns.within(unseen)[self.columns.owner] if unseen.any() else None

    def _furniture(self) -> NDArray[np.bool_]:
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
        quoted = np.zeros(len(self.around), dtype=np.bool_)
        if self.quotes.any():
            quoted = self.columns.within(self.quotes)[self.columns.owner]
        records, texts = len(self.group.members), (self.signals.wording.numbers, self.signals.text_lengths)
        if compiled := native():
            return np.asarray(compiled.shared_texts(*texts, self.around, quoted.view(np.uint8), records, _LONG))
        return shared_by_numpy(*texts, np.where(quoted, -1, self.around), records)

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


def _record(draft: Draft, besides: dict[str, str], key: str, is_first: bool, parent: int) -> Record:
    author, author_url, time, time_text, title, url, text, own_text, quote, _ = draft
    return Record(
        author, author_url, time, time_text, besides["last_time"], besides["last_time_text"], title, url, text, own_text,
        besides["replies"], besides["views"], besides["likes"], besides["floor"], quote, parent, is_first, key,
    )  # fmt: skip


def shared_by_numpy(
    numbers: NDArray[np.int64], lengths: NDArray[np.int64], around: NDArray[np.intp], records: int
) -> NDArray[np.bool_]:
    """bool[M]: the text, given by its number and length, stands in so many of the records, given for each, −1 for none."""
    places = np.flatnonzero(around >= 0)
    pairs = np.unique(numbers[places] * records + around[places])
    count = np.bincount(pairs // records, minlength=len(numbers))
    least = np.where(lengths[places] <= _LONG, 0.4, 0.8) * records
    shared = np.zeros(len(around), dtype=np.bool_)
    shared[places] = count[numbers[places]] >= np.maximum(2, least)
    return shared


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
