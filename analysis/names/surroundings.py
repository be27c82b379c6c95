"""Which divisions are near to a name: those that the text names around it, that of its topic, and that of its site."""

from collections.abc import Sequence
from functools import cache, lru_cache

from analysis.names.divisions import sure_code
from analysis.names.known import data_lines
from analysis.names.model import Name
from analysis.names.name_search import find_names

_GOVERNMENT = ".gov.cn"
_MAX_NEAR = 12
"""Codes that are looked at for one name."""
_BEHIND_CHARS = 40
"""A place that stands behind counts as if it were so much farther away: 福建省福州市鼓楼区."""


def near_codes(names: Sequence[Name], at: int, site: str = "", topic: str = "") -> tuple[str, ...]:
    """Codes of the divisions near to the name that begins at `at`, the nearest first.

    Args:
        names: all names of the text. site: the host of its page. topic: the name of its topic.
    """
    sure = ((_distance(name, at), sure_code(name.text)) for name in names if name.kind != "person" and name.start != at)
    around = [code for _, code in sorted((each for each in sure if each[1]), key=lambda each: each[0])]
    return tuple(dict.fromkeys((*around[:_MAX_NEAR], *_topic_codes(topic), *_site_code(site))))


def _distance(name: Name, at: int) -> int:
    return at - name.end if name.end <= at else name.start - at + _BEHIND_CHARS


@lru_cache(maxsize=1_000)
def _topic_codes(topic: str) -> tuple[str, ...]:
    return tuple(filter(None, (sure_code(name.text) for name in find_names(topic))))


@cache
def _sites() -> dict[str, str]:
    return {site: code for code, *sites in map(str.split, data_lines("division_sites.txt")) for site in sites}


@lru_cache(maxsize=10_000)
def _site_code(host: str) -> tuple[str, ...]:
    """Of a province's government, and of what is published there: www.nanning.gxzf.gov.cn, news.zjol.com.cn."""
    labels = host.lower().removesuffix(".").removesuffix(_GOVERNMENT).split(".")
    if host.lower().endswith(_GOVERNMENT):
        return tuple(filter(None, (_sites().get(labels[-1]),)))
    known = (_sites().get(".".join(labels[-count:])) for count in (2, 3))
    return tuple(filter(None, known))
