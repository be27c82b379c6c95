"""Writes titles into the posting lists of their terms, singly or in bulk."""

from bisect import bisect_right
from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import kernel
from extractors.titles.list_marks import BITS, bits_of, classes_of

_LENGTHS = [*(1 << bit for bit in range(7)), *(part << bit for bit in range(4, 30) for part in (5, 6, 7, 8))]
NEXT_LENGTH = dict(zip([0, *_LENGTHS], _LENGTHS, strict=False))
"""The length of a slab → the next longer length: powers of two, and above 64 three lengths between two powers."""
SLABS = np.array([0, *_LENGTHS], np.int64)


@kernel
def count_titles(
    terms: NDArray[np.uint32], starts: NDArray[np.uint32], number: int, signatures: NDArray[np.uint64]
) -> NDArray[np.int64]:
    """The number of titles with each of `number` terms; writes the signature of each title.

    terms: title by title; starts: the bounds of each title's terms.
    """
    lengths = np.diff(starts)
    bits = np.left_shift(np.uint64(1), (terms & np.uint32(63)).astype(np.uint64))
    signatures[:] = _together(bits, lengths)
    return np.bincount(_distinct(terms, lengths)[0], minlength=number).astype(np.int64)


@kernel
def post_titles(
    terms: NDArray[np.uint32],
    starts: NDArray[np.uint32],
    frequencies: NDArray[np.int64],
    offsets: NDArray[np.int64],
    floors: NDArray[np.float64],
    bounds: NDArray[np.float64],
    pool: NDArray[np.uint32],
    beside: NDArray[np.uint32],
) -> None:
    """Write the lists of many titles, starting at the offsets, into a pool, and the marks beside it.

    terms, starts: see `count_titles`; frequencies, offsets, floors: by term; bounds: of the classes.
    """
    lengths = np.diff(starts)
    marks = classes_of(terms, lengths, floors) << np.uint32(BITS) | _together(bits_of(terms), lengths)
    positions = _distinct(terms, lengths)[1]
    begins = offsets - (np.cumsum(frequencies) - frequencies)
    places = np.arange(len(positions)) + begins.repeat(frequencies)
    pool[places], beside[places] = positions, marks[positions]


@kernel
def store_titles(
    titles: list[list[int]],
    position: int,
    bounds: NDArray[np.float64],
    frequencies: NDArray[np.uint32],
    offsets: NDArray[np.uint32],
    floors: NDArray[np.float64],
    pool: NDArray[np.uint32],
    marks: NDArray[np.uint32],
    signatures: NDArray[np.uint64],
    starts: NDArray[np.uint32],
    terms: NDArray[np.uint32],
) -> list[tuple[int, int, int]]:
    """Write the terms, ends and signatures of titles, starting at this position, and the position and mark of each into the lists
    of its terms; returns term, position and mark for full lists, in the order of titles. bounds: of the classes; the arrays: see
    `TitleStore`."""
    full, end = list[tuple[int, int, int]](), int(starts[position])
    for place, numbers in enumerate(titles, position):
        terms[end : end + len(numbers)] = numbers
        end += len(numbers)
        starts[place + 1] = end
        mark, signatures[place] = _mark_and_signature(numbers, floors, bounds)
        for number in dict.fromkeys(numbers):
            count = frequencies.data[number]
            if count in NEXT_LENGTH:
                full.append((number, place, mark))
            else:
                at = offsets.data[number] + count
                pool[at], marks[at] = place, mark
                frequencies[number] = count + 1
    return full


def _mark_and_signature(
    numbers: list[int], floors: NDArray[np.float64], bounds: NDArray[np.float64]
) -> tuple[int, int]:
    signature = bits = 0
    times, squared = Counter(numbers), 0.0
    for number, several in times.items():
        signature |= 1 << (number & 63)
        bits |= 1 << number % BITS
        weight = floors.data[number] * several
        squared += weight * weight
    most = max(times.values(), default=1)
    return (bisect_right(bounds.data, squared / (most * most)) - 1) << BITS | bits, signature


def _distinct(terms: NDArray[np.uint32], lengths: NDArray[np.integer]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Each title's distinct terms, by term and then by title: the terms, and the title of each."""
    pairs = terms.astype(np.uint64) << np.uint64(32)
    pairs |= np.repeat(np.arange(len(lengths), dtype=np.uint64), lengths)
    pairs.sort()
    pairs = pairs[np.concatenate([[True], pairs[1:] != pairs[:-1]])[: len(pairs)]]
    return (pairs >> np.uint64(32)).astype(np.uint32), (pairs & np.uint64(0xFFFFFFFF)).astype(np.uint32)


def _together(bits: NDArray[Any], lengths: NDArray[np.integer]) -> NDArray[Any]:
    """The combined bits of each title's terms."""
    ends = np.cumsum(lengths, dtype=np.int64)
    found = np.zeros(len(lengths), bits.dtype)
    filled = lengths > 0
    if filled.any():
        found[filled] = np.bitwise_or.reduceat(bits, (ends - lengths)[filled])
    return found
