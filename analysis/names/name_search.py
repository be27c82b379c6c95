"""Names in a text: people, places, organisations, each with its offsets."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from analysis.names.division_places import find_divisions
from analysis.names.english_names import find_english
from analysis.names.known import cues
from analysis.names.letters import is_famous, surnames
from analysis.names.model import Name
from analysis.names.orgs import find_orgs
from analysis.names.person_names import find_people
from analysis.names.place_names import find_places, is_known
from analysis.names.tokens import Token, tokens_of
from extractors.topic.words import simplify

_HAN = re.compile("[\u4e00-\u9fff]")
_SITES = cues("after_foreign_people")
_SURE_SITES = cues("after_people_at_sites")
"""Behind any person: 鲁迅 + 故里."""
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
    found = _find_chinese(simplified := simplify(text))
    if simplified == text:
        return found
    return tuple(Name(name.start, name.end, text[name.start : name.end], name.kind) for name in found)


def _find_chinese(text: str) -> tuple[Name, ...]:
    tokens = tokens_of(text)
    places = tuple(find_places(text, tokens))
    divisions = find_divisions(text, tokens, places)
    places = tuple(sorted((*_outside(places, divisions), *divisions), key=lambda name: name.start))
    people = _outside(tuple(find_people(text, tokens)), divisions)
    sites = _sites_at(text, tokens, people)
    places, people = (*_outside(places, sites), *sites), _outside(people, sites)
    places = _outside(places, tuple(one for one in people if is_famous(one.text)))
    places = _outside(places, people, keep=is_known)
    people = _outside(people, places)
    orgs = tuple(find_orgs(text, tokens, places))
    found = (*_outside(places, orgs), *_outside(people, orgs), *orgs)
    return tuple(sorted((*found, *_again(text, found)), key=lambda name: name.start))


def _again(text: str, found: Sequence[Name]) -> tuple[Name, ...]:
    """People who are named once more where nothing tells that it is a name; a name that is mostly something else is none."""
    known = Counter(name.text for name in found if name.kind == "person" and len(name.text) >= _MIN_SURE_CHARS)
    more = (
        Name(match.start(), match.end(), person, "person")
        for person, times in known.items()
        if times < text.count(person) <= _MAX_AGAIN * times
        for match in re.finditer(re.escape(person), text)
    )
    return _outside(tuple(more), found)


def _sites_at(text: str, tokens: Sequence[Token], people: Sequence[Name]) -> tuple[Name, ...]:
    """Places that begin like a foreign person: 库卡尔特 + 河."""
    after = {token.start: token for token in tokens if token.text in _SITES}
    return tuple(
        Name(name.start, after[name.end].end, text[name.start : after[name.end].end], "place")
        for name in people
        if name.end in after and (after[name.end].text in _SURE_SITES or _is_foreign(name.text))
    )


def _is_foreign(person: str) -> bool:
    return len(person) > 3 or (len(person) > 2 and person[0] not in surnames())


def _outside(
    names: Sequence[Name], others: Sequence[Name], *, keep: Callable[[str], bool] = lambda text: False
) -> tuple[Name, ...]:
    taken = {at for other in others for at in range(other.start, other.end)}
    return tuple(name for name in names if taken.isdisjoint(range(name.start, name.end)) or keep(name.text))
