"""Places: those of the dictionary and the list of divisions, and unknown ones by their last character."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from analysis.names.divisions import country_of, first_letters, is_division, is_large, is_town
from analysis.names.known import cues, landmarks, words_of
from analysis.names.model import Name
from analysis.names.person_names import is_place_like
from analysis.names.splits import ABBREVIATIONS
from analysis.names.tokens import Token

NOT_PLACES = cues("not_places")
_SUFFIXES = cues("place_ends")
_SITES = cues("site_ends")
_PLACE, _SHORT, _END = 1, 2, 4
_PAIRS = dict.fromkeys(("会议", "会展", "体育", "奥体", "购物", "演艺", "展览", "博览", "航天", "太空"), ("中心",))
_PAIRS |= {"湿地": ("公园",), "陆": ("港区",)}
"""Sites of two words; what has such a centre is no organisation."""
_CONGOS = ("刚果（金）", "刚果（布）", "刚果(金)", "刚果(布)")
_ABOVE_SITES = "省市县区州"
"""Names of sites behind a place that ends so stand alone: 城关区 + 泰生大厦, but 河内国家会议中心."""
_MAX_TOKENS_BEFORE_SITE = 5
_MAX_TOKENS_BEFORE = 3
"""Tokens before what a place ends with."""
_STOPS = ("机场", "体育场", "体育馆", "车站", "公园", "广场", "大厦")
_PAIRED = re.compile(
    "(?:(?<=侵)华|(?<=访)华|(?<=驻)华|(?<=在)华(?=投资|企业|工商|外)|"
    "[中美日俄英法德韩朝印越欧港澳台苏加意葡巴以土奥塞布菲蒙泰缅柬新埃乌希荷瑞古阿尼伊]{2,3}(?=两国|三国|关系|双方|贸易|之间|间[的首频]|友好|边界|边境|建交|首脑|联合声明|双边|经贸|合作|冲突|战争|战事|停火|谈判|会谈))"
)
"""Countries by one character each: 中俄两国, 访华."""
_OF_PROVINCES = re.compile(
    "[京津沪渝冀豫云辽黑湘皖鲁苏浙赣鄂桂甘晋蒙陕吉闽贵粤青川宁琼新藏]{2,5}(?=[两三四五]省|[两三四五]地|[两三四五]市|省际|交界)"
)
"""粤桂琼三省区."""
_LETTERS_OF_ROADS = frozenset("京津沪渝冀豫云辽黑湘皖鲁苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼港澳台穗蓉昆杭甬")
_KINDS_OF_ROADS = ("高速公路", "高速铁路", "城际铁路", "高速", "高铁")
_AIRPORT = "国际机场"
_RAILWAYS = ("铁路", "高铁", "地铁", "高速")
"""A site behind one is another name: 汕头高铁 + 潮安站."""
_MIN_ROAD_CHARS = 3
_LETTERS_OF_WORDS = frozenset("三七九六上中本日无开同通来定固和大太天平")
"""连通高速公路, 三大高速."""
_LETTERS = ABBREVIATIONS - frozenset("法朝") | frozenset("华巴蒙意葡菲泰乌以伊埃柬缅")


def find_places(text: str, tokens: Sequence[Token]) -> Iterator[Name]:
    """Places, none inside another; those of a written chain 江苏省南京市 are separate."""
    roads = tuple(_roads(text, tokens))
    yield from roads
    taken = {at for road in roads for at in range(road.start, road.end)}
    spans = (match.span() for letters in (_PAIRED, _OF_PROVINCES) for match in letters.finditer(text))
    paired = [
        at for first, end in spans if not is_known(text[first:end]) for at in range(first, end) if at not in taken
    ]
    yield from (Name(at, at + 1, text[at], "place") for at in paired)
    taken.update(paired)
    yield from (name for name in _in_tokens(text, tokens) if taken.isdisjoint(range(name.start, name.end)))


def _roads(text: str, tokens: Sequence[Token]) -> Iterator[Name]:
    if not any(kind in text for kind in _KINDS_OF_ROADS):
        return
    found = [match.span() for match in _road().finditer(text)]
    starts = {token.start for token in tokens}
    for first, end in found:
        begin = next((at for at in (first, first + 1) if at in starts and end - at > _MIN_ROAD_CHARS), end)
        if begin < end and not is_division(text[begin : begin + 2]):
            yield Name(begin, end, text[begin:end], "place")


@cache
def _road() -> re.Pattern[str]:
    """Of roads and railways by a character for each of their ends: 广深高速, 京沪高速铁路."""
    ends = "".join(sorted((first_letters() - _LETTERS_OF_WORDS) | _LETTERS_OF_ROADS))
    return re.compile(f"[{ends}]{{2,3}}(?:{'|'.join(_KINDS_OF_ROADS)})(?![交警集管])")


def _in_tokens(text: str, tokens: Sequence[Token]) -> Iterator[Name]:
    kinds = [_kind(token.text, token.part) for token in tokens]
    free = 0
    for place in _starts(kinds):
        if place < free:
            continue
        count = (_known(tokens, place) if kinds[place] & _PLACE else 0) or _by_suffix(tokens, place)
        if count:
            start, end = tokens[place].start, tokens[place + count - 1].end
            end += 3 * text.startswith(_CONGOS, end - 2)
            yield Name(start, end, text[start:end], "place")
        elif kinds[place] & _SHORT:
            start = tokens[place].start
            yield from (
                Name(start + at, start + at + 1, letter, "place") for at, letter in enumerate(tokens[place].text)
            )
        free = place + (count or 1)


def _starts(kinds: Sequence[int]) -> list[int]:
    """Where places may begin: at known and short ones, and before what a place ends with."""
    found = {place for place, kind in enumerate(kinds) if kind & (_PLACE | _SHORT)}
    for stop in (place for place, kind in enumerate(kinds) if kind & _END):
        found.update(range(max(0, stop - _MAX_TOKENS_BEFORE), stop))
    return sorted(found)


@lru_cache(maxsize=20_000)
def _kind(word: str, part: str) -> int:
    """Bits of what the word may be in the name of a place."""
    known, short = _is_place(word, part), _is_abbreviated(word, part)
    return (_PLACE if known else 0) | (_SHORT if short else 0) | (_END if word in _SUFFIXES else 0)


def is_known(text: str) -> bool:
    """Whether it is a region, a province, a city or a country."""
    return text in landmarks() or is_large(text) or country_of(text) != ""


def _is_abbreviated(word: str, part: str) -> bool:
    """中美, 京津冀; alone only where the dictionary has it as a place."""
    if len(word) == 1:
        return part in ("ns", "j") and word in _LETTERS
    if word == "日中" or is_large(word):
        return False
    return 2 <= len(word) <= 4 and ABBREVIATIONS.issuperset(word) and len(set(word)) == len(word)  # fmt: skip


@lru_cache(maxsize=20_000)
def _is_place(word: str, part: str) -> bool:
    if len(word) < 2 or word in NOT_PLACES or word in words_of("place") or _is_abbreviated(word, part):
        return False
    if word in landmarks() or country_of(word) or is_large(word):
        return True
    if part == "nt" and len(word) > 4 and word.endswith(_STOPS):
        return True
    return (
        is_place_like(word, part)
        or (part == "ns" and (len(word) > 2 or is_division(word)))
        or (part == "nz" and is_division(word + "市"))
    )


def _known(tokens: Sequence[Token], place: int) -> int:
    """Tokens of the place that begins with a known one."""
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    if following and following.text in _SUFFIXES:
        return 2
    return _with_site(tokens, place) or 1


def _with_site(tokens: Sequence[Token], place: int) -> int:
    """洛杉矶 + 国际 + 机场: tokens of a known place, words of a name, and what stands there; 0 if there is none."""
    is_above = tokens[place].text[-1] in _ABOVE_SITES and len(tokens[place].text) > 2
    for count, token in enumerate(tokens[place + 1 : place + 1 + _MAX_TOKENS_BEFORE_SITE], 1):
        if token.text in _SITES or token.text.endswith(_AIRPORT) or is_site(tokens, place + count):
            if is_above and count > 1:
                return 0
            return count + 2 if is_site(tokens, place + count + 1) else count + 1
        if not _may_lie_in(token) or is_large(token.text):
            return 0
    return 0


def is_site(tokens: Sequence[Token], place: int) -> bool:
    """Whether a site of two words ends there: 会议 + 中心, 湿地 + 公园."""
    return 0 < place < len(tokens) and tokens[place].text in _PAIRS.get(tokens[place - 1].text, ())


def _may_lie_in(token: Token) -> bool:
    """Whether the name of a site may have this word in its middle."""
    if token.text in _RAILWAYS:
        return False
    return token.part.startswith(("n", "vn", "b", "s", "z")) and len(token.text) <= 3


def _by_suffix(tokens: Sequence[Token], place: int) -> int:
    """An unknown place: one to three short words that are no common ones, then what a place ends with."""
    letters, first = 0, tokens[place].text
    if first in _RAILWAYS or (len(first) > 1 and first in _SUFFIXES):
        return 0  # 街道 + 深南中路
    for count, token in enumerate(tokens[place : place + 1 + _MAX_TOKENS_BEFORE]):
        if count and token.text in _SUFFIXES and _is_new(tokens[place : place + count], letters):
            return count + 1
        if count == 1 and first in NOT_PLACES and _is_place(token.text, token.part):
            return 0  # 新建 + 重庆
        if not _may_begin(token.text, token.part) or letters + len(token.text) > 4:
            return 0
        letters += len(token.text)
    return 0


@lru_cache(maxsize=20_000)
def _may_begin(word: str, part: str) -> bool:
    if not "\u4e00" <= word[0] <= "\u9fff":
        return False
    if is_town(word):
        return True
    return part.startswith(("n", "j")) or (len(word) == 1 and part not in ("p", "c", "u", "uj", "r", "d", "m", "v", "q", "ul", "f", "zg_", "y"))  # fmt: skip


def _is_new(first: Sequence[Token], letters: int) -> bool:
    proper = any(
        len(token.text) == 1 or token.part in ("nr", "ns", "nz", "nrt", "nrfg") or is_town(token.text)
        for token in first
    )
    return letters >= 2 and proper
