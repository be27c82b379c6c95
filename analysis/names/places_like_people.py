"""Places whose names are, or begin with, what could be a person: 库卡尔特河, 鲁迅故里, 圣海伦岛, 厄瓜多尔瓜亚基尔."""

from collections.abc import Sequence

from analysis.names.divisions import is_country
from analysis.names.known import cues
from analysis.names.letters import is_famous, surnames
from analysis.names.model import Name
from analysis.names.tokens import Token

_SITES = cues("after_foreign_people")
_SURE_SITES = cues("after_people_at_sites")
"""Behind any person: 鲁迅 + 故里."""
_FOREIGN_ENDS = "岛州郡省县宫"
_AT = cues("before_towns")
_BESIDE_TOWNS = cues("beside_towns")
"""拉里萨 + 附近."""
_BEHIND_TOWNS = cues("after_towns")


def places_like_people(text: str, tokens: Sequence[Token], people: Sequence[Name]) -> tuple[Name, ...]:
    """Those of the people found who are places, with what stands behind them."""
    after = {token.start: token for token in tokens if token.text in _SITES}
    sites = tuple(
        Name(name.start, after[name.end].end, text[name.start : after[name.end].end], "place")
        for name in people
        if name.end in after and (after[name.end].text in _SURE_SITES or _is_foreign(name.text))
    )
    beside = {token.start for token in tokens if token.text in _BESIDE_TOWNS}
    towns = _towns_of_countries(tokens)
    whole = (
        name
        for name in people
        if name.end not in after
        and (
            _is_foreign_place(name.text)
            or (name.start, name.end) in towns
            or (name.end in beside and _is_foreign(name.text) and not is_famous(name.text))
        )
    )
    return (*sites, *(Name(name.start, name.end, name.text, "place") for name in whole))


def _towns_of_countries(tokens: Sequence[Token]) -> set[tuple[int, int]]:
    """Where one word stands between a country, at which something happens, and a mark: 在 + 厄瓜多尔 + 瓜亚基尔 + ，."""
    return {
        (town.start, town.end)
        for at, country, town, after in zip(tokens, tokens[1:], tokens[2:], tokens[3:], strict=False)
        if at.text in _AT and is_country(country.text) and not is_famous(town.text) and after.text in _BEHIND_TOWNS
    }


def _is_foreign_place(person: str) -> bool:
    """Whether a foreign name has an end that only places have: 圣海伦岛, 阿夸·伊博姆州."""
    return len(person) > 3 and person[-1] in _FOREIGN_ENDS and person[0] not in surnames()


def _is_foreign(person: str) -> bool:
    return len(person) > 3 or (len(person) > 2 and person[0] not in surnames())
