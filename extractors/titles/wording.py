"""How likely the wordings of two titles show the same news, beyond their weighted terms.

A logistic regression on fifteen signs, one for Chinese and one for alphabets, fitted on pairs that people labelled and, with
less weight, on pairs labelled by rule (`python -m benchmarks.titles fit`). Chinese titles that may agree are read closely
thereafter (see `retelling`).
"""

import re
from collections.abc import Sequence
from math import exp, log1p, sqrt

from extractors.kernels import kernel
from extractors.titles.numbers import numbers_in
from extractors.titles.title_text import TitleText

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_LETTERS_PER_HAN = 4
"""Letters of an alphabet equivalent to one Chinese character."""
MAX_LETTERS = 200
"""Letters of a title that are compared."""
MAX_COUNTED = 3
_MAX_EXCHANGED = 3
"""Maximum terms of a name that is exchanged with another."""
SIGNS = (
    "cosine", "letters' cosine", "letters contained", "strange letters", "length", "ratio", "numbers shared", "lacking on each",
    "lacking on one", "replaced before the end", "replaced at the beginning", "replaced at the end", "added", "added inside",
    "response",
)  # fmt: skip
HAN_WEIGHTS = (
    1.658, 1.526, 5.946, -2.015, 3.212, -4.967, -0.054, 0.238, -0.022, -0.089, -0.730, -0.170, -0.289, 0.997, -1.482, -11.456,
)  # fmt: skip
ALPHABET_WEIGHTS = (
    2.327, 0.844, 3.650, -4.814, 0.614, 1.566, -0.271, -0.083, 0.257, -1.495, -0.885, 0.026, 0.721, -0.572, 0.0, -7.755,
)  # fmt: skip
"""Weights of the signs, and the bias."""
MIN_HAN, MIN_ALPHABET = 0.05, 0.35
"""Minimum likelihoods for Chinese wordings to be read closely, and for others to agree: chosen on held-out pairs."""


def likelihood(signs: Sequence[float], weights: Sequence[float]) -> float:
    """The likelihood of the same news, 0 … 1."""
    score = sum(weight * sign for weight, sign in zip(weights, signs, strict=False)) + weights[-1]
    return 1 / (1 + exp(-max(-50.0, min(50.0, score))))


def mostly_han(one: str, other: str) -> bool:
    """Whether the shorter title, by its letters, is Chinese."""
    shorter = min(one, other, key=han_length)
    return 2 * len("".join(_HAN.findall(shorter))) >= len(shorter)


def signs_of(one: TitleText, other: TitleText, cosine: float) -> tuple[float, ...]:
    """The values of `SIGNS`."""
    return in_order(one, other, cosine, wording_signs(one.letters, other.letters, one.terms, other.terms)[1:])


def in_order(one: TitleText, other: TitleText, cosine: float, read: Sequence[float]) -> tuple[float, ...]:
    shared = (numbers_in(one.terms) & numbers_in(other.terms)).total()
    return cosine, *read[:5], float(min(MAX_COUNTED, shared)), *read[5:]


@kernel
def wording_signs(one: str, other: str, mine: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[float, ...]:
    """Whether two titles are Chinese (`mostly_han`), and their signs except the cosine and shared numbers, in order.

    one, other: letters; mine, theirs: terms.
    """
    letters, others = one[:MAX_LETTERS], other[:MAX_LETTERS]
    lacking = sorted((_lacking(mine, theirs, others), _lacking(theirs, mine, letters)))
    return (
        float(mostly_han(one, other)),
        *shared_pairs(letters, others),
        max(strange_letters(letters, others), strange_letters(others, letters)),
        log1p(min(han_length(letters), han_length(others))),
        min(len(letters), len(others)) / max(len(letters), len(others), 1),
        float(lacking[0]),
        float(min(MAX_COUNTED, lacking[1])),
        *_changes(mine, theirs, min(len(letters), len(others))),
        float(("回应" in letters) != ("回应" in others)),
    )


def between_exchanged(one: Sequence[str], other: Sequence[str]) -> Sequence[str]:
    """The terms between two exchanged names, as in "A 赢了 B" and "B 赢了 A"; empty for other differences."""
    _, _, mine, theirs = _middles(one, other)
    if len(mine) != len(theirs) or len(mine) < 3 or sorted(mine) != sorted(theirs):
        return ()
    sizes = range(1, _MAX_EXCHANGED + 1)
    for first, last in ((first, last) for first in sizes for last in sizes if first + last < len(mine)):
        between = mine[first : len(mine) - last]
        if mine[:first] == theirs[-first:] and mine[-last:] == theirs[:last] and between == theirs[last:-first]:
            return between
    return ()


def agreement(one: str, other: str) -> float:
    """The overlap of two titles in pairs of neighbouring letters, 0 … 1: the mean of both `shared_pairs`."""
    return sum(shared_pairs(one, other)) / 2 if one and other else 0.0


def shared_pairs(one: str, other: str) -> tuple[float, float]:
    """The overlap of two titles in pairs of neighbouring letters: the cosine, and the share in the smaller set."""
    mine, theirs = letter_pairs(one), letter_pairs(other)
    shared = len(mine & theirs)
    return shared / sqrt(len(mine) * len(theirs)), shared / min(len(mine), len(theirs))


def _changes(one: Sequence[str], other: Sequence[str], shorter: int) -> tuple[float, float, float, float, float]:
    """Whether a part is replaced by another, by its place: before a common end, at the beginning, or at the end; whether a part
    is only added, and whether that is inside."""
    before, behind, mine, theirs = _middles(one, other)
    added = (not mine) != (not theirs)
    replaced = bool(mine and theirs) and abs(len(mine) - len(theirs)) <= 1 and not set(mine) & set(theirs)
    small = len("".join(mine)) + len("".join(theirs)) < shorter
    return (
        float(replaced and behind > 0 and small),
        float(replaced and before == 0 and small),
        float(replaced and behind == 0 and before > 0),
        float(added),
        float(added and before > 0 and behind > 0),
    )


def _middles(one: Sequence[str], other: Sequence[str]) -> tuple[int, int, Sequence[str], Sequence[str]]:
    """The numbers of common terms at the beginning and at the end of two titles, and the terms between in each."""
    shorter, before, behind = min(len(one), len(other)), 0, 0
    while before < shorter and one[before] == other[before]:
        before += 1
    while behind < shorter - before and one[-1 - behind] == other[-1 - behind]:
        behind += 1
    return before, behind, one[before : len(one) - behind], other[before : len(other) - behind]


def _lacking(terms: Sequence[str], others: Sequence[str], letters: str) -> int:
    """The number of terms that the other title has neither as terms nor within others."""
    return sum(term not in letters for term in set(terms).difference(others))


def strange_letters(letters: str, others: str) -> float:
    """The share of a title's letters that the other lacks."""
    return (len(letters) - sum(map(set(others).__contains__, letters))) / max(1, len(letters))


def letter_pairs(letters: str) -> set[str]:
    """The distinct pairs of neighbouring letters."""
    letters = letters[:MAX_LETTERS]
    return {letters[at : at + 2] for at in range(len(letters) - 1)} or {letters}


def han_length(letters: str) -> float:
    """The length of letters in equivalent Chinese characters."""
    han = len("".join(_HAN.findall(letters)))
    return han + (len(letters) - han) / _LETTERS_PER_HAN
