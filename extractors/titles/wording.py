"""How much of their wording two titles share, beyond the words: pairs of neighbouring letters.

Words alone take "A 战胜 B" for "B 战胜 A", and two short titles for the same news because they name the same people.
Pairs of letters see order and particles, and need no segmenter. Titles that are long say more: the shorter of the two
sets how much must be shared.
"""

import re
from math import sqrt

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_LETTERS_A_SYMBOL = 4
"""Letters of an alphabet that say as much as one Chinese character."""
_LEAST, _SHORT = 0.58, 3.0


def same_wording(one: str, other: str) -> bool:
    """Whether two titles, given as their letters, share enough: 0.58 and 3 / length of the shorter, or all."""
    if one == other:
        return True
    shared = agreement(one, other)
    if shared < _needed(min(len(one), len(other))):  # no letter counts for more than one
        return False
    return shared >= _needed(min(_length(one), _length(other)))


def _needed(length: float) -> float:
    return _LEAST + _SHORT / max(1.0, length)


def agreement(one: str, other: str) -> float:
    """Pairs of letters in common, 0 to 1: the mean of their cosine and of the share in the smaller set.

    A title that only adds to the other keeps half of what it would lose by the cosine.
    """
    if not one or not other:
        return 0.0
    mine, theirs = _pairs(one), _pairs(other)
    shared = len(mine & theirs)
    if not shared:
        return 0.0
    return (shared / sqrt(len(mine) * len(theirs)) + shared / min(len(mine), len(theirs))) / 2


def _pairs(letters: str) -> set[str]:
    return {letters[at : at + 2] for at in range(len(letters) - 1)} or {letters}


def _length(letters: str) -> float:
    """In Chinese characters."""
    han = len("".join(_HAN.findall(letters)))
    return han + (len(letters) - han) / _LETTERS_A_SYMBOL
