"""How much a character looks like part of a name: log odds against its use in words, counted in jieba's dictionary."""

from functools import cache
from typing import NamedTuple

from analysis.names.known import data_lines

_UNSEEN = -3.0


class LetterWeights(NamedTuple):
    """Of one character: in the middle and at the end of a name of three characters, as the only given one, in a name from
    another language."""

    middle: float
    last: float
    single: float
    foreign: float


_NONE = LetterWeights(_UNSEEN, _UNSEEN, _UNSEEN, _UNSEEN)


@cache
def _table() -> dict[str, LetterWeights]:
    rows = (line.split() for line in data_lines("letters.txt"))
    return {row[0]: LetterWeights(*(_UNSEEN if value == "-" else float(value) for value in row[1:])) for row in rows}


def weights(character: str) -> LetterWeights:
    """Those of the character; low ones if no name in the dictionary has it."""
    return _table().get(character, _NONE)


@cache
def surnames() -> frozenset[str]:
    """Chinese surnames of one and of two characters."""
    single, double, _ = data_lines("surnames.txt")
    return frozenset((*single, *double.split()))


@cache
def sure_surnames() -> frozenset[str]:
    """Surnames whose character is hardly ever a word of its own."""
    return frozenset(data_lines("surnames.txt")[2])


@cache
def _common() -> frozenset[str]:
    return frozenset(data_lines("common.txt"))


def is_common(word: str) -> bool:
    """Whether a word listed as a name is often used in another sense."""
    return word in _common()


def is_famous(word: str) -> bool:
    """Whether it is the name of a famous person, from a handwritten list."""
    return word in famous_people()


@cache
def famous_letters() -> frozenset[str]:
    """The first characters of these names."""
    return frozenset(name[0] for name in famous_people())


@cache
def famous_people() -> frozenset[str]:
    """Their names."""
    return frozenset(name for line in data_lines("people.txt") for name in line.split())
