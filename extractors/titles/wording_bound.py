"""Titles whose wordings cannot agree: an upper bound of the score by `wording`, for a small part of its cost.

The most important signs (cosine, letters, length) are computed exactly; the others count with their best values. A title whose
bound is below the minimum score need not be scored.
"""

from collections.abc import Sequence
from math import log, log1p, sqrt

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import kernel
from extractors.titles.names import TitleNames
from extractors.titles.title_store import TitleStore
from extractors.titles.title_text import TitleText
from extractors.titles.wording import (
    ALPHABET_WEIGHTS,
    HAN_WEIGHTS,
    MAX_COUNTED,
    MAX_LETTERS,
    MIN_ALPHABET,
    MIN_HAN,
    han_length,
    letter_pairs,
    mostly_han,
    strange_letters,
)

_EQUAL_COSINE = 0.999_999
"""Cosine of equal terms, whose order alone decides."""
_ROUNDING = 1e-6


def _model(weights: Sequence[float], least: float) -> tuple[float, ...]:
    """Weights of the first six signs; the maximum of the others minus the minimum score; and the maxima of each term that both
    lack, and of an addition."""
    counted = MAX_COUNTED * max(0.0, weights[6]) + MAX_COUNTED * max(0.0, weights[8])
    others = counted + sum(max(0.0, weight) for weight in (*weights[9:12], weights[14]))
    return (
        *weights[:6],
        others + weights[-1] - log(least / (1 - least)) + _ROUNDING,
        max(0.0, weights[7]),
        max(0.0, weights[12], weights[12] + weights[13]),
    )


MODELS = np.array([_model(HAN_WEIGHTS, MIN_HAN), _model(ALPHABET_WEIGHTS, MIN_ALPHABET)])
"""Models for Chinese and for alphabets."""


@kernel
def unlike_wordings(
    letters: str,
    numbers: list[int],
    strangers: int,
    places: list[int],
    cosines: list[float],
    models: NDArray[np.float64],
    name_letters: NDArray[np.uint8],
    begins: NDArray[np.uint32],
    starts: NDArray[np.uint32],
    terms: NDArray[np.uint32],
) -> list[bool]:
    """bool of each of the titles at these places: its wording certainly disagrees with a title's.

    letters: of the title. numbers: its distinct known terms; strangers: the number of its other terms. cosines: of the places.
    models: `MODELS`. name_letters, begins: see `TitleNames`; starts, terms: see `TitleStore`.
    """
    found, code, ends = [], name_letters.data, begins.data
    for place, cosine in zip(places, cosines, strict=True):
        own = terms[starts[place] : starts[place + 1]].tolist()
        other = b"".join([code[ends[number] : ends[number + 1]] for number in own]).decode("utf-8", "surrogatepass")
        if (
            cosine > _EQUAL_COSINE
            or letters == other
            or not 1 < min(len(letters), len(other)) <= max(len(letters), len(other)) <= MAX_LETTERS
        ):
            found.append(False)
            continue
        model = models[0 if mostly_han(letters, other) else 1].tolist()
        mine = len(numbers) + strangers - len(set(numbers).intersection(own))
        theirs = sum(number not in numbers for number in own)
        found.append(
            _bound(letters, other, cosine, model) + model[7] * min(mine, theirs) + model[8] * (not mine or not theirs)
            < 0
        )
    return found


def _bound(one: str, other: str, cosine: float, model: Sequence[float]) -> float:
    mine, theirs = letter_pairs(one), letter_pairs(other)
    shared = len(mine & theirs)
    score = model[6] + model[0] * cosine + model[1] * (shared / sqrt(len(mine) * len(theirs)))
    score += model[2] * (shared / min(len(mine), len(theirs)))
    score += model[3] * max(strange_letters(one, other), strange_letters(other, one))
    score += model[4] * log1p(min(han_length(one), han_length(other)))
    return score + model[5] * (min(len(one), len(other)) / max(len(one), len(other)))


def unlike_titles(
    title: TitleText,
    known: Sequence[int],
    cosines: list[float],
    places: list[int],
    names: TitleNames,
    store: TitleStore,
) -> list[bool]:
    """bool of each of the stored titles at these places, with these cosines: its wording certainly disagrees with the title's.

    known: the numbers of the title's known terms. names: of all terms.
    """
    numbers = list(dict.fromkeys(known))
    strangers = len(set(title.terms)) - len(numbers)
    columns = names.letters.data, names.begins.data, store.starts.data[: store.starts.size], store.terms.data
    return unlike_wordings(title.letters, numbers, strangers, places, cosines, MODELS, *columns)
