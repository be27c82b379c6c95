"""Groups of elements that may be a page's records."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.tags import NAMES, tag_set
from extractors.kernels import native
from extractors.records.hints import RECORD
from extractors.records.signals import Signals
from extractors.text.multi_search import holding

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
_BITS_OF_SUM, _BITS_OF_PLACE = 31, 17
"""So many have the sum of a group's places, but on the largest pages, and a place. A larger sum runs over into the number of
members: groups that agree in first member and in that mixture, and not in their members, would be taken for one."""

Members = NDArray[np.intp]


class Group(NamedTuple):
    """Elements of one make, in document order."""

    members: Members
    label: str


def find_groups(signals: Signals) -> list[Group]:
    """Elements alike by tag and class token, by id stem, or by tag under one parent; at least two each."""
    columns = signals.columns
    found = _different(*_gathered(signals))
    if len(found) > _MOST_GROUPS:
        found.sort(key=lambda group: -int(columns.text_length[group.members].sum()))
    return found[:_MOST_GROUPS]


def called(group: Group, columns: Columns) -> str:
    """A group's label, and the class and id of its last element and of that one's parent."""
    last = int(group.members[-1])
    places = last, max(0, int(columns.parent[last]))
    names = (columns.value(place, name) for place in places for name in ("class", "id"))
    return " ".join((group.label, *names)).lower()


_Rows = NDArray[np.int64]
"""int64[5, G]: where each group begins among all members, its size, the sum of its places, its rank, the number of its label."""


def _gathered(signals: Signals) -> tuple[Members, _Rows, list[str]]:
    """Members group after group, what is known of the groups, and the labels, the first of which is empty.

    Groups that have more in common go before: siblings (rank 0) and those alike by id (1), then by the first token of the
    class of the first member (2), and so on.
    """
    columns = signals.columns
    _, which = columns.names
    tokens, ids, _ = signals.alike.names
    kept = np.flatnonzero(_OF_RECORDS[columns.tag[columns.readable]])
    labels = {"": 0}
    stems = np.array([labels.setdefault(each, len(labels)) for each in ids], dtype=np.int64)
    listed = np.array([labels.setdefault(token, len(labels)) for each in tokens for token in each], dtype=np.int64)
    first = np.cumsum([0, *map(len, tokens)], dtype=np.int64)
    given = columns.readable[kept], which[kept], stems, listed, first
    if compiled := native():
        tree = columns.tag, columns.parent, _RECORD_TAGS.view(np.uint8)
        members, rows = compiled.common(*given, *tree, _MOST_MEMBERS)
    else:
        members, rows = gathered_by_numpy(columns, *given)
    return members, rows, list(labels)


def gathered_by_numpy(
    columns: Columns,
    places: Members,
    name: NDArray[np.intp],
    stems: NDArray[np.int64],
    tokens: NDArray[np.int64],
    first: NDArray[np.int64],
) -> tuple[Members, _Rows]:
    """Elements with the number of the name of each, and by name the number of its id's stem and of its tokens, those of name
    n being tokens[first[n] : first[n + 1]]; see `_gathered`."""
    times = np.diff(first)[name]
    rank = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
    token = tokens[np.repeat(first[name], times) + rank]
    stem, siblings = stems[name], places[_RECORD_TAGS[columns.tag[places]]]
    stemmed = stem > 0
    every = np.concatenate((siblings, places[stemmed], np.repeat(places, times)))
    kind = np.repeat(np.arange(3), (len(siblings), int(np.count_nonzero(stemmed)), len(token)))
    parent, label = np.zeros((2, len(every)), dtype=np.int64)
    parent[kind == 0] = columns.parent[siblings] + 1
    label[kind > 0] = np.concatenate((stem[stemmed], token))
    key = ((kind * _TAGS + columns.tag[every]) * (len(columns) + 1) + parent) * (int(label.max(initial=0)) + 1) + label
    ranks = np.concatenate((kind[: len(every) - len(token)], 2 + rank))
    order = np.argsort(key, kind="stable")
    members, key = every[order], key[order]
    starts = np.flatnonzero(np.diff(key, prepend=-1))
    sizes = np.diff(np.append(starts, len(key)))
    fit = (sizes > 1) & (sizes <= _MOST_MEMBERS)
    starts, sizes = starts[fit], sizes[fit]
    running = np.concatenate(([0], np.cumsum(members)))
    begun = order[starts]
    return members, np.stack((starts, sizes, running[starts + sizes] - running[starts], ranks[begun], label[begun]))


def _different(members: Members, rows: _Rows, labels: list[str]) -> list[Group]:
    """Groups of other members each: siblings and ids first, then classes, by their first members.

    Those with the same members, told by their number, their sum and the first of them, are one, with the last of their labels
    that speaks of records, or else the first.
    """
    starts, sizes, sums, rank, label = rows
    first = members[starts]
    order = np.lexsort((rank, first, rank > 1))
    keys = (sizes << _BITS_OF_SUM | sums) << _BITS_OF_PLACE | first
    _, earliest, which = np.unique(keys[order], return_index=True, return_inverse=True)
    speaking = holding(RECORD, labels)[label[order]]
    kept = earliest.copy()
    np.maximum.at(kept, which[speaking], np.flatnonzero(speaking))
    taken = order[kept[np.argsort(earliest)]]
    places = zip(starts[taken].tolist(), sizes[taken].tolist(), label[taken].tolist(), strict=True)
    return [Group(members[start : start + size], labels[number]) for start, size, number in places]
