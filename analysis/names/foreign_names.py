"""Names in characters that write foreign sounds."""

from collections.abc import Sequence

from analysis.names.known import words_of
from analysis.names.letters import is_common, sure_surnames, weights
from analysis.names.person_cues import OF_THINGS, SINGLE_WORDS, neighbours
from analysis.names.tokens import Token

_LIMIT = 2.2
_SHORT_LIMIT = 2.4
_MAX_TOKENS = 5
_MAX_CHARS = 8


def foreign_name(tokens: Sequence[Token], place: int) -> int:
    """Tokens of a name in characters that write foreign sounds."""
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


def sounds(word: str, part: str) -> bool:
    """Whether a name may begin or go on with this word."""
    if word in words_of("person") or (len(word) > 2 and word[-1] in OF_THINGS):
        return False
    if part in ("nrt", "nr", "x", "nz") and len(word) > 1:
        return all(weights(letter).foreign > 0.0 for letter in word)
    if len(word) > 1 or word in SINGLE_WORDS:
        return False
    return weights(word).foreign > 0.3
