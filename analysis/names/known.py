"""Places, organisations and clubs that are known by name, from lists written by hand."""

from functools import cache
from importlib import resources

from analysis.names.model import Kind


def data_lines(name: str) -> list[str]:
    """Those of a file of this package's data."""
    return resources.files(__package__).joinpath(f"data/{name}").read_text(encoding="utf-8").splitlines()


@cache
def _cues() -> dict[str, frozenset[str]]:
    return {name: frozenset(words) for name, *words in map(str.split, data_lines("cues.txt"))}


def cues(name: str) -> frozenset[str]:
    """Words of one list by which names are found: what stands before or after them, what they end with, what is none."""
    return _cues()[name]


@cache
def landmarks() -> frozenset[str]:
    """Regions, rivers, mountains, sights and large cities."""
    return frozenset(word for line in data_lines("landmarks.txt") for word in line.split())


@cache
def organisations() -> frozenset[str]:
    """Names of organisations in any context."""
    return frozenset(word for line in data_lines("organisations.txt")[:-1] for word in line.split())


@cache
def clubs() -> frozenset[str]:
    """Words that are names of clubs in texts on sports, and cities or common words elsewhere."""
    return frozenset(data_lines("organisations.txt")[-1].split())


@cache
def words_of(kind: Kind) -> frozenset[str]:
    """Words wrongly listed as names of this kind in the dictionary."""
    rows = (line.split() for line in data_lines("words.txt"))
    return frozenset(word for row in rows if row[0] == kind for word in row)
