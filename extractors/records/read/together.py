"""The records of a group and the answers inside them, in the order of the page."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from extractors.records.groups.ownership import chunk_owners
from extractors.records.read import RecordReading, records_of
from extractors.records.read.model import Record


def records_with_answers(reading: RecordReading, answers: RecordReading) -> list[Record]:
    """The records of both in document order. An answer without a parent answers the record around it; but an older post inside a
    record, which the record forwards, is answered by the record."""
    records, inner = records_of(reading), records_of(answers)
    elements = [each.layout.members[each.numbers] for each in (reading, answers)]
    order = np.argsort(np.concatenate(elements), kind="stable")
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(len(order))
    own, theirs = place[: len(records)].tolist(), place[len(records) :].tolist()
    above = _answered(reading, answers)
    parents = [own[record.parent] if record.parent >= 0 else -1 for record in records]
    within = [theirs[record.parent] if record.parent >= 0 else -1 for record in inner]
    if _are_passed_on(records, inner, above):
        for number, at in zip(above, theirs, strict=True):
            parents[number] = at
    else:
        within = [own[number] if parent < 0 <= number else parent for parent, number in zip(within, above, strict=True)]
    found = [*records, *(replace(record, is_first=False) for record in inner)]
    parents += within
    return [replace(found[number], parent=parents[number]) for number in order.tolist()]


def _are_passed_on(records: Sequence[Record], inner: Sequence[Record], above: Sequence[int]) -> bool:
    """Whether each record contains one older post."""
    if min(above) < 0 or len(set(above)) < len(above):
        return False
    times = [(record.time, records[number].time) for record, number in zip(inner, above, strict=True)]
    return all(old and new and old < new[: len(old)] for old, new in times)


def _answered(reading: RecordReading, answers: RecordReading) -> Sequence[int]:
    """By answer, the number of the record around it, among the drafts that were read; −1 for none."""
    columns, layout = reading.layout.columns, reading.layout
    owner = chunk_owners(layout.records.outer, columns.chunk_start, columns.chunk_end, len(columns.texts))
    read = {number: place for place, number in enumerate(reading.numbers)}
    inside = owner[columns.chunk_start[answers.layout.members[answers.numbers]]]
    return [read.get(number, -1) for number in inside.tolist()]
