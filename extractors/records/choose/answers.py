"""Answers inside of the records that they answer, where templates write them in another way: comments under an answer,
replies in a box of a post. They are cut out of these records and read as records of their own."""

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.records.groups import Members, RecordGroup, group_names
from extractors.records.groups.layout import layout_of
from extractors.records.read import RecordReading, read_group
from extractors.records.read.model import Draft

_ASIDE = re.compile(r"answer|question|回答")
"""Names of records beneath which comments are remarks of their readers: they are cut out and left out."""
_MAX_READ = 3
"""Groups that are read as answers."""
_MIN_FOUND = 0.9
"""The share of answers that must have an author and a text."""
_MIN_NAMED = 0.8
"""The share of a group that must have what looks like an author, for it to be read as answers."""
_MIN_CHARS = 8
"""Mean number of visible characters beside the links of an answer; bylines and lists of people have fewer."""
_MIN_OTHERS = 0.5
"""The share of answers that must be by others than those whom they answer."""
_MIN_KEPT = 0.9
"""The share of records that must keep their text, author and time without what may be answers."""
_MIN_ANSWERED = 3
"""Records around others."""
_MAX_SAME = 0.2
"""The share of a group that may be outside of the records, or hold one of them."""


def cut_answers(
    reading: RecordReading, groups: Sequence[RecordGroup], features: Mapping[str, NDArray[np.float32]]
) -> tuple[RecordReading, RecordReading | None]:
    """The records without the answers inside of them, and these answers; the records as they are where there are none.

    Args:
        reading: of the chosen group, which may be the answers, too. groups: the likely ones. features: of each.
    """
    if reading.layout.is_list or not reading.drafts:
        return reading, None
    page = reading.layout.page
    for group in _around(reading, groups, features):
        answered = read_group(layout_of(page, group, without=reading.layout.members))
        if _are_answered(answered, reading):
            return answered, reading
    apart = _elements_said(reading)
    for members in _inside(reading, groups, features):
        answers = read_group(layout_of(page, RecordGroup(members, reading.layout.group.label), apart=apart))
        if not _are_answers(answers, reading):
            continue
        cut = read_group(layout_of(page, reading.layout.group, without=members))
        if _kept(cut, reading):
            return cut, None if _ASIDE.search(group_names(cut.layout.group, reading.layout.columns)) else answers
    return reading, None


def _inside(
    reading: RecordReading, groups: Sequence[RecordGroup], features: Mapping[str, NDArray[np.float32]]
) -> Iterator[Members]:
    """The members of likely groups that are inside of records and do not hold what says their author and time, the largest
    groups first, and each text once. Groups that mostly name nobody are left out: reading them costs most here."""
    named = np.maximum(features["has author"], features["has profile"]) >= _MIN_NAMED
    groups = [groups[place] for place in np.flatnonzero(named).tolist()]
    if not groups:
        return
    columns, sizes = reading.layout.columns, [len(group.members) for group in groups]
    every = np.concatenate([group.members for group in groups])
    fit, same = _may_answer(reading, columns, every)
    starts = np.cumsum([0, *sizes[:-1]])
    inside, known = np.add.reduceat(fit, starts), np.add.reduceat(same, starts)
    enough = (inside > 1) & (inside + known >= (1 - _MAX_SAME) * np.array(sizes))
    order = np.lexsort((starts, -inside))
    seen: set[bytes] = set()
    for place in order[enough[order]][:_MAX_READ].tolist():
        own = slice(starts[place], starts[place] + sizes[place])
        members = every[own][fit[own]]
        chunks = columns.chunk_start[members].tobytes()
        if chunks not in seen and reading.layout.signals.unlinked[members].mean() >= _MIN_CHARS:
            seen.add(chunks)
            yield members


def _around(
    reading: RecordReading, groups: Sequence[RecordGroup], features: Mapping[str, NDArray[np.float32]]
) -> Iterator[RecordGroup]:
    """The likely groups that hold all records, other than one record each, and mostly have times or authors."""
    members, end = reading.layout.members, reading.layout.columns.end
    named = np.maximum(features["has author"], features["has profile"]) >= _MIN_FOUND
    for place in np.flatnonzero(named & (features["has time"] >= _MIN_FOUND)).tolist():
        group = groups[place]
        if group.members[0] >= members[0] or len(group.members) == len(members):
            continue
        holders = np.searchsorted(group.members, members) - 1
        if (members < end[group.members[holders]]).all():
            yield group


def _are_answered(answered: RecordReading, answers: RecordReading) -> bool:
    """Whether records around others are of people of their own, of whom several are answered."""
    drafts = answered.drafts
    if answered.layout.is_list or len(drafts) < max(_MIN_ANSWERED, _MIN_FOUND * len(answered.layout.members)):
        return False
    whole = sum(bool(draft.author and draft.text and draft.time_text) for draft in drafts)
    if whole < _MIN_FOUND * len(drafts) or not _differ(drafts):
        return False
    return (
        len(set(_held_by(answers, answered))) > 1
        and _are_others(answers, answered)
        and _answer_others(answers, answered)
    )


def _held_by(answers: RecordReading, answered: RecordReading) -> list[int]:
    """By answer the number of the record that it is inside of."""
    elements = answers.layout.members[answers.numbers]
    found: list[int] = (np.searchsorted(answered.layout.records.outer, elements, side="right") - 1).tolist()
    return found


def _are_others(answers: RecordReading, answered: RecordReading) -> bool:
    """Whether most answers are by others than those whom they answer."""
    names = {number: draft.author for number, draft in zip(answered.numbers, answered.drafts, strict=True)}
    holders = zip(answers.drafts, _held_by(answers, answered), strict=True)
    others = sum(draft.author != names.get(number, "") for draft, number in holders)
    return others >= _MIN_OTHERS * len(answers.drafts)


def _answer_others(answers: RecordReading, answered: RecordReading) -> bool:
    """Whether the first answer inside of most records is by another: else these are only around their own texts."""
    names = {number: draft.author for number, draft in zip(answered.numbers, answered.drafts, strict=True)}
    first = dict(reversed(list(zip(_held_by(answers, answered), answers.drafts, strict=True))))
    others = sum(draft.author != names.get(number, "") for number, draft in first.items())
    return others >= _MIN_FOUND * len(first)


def _differ(drafts: Sequence[Draft]) -> bool:
    """Whether records have different authors and mostly different texts."""
    texts = {draft.text for draft in drafts}
    return len({draft.author for draft in drafts}) > 1 and len(texts) >= _MIN_FOUND * len(drafts)


def _may_answer(
    reading: RecordReading, columns: Columns, elements: NDArray[np.intp]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """bool[E] twice: the element is inside of a record and beside its author and time; and it is a record."""
    layout = reading.layout
    start, end = columns.chunk_start[elements], columns.chunk_end[elements]
    owner = layout.records.outer_owner[np.minimum(start, len(columns.texts) - 1)]
    tops, members = layout.records.outer[owner], layout.members[owner]
    same = np.isin(elements, layout.members)
    fit = (owner >= 0) & (elements > tops) & (columns.end[elements] <= columns.end[tops]) & (start < end) & ~same
    fit &= ~((elements <= members) & (members < columns.end[elements]))
    for said in _said(reading):
        fit &= ~((start <= said[owner]) & (said[owner] < end))
    fit &= ~columns.within(layout.quotes)[elements]
    return fit, same


def _said(reading: RecordReading) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """intp[R] twice: by record the chunks that say its author and its time, −1 for none."""
    layout, fields = reading.layout, reading.fields
    author, time = np.full((2, len(layout.members)), -1, dtype=np.intp)
    for number, place in fields.authors.places.items():
        author[number] = layout.columns.chunk_start[place]
    for number, chunk in fields.times.chunks.items():
        time[number] = chunk
    return author, time


def _elements_said(reading: RecordReading) -> NDArray[np.intp]:
    """The elements that say the authors and times of records, ascending: they are nobody else's."""
    fields, owner = reading.fields, reading.layout.columns.owner
    times = owner[np.array(list(fields.times.chunks.values()), dtype=np.intp)]
    return np.unique(np.concatenate((np.array(list(fields.authors.places.values()), dtype=np.intp), times)))


def _are_answers(answers: RecordReading, reading: RecordReading) -> bool:
    """Whether what was read are records of people: they say who wrote what, and it is mostly somebody else."""
    drafts = answers.drafts
    if answers.layout.is_list or len(drafts) < _MIN_FOUND * len(answers.layout.members):
        return False
    if sum(bool(draft.author and draft.text) for draft in drafts) < _MIN_FOUND * len(drafts):
        return False
    return _differ(drafts) and _are_others(answers, reading)


def _kept(cut: RecordReading, reading: RecordReading) -> bool:
    """Whether nearly all records are left, with their authors and times."""
    left = dict(zip(cut.numbers, cut.drafts, strict=True))
    kept = sum(
        number in left and (left[number].author, left[number].time) == (draft.author, draft.time)
        for number, draft in zip(reading.numbers, reading.drafts, strict=True)
    )
    return kept >= _MIN_KEPT * len(reading.drafts)
