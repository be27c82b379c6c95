"""Class and id of each element, made comparable, and the words of templates in them."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.kernels import kernel
from extractors.records.signals.vocabulary import (
    ASIDE,
    AUTHOR,
    BODY,
    NOT_BODY,
    NOTICE,
    OTHER_PERSON,
    OTHER_TIME,
    OWN_TIME,
    QUOTE,
    RECORD,
    TITLE,
)
from extractors.text.multi_search import holding

_STATE = frozenset(
    "odd even first last alt alternate new unread read hot active parent clearfix d-flex row col container item "
    "byuser bypostauthor author thread-odd thread-even left right hide show open closed sticky locked".split()
)
"""Classes that tell parity or state, not kind."""
_NUMBER = re.compile(r"\d+")
_MAX_TOKENS = 8
_WORDS = (
    RECORD, ASIDE, AUTHOR, BODY, TITLE, NOT_BODY, QUOTE, OTHER_PERSON, OWN_TIME, OTHER_TIME, NOTICE,
)  # fmt: skip
_BITS = {id(words): 1 << place for place, words in enumerate(_WORDS)}
"""By identity: Python hashes a pattern anew each time, over all of its code."""
_KNOWN: dict[str, int] = {}
"""The words of names seen before: the pages of a site have the same names."""
_MAX_KNOWN = 20_000

Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ElementNames:
    """Names of the N elements of a page; elements without text have none.

    Attributes:
        tokens, stems: of the D different pairs of class and id, see `compared_names`.
        number, spellings: intp[N], the number of each element's spelling; the first spelling is "".
        words: int64[N], the bits (`word_bit`) of the words in each element's name.
    """

    tokens: list[Tokens]
    stems: list[str]
    number: NDArray[np.intp]
    spellings: list[str]
    words: NDArray[np.int64]

    def have(self, words: re.Pattern[str]) -> NDArray[np.bool_]:
        """bool[N]: the element's class or id has one of these words."""
        return (self.words & word_bit(words)).astype(np.bool_)

    def spelling(self, place: int) -> str:
        """An element's class and id in lower case, with # for numbers; "" where it has none or no text."""
        return self.spellings[int(self.number[place])]


def element_names(columns: Columns) -> ElementNames:
    """The names of all elements of a page."""
    pairs, which = columns.names
    tokens, stems, spelled = compared_names(pairs, _STATE, _MAX_TOKENS)
    numbers: dict[str, int] = {"": 0}
    known = [numbers.setdefault(each, len(numbers)) for each in spelled]
    number = np.zeros(len(columns), dtype=np.intp)
    number[columns.readable] = np.array(known, dtype=np.intp)[which]
    spellings = list(numbers)
    return ElementNames(tokens, stems, number, spellings, _words_in(spellings)[number])


def word_bit(words: re.Pattern[str]) -> int:
    """The bit of these words in `ElementNames.words`."""
    return _BITS[id(words)]


def _words_in(spellings: list[str]) -> NDArray[np.int64]:
    found = np.array([_KNOWN.get(spelled, -1) for spelled in spellings], dtype=np.int64)
    lacking = np.flatnonzero(found < 0)
    if len(lacking):
        names = [spellings[place] for place in lacking.tolist()]
        found[lacking] = sum(holding(words, names).astype(np.int64) << bit for bit, words in enumerate(_WORDS))
        if len(_KNOWN) > _MAX_KNOWN:
            _KNOWN.clear()
        _KNOWN.update(zip(names, found[lacking].tolist(), strict=True))
    return found


@kernel
def compared_names(
    names: list[tuple[str, str]], state: frozenset[str], max_tokens: int
) -> tuple[list[Tokens], list[str], list[str]]:
    """Of pairs of class and id: the tokens of the class without numbers and state, the stem of the id ("" for one without a
    number), and both in lower case with # for each number."""
    tokens, stems, spellings = [], [], []
    for classes, identity in names:
        found = {_NUMBER.sub("", token).strip("-_") for token in classes.lower().split()[:max_tokens]}
        tokens.append(tuple(sorted(token for token in found if len(token) > 1 and token not in state)))
        stems.append(_NUMBER.sub("#", identity) if _NUMBER.search(identity) else "")
        spellings.append(_NUMBER.sub("#", f"{classes} {identity}".strip().lower()))
    return tokens, stems, spellings
