"""Names in characters that write foreign sounds, with more freedom behind an office: 总统阿比纳德尔."""

from collections.abc import Sequence

from analysis.names.divisions import is_country
from analysis.names.known import cues, words_of
from analysis.names.letters import is_common, sure_surnames, weights
from analysis.names.person_cues import NOT_IN_FOREIGN, OF_THINGS, SINGLE_WORDS, neighbours
from analysis.names.tokens import Token

_CHIEFS = cues("chiefs")
_LIMIT = 2.2
_SHORT_LIMIT = 2.4
_MAX_TOKENS = 5
_MAX_CHARS = 8
_MIN_CHIEF_CHARS = 3
_MIN_COUNTRY_CHARS = 3
"""Shorter names of countries may begin that of a person: 马里 + 奥."""


def is_chief(word: str) -> bool:
    """Whether it is an office behind which a foreign name may begin whatever its words are."""
    return word in _CHIEFS


def foreign_name(tokens: Sequence[Token], place: int) -> int:
    """Tokens of a name in characters that write foreign sounds."""
    if len(tokens[place].text) >= _MIN_COUNTRY_CHARS and is_country(tokens[place].text):
        return 0
    count = letters = known = 0
    total = 0.0
    for token in tokens[place : place + _MAX_TOKENS]:
        if not sounds(token.text, token.part) or (count and _is_whole_name(token)):
            break
        count, letters = count + 1, letters + len(token.text)
        known += token.part in ("nrt", "nr")
        total += sum(weights(letter).foreign for letter in token.text)
    if letters < 2 or letters > _MAX_CHARS:
        return 0
    score = total / letters + neighbours(tokens, place, count) / 2 + (0.6 if known else 0.0) + 0.15 * (letters - 3)
    word = "".join(token.text for token in tokens[place : place + count])
    if is_common(word) or (letters == 2 and not (known and score > _SHORT_LIMIT)):
        return 0
    return count if score > _LIMIT else 0


def _is_whole_name(token: Token) -> bool:
    """Whether a Chinese name begins and ends with the word, so that no other goes on: 马龙 + 樊振东."""
    return token.part == "nr" and len(token.text) == 3 and token.text[0] in sure_surnames()


def foreign_chief(tokens: Sequence[Token], place: int) -> int:
    """Tokens of a foreign name behind an office, whatever words the dictionary takes it for: 总统 + 阿比纳德尔."""
    if place == 0 or tokens[place - 1].text not in _CHIEFS:
        return 0
    count = letters = 0
    for token in tokens[place : place + _MAX_TOKENS]:
        if token.text in NOT_IN_FOREIGN or not all(weights(letter).foreign > 0.0 for letter in token.text):
            break
        count, letters = count + 1, letters + len(token.text)
    return count if _MIN_CHIEF_CHARS <= letters <= _MAX_CHARS else 0


def sounds(word: str, part: str) -> bool:
    """Whether a name may begin or go on with this word."""
    if word in words_of("person") or (len(word) > 2 and word[-1] in OF_THINGS):
        return False
    if part in ("nrt", "nr", "x", "nz") and len(word) > 1:
        return all(weights(letter).foreign > 0.0 for letter in word)
    if len(word) > 1 or word in SINGLE_WORDS:
        return False
    return weights(word).foreign > 0.3
