"""Which of two names stays that share characters."""

from collections.abc import Callable, Sequence

from analysis.names.known import cues
from analysis.names.letters import is_famous
from analysis.names.model import Name

_SITE_ENDS = tuple(cues("site_ends"))


def outside(
    names: Sequence[Name], others: Sequence[Name], *, keep: Callable[[str], bool] = lambda text: False
) -> tuple[Name, ...]:
    """Names that share no character with others, and those to keep."""
    taken = {at for other in others for at in range(other.start, other.end)}
    return tuple(name for name in names if taken.isdisjoint(range(name.start, name.end)) or keep(name.text))


def not_in_sites(divisions: Sequence[Name], places: Sequence[Name]) -> tuple[Name, ...]:
    """Without those with which the name of a site begins: 岚山 + 中心 + 渔港."""
    longest = {name.start: name.end for name in places if name.text.endswith(_SITE_ENDS)}
    return tuple(name for name in divisions if longest.get(name.start, 0) <= name.end)


def no_places(people: Sequence[Name], places: Sequence[Name]) -> tuple[Name, ...]:
    """Without those in the name of a site, and towns with which longer names begin: 高雄 + 左营 + 车站."""
    longest = {name.start: name.end for name in places}
    sites = {at: name for name in places if name.text.endswith(_SITE_ENDS) for at in range(name.start, name.end)}
    return tuple(
        one
        for one in people
        if (longest.get(one.start, 0) < one.end or is_famous(one.text))
        and not (one.start in sites and one.end <= sites[one.start].end)
    )
