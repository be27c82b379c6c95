"""Counts characters by kind, for many texts at once."""

import html
import re
import unicodedata
from functools import cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import kernel

Kind = Literal["visible", "cjk", "letter", "digit", "punctuation", "stop", "comma", "upper"]

KINDS: tuple[Kind, ...] = get_args(Kind)
_BITS: dict[str, int] = {kind: 1 << place for place, kind in enumerate(KINDS)}
_STOPS = "。！？；…．.!?;؟।"
_COMMAS = "，、,،；;：:"
_CJK_RANGES = ((0x3040, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xAC00, 0xD7AF), (0xF900, 0xFAFF))
_LAST = 0xFFFF


def _has(categories: NDArray[np.str_], wanted: str) -> NDArray[np.bool_]:
    return np.isin(categories, wanted.split())


def _one_of(characters: str) -> NDArray[np.bool_]:
    found = np.zeros(_LAST + 1, dtype=np.bool_)
    found[[ord(character) for character in characters]] = True
    return found


@cache
def _tables() -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """uint8[65536]: the class of every character of the basic plane, the last one also for all characters beyond; and
    int32[classes, kinds]: 1 where the class belongs to the kind."""
    category = np.array([unicodedata.category(chr(code)) for code in range(_LAST + 1)])
    cjk = np.zeros(_LAST + 1, dtype=np.bool_)
    for low, high in _CJK_RANGES:
        cjk[low : high + 1] = True
    bits = np.zeros(_LAST + 1, dtype=np.uint8)
    for kind, mask in (
        ("cjk", cjk),
        ("letter", _has(category, "Lu Ll Lt Lm Lo")),
        ("digit", category == "Nd"),
        ("punctuation", _has(category, "Pc Pd Ps Pe Pi Pf Po")),
        ("stop", _one_of(_STOPS)),
        ("comma", _one_of(_COMMAS)),
        ("upper", category == "Lu"),
        ("visible", np.ones(_LAST + 1, dtype=np.bool_)),
    ):
        bits[mask] |= _BITS[kind]
    bits[_has(category, "Cc Cf Cs Zs Zl Zp")] = 0
    bits[_LAST] = _BITS["visible"]
    classes, of_character = np.unique(bits, return_inverse=True)
    return of_character.astype(np.uint8), (classes[:, None] >> np.arange(len(_BITS)) & 1).astype(np.int32)


class CharacterCounts:
    """The characters of M texts, counted by kind: a histogram of classes of characters for each text."""

    def __init__(self, texts: list[str]) -> None:
        self.by_kind = count_characters(texts, *_tables())
        """int32[kinds, M], the kinds in the order of `KINDS`."""

    def count(self, kind: Kind) -> NDArray[np.int32]:
        """int32[M]: characters of this kind in each text; "visible" means all except white space."""
        counts: NDArray[np.int32] = self.by_kind[KINDS.index(kind)]
        return counts


@kernel
def count_characters(texts: list[str], class_of: NDArray[np.uint8], kinds: NDArray[np.int32]) -> NDArray[np.int32]:
    """int32[kinds, M]: characters of each kind in each text.

    class_of: by code point, the last one also for all beyond. kinds[classes, kinds]: 1 where the class belongs to the kind.
    """
    number = len(texts)
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=number)
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    bins = np.repeat(np.arange(0, number * len(kinds), len(kinds)), lengths)
    bins += class_of.take(np.minimum(codes, len(class_of) - 1))
    counts = np.bincount(bins, minlength=number * len(kinds)).reshape(number, len(kinds))
    found: NDArray[np.int32] = kinds.T @ counts.T.astype(np.int32)
    return found


_LONG_REFERENCE = re.compile(r"&#[0-9]{8,};?")


def unescape(text: str) -> str:
    """`html.unescape` without its exception for character numbers of thousands of digits."""
    return html.unescape(_LONG_REFERENCE.sub("\ufffd", text) if "&#" in text else text)
