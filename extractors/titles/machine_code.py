"""The search of `candidates` for numba to compile; imported only where numba is installed and there are titles enough.

Numba gives its types when a function is first called, hence the bare signatures.
"""
# mypy: disable-error-code="no-untyped-def"

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from extractors.titles.candidates import MARGIN

_njit: Any = import_module("numba").njit


def _fast(function: Callable[..., Any], inline: str = "never") -> Callable[..., Any]:
    """As machine code, kept on disk where that is possible: not in a zipped egg, nor where nothing can be written."""
    try:
        kept: Callable[..., Any] = _njit(cache=True, inline=inline)(function)
    except RuntimeError:
        kept = _njit(inline=inline)(function)
    return kept


def _weigh(asked_for, logs, frequencies, unknown):
    """The known terms from rare to common, their weights, and the squared norm of all."""
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
    order = np.argsort(frequencies[numbers], kind="mergesort")
    return numbers[order], weights[order], norm


weigh = _fast(_weigh)


def _signature(numbers, squares, first, by_bit, enough):
    """The bits of the terms from the first on, and how many of them must be shared at least to carry enough."""
    mask, least, left = np.uint64(0), 0, enough
    by_bit[:] = 0.0
    for at in range(first, len(numbers)):
        by_bit[numbers[at] & 63] += squares[at]
        mask |= np.uint64(1) << np.uint64(numbers[at] & 63)
    heavy = np.sort(by_bit[by_bit > 0.0])
    while left > 0 and least < len(heavy):
        least += 1
        left -= heavy[len(heavy) - least]
    return mask, least


signature_of = _fast(_signature)


def _may_carry(signature, mask, least, numbers, squares, first, enough):
    """Whether the terms from the first on whose bits are set carry enough: by their number, then by their weights."""
    shared, bits, mass = signature & mask, 0, 0.0
    while shared:
        shared &= shared - np.uint64(1)
        bits += 1
    if bits < least:
        return False
    for at in range(first, len(numbers)):
        if signature >> np.uint64(numbers[at] & 63) & np.uint64(1):
            mass += squares[at]
    return mass >= enough


may_carry = _fast(_may_carry, "always")  # a call would count references to each array


def _is_near(terms, begin, end, mask, numbers, weights, squares, logs, unknown, enough):
    """See `candidates._is_near`; the weights of the title's other terms, which lie far apart in memory, are read last."""
    dot, norm, carried = 0.0, 0.0, 0.0
    for at in range(begin, end):
        if mask >> np.uint64(terms[at] & 63) & np.uint64(1):
            for asked in range(len(numbers)):
                if numbers[asked] == terms[at]:
                    dot += (unknown - logs[terms[at]]) * weights[asked]
                    carried += squares[asked]
                    break
    if carried < enough:
        return False
    for at in range(begin, end):
        weight = unknown - logs[terms[at]]
        norm += weight * weight
    return dot * dot >= enough * norm * MARGIN


is_near = _fast(_is_near, "always")


def _near(asked_for, cosine, unknown, frequencies, offsets, logs, pool, signatures, starts, terms, found):
    """Positions of titles near one whose terms have these numbers, as often as they occur there, unknown ones below 0.

    Returns how many; as many as there is room for are put into `found`, some perhaps twice.
    """
    numbers, weights, norm = weigh(asked_for, logs, frequencies, unknown)
    squares, by_bit, hits = weights * weights, np.zeros(64), 0
    enough, rest = cosine * cosine * norm * MARGIN, squares.sum()
    every, _ = signature_of(numbers, squares, 0, by_bit, enough)
    for probe in range(len(numbers)):
        if rest < enough:
            break
        rest -= squares[probe]
        mask, least = signature_of(numbers, squares, probe, by_bit, enough)
        offset = offsets[numbers[probe]]
        for at in range(offset, offset + frequencies[numbers[probe]]):
            place = pool[at]
            if may_carry(signatures[place], mask, least, numbers, squares, probe, enough * MARGIN) and is_near(
                terms,
                starts[place],
                starts[place + 1],
                every,
                numbers,
                weights,
                squares,
                logs,
                unknown,
                enough * MARGIN,
            ):
                if hits < len(found):
                    found[hits] = place
                hits += 1
    return hits


near = _fast(_near)
"""`_near` as machine code."""
