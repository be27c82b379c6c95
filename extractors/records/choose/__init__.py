"""Chooses the group of elements that is the page's records.

One forest predicts from the features of all likely groups how well each would read; the best few are read, and another forest
judges the results.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.kernels import kernel
from extractors.kernels.forest import Forest, forest_for
from extractors.records.choose.counted_list import is_counted_list, is_viewed_list
from extractors.records.choose.expand import expand_group
from extractors.records.choose.likelihood import MIN_LIKELIHOOD, likelihood
from extractors.records.choose.marked_comments import are_called_comments, are_whole_comments, marked_comments
from extractors.records.choose.nested_answers import cut_answers
from extractors.records.choose.opening_post import opening_post, with_opening
from extractors.records.choose.reading_features import Row, compared, reading_features
from extractors.records.choose.two_rows import lines_of_parts, records_of_rows
from extractors.records.groups import Members, RecordGroup, find_groups
from extractors.records.groups.features import FEATURES, GroupFeatures, likely_groups
from extractors.records.groups.layout import layout_of
from extractors.records.read import RecordReading, read_group, records_of
from extractors.records.read.model import Record
from extractors.records.read.repeated import with_quotes, without_addresses
from extractors.records.read.together import records_with_answers
from extractors.records.signals import page_signals
from extractors.records.signals.class_names import tell_parts

__all__ = ["Choice", "choose"]

MAX_LIKELY_GROUPS = 30
"""Groups of a page whose features are all computed."""
_MAX_READ_GROUPS = 4
"""Groups of a page that are read."""
_MAX_TRIED_GROUPS = 14
_MAX_WRAPPERS = 2
_ODDS_MARGIN = 1.5
"""Maximum difference in expected log odds to the best group for a group to be read."""
_OF_GROUP = [f"group's {name}" for name in FEATURES]
_EXPECTED_WEIGHT = 0.4
_ODDS_OF_ROWS = 0.0
"""Minimum log odds of rows that take turns and mostly tell authors and times: the forests know few of them."""
_HOPELESS_ODDS = -2.0
"""Log odds of the best group below which nothing is read, unless it is called comments."""


_MARKED_LIKELIHOOD = 0.5
_NAMELESS_ODDS = 0.9
"""Log odds that right groups lack on pages whose classes and ids say nothing: the forests lean on names."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The opening post if it has another form, the chosen group, the answers inside its records, all records, their likelihood,
    0 … 1, and the forest's log odds of the group."""

    opening: RecordReading | None
    reading: RecordReading
    answers: RecordReading | None
    records: list[Record]
    likelihood: float
    odds: float

    @property
    def group(self) -> RecordGroup:
        """The group that was read."""
        return self.reading.layout.group

    @property
    def is_list(self) -> bool:
        """Whether the records are lines of a list."""
        return self.reading.layout.is_list

    def chunks(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The page's chunks of the records' texts, and all chunks of the records; ascending."""
        readings = [each for each in (self.opening, self.reading, self.answers) if each is not None]
        spoken = [each.text_chunks() for each in readings]
        around = [np.flatnonzero(each.layout.records.outer_owner >= 0) for each in readings]
        return spoken[0] if len(spoken) == 1 else np.unique(np.concatenate(spoken)), np.unique(np.concatenate(around))


def choose(
    page: Document, forests: Callable[[str, list[str]], Forest] | None = None, least: float = MIN_LIKELIHOOD
) -> Choice | None:
    """The group that reads best, else comments that are marked by number; None if nothing is expected to be records.

    Args:
        forests: returns a forest by its name and its features; default: the forests of the package.
        least: the likelihood below which a page has no records.
    """
    if not page.columns.texts:
        return None
    best = _best_group(page, forests or records_forest, least)
    marked = marked_comments(page) if best is None else None
    return best if marked is None else Choice(None, marked, None, records_of(marked), _MARKED_LIKELIHOOD, 0.0)


def _best_group(page: Document, forest_of: Callable[[str, list[str]], Forest], least: float) -> Choice | None:
    found = find_groups(page.once(page_signals))
    if not found:
        return None
    groups, features = likely_groups(page, found, MAX_LIKELY_GROUPS)
    expected = forest_of("choosing", list(features)).scores(features.table)
    places = worth_reading(expected, [group.members for group in groups], page.columns)
    lacking = 0.0 if page.once(tell_parts) else _NAMELESS_ODDS
    worth = [groups[place] for place in places.tolist()]
    if not lacking and expected[places[0]] < _HOPELESS_ODDS and not are_called_comments(worth, page.columns):
        return None
    readings = [read_group(layout_of(page, group)) for group in worth]
    best, odds = _best_reading(page, readings, features, expected, places, forest_of)
    rows = lines_of_parts(records_of_rows(readings[best]))
    if rows is not readings[best]:
        odds = max(odds, np.float32(_ODDS_OF_ROWS))
    likely = likelihood(float(odds) + lacking, rows)
    if likely < least and (is_counted_list(rows) or are_whole_comments(rows)):
        likely = max(likelihood(_ODDS_OF_ROWS, rows), least if is_viewed_list(rows) else 0.0)
    if likely < least:
        return None
    reading, answers = cut_answers(expand_group(rows, groups, features, expected), groups, features)
    records = records_of(reading) if answers is None else records_with_answers(reading, answers)
    opening = opening_post(reading)
    records = records if opening is None else with_opening(opening, records)
    records = records if reading.layout.is_list else with_quotes(without_addresses(records))
    return Choice(opening, reading, answers, records, likely, float(odds)) if records else None


def _best_reading(
    page: Document,
    readings: Sequence[RecordReading],
    features: GroupFeatures,
    expected: NDArray[np.float32],
    places: NDArray[np.intp],
    forest_of: Callable[[str, list[str]], Forest],
) -> tuple[int, np.float32]:
    """The number of the best reading, and its log odds of being right."""
    rows = [reading_features(reading) for reading in readings]
    members, own = [each.layout.members for each in readings], GroupFeatures(features.table[:, places])
    table, names = review_table(rows, members, expected[places], own, page.columns)
    odds = forest_of("reviewing", names).scores(table)
    best = best_of(odds, expected[places])
    return best, odds[best]


def worth_reading(expected: NDArray[np.float32], members: Sequence[Members], columns: Columns) -> NDArray[np.intp]:
    """The numbers of the groups that are read, best first.

    Of nested groups, such as wrappers, only the best few are read, and no two with the same text.
    """
    order = np.argsort(-expected, kind="stable")[:_MAX_TRIED_GROUPS]
    chosen: list[int] = []
    for place in order[expected[order] >= expected[order[0]] - _ODDS_MARGIN].tolist():
        wrapped = [members[other] for other in chosen if _one_in_one(members[place], members[other], columns)]
        if len(wrapped) < _MAX_WRAPPERS and not any(_same_text(members[place], other, columns) for other in wrapped):
            chosen.append(place)
        if len(chosen) == _MAX_READ_GROUPS:
            break
    return np.array(chosen, dtype=np.intp)


def _one_in_one(one: Members, other: Members, columns: Columns) -> bool:
    return len(one) == len(other) and (holds_each(one, other, columns.end) or holds_each(other, one, columns.end))


@kernel
def holds_each(outer: Members, inner: Members, end: NDArray[np.int32]) -> bool:
    """Whether each outer element is or contains the inner element at the same position; end: see `Columns`."""
    return bool(((outer <= inner) & (inner < end[outer])).all())


def _same_text(one: Members, other: Members, columns: Columns) -> bool:
    starts, ends = columns.chunk_start, columns.chunk_end
    return bool((starts[one] == starts[other]).all() and (ends[one] == ends[other]).all())


def best_of(odds: NDArray[np.float32], expected: NDArray[np.float32]) -> int:
    """The number of the group that read best; the expected odds count too, since half of the trees do not use them."""
    return int(np.argmax(odds + _EXPECTED_WEIGHT * expected))


def review_table(
    rows: Sequence[Row],
    members: Sequence[Members],
    expected: NDArray[np.float32],
    features: GroupFeatures,
    columns: Columns,
) -> tuple[NDArray[np.float32], list[str]]:
    """float32[F, R]: the features of R groups that were read, and the F names."""
    below = (expected - expected.max()).tolist()
    read = [
        row | {"expected": float(own), "expected beside": other}
        for row, own, other in zip(compared(rows, members, columns), expected, below, strict=True)
    ]
    table = np.array([list(row.values()) for row in read], dtype=np.float32).T
    return np.concatenate((table, features.table)), [*read[0], *_OF_GROUP]


def records_forest(name: str, features: list[str]) -> Forest:
    """A forest of this package; ForestError if it was trained on other features."""
    return forest_for("records", name, features)
