"""Names in a text: people, places, organisations, each with its offsets."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from analysis.names.division_places import find_divisions
from analysis.names.english_names import find_english
from analysis.names.letters import is_famous
from analysis.names.model import Name
from analysis.names.orgs import find_orgs
from analysis.names.overlaps import no_places, not_in_sites, outside
from analysis.names.person_names import find_people
from analysis.names.place_names import find_places, is_known
from analysis.names.places_like_people import places_like_people
from analysis.names.tokens import tokens_of
from extractors.topic.words import simplify

_HAN = re.compile("[\u4e00-\u9fff]")
_ACROSS = re.compile("台湾|两岸|台胞|台北")
_SIDE = "大陆"
"""Names of no organisations begin with it."""
_MAINLAND = re.compile(f"(?<![洲新古次美欧亚国]){_SIDE}(?![架性板坡漂集法桥系])")
_MIN_SURE_CHARS = 3
"""Characters of a name from which on it is the same person wherever it stands in a text."""
_MAX_AGAIN = 3
"""A name may occur this many times as often as cues say that it is one."""
_MAX_TEXT_CHARS = 20_000
"""Maximum number of characters read."""


def find_names(text: str) -> tuple[Name, ...]:
    """All names in text order, without nesting: a place inside an organisation's name is not listed."""
    text = text[:_MAX_TEXT_CHARS]
    if not _HAN.search(text):
        return tuple(find_english(text))
    simplified = simplify(text)
    found = _find_chinese(simplified, across=simplified != text or _ACROSS.search(text) is not None)
    if simplified == text:
        return found
    return tuple(Name(name.start, name.end, text[name.start : name.end], name.kind) for name in found)


def _find_chinese(text: str, *, across: bool) -> tuple[Name, ...]:
    """Names in simplified characters; `across` says whether 大陆 is one side of the strait."""
    tokens = tokens_of(text)
    places = (*find_places(text, tokens), *(_mainland(text) if across else ()))
    divisions = not_in_sites(find_divisions(text, tokens, places), places)
    places = tuple(sorted((*outside(places, divisions), *divisions), key=lambda name: name.start))
    people = outside(tuple(find_people(text, tokens)), divisions)
    people = no_places(people, places)
    sites = places_like_people(text, tokens, people)
    places, people = (*outside(places, sites), *sites), outside(people, sites)
    places = outside(places, tuple(one for one in people if is_famous(one.text)))
    places = outside(places, people, keep=is_known)
    people = outside(people, places)
    orgs = tuple(find_orgs(text, tokens, [name for name in places if name.text != _SIDE]))
    found = (*outside(places, orgs), *outside(people, orgs), *orgs)
    return tuple(sorted((*found, *_again(text, found)), key=lambda name: name.start))


def _mainland(text: str) -> Iterator[Name]:
    yield from (Name(match.start(), match.end(), match.group(), "place") for match in _MAINLAND.finditer(text))


def _again(text: str, found: Sequence[Name]) -> tuple[Name, ...]:
    """People who are named once more where nothing tells that it is a name; a name that is mostly something else is none."""
    known = Counter(name.text for name in found if name.kind == "person" and len(name.text) >= _MIN_SURE_CHARS)
    more = (
        Name(match.start(), match.end(), person, "person")
        for person, times in known.items()
        if times < text.count(person) <= _MAX_AGAIN * times
        for match in re.finditer(re.escape(person), text)
    )
    return outside(tuple(more), found)
