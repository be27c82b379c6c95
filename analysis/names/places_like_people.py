"""Places whose names are, or begin with, what could be a person: 库卡尔特河, 鲁迅故里, 圣海伦岛."""

from collections.abc import Sequence

from analysis.names.known import cues
from analysis.names.letters import surnames
from analysis.names.model import Name
from analysis.names.tokens import Token

_SITES = cues("after_people_at_sites")
_FOREIGN_ENDS = "岛州郡省县宫"


def places_like_people(text: str, tokens: Sequence[Token], people: Sequence[Name]) -> tuple[Name, ...]:
    """Those of the people found who are places, with what stands behind them."""
    after = {token.start: token for token in tokens if token.text in _SITES}
    sites = (
        Name(name.start, after[name.end].end, text[name.start : after[name.end].end], "place")
        for name in people
        if name.end in after
    )
    whole = (Name(name.start, name.end, name.text, "place") for name in people if _is_foreign_place(name.text))
    return (*sites, *(name for name in whole if name.end not in after))


def _is_foreign_place(person: str) -> bool:
    """Whether a foreign name has an end that only places have: 圣海伦岛, 阿夸·伊博姆州."""
    return len(person) > 3 and person[-1] in _FOREIGN_ENDS and person[0] not in surnames()
