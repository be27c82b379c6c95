"""Groups of elements that may be a page's records."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.columns import Columns
from extractors.records.hints import RECORD, class_tokens, id_stem
from extractors.records.signals import Signals
from extractors.tags import NAMES, tag_set

_RECORD_TAGS = tag_set(
    "div", "li", "article", "section", "tr", "tbody", "table", "dd", "dl", "blockquote", "details", "a", "ul"
)
_NAMED_TAGS = tag_set("td")
"""Of these only the ones that have a class or a numbered id."""
_OF_RECORDS = _RECORD_TAGS | _NAMED_TAGS
_TAGS = len(NAMES) + 1
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
    found = [Group(members, label) for members, label in _different(*_gathered(columns))]
    if len(found) > _MOST_GROUPS:
        found.sort(key=lambda group: -int(columns.text_length[group.members].sum()))
    return found[:_MOST_GROUPS]


def called(group: Group, columns: Columns) -> str:
    """A group's label, and the class and id of its last element and of that one's parent."""
    last = int(group.members[-1])
    places = last, max(0, int(columns.parent[last]))
    names = (columns.sparse(name).get(place, "") for place in places for name in ("class", "id"))
    return " ".join((group.label, *names)).lower()


def _gathered(columns: Columns) -> tuple[NDArray[np.intp], NDArray[np.int64], NDArray[np.intp], list[str]]:
    """Places, the number of what each has in common with others, where that comes in order, and the labels.

    int[P] each; a place stands there once for its parent, once for its id's stem, and once for each token of its class. The
    number modulo the count of labels is that of the label; the first label is empty.
    """
    names, which = columns.names
    kept = np.flatnonzero(_OF_RECORDS[columns.tag[columns.readable]])
    places, name = columns.readable[kept], which[kept]
    labels = {"": 0}
    stems = np.array([labels.setdefault(id_stem(each[1]), len(labels)) for each in names], dtype=np.int64)[name]
    tokens = [class_tokens(each[0]) for each in names]
    listed = np.array([labels.setdefault(token, len(labels)) for each in tokens for token in each], dtype=np.int64)
    counts = np.fromiter(map(len, tokens), dtype=np.intp, count=len(tokens))
    times, first = counts[name], (np.cumsum(counts) - counts)[name]
    rank = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
    token = listed[np.repeat(first, times) + rank]
    siblings, stemmed = places[_RECORD_TAGS[columns.tag[places]]], stems > 0
    every = np.concatenate((siblings, places[stemmed], np.repeat(places, times)))
    kind = np.repeat(np.arange(3), (len(siblings), int(np.count_nonzero(stemmed)), len(token)))
    parent, label = np.zeros((2, len(every)), dtype=np.int64)
    parent[kind == 0] = columns.parent[siblings] + 1
    label[kind > 0] = np.concatenate((stems[stemmed], token))
    key = ((kind * _TAGS + columns.tag[every]) * (len(columns) + 1) + parent) * len(labels) + label
    return every, key, np.concatenate((kind[: len(every) - len(token)], 2 + rank)), list(labels)


def _different(
    places: NDArray[np.intp], keys: NDArray[np.int64], ranks: NDArray[np.intp], labels: list[str]
) -> list[tuple[Members, str]]:
    """Groups of other members each, and their labels: siblings and ids first, then classes, by their first members."""
    order = np.argsort(keys, kind="stable")
    places, keys, ranks = places[order], keys[order], ranks[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    sizes = np.diff(np.concatenate((starts, [len(keys)])))
    fit = (sizes > 1) & (sizes <= _MOST_MEMBERS)
    starts, sizes = starts[fit], sizes[fit]
    if not len(starts):
        return []
    first, rank = places[starts], ranks[starts]
    order = np.lexsort((rank, first, rank > 1))
    seen: dict[tuple[int, int, int], tuple[Members, str]] = {}
    running = np.concatenate(([0], np.cumsum(places)))
    total = running[starts + sizes] - running[starts]
    rows = (each[order].tolist() for each in (starts, sizes, total, first, keys[starts] % len(labels)))
    for start, size, whole, begin, number in zip(*rows, strict=True):
        label = labels[number]
        if (size, whole, begin) not in seen or (label and RECORD.search(label)):
            seen[size, whole, begin] = places[start : start + size], label
    return list(seen.values())
