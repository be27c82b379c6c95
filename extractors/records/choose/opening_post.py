"""Reads the post that a group of answers has before it, if it has another form than they."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.tags import tag_set
from extractors.records.groups import RecordGroup, group_names
from extractors.records.groups.layout import layout_of
from extractors.records.read import RecordReading, read_group, records_of
from extractors.records.read.model import Record
from extractors.records.signals import body_values, no_text_chunks
from extractors.records.signals.author_candidates import author_signals

_ANSWERS = re.compile(r"repl(?:y|ies)|answer|resp(?:\b|_|on)|antwort|回复|回帖|回答")
"""Names of records that answer a post."""
_REMARKS = re.compile(r"comment|disqus|评论|review|rating|评价|点评")
"""Names of records about something that is no post, such as an article."""
_MIN_VALUE = 150
"""Minimum value of the post's text, in tenths of a character."""
_SURE_SIGNS = 15
"""Minimum signs of an element that names the author."""
_TEMPLATE_VALUE = -120
_HEADINGS = tag_set("h1", "h2", "h3")
_OWN_PART = re.compile(r"[^/?&=#]*\d[^/?&=#]*|[^/?&=#]*$")
"""The parts of an address that differ from person to person."""


def opening_post(answers: RecordReading) -> RecordReading | None:
    """The post before the first answer; None if the records are no answers, or there is no such post."""
    layout, columns = answers.layout, answers.layout.columns
    named_answers = _ANSWERS.search(group_names(layout.group, columns)) and not _REMARKS.search(layout.group.label)
    if layout.is_list or not answers.numbers or not named_answers:
        return None
    end, values = int(np.argmax(layout.records.outer_owner >= 0)), _values(answers)
    people = layout.page.once(author_signals)
    named = people.places[(people.signs[people.places] >= _SURE_SIGNS) & (people.label[people.places] > 0)]
    naming = np.sort(columns.chunk_start[named])
    around = int(columns.parent[layout.records.outer[answers.numbers[0]]])
    while around > 0:
        start = int(columns.chunk_start[around])
        body = _best(columns, values, start, end)
        if body >= 0 and np.searchsorted(naming, end) > np.searchsorted(naming, start):
            opening = _read(answers, body, start, end)
            return opening if opening.drafts and _opens(opening, answers) else None
        around = int(columns.parent[around])
    return None


def with_opening(opening: RecordReading, records: Sequence[Record]) -> list[Record]:
    """The records after the opening post."""
    others = (replace(each, is_first=False, parent=each.parent + (each.parent >= 0)) for each in records)
    return [records_of(opening)[0], *others]


def _values(answers: RecordReading) -> NDArray[np.int64]:
    """int64[M]: the value of each chunk as a part of a text."""
    layout, texts = answers.layout, answers.layout.signals.texts
    repeated = np.isin(texts.number, texts.number[layout.template])
    headings = layout.columns.within(_HEADINGS[layout.columns.tag])[layout.columns.owner]
    bad = repeated | headings | layout.page.once(no_text_chunks)
    loss = _TEMPLATE_VALUE - 10 * np.minimum(layout.signals.visible, 40)
    return np.where(bad, loss, layout.page.once(body_values))


def _best(columns: Columns, values: NDArray[np.int64], start: int, end: int) -> int:
    """The element between two chunks with the highest value, −1 if none has enough."""
    readable = columns.readable
    places = readable[(columns.chunk_start[readable] >= start) & (columns.chunk_end[readable] <= end)]
    if not len(places):
        return -1
    running = np.concatenate(([0], np.cumsum(values)))
    value = running[columns.chunk_end[places]] - running[columns.chunk_start[places]]
    best = int(np.argmax(value))
    return int(places[best]) if value[best] >= _MIN_VALUE else -1


def _read(answers: RecordReading, body: int, start: int, end: int) -> RecordReading:
    """The record with this body; its other fields are between the two chunks."""
    layout, columns = answers.layout, answers.layout.columns
    above = np.maximum(columns.parent, 0)
    before = (columns.chunk_end <= start) & (columns.chunk_end[above] > start)
    after = (columns.chunk_start >= end) & (columns.chunk_start[above] < end)
    outside = np.flatnonzero((before | after) & (columns.text_length > 0))
    group = RecordGroup(np.array([body], dtype=np.intp), layout.group.label)
    return read_group(layout_of(layout.page, group, without=outside))


def _opens(opening: RecordReading, answers: RecordReading) -> bool:
    """Whether a text is new, not later than the first answer, and its author named like those of the answers: by the same kind of
    element or of address."""
    own, first, place = opening.drafts[0], answers.drafts[0], opening.fields.authors.places.get(0, -1)
    if place < 0 or own.text == first.text or (own.author, own.time_text) == (first.author, first.time_text):
        return False
    if first.time and own.time[: len(first.time)] > first.time[: len(own.time)]:
        return False
    kinds = opening.layout.classes.kinds
    addresses = {_OWN_PART.sub("", draft.author_url) for draft in answers.drafts if draft.author_url}
    same = kinds[place] in kinds[list(answers.fields.authors.places.values())]
    return bool(same) or _OWN_PART.sub("", own.author_url) in addresses
