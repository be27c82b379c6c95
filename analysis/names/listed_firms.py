"""Firms by the code of their share behind them: 卫士通（002268.SZ）."""

import re
from collections.abc import Sequence

from analysis.names.tokens import Token

NOT_IN_FIRMS = ("x", "p", "c", "u", "uj", "ul", "d", "r", "y", "w")
"""Parts of speech that no name of a firm has."""
_MAX_CHARS = 5
_CODE = re.compile(r"[（(][0-9]{5,6}\b")
_SHARE = re.compile(r"[0-9]{5,6}(?:\.[A-Z]{2})?$")


def listed_firms(text: str, tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """The first and last token of each."""
    if not _CODE.search(text):
        return []
    codes = (
        place
        for place in range(1, len(tokens) - 1)
        if tokens[place].text in "（(" and _SHARE.match(tokens[place + 1].text)
    )
    return [(begin, place - 1) for place in codes if (begin := _begin(tokens, place)) < place]


def _begin(tokens: Sequence[Token], place: int) -> int:
    """The first of the few words before this place, back to a mark or a word of grammar."""
    begin, letters = place, 0
    while begin > 0 and (letters := letters + len(tokens[begin - 1].text)) <= _MAX_CHARS:
        token = tokens[begin - 1]
        if not "\u4e00" <= token.text[0] <= "\u9fff" or token.part in NOT_IN_FIRMS:
            break
        begin -= 1
    return begin
