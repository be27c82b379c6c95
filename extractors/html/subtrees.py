"""Sums and marks over the subtrees of a tree that is stored as columns; see `extractors.html.columns.Columns`."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from extractors.kernels import kernel


def running_sum(values: ArrayLike) -> NDArray[Any]:
    """Sums of the first k values, for k = 0 … len(values)."""
    column = np.asarray(values)
    kind = np.float64 if column.dtype.kind == "f" else np.int64
    running = np.zeros((*column.shape[:-1], column.shape[-1] + 1), dtype=kind)
    np.cumsum(column, axis=-1, out=running[..., 1:])
    return running


@kernel
def tag_places(tag: NDArray[np.int16], code: int) -> list[int]:
    """The elements whose tag, of tag[N], has this code."""
    return np.flatnonzero(tag == code).tolist()


@kernel
def chunk_sums(values: NDArray[np.int64], start: NDArray[np.int32], end: NDArray[np.int32]) -> NDArray[np.int64]:
    """int64[N]: values[M], one per chunk, summed over chunks start[i] … end[i] − 1 of each element; IndexError for fewer
    values than chunks."""
    running = running_sum(values)
    found: NDArray[np.int64] = running[end] - running[start]
    return found


@kernel
def text_lengths(
    visible: NDArray[np.int32],
    links: NDArray[np.bool_],
    owner: NDArray[np.int32],
    start: NDArray[np.int32],
    end: NDArray[np.int32],
    ends: NDArray[np.int32],
    most_chars: int,
    most_share: float,
) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64]]:
    """`Columns.text_length`, `Columns.linked` and `Columns.link_length`. visible: of each text; links, start, end (of its texts),
    ends (of its subtree): of each element. An `a` with more than `most_chars` and this share of the page's text is not a link."""
    length = chunk_sums(visible.astype(np.int64), start, end)
    short = length <= max(most_chars, most_share * int(length[0] if len(length) else 0))
    linked = within(links & short, ends)[owner]
    return length, linked, chunk_sums((visible * linked).astype(np.int64), start, end)


@kernel
def within(mask: NDArray[np.bool_], end: NDArray[np.int32]) -> NDArray[np.bool_]:
    """bool[N]: the element or one of its ancestors is in mask[N]; ValueError for a mask of another length."""
    if len(mask) != len(end):
        raise ValueError("a mask needs a value for every element")
    if not mask.any():
        return np.zeros(len(mask), np.bool_)
    closed = np.bincount(end[mask], minlength=len(mask))[: len(mask)]
    return np.asarray(np.cumsum(mask - closed) > 0)


@kernel
def sibling_groups(parent: NDArray[np.int32], tag: NDArray[np.int16], first: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64[N]: a number, in order of first appearance, for each group of elements with equal parent, tag and number in
    `first`."""
    key = (parent.astype(np.int64) * 512 + tag) * (int(first.max(initial=0)) + 1) + first
    _, appeared, which = np.unique(key, return_index=True, return_inverse=True)
    rank = np.empty(len(appeared), np.int64)
    rank[np.argsort(appeared)] = np.arange(len(appeared))
    return np.asarray(rank[which])
