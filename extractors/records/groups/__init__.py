"""Candidate groups: elements that may be a page's records."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.tags import TAG, tag_set
from extractors.kernels import kernel
from extractors.records.signals import PageSignals
from extractors.records.signals.class_names import TAGS
from extractors.records.signals.template_words import RECORD
from extractors.text.multi_search import contains_match

__all__ = [
    "Members",
    "RecordGroup",
    "features",
    "find_groups",
    "group_names",
    "layout",
    "names_around",
    "ownership",
    "titles",
]

_RECORD_TAGS = tag_set(
    "div", "li", "article", "section", "tr", "tbody", "table", "dd", "dl", "blockquote", "details", "a", "ul"
)
_NAMED_TAGS = tag_set("td")
"""Tags that count only with a class or a numbered id."""
_HEADINGS = tag_set("h2", "h3", "h4", "h5", "h6")
_MIN_HEADED = 3
_MAX_GROUPS = 400
_MAX_LEVELS = 5
"""Elements upwards whose names count as close around."""
_MAX_MEMBERS = 20_000
"""Maximum members of a group; larger groups are not records."""

Members = NDArray[np.intp]


class RecordGroup(NamedTuple):
    """Elements of one kind, in document order."""

    members: Members
    label: str


def find_groups(signals: PageSignals) -> list[RecordGroup]:
    """Elements that share tag and class token, id stem, or tag and parent; at least two each.

    Siblings (rank 0) and elements with the same id stem (1) come before those that share the first token of the first member's
    class (2), its second token (3), and so on.
    """
    columns, names = signals.columns, signals.names
    kept = np.flatnonzero((_RECORD_TAGS | _NAMED_TAGS)[columns.tag[columns.readable]])
    labels, stems, tokens, first = number_labels(names.stems, names.tokens)
    given = columns.readable[kept], columns.names[1][kept], stems, tokens, first
    members, rows = gather_groups(*given, columns.tag, columns.parent, _RECORD_TAGS, _MAX_MEMBERS)
    found = _distinct_groups(members, rows, labels) + _headed_paragraphs(signals)
    if len(found) > _MAX_GROUPS:
        found.sort(key=lambda group: -int(columns.text_length[group.members].sum()))
    return found[:_MAX_GROUPS]


def _headed_paragraphs(signals: PageSignals) -> list[RecordGroup]:
    """Paragraphs under one parent that each follow a heading with a time: records without an element around both."""
    columns, above = signals.columns, np.maximum(signals.columns.parent, 0)
    holders = columns.owner[signals.has_time]
    around = np.concatenate((holders, above[holders], above[above[holders]]))
    headings = np.unique(around[_HEADINGS[columns.tag[around]]])
    if len(headings) < _MIN_HEADED:
        return []
    after = np.minimum(columns.end[headings], len(columns) - 1).astype(np.intp)
    fit = (columns.tag[after] == TAG["p"]) & (columns.text_length[after] > 0)
    after = after[fit & (above[after] == above[headings])]
    parents, count = np.unique(above[after], return_counts=True)
    return [RecordGroup(after[above[after] == parent], "") for parent in parents[count >= _MIN_HEADED].tolist()]


def group_names(group: RecordGroup, columns: Columns) -> str:
    """A group's label, and the class and id of its last element and of that element's parent, in lower case."""
    last = int(group.members[-1])
    places = last, max(0, int(columns.parent[last]))
    names = (columns.value(place, name) for place in places for name in ("class", "id"))
    return " ".join((group.label, *names)).lower()


def names_around(place: int, columns: Columns) -> Iterator[str]:
    """The class and id of an element and of those closely around it, in lower case."""
    for _ in range(_MAX_LEVELS):
        yield f"{columns.value(place, 'class')} {columns.value(place, 'id')}".lower()
        place = max(0, int(columns.parent[place]))


@kernel
def number_labels(
    stems: list[str], tokens: list[tuple[str, ...]]
) -> tuple[list[str], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The distinct stems and tokens of D names, "" first; the number of each stem and of each token, and the bounds of the tokens
    of each name: int64[D + 1]."""
    labels = {"": 0}
    numbers = [labels.setdefault(each, len(labels)) for each in stems]
    each_token = [labels.setdefault(token, len(labels)) for each in tokens for token in each]
    first = np.cumsum([0, *map(len, tokens)], dtype=np.int64)
    return list(labels), np.array(numbers, dtype=np.int64), np.array(each_token, dtype=np.int64), first


@kernel
def gather_groups(
    places: Members, name: NDArray[np.intp], stems: NDArray[np.int64], tokens: NDArray[np.int64], first: NDArray[np.int64],
    tag: NDArray[np.int16], parent: NDArray[np.int32], with_siblings: NDArray[np.bool_], max_members: int,
) -> tuple[Members, NDArray[np.int64]]:  # fmt: skip
    """Members group by group, the groups in the order of their first members; and int64[5, G]: where each group begins, its
    size, the sum of its places, its rank (see `find_groups`), the number of its label.

    Args:
        places, name: elements, and the number of the name of each.
        stems, tokens, first: by name the number of its id's stem (0 for none), and its tokens[first[n] : first[n + 1]].
        with_siblings: bool[tags], the tags whose siblings are grouped too.
    """
    times = np.diff(first)[name]
    rank = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
    token, stem = tokens[np.repeat(first[name], times) + rank], stems[name]
    siblings, stemmed = np.flatnonzero(with_siblings[tag[places]]), np.flatnonzero(stem > 0)
    number = np.concatenate((siblings, stemmed, np.repeat(np.arange(len(places)), times)))
    every, kind = places[number], np.repeat(np.arange(3), (len(siblings), len(stemmed), len(token)))
    above, label = np.zeros((2, len(every)), dtype=np.int64)
    above[kind == 0] = parent[places[siblings]] + 1
    label[kind > 0] = np.concatenate((stem[stemmed], token))
    key = ((kind * TAGS + tag[every]) * (len(parent) + 1) + above) * (int(label.max(initial=0)) + 1) + label
    ranks = np.concatenate((kind[: len(every) - len(token)], 2 + rank))
    order = np.lexsort((number * (3 + int(rank.max(initial=0))) + ranks, key))
    starts = np.flatnonzero(np.diff(key[order], prepend=-1))
    sizes = np.diff(np.append(starts, len(key)))
    fit = (sizes > 1) & (sizes <= max_members)
    starts, sizes = starts[fit], sizes[fit]
    by_first = np.lexsort((ranks[order[starts]], number[order[starts]]))
    starts, sizes = starts[by_first], sizes[by_first]
    begins = np.cumsum(sizes) - sizes
    chosen = order[np.repeat(starts - begins, sizes) + np.arange(int(sizes.sum()))]
    sums = np.add.reduceat(every[chosen], begins) if len(begins) else begins
    return every[chosen], np.stack((begins, sizes, sums, ranks[order[starts]], label[order[starts]]))


def _distinct_groups(members: Members, rows: NDArray[np.int64], labels: list[str]) -> list[RecordGroup]:
    """Groups without duplicates: siblings and ids first, then classes, by their first members.

    Groups with equal size, sum and first member are duplicates. One of them stays, with the last of their labels that has a
    word for records, or else with the first.
    """
    starts, sizes, sums, rank, label = rows
    first = members[starts]
    order = np.lexsort((rank, first, rank > 1))
    kept: dict[tuple[int, int, int], int] = {}
    again: list[tuple[tuple[int, int, int], int]] = []
    keys = zip(*(values[order].tolist() for values in (sizes, sums, first)), strict=True)
    for place, key in enumerate(keys):
        if kept.setdefault(key, place) != place:
            again.append((key, place))
    if again:
        numbers = label[order[[place for _, place in again]]].tolist()
        has_word = contains_match(RECORD, [labels[number] for number in numbers]).tolist()
        kept |= {key: place for (key, place), has in zip(again, has_word, strict=True) if has}
    chosen = order[list(kept.values())]
    places = zip(starts[chosen].tolist(), sizes[chosen].tolist(), label[chosen].tolist(), strict=True)
    return [RecordGroup(members[start : start + size], labels[number]) for start, size, number in places]
