"""Who signs a report: what stands alone between a writer's role and a mark."""

from collections.abc import Sequence

from analysis.names.known import cues
from analysis.names.letters import surnames, weights
from analysis.names.tokens import Token

_WRITERS = cues("writers")
_CLOSING = frozenset("） ) 、 ， 。 摄 文 报道 】 ] 摄影 / ／".split())
_MAX_TOKENS = 5
_MAX_CHARS = 4
_NO_SOUND = -0.8
"""Characters with lower odds hardly ever write foreign sounds."""


def signature(tokens: Sequence[Token], place: int) -> int:
    """Tokens of what stands alone between a writer's role and a mark: （记者王珏玢）, 记者晋美多吉摄."""
    if not place or tokens[place - 1].text not in _WRITERS:
        return 0
    stop = next((at for at, token in enumerate(tokens[place : place + _MAX_TOKENS], place) if _closes(token)), place)
    words = [token.text for token in tokens[place:stop]]
    name = "".join(words)
    if len(words) < 2 or len(name) > _MAX_CHARS or not all("\u4e00" <= letter <= "\u9fff" for letter in name):
        return 0
    if all(len(word) > 1 and word[0] in surnames() for word in words):
        return 0
    return len(words) if name[0] in surnames() or all(weights(letter).foreign > _NO_SOUND for letter in name) else 0


def is_signed(tokens: Sequence[Token], place: int) -> bool:
    """Whether the word is all that stands between a role and a mark: （记者黄玫）."""
    if (
        not (0 < place < len(tokens) - 1)
        or tokens[place - 1].text not in _WRITERS
        or len(tokens[place].text) not in (2, 3)
    ):
        return False
    return tokens[place + 1].text in _CLOSING


def _closes(token: Token) -> bool:
    return token.text in _CLOSING or token.text.isspace()
