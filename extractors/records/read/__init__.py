"""Reads the records of one candidate group with all their fields."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.html.document import Document
from extractors.records.fields import Fields, find_fields
from extractors.records.fields.counts import find_counts
from extractors.records.fields.times import exact_time, parsed_time
from extractors.records.groups import names_around
from extractors.records.groups.layout import Layout
from extractors.records.groups.titles import are_titled, find_headings, title_texts
from extractors.records.read.boxes import parents_by_boxes
from extractors.records.read.by_rule import ruled_chunks, ruled_members, ruled_records
from extractors.records.read.indents import parents_by_indent
from extractors.records.read.keys import record_keys
from extractors.records.read.model import Draft, Record
from extractors.records.read.texts import Texts, counted_chunks, find_bodies, find_texts
from extractors.records.signals.template_words import COMMENT, NOTICE

__all__ = [
    "RecordReading",
    "model",
    "read_group",
    "records_of",
    "repeated",
    "ruled_chunks",
    "ruled_members",
    "ruled_records",
    "together",
]

_ARTICLE_CHARS = 300
"""Minimum characters of an article above comments."""
_MIN_RECORDS = 4
_NEARLY_ALL_SHARE = 0.8
_MIN_TITLED = 3
"""Minimum records whose headings may be titles: the ranks of two people may differ like titles."""
_FEW_SHARE = 0.2
"""Maximum share of records without an author, and of headings with the author's name: these tell who wrote, not of what."""
_MAX_BOILERPLATE_ELEMENTS = 2
"""Maximum elements before the first record, and after the last, that may be headings or page links."""
_NO_TITLE = ("", "")


@dataclass(frozen=True, slots=True)
class RecordReading:
    """The reading of a group, before counts, last activity and keys.

    Attributes:
        drafts: the records in document order; elements without text or title are left out.
        numbers: the number of each draft's member in the group.
    """

    layout: Layout
    fields: Fields
    texts: Texts
    drafts: list[Draft]
    numbers: list[int]

    def text_chunks(self) -> NDArray[np.intp]:
        """The chunks of the drafts' texts, ascending."""
        chunks = [self.texts.chunks_of(number) for number in self.numbers]
        return np.sort(np.concatenate(chunks)) if chunks else np.zeros(0, np.intp)


def read_group(layout: Layout) -> RecordReading:
    """Read the records of a group."""
    counted = counted_chunks(layout)
    bodies = find_bodies(layout, counted)
    fields = find_fields(layout, bodies)
    texts = find_texts(layout, bodies, counted, fields.used)
    drafts, numbers = _drafts(layout, fields, texts)
    first, last = content_range(drafts)
    drafts, numbers = drafts[first:last], numbers[first:last]
    if first:
        drafts = [draft._replace(parent=max(-1, draft.parent - first)) for draft in drafts]
    if strange := _strange(drafts):
        drafts, numbers = _without(drafts, strange), [each for p, each in enumerate(numbers) if p not in strange]
    if _begins_with_article(layout, fields, drafts, numbers):
        drafts, numbers = _without(drafts, {0}), numbers[1:]
    return RecordReading(layout, fields, texts, drafts, numbers)


def records_of(reading: RecordReading) -> list[Record]:
    """The records that were read, with all fields."""
    layout, drafts, numbers, times = reading.layout, _with_headings(reading), reading.numbers, reading.fields.times
    counts = find_counts(layout, set(times.chunks.values()))
    no_times: dict[int, tuple[str, str]] = {}
    last_times = layout.page.attempt("dates", times.last_times, no_times)
    outer = (layout.records.outer if len(layout.members) > 1 else layout.members)[numbers].tolist()
    shells = list(zip(outer, layout.members[numbers].tolist(), strict=True))
    counted = [counts.of(number) for number in numbers]
    floors = [each["floor"] for each in counted]
    keys = record_keys(layout.columns, shells, drafts, floors, is_list=layout.is_list)
    parents = [draft.parent for draft in drafts]
    if not layout.is_list and max(parents, default=-1) < 0:
        parents = parents_by_indent(layout.columns, outer)
        if max(parents, default=-1) < 0:
            parents = parents_by_boxes(layout.columns, outer)
    last = [last_times.get(number, ("", "")) for number in numbers]
    no_exact = [draft.time for draft in drafts]
    exact = layout.page.attempt("dates", lambda: _exact(reading), no_exact)
    rows = zip(drafts, exact, counted, last, parents, keys, strict=True)
    return [_record(*row, is_first=not layout.is_list and not place) for place, row in enumerate(rows)]


def _with_headings(reading: RecordReading) -> list[Draft]:
    """The drafts with the headings of their texts as titles. They are read last: no choice between groups rests on them."""
    layout, drafts, few = reading.layout, reading.drafts, _FEW_SHARE * len(reading.drafts)
    nameless = sum(not draft.author for draft in drafts)
    if layout.is_list or len(drafts) < _MIN_TITLED or nameless > few or any(draft.title for draft in drafts):
        return drafts
    no_title = layout.template | layout.signals.has_time | reading.fields.used
    headings = find_headings(layout.page, layout.records, reading.texts.bodies, no_title)
    if not headings:
        return drafts
    titles = [" ".join(layout.columns.text(headings[n]).split()) if n in headings else "" for n in reading.numbers]
    pairs = list(zip(drafts, titles, strict=True))
    if sum(draft.author.lower() in title.lower() for draft, title in pairs if draft.author) > few:
        return drafts
    return [_titled(draft, title) for draft, title in pairs]


def _titled(draft: Draft, title: str) -> Draft:
    """The draft with a title, which its text may begin with."""
    text, own_text = (each.removeprefix(title).lstrip() for each in (draft.text, draft.own_text))
    return draft._replace(title=title, text=text, own_text=own_text) if text else draft


def _record(
    draft: Draft, time: str, counts: dict[str, str], last: tuple[str, str], parent: int, key: str, *, is_first: bool
) -> Record:
    last_time, last_time_text = last
    fields = draft._replace(time=time, parent=parent)._asdict() | counts
    return Record(**fields, last_time=last_time, last_time_text=last_time_text, is_first=is_first, key=key)


def _drafts(layout: Layout, fields: Fields, texts: Texts) -> tuple[list[Draft], list[int]]:
    drafts: list[Draft] = []
    numbers: list[int] = []
    titles, place, times = _titles(layout), {-1: -1}, layout.page.once(_parsed_times)
    for number in _with_text(layout, texts):
        title, url = titles.get(number, _NO_TITLE)
        if layout.is_list and not title:
            continue
        text, quote, own_text = texts.of(number)
        if layout.is_list and text == title:
            text = own_text = ""
        if not (title or text):
            continue
        author, author_url = fields.author(number)
        time_text = fields.time(number)
        time = times.get(time_text)
        if time is None:
            time = times[time_text] = _parsed(layout, time_text) if time_text else ""
        parent = place.get(int(layout.parents[number]), -1)
        place[number] = len(drafts)
        numbers.append(number)
        drafts.append(Draft(author, author_url, time, time_text, title, url, text, own_text, quote, parent))
    return drafts, numbers


def _parsed_times(_: Document) -> dict[str, str]:
    """Cache of the page's parsed times, shared by its groups."""
    return {}


def _exact(reading: RecordReading) -> list[str]:
    """By draft, its time as ISO 8601: the instant in the attribute of its element, if that is more precise."""
    drafts, chunks, page = reading.drafts, reading.fields.times.chunks, reading.layout.page
    if not page.columns.sparse("datetime") and all(draft.time for draft in drafts):
        return [draft.time for draft in drafts]
    written = [(chunks.get(number, -1), draft) for number, draft in zip(reading.numbers, drafts, strict=True)]
    return [(exact_time(page, chunk, draft.time_text) if chunk >= 0 else "") or draft.time for chunk, draft in written]


def _parsed(layout: Layout, time_text: str) -> str:
    page = layout.page
    return page.attempt("dates", lambda: parsed_time(page, time_text), "")


def _titles(layout: Layout) -> dict[int, tuple[str, str]]:
    """By record, its title and address; in threads, whose posts contain other links, only if named as titles."""
    if not layout.titles or not (layout.is_list or are_titled(layout.page, layout.titles)):
        return {}
    return title_texts(layout.page, layout.records, layout.titles)


def _with_text(layout: Layout, texts: Texts) -> list[int]:
    """The numbers of records that are neither empty nor, among comments, pingbacks of other sites, nor, but in lists, several pieces
    that the template repeats, such as a picture's buttons; a single one may be "+1"."""
    count, notices = len(layout.members), layout.signals.names.have(NOTICE)
    filled = np.bincount(layout.records.owner + 1, minlength=count + 1)[1:] > 0
    if not layout.is_list:
        shared, pieces = np.append(0, np.cumsum(layout.template[texts.chunks])), texts.last - texts.first
        filled &= (pieces < 2) | (shared[texts.last] - shared[texts.first] < pieces)
    found: list[int] = np.flatnonzero(filled & ~(notices[layout.records.outer] | notices[layout.members])).tolist()
    return found


def _strange(drafts: Sequence[Draft]) -> set[int]:
    """The drafts with neither author nor time where nearly all have both, or all others and these say the same: advertisements,
    boxes of the page, rows of buttons below posts."""
    whole = sum(bool(draft.author and draft.time_text) for draft in drafts)
    bare = {place for place, draft in enumerate(drafts) if not (draft.author or draft.time_text)}
    alike = len(bare) > 1 and whole + len(bare) == len(drafts) and len({drafts[place].text for place in bare}) == 1
    if len(drafts) < _MIN_RECORDS or not bare or not (alike or _NEARLY_ALL_SHARE * len(drafts) <= whole):
        return set()
    return bare


def _begins_with_article(layout: Layout, fields: Fields, drafts: Sequence[Draft], numbers: Sequence[int]) -> bool:
    """Whether the first draft is the article above comments: the only one without an author of the usual kind, and not called a
    comment as they are."""
    brief = len(drafts) < _MIN_RECORDS or len(drafts[0].text) < _ARTICLE_CHARS
    if layout.is_list or brief or fields.authors.name(numbers[0])[0] or not all(draft.author for draft in drafts[1:]):
        return False
    first, second = (_is_in_comment(layout, int(layout.members[number])) for number in numbers[:2])
    return second and not first


def _is_in_comment(layout: Layout, place: int) -> bool:
    return any(map(COMMENT.search, names_around(place, layout.columns)))


def _without(drafts: Sequence[Draft], left_out: set[int]) -> list[Draft]:
    """The other drafts; what answers one that is left out answers its parent."""
    place, found = {-1: -1}, list[Draft]()
    for old, draft in enumerate(drafts):
        parent = place[draft.parent]
        place[old] = parent if old in left_out else len(found)
        if old not in left_out:
            found.append(draft._replace(parent=parent))
    return found


def content_range(drafts: Sequence[Draft]) -> tuple[int, int]:
    """The range of drafts that are records, without the page's own words before and after them.

    These have the same markup: if nearly all records have a time (or, without times, an author), they have none.
    """
    count = len(drafts)
    for present in ([bool(draft.time_text) for draft in drafts], [bool(draft.author) for draft in drafts]):
        if count >= _MIN_RECORDS and sum(present) >= _NEARLY_ALL_SHARE * count:
            first, last = present.index(True), count - present[::-1].index(True)
            return (first if first <= _MAX_BOILERPLATE_ELEMENTS else 0), (
                last if count - last <= _MAX_BOILERPLATE_ELEMENTS else count
            )
    return 0, count
