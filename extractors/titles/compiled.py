"""The search of `candidates` as machine code, by numba where it is installed (`pip install topicrawl[fast]`).

The same bounds, and the cosine too: what is left is nearly always what is found. The caller computes every cosine that
decides, so that nodes with and without numba decide alike.
"""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from extractors.titles.candidates import MARGIN, Stored

_ROOM = 1_024


def _near(  # type: ignore[no-untyped-def]  # numba types it when it is called
    asked_for, cosine, unknown, frequencies, offsets, logs, pool, signatures, starts, terms, found
):
    """Titles near one whose terms have these numbers, as often as they occur there; unknown terms are below 0."""
    wanted = np.sort(asked_for)
    numbers, weights, count, norm = np.empty(len(wanted), np.int64), np.empty(len(wanted)), 0, 0.0
    for at in range(len(wanted)):
        weight = unknown - logs[wanted[at]] if wanted[at] >= 0 else unknown
        if count and numbers[count - 1] == wanted[at]:
            weights[count - 1] += weight
        else:
            numbers[count], weights[count], count = wanted[at], weight, count + 1
    for at in range(count):
        norm += weights[at] * weights[at]
    known = np.searchsorted(numbers[:count], 0)
    numbers, weights = numbers[known:count], weights[known:count]
    count = len(numbers)
    order = np.argsort(frequencies[numbers], kind="mergesort")
    numbers, weights = numbers[order], weights[order]
    squares, single, by_bit = weights * weights, unknown - logs[numbers], np.zeros(64)
    enough, rest, hits, every = cosine * cosine * norm * MARGIN, squares.sum(), 0, np.uint64(0)
    for number in numbers:
        every |= np.uint64(1) << np.uint64(number & 63)
    for probe in range(count):
        if rest < enough:
            break
        mask, least, left = np.uint64(0), 0, enough
        by_bit[:] = 0.0
        for later in range(probe, count):
            by_bit[numbers[later] & 63] += squares[later]
            mask |= np.uint64(1) << np.uint64(numbers[later] & 63)
        heavy = np.sort(by_bit[by_bit > 0.0])
        while left > 0 and least < len(heavy):
            least += 1
            left -= heavy[len(heavy) - least]
        rest -= squares[probe]
        offset = offsets[numbers[probe]]
        for place in pool[offset : offset + frequencies[numbers[probe]]]:
            shared, bits, mass = signatures[place] & mask, 0, 0.0
            while shared:
                shared &= shared - np.uint64(1)
                bits += 1
            if bits < least:
                continue
            shared = signatures[place]
            for later in range(probe, count):
                if shared >> np.uint64(numbers[later] & 63) & np.uint64(1):
                    mass += squares[later]
            if mass < enough * MARGIN:
                continue
            dot, length, carried = 0.0, 0.0, 0.0
            for at in range(starts[place], starts[place + 1]):
                if every >> np.uint64(terms[at] & 63) & np.uint64(1):
                    for asked in range(count):
                        if numbers[asked] == terms[at]:
                            dot += single[asked] * weights[asked]
                            carried += squares[asked]
                            break
            if carried < enough * MARGIN:  # a term that the title repeats is taken as several: it is only more
                continue
            for at in range(starts[place], starts[place + 1]):
                weight = unknown - logs[terms[at]]
                length += weight * weight
            if dot * dot >= cosine * cosine * norm * length * MARGIN:
                if hits < len(found):
                    found[hits] = place
                hits += 1
    return hits


@cache
def compiled() -> Callable[..., int] | None:
    """The function as machine code; None where there is no numba. The first call takes a second, later ones less."""
    try:
        njit: Any = import_module("numba").njit
    except ImportError:
        return None
    try:
        return njit(cache=True)(_near)  # type: ignore[no-any-return]
    except RuntimeError:  # from a zipped egg, or where no folder can be written
        return njit(_near)  # type: ignore[no-any-return]


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
