"""Steps over the tree of a page as masks, bool[N], of its elements; each takes time linear in the page."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.tags import TAG

Mask = NDArray[np.bool_]


class SelectorError(ValueError):
    """A selector that cannot be read; the message says why."""


def named(columns: Columns, name: str) -> Mask:
    """The elements of this name; "*" for all."""
    if name == "*":
        return np.ones(len(columns), np.bool_)
    if (code := TAG.get(name.lower())) is not None:
        return np.asarray(columns.tag == code)
    found = columns.tag == 0
    places = np.flatnonzero(found).tolist()
    found[places] = [columns.tag_name(place).lower() == name.lower() for place in places]
    return np.asarray(found)


def with_attribute(columns: Columns, name: str, test: Callable[[str], bool]) -> Mask:
    """The elements with an attribute whose value passes; each distinct value is tested once."""
    found = np.zeros(len(columns), np.bool_)
    known: dict[str, bool] = {}
    for place, element in enumerate(columns.elements):
        value = element.get(name)
        if value is not None:
            if value not in known:
                known[value] = test(value)
            found[place] = known[value]
    return found


def with_text(columns: Columns, wanted: str) -> Mask:
    """The elements with these words inside, in one of their texts."""
    return np.asarray(columns.subtree_chunks(np.array([wanted in text for text in columns.texts], np.int64)) > 0)


def with_own_text(columns: Columns, wanted: str) -> Mask:
    """The elements with these words in their direct content."""
    found = np.zeros(len(columns), np.bool_)
    found[columns.owner[[wanted in text for text in columns.texts]]] = True
    return found


def below(columns: Columns, mask: Mask) -> Mask:
    """The elements inside those of the mask."""
    return _of_parent(columns, columns.within(mask))


def inside(columns: Columns, mask: Mask) -> Mask:
    """The elements directly inside those of the mask."""
    return _of_parent(columns, mask)


def above(columns: Columns, mask: Mask, *, direct: bool = False) -> Mask:
    """The elements that have one of the mask inside, or directly inside."""
    found = np.zeros(len(columns), np.bool_)
    if direct:
        parents = columns.parent[mask]
        found[parents[parents >= 0]] = True
        return found
    return np.asarray(columns.subtree(mask.astype(np.int32)) - mask > 0)


def next_sibling(columns: Columns, mask: Mask) -> Mask:
    """The elements right after those of the mask."""
    found = np.zeros(len(columns), np.bool_)
    after = columns.end[mask]
    after = after[after < len(columns)]
    found[after] = True
    begins = np.zeros(len(columns), np.bool_)  # what follows may belong to an element further up
    ends = np.flatnonzero(mask)
    inner = columns.end[ends]
    kept = inner < len(columns)
    same = columns.parent[ends[kept]] == columns.parent[inner[kept]]
    begins[inner[kept][same]] = True
    return found & begins


def earlier_sibling(columns: Columns, mask: Mask) -> Mask:
    """The elements that come after one of the mask in the same parent."""
    first = np.full(len(columns) + 1, len(columns), np.int64)
    places = np.flatnonzero(mask)
    np.minimum.at(first, columns.parent[places], places)
    return np.asarray(first[columns.parent] < np.arange(len(columns)))


def later_sibling(columns: Columns, mask: Mask) -> Mask:
    """The elements that come before one of the mask in the same parent."""
    last = np.full(len(columns) + 1, -1, np.int64)
    places = np.flatnonzero(mask)
    np.maximum.at(last, columns.parent[places], places)
    return np.asarray(last[columns.parent] > np.arange(len(columns)))


def nth_sibling(columns: Columns, mask: Mask, wanted: Mask, number: int) -> Mask:
    """Of each element of the mask the sibling with this number among those wanted: from 1 behind it, from -1 before it."""
    size = len(columns)
    key = (columns.parent.astype(np.int64) + 1) * size + np.arange(size)
    among, asked = np.sort(key[wanted]), key[mask]
    behind = np.searchsorted(among, asked, "right") - 1 + number
    before = np.searchsorted(among, asked, "left") + number
    at = behind if number > 0 else before
    is_there = (at >= 0) & (at < len(among))
    chosen, asked = among[at[is_there]], asked[is_there]
    found = np.zeros(size, np.bool_)
    found[chosen[chosen // size == asked // size] % size] = True
    return found


def number_among_siblings(columns: Columns, of_type: bool = False, from_end: bool = False) -> NDArray[np.int64]:
    """int64[N]: each element's number in its parent, from 1: among all, or those of the same name; from the first or the last."""
    key = columns.parent.astype(np.int64) + 1
    if of_type:
        names = columns.tag.astype(np.int64)
        others = np.flatnonzero(names == 0).tolist()
        numbers: dict[str, int] = {}
        names[others] = [1_000 + numbers.setdefault(columns.tag_name(each), len(numbers)) for each in others]
        key = key * (int(names.max(initial=0)) + 1) + names
    return counted_by(key[::-1])[::-1] if from_end else counted_by(key)


def counted_by(key: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64[N]: how many of the keys up to each, itself included, are the same."""
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])) if len(key) else np.zeros(0, np.intp)
    lengths = np.diff(np.append(starts, len(key)))
    found = np.empty(len(key), np.int64)
    found[order] = np.arange(len(key)) - np.repeat(starts, lengths) + 1
    return found


def _of_parent(columns: Columns, mask: Mask) -> Mask:
    """Whether the parent is in the mask."""
    return np.asarray(mask[columns.parent] & (columns.parent >= 0))
