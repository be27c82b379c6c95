"""Answers inside the records that they answer, with different markup: comments under an answer, replies in a box of a post.
They are cut out of these records and read as separate records."""

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
"""Names of records whose comments are remarks of readers: these are cut out and dropped."""
_MIN_ANSWERS_SHARE = 0.5
"""Share of records in items of answers above which these are answers to a question."""
_MAX_READ_GROUPS = 3
"""Groups that are read as answers."""
_MIN_FOUND_SHARE = 0.9
"""Minimum share of answers with an author and a text."""
_MIN_NAMED_SHARE = 0.8
"""Minimum share of members with a likely author, for a group to be read as answers."""
_MIN_MEAN_CHARS = 8
"""Minimum mean of an answer's visible characters outside links; bylines and lists of people have fewer."""
_MIN_OTHERS_SHARE = 0.5
"""Minimum share of answers whose author differs from the answered record's."""
_MIN_KEPT_SHARE = 0.9
"""Minimum share of records that keep their text, author and time without the possible answers."""
_MIN_ANSWERED = 3
"""Minimum records that contain answers."""
_MAX_STRAY_SHARE = 0.2
"""Maximum share of a group that is outside the records, or contains one of them."""


def cut_answers(
    reading: RecordReading, groups: Sequence[RecordGroup], features: Mapping[str, NDArray[np.float32]]
) -> tuple[RecordReading, RecordReading | None]:
    """The records without the answers inside them, and these answers; the unchanged records if there are none.

    Args:
        reading: of the chosen group, which may be the answers. groups: the likely groups. features: of each group.
    """
    if reading.layout.is_list or not reading.drafts:
        return reading, None
    page = reading.layout.page
    for group in _around(reading, groups, features):
        answered = read_group(layout_of(page, group, without=reading.layout.members))
        if _are_answered(answered, reading):
            return answered, reading
    apart = _author_time_elements(reading)
    for members in _inside(reading, groups, features):
        answers = read_group(layout_of(page, RecordGroup(members, reading.layout.group.label), apart=apart))
        if not _are_answers(answers, reading):
            continue
        cut = read_group(layout_of(page, reading.layout.group, without=members))
        if _kept(cut, reading):
            return cut, None if _are_answers_to_questions(cut) else answers
    return reading, None


def _are_answers_to_questions(reading: RecordReading) -> bool:
    """Whether the records are called questions or answers, or most are in such items of microdata."""
    group, columns = reading.layout.group, reading.layout.columns
    items = [place for place, kind in columns.sparse("itemtype").items() if kind.lower().endswith("/answer")]
    answers = np.zeros(len(columns), dtype=np.bool_)
    answers[items] = True
    named = _ASIDE.search(group_names(group, columns))
    return bool(named or (items and columns.within(answers)[group.members].mean() > _MIN_ANSWERS_SHARE))


def _inside(
    reading: RecordReading, groups: Sequence[RecordGroup], features: Mapping[str, NDArray[np.float32]]
) -> Iterator[Members]:
    """The members of likely groups that are inside records and do not contain their author and time, the largest groups
    first, and each text once. Groups mostly without names are skipped, since reading is the main cost."""
    named = np.maximum(features["has author"], features["has profile"]) >= _MIN_NAMED_SHARE
    groups = [groups[place] for place in np.flatnonzero(named).tolist()]
    if not groups:
        return
    columns, sizes = reading.layout.columns, [len(group.members) for group in groups]
    every = np.concatenate([group.members for group in groups])
    fit, same = _may_answer(reading, columns, every)
    starts = np.cumsum([0, *sizes[:-1]])
    inside, known = np.add.reduceat(fit, starts), np.add.reduceat(same, starts)
    enough = (inside > 1) & (inside + known >= (1 - _MAX_STRAY_SHARE) * np.array(sizes))
    order = np.lexsort((starts, -inside))
    seen: set[bytes] = set()
    for place in order[enough[order]][:_MAX_READ_GROUPS].tolist():
        own = slice(starts[place], starts[place] + sizes[place])
        members = every[own][fit[own]]
        chunks = columns.chunk_start[members].tobytes()
        if chunks not in seen and reading.layout.signals.unlinked[members].mean() >= _MIN_MEAN_CHARS:
            seen.add(chunks)
            yield members


def _around(
    reading: RecordReading, groups: Sequence[RecordGroup], features: Mapping[str, NDArray[np.float32]]
) -> Iterator[RecordGroup]:
    """The likely groups that contain all records, but not one record in each member, and mostly have times or authors."""
    members, end = reading.layout.members, reading.layout.columns.end
    named = np.maximum(features["has author"], features["has profile"]) >= _MIN_FOUND_SHARE
    for place in np.flatnonzero(named & (features["has time"] >= _MIN_FOUND_SHARE)).tolist():
        group = groups[place]
        if group.members[0] >= members[0] or len(group.members) == len(members):
            continue
        holders = np.searchsorted(group.members, members) - 1
        if (members < end[group.members[holders]]).all():
            yield group


def _are_answered(answered: RecordReading, answers: RecordReading) -> bool:
    """Whether the outer records have authors of their own, and several of them are answered."""
    drafts = answered.drafts
    if answered.layout.is_list or len(drafts) < max(_MIN_ANSWERED, _MIN_FOUND_SHARE * len(answered.layout.members)):
        return False
    whole = sum(bool(draft.author and draft.text and draft.time_text) for draft in drafts)
    if whole < _MIN_FOUND_SHARE * len(drafts) or not _differ(drafts):
        return False
    return (
        len(set(_held_by(answers, answered))) > 1
        and not _name_them(answered, answers)
        and _answer_others(answers, answered)
    )


def _name_them(answered: RecordReading, answers: RecordReading) -> bool:
    """Whether most outer texts are only names of the inner authors: heads of single comments, around their bodies."""
    names = {draft.author for draft in answers.drafts}
    return 2 * sum(draft.text in names for draft in answered.drafts) > len(answered.drafts)


def _held_by(answers: RecordReading, answered: RecordReading) -> list[int]:
    """By answer, the number of the record around it."""
    elements = answers.layout.members[answers.numbers]
    found: list[int] = (np.searchsorted(answered.layout.records.outer, elements, side="right") - 1).tolist()
    return found


def _are_others(answers: RecordReading, answered: RecordReading) -> bool:
    """Whether most answers have another author than the answered record."""
    names = {number: draft.author for number, draft in zip(answered.numbers, answered.drafts, strict=True)}
    holders = zip(answers.drafts, _held_by(answers, answered), strict=True)
    others = sum(draft.author != names.get(number, "") for draft, number in holders)
    return others >= _MIN_OTHERS_SHARE * len(answers.drafts)


def _answer_others(answers: RecordReading, answered: RecordReading) -> bool:
    """Whether the first answer in most records has another author; else the records only wrap their own texts."""
    names = {number: draft.author for number, draft in zip(answered.numbers, answered.drafts, strict=True)}
    first = dict(reversed(list(zip(_held_by(answers, answered), answers.drafts, strict=True))))
    others = sum(draft.author != names.get(number, "") for number, draft in first.items())
    return others >= _MIN_FOUND_SHARE * len(first)


def _differ(drafts: Sequence[Draft]) -> bool:
    """Whether records have different authors and mostly different texts."""
    texts = {draft.text for draft in drafts}
    return len({draft.author for draft in drafts}) > 1 and len(texts) >= _MIN_FOUND_SHARE * len(drafts)


def _may_answer(
    reading: RecordReading, columns: Columns, elements: NDArray[np.intp]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """bool[E] twice: the element is inside a record but holds neither its author nor its time; and it is a record."""
    layout = reading.layout
    start, end = columns.chunk_start[elements], columns.chunk_end[elements]
    owner = layout.records.outer_owner[np.minimum(start, len(columns.texts) - 1)]
    tops, members = layout.records.outer[owner], layout.members[owner]
    same = np.isin(elements, layout.members)
    fit = (owner >= 0) & (elements > tops) & (columns.end[elements] <= columns.end[tops]) & (start < end) & ~same
    fit &= ~((elements <= members) & (members < columns.end[elements]))
    for said in _author_time_chunks(reading):
        fit &= ~((start <= said[owner]) & (said[owner] < end))
    fit &= ~columns.within(layout.quotes)[elements]
    return fit, same


def _author_time_chunks(reading: RecordReading) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """intp[R] twice: by record the chunks of its author and its time, −1 for none."""
    layout, fields = reading.layout, reading.fields
    author, time = np.full((2, len(layout.members)), -1, dtype=np.intp)
    for number, place in fields.authors.places.items():
        author[number] = layout.columns.chunk_start[place]
    for number, chunk in fields.times.chunks.items():
        time[number] = chunk
    return author, time


def _author_time_elements(reading: RecordReading) -> NDArray[np.intp]:
    """The elements of the records' authors and times, ascending; they cannot belong to answers."""
    fields, owner = reading.fields, reading.layout.columns.owner
    times = owner[np.array(list(fields.times.chunks.values()), dtype=np.intp)]
    return np.unique(np.concatenate((np.array(list(fields.authors.places.values()), dtype=np.intp), times)))


def _are_answers(answers: RecordReading, reading: RecordReading) -> bool:
    """Whether the reading looks like answers: with authors and texts, and mostly by other people."""
    drafts = answers.drafts
    if answers.layout.is_list or len(drafts) < _MIN_FOUND_SHARE * len(answers.layout.members):
        return False
    if sum(bool(draft.author and draft.text) for draft in drafts) < _MIN_FOUND_SHARE * len(drafts):
        return False
    if 2 * _timed_share(drafts) < _timed_share(reading.drafts):
        return False
    return _differ(drafts) and _are_others(answers, reading)


def _timed_share(drafts: Sequence[Draft]) -> float:
    """Lists of the people who like a post, and signatures, have no times where the posts have one."""
    return sum(bool(draft.time_text) for draft in drafts) / max(1, len(drafts))


def _kept(cut: RecordReading, reading: RecordReading) -> bool:
    """Whether nearly all records remain, with their authors and times."""
    left = dict(zip(cut.numbers, cut.drafts, strict=True))
    kept = sum(
        number in left and (left[number].author, left[number].time) == (draft.author, draft.time)
        for number, draft in zip(reading.numbers, reading.drafts, strict=True)
    )
    return kept >= _MIN_KEPT_SHARE * len(reading.drafts)
