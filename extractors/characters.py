"""Characters counted by kind over many texts at once."""

import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Kind = Literal["visible", "cjk", "letter", "digit", "punctuation", "stop", "comma", "upper"]

_BITS: dict[str, int] = {
    kind: 1 << place
    for place, kind in enumerate(("visible", "cjk", "letter", "digit", "punctuation", "stop", "comma", "upper"))
}
_STOPS = "。！？；…．.!?;؟।"
_COMMAS = "，、,،；;：:"
_CJK_RANGES = ((0x3040, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xAC00, 0xD7AF), (0xF900, 0xFAFF))
_LAST = 0xFFFF


@cache
def _table() -> NDArray[np.uint8]:
    """uint8[65536]: the kinds of every character of the basic plane; what lies beyond counts as the last one."""
    table = np.zeros(_LAST + 1, dtype=np.uint8)
    for code in range(_LAST + 1):
        table[code] = _kinds(chr(code))
    table[_LAST] = _BITS["visible"]
    return table


def _kinds(character: str) -> int:
    category = unicodedata.category(character)
    if character.isspace() or category in ("Cc", "Cf", "Cs"):
        return 0
    bits = _BITS["visible"]
    code = ord(character)
    if any(low <= code <= high for low, high in _CJK_RANGES):
        bits |= _BITS["cjk"]
    bits |= _BITS["letter"] * (category[0] == "L") | _BITS["digit"] * (category == "Nd")
    bits |= _BITS["punctuation"] * (category[0] == "P") | _BITS["upper"] * (category == "Lu")
    return bits | _BITS["stop"] * (character in _STOPS) | _BITS["comma"] * (character in _COMMAS)


class CharacterCounts:
    """The characters of M texts, none of them empty, as one array of kinds; `count` sums one kind per text."""

    def __init__(self, texts: Sequence[str]) -> None:
        lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        self._starts = np.cumsum(lengths) - lengths
        codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        self._kinds = _table()[np.minimum(codes, _LAST)]

    def count(self, kind: Kind) -> NDArray[np.int32]:
        """int32[M]: how many characters of each text are of this kind; "visible" is all but white space."""
        if not len(self._starts):
            return np.zeros(0, dtype=np.int32)
        return np.add.reduceat((self._kinds & _BITS[kind]) != 0, self._starts, dtype=np.int32)
