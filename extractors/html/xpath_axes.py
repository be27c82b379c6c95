"""Axes of XPath as steps over masks, and one step of a path."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.tree_masks import (
    Mask,
    above,
    below,
    counted_by,
    earlier_sibling,
    inside,
    later_sibling,
    named,
    nth_sibling,
)

Test = Callable[[Columns, Mask], Mask]
"""Of a page and the elements reached so far: those that pass."""
AXES: Mapping[str, Test] = {
    "self": lambda columns, mask: mask,
    "child": inside,
    "parent": lambda columns, mask: above(columns, mask, direct=True),
    "descendant": below,
    "ancestor": above,
    "descendant-or-self": lambda columns, mask: below(columns, mask) | mask,
    "ancestor-or-self": lambda columns, mask: above(columns, mask) | mask,
    "following-sibling": earlier_sibling,
    "preceding-sibling": later_sibling,
}
_REVERSED = {
    "self": "self",
    "child": "parent",
    "descendant": "ancestor",
    "descendant-or-self": "ancestor-or-self",
    "following-sibling": "preceding-sibling",
}
_REVERSED |= {back: axis for axis, back in _REVERSED.items()}
_SIDES = {"following-sibling": 1, "preceding-sibling": -1}


@dataclass(frozen=True, slots=True)
class PathStep:
    """A step of a path.

    Attributes:
        axis: a key of `AXES`. name: of the elements, "*" for all.
        number: which of the siblings on a sibling axis is meant; 0: all.
        conditions: that follow.
    """

    axis: str
    name: str
    conditions: Sequence[Test] = ()
    number: int = 0

    def __call__(self, columns: Columns, mask: Mask) -> Mask:
        """The elements reached from those of the mask."""
        wanted = named(columns, self.name)
        if self.number:
            reached = nth_sibling(columns, mask, wanted, self.number * _SIDES[self.axis])
        else:
            reached = AXES[self.axis](columns, mask) & wanted
        return self.passing(columns, reached)

    def passing(self, columns: Columns, mask: Mask) -> Mask:
        """Those that meet the conditions."""
        for condition in self.conditions:
            mask = condition(columns, mask)
        return mask


def leading(columns: Columns, steps: Sequence[PathStep]) -> Mask:
    """The elements from which a relative path finds something."""
    found = np.ones(len(columns), np.bool_)
    for step in reversed(steps):
        ends = step.passing(columns, named(columns, step.name)) & found
        found = AXES[_REVERSED[step.axis]](columns, ends)
    return found


def has_sides(axis: str) -> bool:
    """Whether a number on this axis counts from each element that the step begins at."""
    return axis in _SIDES


def place_in_parent(columns: Columns, mask: Mask) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of each element of the mask its number among those of the mask in its parent, and how many these are."""
    parents = columns.parent[np.flatnonzero(mask)].astype(np.int64)
    from_start = counted_by(parents)
    return from_start, from_start + counted_by(parents[::-1])[::-1] - 1
