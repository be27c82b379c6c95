"""Groups of elements that may be a page's records."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.columns import Columns
from extractors.records.hints import RECORD, class_tokens, id_stem
from extractors.records.signals import Signals
from extractors.tags import tag_set

_RECORD_TAGS = tag_set(
    "div", "li", "article", "section", "tr", "tbody", "table", "dd", "dl", "blockquote", "details", "a", "ul"
)
_NAMED_TAGS = tag_set("td")
"""Of these only the ones that have a class or a numbered id."""
_MOST_GROUPS = 400
_MOST_MEMBERS = 20_000
"""Of a group; what a page has more of are no records."""

Members = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Group:
    """Elements of one make, in document order."""

    members: Members
    label: str


def find_groups(signals: Signals) -> list[Group]:
    """Elements alike by tag and class token, by id stem, or by tag under one parent; at least two each."""
    columns = signals.columns
    length = columns.text_length.tolist()
    found = _unique(_gathered(columns), columns)
    if len(found) > _MOST_GROUPS:
        found.sort(key=lambda each: -sum(map(length.__getitem__, each[0])))
    return [Group(np.array(places, dtype=np.intp), label) for places, label in found[:_MOST_GROUPS]]


def _gathered(columns: Columns) -> dict[tuple[object, ...], list[int]]:
    """Places in ascending order by what they have in common; each spelling of a class is taken apart once."""
    grouped = _RECORD_TAGS[columns.tag]
    kept = grouped | _NAMED_TAGS[columns.tag]
    named = kept[columns.named[0]]
    places = columns.named[0][named].tolist()
    names = [columns.named[1][number] for number in np.flatnonzero(named).tolist()]
    gathered: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
    spelled: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    tags, parents = columns.tag[places].tolist(), columns.parent[places].tolist()
    for place, tag, parent, sibling, (classes, identity) in zip(
        places, tags, parents, grouped[places].tolist(), names, strict=True
    ):
        if sibling:
            gathered[tag, parent].append(place)
        if classes:
            spelled[tag, classes].append(place)
        if identity and (stem := id_stem(identity)):
            gathered[tag, "#", stem].append(place)
    for (tag, classes), alike in spelled.items():
        for token in class_tokens(classes):
            gathered[tag, token] += alike
    for alike in gathered.values():
        alike.sort()
    return gathered


def _unique(gathered: dict[tuple[object, ...], list[int]], columns: Columns) -> list[tuple[list[int], str]]:
    seen: dict[tuple[int, int, int], tuple[list[int], str]] = {}
    for key, found in gathered.items():
        if 1 < len(found) <= _MOST_MEMBERS:
            label = str(key[-1]) if isinstance(key[-1], str) else ""
            name = (len(found), sum(found), found[0])
            if name not in seen or (label and RECORD.search(label)):
                seen[name] = (found, label)
    return [(found, f"{label} {_label(columns, found)}") for found, label in seen.values()]


def _label(columns: Columns, found: list[int]) -> str:
    element, parent = columns.elements[found[-1]], columns.elements[max(0, int(columns.parent[found[-1]]))]
    return " ".join(
        (element.get("class", ""), element.get("id", ""), "/", parent.get("class", ""), parent.get("id", ""))
    ).lower()


def own_values(group: Group, columns: Columns, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each member's value without that of the members nested in it."""
    own = values.copy()
    stack: list[int] = []
    ends = columns.end[group.members].tolist()
    for number, member in enumerate(group.members.tolist()):
        while stack and ends[stack[-1]] <= member:
            stack.pop()
        if stack:
            own[stack[-1]] -= values[number]
        stack.append(number)
    return own
