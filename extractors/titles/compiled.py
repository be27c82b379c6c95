"""The search of `candidates` by numba, where it is installed (`pip install topicrawl[fast]`).

The same bounds, and the cosine too: what is left is nearly always what is found. The caller computes every cosine that
decides, so that nodes with and without numba decide alike.
"""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module

import numpy as np

from extractors.titles.candidates import Stored

_ROOM = 1_024


@cache
def compiled() -> Callable[..., int] | None:
    """`machine_code.near`; None where there is no numba. The first call loads it, which takes a second."""
    try:
        near: Callable[..., int] = import_module("extractors.titles.machine_code").near
    except ImportError:
        return None
    return near


def compiled_candidates(
    near: Callable[..., int], numbers: Sequence[int], stored: Stored, unknown: float, cosine: float
) -> list[int]:
    """See `candidates`; a title's terms by number, as often as they occur, unknown ones below 0, and their weight."""
    wanted, found = np.array(numbers, np.int64), np.empty(_ROOM, np.uint32)
    postings = stored.postings
    columns = (postings.frequencies.data, postings.offsets.data, stored.postings.logs.data, postings.pool.data)
    titles = (stored.signatures.data, stored.starts.data, stored.terms.data)
    count = near(wanted, cosine, unknown, *columns, *titles, found)
    if count > _ROOM:
        found = np.empty(count, np.uint32)
        near(wanted, cosine, unknown, *columns, *titles, found)
    return list(set(found[:count].tolist())) if count else []
