"""Foreign names with a dot or hyphen between their parts: 阿里·哈桑, 凯文-杜兰特."""

import re
from collections.abc import Sequence

from analysis.names.divisions import country_of, is_division
from analysis.names.letters import weights
from analysis.names.person_cues import AFTER, NOT_IN_FOREIGN, ROLE_ENDS, is_role
from analysis.names.tokens import Token

_DOTS = frozenset("·•・．‧-")
_DOTTED = re.compile("[·•・．‧]|[\u4e00-\u9fff]-[\u4e00-\u9fff]")
_MAX_TOKENS = 16
_MAX_TOKENS_BEFORE_DOT = 4
_NO_SOUND = -0.8
"""Characters with lower odds hardly ever write foreign sounds."""


def dotted_names(text: str, tokens: Sequence[Token]) -> dict[int, int]:
    """Where names with a dot begin, and how many tokens they have."""
    return _found(tokens) if _DOTTED.search(text) else {}


def _found(tokens: Sequence[Token]) -> dict[int, int]:
    found: dict[int, int] = {}
    free = 0
    for dot in [place for place, token in enumerate(tokens) if token.text in _DOTS]:
        if dot <= free or not _joins(tokens, dot):
            continue
        begin = dot - 1
        while begin > free and dot - begin < _MAX_TOKENS_BEFORE_DOT and _may_go_on(tokens[begin - 1]):
            begin -= 1
        if tokens[begin].text in ROLE_ENDS and begin < dot - 1:
            begin += 1
        free = _end_of_dotted(tokens, dot + 1)
        found[begin] = free - begin
    return found


def _end_of_dotted(tokens: Sequence[Token], place: int) -> int:
    """Behind the last token of a name of which this one stands behind the first dot."""
    stop = min(len(tokens), place + _MAX_TOKENS)
    place += 1
    while place < stop:
        if tokens[place].text in _DOTS and _joins(tokens, place):
            place += 2
        elif _may_go_on(tokens[place]):
            place += 1
        else:
            break
    return min(place, len(tokens))


def _may_go_on(token: Token) -> bool:
    return token.text not in NOT_IN_FOREIGN and _is_foreign(token)


def _joins(tokens: Sequence[Token], dot: int) -> bool:
    """Whether a dot stands between two parts of a foreign name."""
    if not 0 < dot < len(tokens) - 1:
        return False
    sides = (tokens[dot - 1], tokens[dot + 1])
    if tokens[dot].text == "-":
        return all(_is_foreign(side) and not is_division(side.text) for side in sides)
    return any(map(_is_foreign, sides)) and all(_is_foreign(side) or _may_be_by_dot(side) for side in sides)


def _may_be_by_dot(token: Token) -> bool:
    return 1 < len(token.text) < 5 and all("\u4e00" <= letter <= "\u9fff" for letter in token.text) and not is_role(token) and token.text not in AFTER and country_of(token.text) == ""  # fmt: skip


def _is_foreign(token: Token) -> bool:
    if token.text.isascii():
        return token.text.isalpha() and token.text[0].isupper() and len(token.text) == 1
    return all(weights(letter).foreign > _NO_SOUND for letter in token.text)
