"""Signatures of a report: names alone between a writer's role and a mark."""

from collections.abc import Sequence

from analysis.names.known import cues
from analysis.names.tokens import Token

_WRITERS = cues("writers")
_CLOSING = frozenset("） ) 、 ， 。 摄 文 报道 】 ] 摄影 / ／".split())


def is_signed(tokens: Sequence[Token], place: int) -> bool:
    """Whether the word is all that stands between a role and a mark: （记者黄玫）."""
    if (
        not (0 < place < len(tokens) - 1)
        or tokens[place - 1].text not in _WRITERS
        or len(tokens[place].text) not in (2, 3)
    ):
        return False
    return tokens[place + 1].text in _CLOSING
