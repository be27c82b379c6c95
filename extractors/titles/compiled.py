"""The search of `candidates` by numba, where it is installed (`pip install topicrawl[fast]`).

The same bounds, and the cosine too: what is left is nearly always what is found. The caller computes every cosine that
decides, so that nodes with and without numba decide alike.
"""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from extractors.titles.candidates import MARGIN
from extractors.titles.stored import Stored
from extractors.titles.vectors import LOGARITHMS

_ROOM = 1_024
_LOGARITHMS = np.array(LOGARITHMS)


@cache
def compiled() -> Any:
    """The module `machine_code`; None where there is no numba. The first call loads it, which takes a second."""
    try:
        return import_module("extractors.titles.machine_code")
    except ImportError:
        return None


def compiled_candidates(
    machine: Any, numbers: Sequence[int], unknown: float, strange: float, stored: Stored, cosine: float
) -> list[int]:
    """See `candidates`; known terms by number, as often as they occur, the weight of an unknown one, what those add to the norm."""
    asked, found = np.array(numbers, np.int64), np.empty(_ROOM, np.uint32)
    postings = stored.postings
    columns = (postings.frequencies.data, postings.offsets.data, postings.logs.data, postings.pool.data)
    titles = (stored.signatures.data, stored.seconds.data, stored.starts.data, stored.terms.data)
    count: int = machine.near(asked, cosine * cosine * MARGIN, unknown, strange, *columns, *titles, found)
    if count > _ROOM:
        found = np.empty(count, np.uint32)
        machine.near(asked, cosine * cosine * MARGIN, unknown, strange, *columns, *titles, found)
    return list(set(found[:count].tolist())) if count else []


def compiled_add(machine: Any, numbers: Sequence[int], stored: Stored) -> None:
    """See `Stored.add`; lists of titles that are full grow here."""
    start, position = stored.terms.reserve(len(numbers)), stored.signatures.reserve(1)
    stored.seconds.reserve(1)
    stored.starts.append(start + len(numbers))
    added, postings = np.array(numbers, np.int64), stored.postings
    columns = (postings.frequencies.data, postings.offsets.data, postings.logs.data, postings.pool.data)
    titles = (stored.signatures.data, stored.seconds.data, stored.terms.data)
    full = machine.put(added, start, position, _LOGARITHMS, *columns, *titles)
    if full:
        postings.post(added[:full].tolist(), position)
