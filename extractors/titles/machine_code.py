"""The search of `candidates` for numba to compile; imported only where numba is installed and there are titles enough.

Numba gives its types when a function is first called, hence the bare signatures.
"""
# mypy: disable-error-code="no-untyped-def"

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from extractors.titles.candidates import MARGIN

_BLOCK = 256
_njit: Any = import_module("numba").njit


def _fast(function: Callable[..., Any], inline: str = "never") -> Callable[..., Any]:
    """As machine code, kept on disk where that is possible: not in a zipped egg, nor where nothing can be written."""
    try:
        kept: Callable[..., Any] = _njit(cache=True, inline=inline)(function)
    except RuntimeError:
        kept = _njit(inline=inline)(function)
    return kept


def _weigh(asked_for, logs, unknown):
    """The terms from rare to common, each once, and their weights."""
    numbers, rarities, weights, count = np.empty_like(asked_for), np.empty(len(asked_for)), np.empty(len(asked_for)), 0
    for number in asked_for:
        weight, at = unknown - logs[number], count
        while at and rarities[at - 1] < weight:
            at -= 1
        while at and rarities[at - 1] == weight and numbers[at - 1] > number:
            at -= 1
        if at and numbers[at - 1] == number:
            weights[at - 1] += weight
            continue
        for later in range(count, at, -1):
            numbers[later], rarities[later], weights[later] = (
                numbers[later - 1],
                rarities[later - 1],
                weights[later - 1],
            )
        numbers[at], rarities[at], weights[at], count = number, weight, weight, count + 1
    return numbers[:count], weights[:count]


weigh = _fast(_weigh)


def _count(bits):
    """How many are set; compilers know this for one instruction."""
    bits -= (bits >> np.uint64(1)) & np.uint64(0x5555555555555555)
    bits = (bits & np.uint64(0x3333333333333333)) + ((bits >> np.uint64(2)) & np.uint64(0x3333333333333333))
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (bits * np.uint64(0x0101010101010101)) >> np.uint64(56)


count = _fast(_count, "always")


def _signature(numbers, squares, enough):
    """The bits of these terms, and how many of them must be shared at least to carry enough: see `Probe.least`."""
    mask, least, left, heavy = np.uint64(0), 0, enough, np.sort(squares)
    for number in numbers:
        mask |= np.uint64(1) << np.uint64(number & 63)
    while left > 0.0 and least < len(heavy):
        least += 1
        left -= heavy[len(heavy) - least]
    return mask, least - len(numbers) + np.int64(count(mask))


signature = _fast(_signature)


def _sharing(pool, first, last, signatures, mask, least, places):
    """Positions from `first` to `last` in the pool whose signatures share enough bits; how many.

    Here and below no branch depends on what is read, so that many reads from far apart are under way at once.
    """
    left = 0
    for at in range(first, last):
        places[left] = pool[at]
        left += int(count(signatures[pool[at]] & mask) >= least)
    return left


sharing = _fast(_sharing)


def _carrying(places, left, signatures, seconds, numbers, squares, enough):
    """Those of the first places, moved to the front, both of whose signatures share bits that carry enough; how many."""
    masses, both, kept = np.zeros(left), np.empty((2, left), np.uint64), 0
    for at in range(left):
        both[0, at], both[1, at] = signatures[places[at]], seconds[places[at]]
    for asked in range(len(numbers)):
        low, high, square = np.uint64(numbers[asked] & 63), np.uint64(numbers[asked] >> 6 & 63), squares[asked]
        for at in range(left):
            masses[at] += square if (both[0, at] >> low) & (both[1, at] >> high) & np.uint64(1) else 0.0
    for at in range(left):
        places[kept] = places[at]
        kept += int(masses[at] >= enough)
    return kept


carrying = _fast(_carrying)


def _is_near(terms, begin, end, mask, numbers, weights, squares, logs, unknown, enough):
    """See `candidates._nearest`; the weights of the title's other terms, which lie far apart in memory, are read last."""
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
    return dot * dot >= enough * norm


is_near = _fast(_is_near, "always")  # a call would count references to each array


def _near(
    asked_for,
    least_squared,
    unknown,
    strange,
    frequencies,
    offsets,
    logs,
    pool,
    signatures,
    seconds,
    starts,
    terms,
    found,
):
    """Positions of titles near one whose known terms have these numbers, and whose other terms add `strange` to its norm.

    Returns how many; as many as there is room for are put into `found`, some perhaps twice.
    """
    numbers, weights = weigh(asked_for, logs, unknown)
    squares, hits, places, begins = weights * weights, 0, np.empty(_BLOCK, np.uint32), np.empty((2, _BLOCK), np.uint32)
    rest = squares.sum()
    enough = least_squared * (rest + strange)
    every, _ = signature(numbers, squares, enough)
    for probe in range(len(numbers)):
        if rest < enough:
            break
        rest -= squares[probe]
        mask, least = signature(numbers[probe:], squares[probe:], enough)
        first = offsets[numbers[probe]]
        last = first + frequencies[numbers[probe]]
        for start in range(first, last, _BLOCK):
            left = sharing(pool, start, min(start + _BLOCK, last), signatures, mask, least, places)
            left = carrying(places, left, signatures, seconds, numbers[probe:], squares[probe:], enough * MARGIN)
            for at in range(left):
                begins[0, at] = starts[places[at]]
            for at in range(left):
                begins[1, at] = terms[begins[0, at]]  # read now, waited for later
            for at in range(left):
                begin, end = begins[0, at], starts[places[at] + 1]
                if is_near(terms, begin, end, every, numbers, weights, squares, logs, unknown, enough):
                    if hits < len(found):
                        found[hits] = places[at]
                    hits += 1
    return hits


near = _fast(_near)
"""`_near` as machine code."""


def _put(numbers, start, position, logarithms, frequencies, offsets, logs, pool, signatures, seconds, terms):
    """Store a title's terms from `start` on, its signatures, and its position in the lists of its terms.

    Returns how many of the lists are full, or longer than logarithms are known for; `numbers` begins with their terms.
    """
    full, first, second = 0, np.uint64(0), np.uint64(0)
    for at in range(len(numbers)):
        number = numbers[at]
        terms[start + at] = number
        first |= np.uint64(1) << np.uint64(number & 63)
        second |= np.uint64(1) << np.uint64(number >> 6 & 63)
    signatures[position], seconds[position] = first, second
    for at in range(len(numbers)):
        number = numbers[at]
        count, last = np.int64(frequencies[number]), start + at
        if (terms[start:last] == number).any():
            continue
        low = count & -count
        if count == low or (count >= 64 and count <= 7 * low) or count + 2 >= len(logarithms):  # see `postings.NEXT`
            numbers[full] = number
            full += 1
        else:
            pool[offsets[number] + count] = position
            frequencies[number] = count + 1
            logs[number] = logarithms[count + 2]
    return full


put = _fast(_put)
"""`_put` as machine code."""
