"""Names in a text: people, places, organisations, each with its offsets."""

import re
from collections.abc import Callable, Sequence

from analysis.names.english import find_english
from analysis.names.model import Name
from analysis.names.orgs import find_orgs
from analysis.names.people import find_people
from analysis.names.places import find_places, is_known
from analysis.names.tokens import tokens_of

_HAN = re.compile("[\u4e00-\u9fff]")
_LONGEST = 20_000
"""Characters that are read."""


def find_names(text: str) -> tuple[Name, ...]:
    """All names in the order of the text, none inside another: a place in an organisation's name is part of it."""
    text = text[:_LONGEST]
    if not _HAN.search(text):
        return tuple(find_english(text))
    tokens = tokens_of(text)
    places = tuple(find_places(text, tokens))
    people = tuple(find_people(text, tokens))
    places = _outside(places, people, keep=is_known)
    people = _outside(people, places)
    orgs = tuple(find_orgs(text, tokens, places))
    both = sorted((*_outside(places, orgs), *_outside(people, orgs), *orgs), key=lambda name: name.start)
    return tuple(both)


def _outside(
    names: Sequence[Name], others: Sequence[Name], *, keep: Callable[[str], bool] = lambda text: False
) -> tuple[Name, ...]:
    taken = {at for other in others for at in range(other.start, other.end)}
    return tuple(name for name in names if taken.isdisjoint(range(name.start, name.end)) or keep(name.text))
