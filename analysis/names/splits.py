"""Words of the dictionary that hold a name and something else, cut apart: 美国政府, 外交部长, 邓小平理论, 访华."""

from functools import lru_cache

from analysis.names.divisions import country_of, is_large
from analysis.names.known import cues, landmarks, organisations, words_of
from analysis.names.letters import is_famous, sure_surnames, surnames, weights

_AFTER_PLACES = cues("after_regions")
_AFTER_PEOPLE = ("理论", "思想", "主义", "同志", "先生", "女士", "总统", "总理", "主席", "将军")
_COMMITTEE_HEADS = cues("committee_heads")
_MINISTRIES = cues("ministries")
ABBREVIATIONS = frozenset("中美日俄英法德韩朝印越欧台港澳京津沪渝")
_TO = frozenset("驻访赴抵晋旅离返")
_IN = frozenset("来在进")
_TOWNS = frozenset("京沪穗港澳")
_TO_CHINA = frozenset("侵访驻在来对援留赴抵旅涉")
_SIDES = ABBREVIATIONS - frozenset("台法德") | frozenset("意葡巴菲泰加澳乌以伊埃柬缅蒙")
_NO_SOUND = -1.0
"""Characters with lower odds hardly ever write foreign sounds."""
_JOINED = frozenset("但受小由让跟和与及等对向被把将如像据为给请找替在以因却则并")
"""Characters that the dictionary takes for the first of a name, before a surname."""
_NOT_LAST = frozenset("则也才均受在说把将摄称也被给等就都又已的了是跟却仍还没不很这那")
"""Characters that the dictionary takes for the last of a name, before a verb."""
_PEOPLE = ("nr", "nrt", "nrfg")


@lru_cache(maxsize=50_000)
def pieces(word: str, part: str) -> tuple[tuple[str, str], ...]:
    """The word itself with its part of speech, or its two pieces with theirs; joined, they are the word."""
    cut = _cut(word, part) if len(word) > 1 and "\u4e00" <= word[0] <= "\u9fff" else None
    if cut is None:
        return ((word, part),)
    at, first, second = cut
    return (word[:at], first), (word[at:], second)


def _cut(word: str, part: str) -> tuple[int, str, str] | None:
    """Where it is cut, and the parts of speech of both pieces."""
    if len(word) == 2:
        return _short(word)
    if part in _PEOPLE:
        return _person(word, part)
    if part in ("n", "nt", "ns", "nz") and (word not in organisations() or word[-1] == "人"):
        return _office(word) or _famous(word) or _place(word)
    return None


def _short(word: str) -> tuple[int, str, str] | None:
    """访华, 抵京, 中方, 美媒."""
    if (
        (word[1] == "华" and word[0] in _TO_CHINA)
        or (word[1] in ABBREVIATIONS and word[0] in _TO)
        or (word[1] in _TOWNS and word[0] in _IN)
    ):
        return 1, "v", "ns"
    return (1, "ns", "n") if (word[1] in "方媒籍商胞" and word[0] in _SIDES) or word == "港人" else None


def _person(word: str, part: str) -> tuple[int, str, str] | None:
    if word.endswith(_AFTER_PEOPLE) and len(word) > 3:
        return len(word) - 2, "nr", "n"
    if len(word) in (3, 4) and word[0] in _JOINED and word[1] in surnames() and word[0] not in surnames():
        return 1, "c", "nr"
    if word[0] in surnames() and word[:2] not in surnames() and part == "nr" and word not in words_of("person"):
        if (
            len(word) == 4
            and word[0] in sure_surnames()
            and min(weights(letter).foreign for letter in word) < _NO_SOUND
        ):
            return 3, "nr", "n"
        if len(word) == 3 and word[2] in _NOT_LAST:
            return 2, "nr", "v"
    return _place(word)


def _famous(word: str) -> tuple[int, str, str] | None:
    """马克思 + 主义, 克林顿 + 政府."""
    if len(word) > 3 and word.endswith((*_AFTER_PEOPLE, "政府")) and is_famous(word[:-2]):
        return len(word) - 2, "nr", "n"
    return None


def _office(word: str) -> tuple[int, str, str] | None:
    """外交部 + 长, 市委 + 书记."""
    if word[-1] == "长" and word[:-1] in _MINISTRIES:
        return len(word) - 1, "nt", "n"
    if word in _COMMITTEE_HEADS:
        return 2, "nt", "n"
    return None


def _place(word: str) -> tuple[int, str, str] | None:
    """A country, province or city, and what is its own or in it: 法国 + 总理, 中国 + 香港."""
    if word[0] == "大" and word[1:] in landmarks():
        return 1, "a", "ns"
    for at in range(len(word) - 1, 1, -1):
        if _is_region(word[:at]) and (word[at:] in _AFTER_PLACES or (len(word) - at > 1 and _is_region(word[at:]))):
            return at, "ns", "ns" if _is_region(word[at:]) else "n"
    return None


def _is_region(word: str) -> bool:
    return word in landmarks() or is_large(word) or country_of(word) != ""
