"""Parents of records that are siblings, by indentation.

Templates without nested markup give the depth in an attribute, in a class with a number, in a margin, or in the width of a
blank picture.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from extractors.html.columns import Columns
from extractors.text.multi_search import contains_match

_MAX_ELEMENTS = 16
"""First elements of a record that may give its depth."""
_MIN_RECORDS = 3
_MIN_SHARE = 0.9
"""Minimum share of records that give their depth."""
_MIN_DEPTHS = 2
_MAX_CHARS = 200
"""Characters of a value that are read."""
_THIN = ("0", "1", "2")
"""Heights of a blank picture."""
_MIN_NUMBERED_RECORDS = 8
"""Minimum records, each deeper than the one before, for the values to be record numbers."""
_NUMBER = re.compile(r"^(\d{1,4})(?:px)?$")
_CLASS = re.compile(r"(?:^|[\s_-])(?:depth|level|indent|lvl)[-_]?(\d{1,2})(?:$|\s)", re.I)
_CLASS_WORDS = re.compile("depth|level|indent|lvl")
"""Each such class has one of these, in lower case."""
_STYLE = re.compile(r"(?:margin|padding)-left\s{0,3}:\s{0,3}(\d{1,4})(?:\.\d{1,6})?\s{0,3}(?:px|r?em|%)", re.I)
_ATTRIBUTES = ("indent", "data-depth", "data-level", "data-indent", "aria-level")


def parents_by_indent(columns: Columns, tops: Sequence[int]) -> list[int]:
    """By record (`tops`: the elements around each), the number of the record that it answers, −1 for none."""
    no_parents = [-1] * len(tops)
    if len(tops) < _MIN_RECORDS:
        return no_parents
    for name, pattern in (*((name, _NUMBER) for name in _ATTRIBUTES), ("class", _CLASS), ("style", _STYLE)):
        values = columns.sparse(name) if name != "class" else _numbered_classes(columns, tops)
        depths = _depths(columns, tops, values, pattern)
        if _are_depths(depths):
            return _nearest_above(depths)
    heights = columns.sparse("height")
    spacers = {place: value for place, value in columns.sparse("width").items() if heights.get(place) in _THIN}
    depths = _depths(columns, tops, spacers, _NUMBER)
    return _nearest_above(depths) if _are_depths(depths) else no_parents


def _numbered_classes(columns: Columns, tops: Sequence[int]) -> dict[int, str]:
    """By place, the classes that may give a depth."""
    wanted = np.zeros(len(columns), dtype=np.bool_)
    for top in tops:
        wanted[top : min(int(columns.end[top]), top + _MAX_ELEMENTS)] = True
    classes, which = columns.pairs("class", "class", wanted)
    numbered = np.flatnonzero(contains_match(_CLASS_WORDS, [value[:_MAX_CHARS].lower() for value, _ in classes]))
    places, chosen = np.flatnonzero(wanted), np.isin(which, numbered)
    return {
        place: classes[number][0] for place, number in zip(places[chosen].tolist(), which[chosen].tolist(), strict=True)
    }


def _depths(columns: Columns, tops: Sequence[int], values: dict[int, str], pattern: re.Pattern[str]) -> list[int]:
    """The depth of each record by one kind of value, −1 for none."""
    if not values:
        return []
    found: list[int] = []
    for top in tops:
        places = range(top, min(int(columns.end[top]), top + _MAX_ELEMENTS))
        value = (pattern.search(values[place][:_MAX_CHARS]) for place in places if place in values)
        found.append(next((int(match[1]) for match in value if match), -1))
    return found


def _are_depths(depths: Sequence[int]) -> bool:
    """Whether these are depths: nearly all records have one, the first has the smallest, and they are not record numbers."""
    given = [depth for depth in depths if depth >= 0]
    if len(set(given)) < _MIN_DEPTHS or len(given) < _MIN_SHARE * len(depths) or depths[0] != min(given):
        return False
    return len(given) < _MIN_NUMBERED_RECORDS or any(one >= two for one, two in pairwise(given))


def _nearest_above(depths: Sequence[int]) -> list[int]:
    """By record, the last earlier record that is less deep; −1 for records without a depth."""
    found: list[int] = []
    stack: list[int] = []
    for number, depth in enumerate(depths):
        if depth < 0:
            found.append(-1)
            continue
        while stack and depths[stack[-1]] >= depth:
            stack.pop()
        found.append(stack[-1] if stack else -1)
        stack.append(number)
    return found
