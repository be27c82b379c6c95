"""Organisations: known ones, and runs of nouns that begin with a name and end as organisations do."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from analysis.names.divisions import country_of
from analysis.names.known import clubs, cues, organisations, words_of
from analysis.names.letters import surnames
from analysis.names.listed_firms import NOT_IN_FIRMS, listed_firms
from analysis.names.model import Name
from analysis.names.place_names import is_site
from analysis.names.tokens import Token

_ENDS = cues("org_ends")
_OFFICES = cues("offices")
_PARTS = ("n", "j", "b", "eng", "a", "vn", "s", "f", "l", "t", "q", "i", "an", "g", "x_")
_LAST_LETTERS = frozenset("庭部委局厅院所会队社司学行团党校厂馆台报织联盟军协央署网")
_NOUNS = ("n", "j", "k", "g", "zg", "q")
_NOT_ORGS = cues("not_orgs")
_OCCASIONS = tuple(cues("occasions"))
_LONG_ENDS = tuple(cues("long_org_ends"))
_FIRMS = tuple(cues("firm_ends"))
_LONGER = (*_LONG_ENDS, "中心", "法院", "电视台")
_WITH_VERBS = ("中心", "局", "处", "委员会", "法院")
_IN_NAMES = cues("within_orgs")
_KINDS = cues("kinds_of_orgs")
"""澳大利亚 + 连锁 + 超市: what it is like, before what it is; such a thing has no name."""
_MISSIONS = ("使馆", "领事馆", "代表处", "代表团", "办事处", "部队")
_SITES = frozenset("渔港 广场 公园 大街 路 街 校区 站".split())
"""Behind what an organisation may end with they show that it is a place: 岚山 + 中心 + 渔港."""
_CONGRESSES = ("全国代表大会", "全国人民代表大会")
_STATES = frozenset(("政府", "中央银行", "俱乐部", "医疗队", "内阁", "企业", "公司", "媒体"))
"""Behind the bare name of a country they are no organisation of their own name."""
_LEVELS = frozenset("省 市 县 区 国家 全国 中央 特区".split())
"""Of an administration, before the name of what belongs to it: 省农业技术推广中心."""
_MAX_TOKENS = 7
_MAX_TOKENS_AFTER_PERSON = 2
_FULL_FIRMS = frozenset("有限公司 有限责任公司 股份有限公司".split())
_SPORTS = cues("sports")
_PERIODICAL = re.compile("《([^《》]{1,9}(?:(?<![公警学通海简])报|周刊))》")
_END, _CLUB = 1, 2


def find_orgs(text: str, tokens: Sequence[Token], names: Sequence[Name]) -> Iterator[Name]:
    """Organisations in the order of the text; a place or person among `names` may be where one begins."""
    starts = {name.start for name in names}
    kinds = [_kind(token.text, token.part) for token in tokens]
    stops = [place for place, kind in enumerate(kinds) if kind]
    teams = {place for place in stops if kinds[place] & _CLUB}
    if teams and _SPORTS.isdisjoint(token.text for token in tokens):
        teams = {place for place in teams if place + 1 < len(tokens) and tokens[place + 1].text == "队"}
    ends = [stop for stop in stops if stop in teams or kinds[stop] & _END]
    spans = [(stop if stop in teams else _begin(tokens, stop, starts), stop) for stop in ends]
    spans += listed_firms(text, tokens) + _periodicals(text, tokens)
    yield from _longest(text, tokens, [span for span in spans if span[0] >= 0])


def _periodicals(text: str, tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Papers and weeklies between marks of titles: 《中国消费者报》."""
    found = [match.span(1) for match in _PERIODICAL.finditer(text)]
    begins = {token.start: place for place, token in enumerate(tokens)} if found else {}
    ends = {token.end: place for place, token in enumerate(tokens)} if found else {}
    return [(begins[start], ends[end]) for start, end in found if start in begins and end in ends]


def _longest(text: str, tokens: Sequence[Token], spans: list[tuple[int, int]]) -> Iterator[Name]:
    best: dict[int, int] = {}
    for begin, stop in spans:
        best[begin] = max(stop, best.get(begin, 0))
    last = -1
    for begin, stop in sorted(best.items()):
        if begin > last:
            stop = _joined(tokens, stop, best)
            start, end = tokens[begin].start, tokens[stop].end
            yield Name(start, end, text[start:end], "org")
            last = stop


def _joined(tokens: Sequence[Token], stop: int, best: dict[int, int]) -> int:
    """Where an organisation ends of which another is a part: 国会 + 外委会, 北大 + 文艺社; two known names stay apart."""
    behind = best.get(stop + 1, stop)
    return stop if behind == stop + 1 and tokens[behind].text in organisations() else behind


@lru_cache(maxsize=20_000)
def _kind(word: str, part: str) -> int:
    """Bits of what the word may be: the end of an organisation, a club."""
    return (_END if _may_end(word, part) else 0) | (_CLUB if word in clubs() else 0)


def _may_end(word: str, part: str) -> bool:
    """Whether organisations end with this word."""
    if word in _NOT_ORGS or word.endswith(_OCCASIONS):
        return False
    if len(word) == 1 and not part.startswith(_NOUNS):
        return False
    return _is_known(word, part) or word in _ENDS or _ends_so(word, part)


def _is_known(word: str, part: str) -> bool:
    if word in organisations() or word in _OFFICES or (word[-1] == "队" and word[:-1] in clubs()):
        return True
    if part in ("nz", "nr", "nrt", "ns") and (
        (len(word) > 4 and word.endswith(_LONG_ENDS)) or (len(word) > 3 and word.endswith(_FIRMS))
    ):
        return True
    if len(word) > 2 and word[-1] == "大" and part in ("j", "nt"):
        return True
    return part == "nt" and word[-1] in _LAST_LETTERS and len(word) > 2 and word not in words_of("org")


def _ends_so(word: str, part: str) -> bool:
    if len(word) < 3:
        return False
    return (word[-1] in "部局厅院所会队厂委" and part.startswith(("n", "j"))) or (
        word.endswith(_LONGER) and part.startswith((*_NOUNS, "l", "i"))
    )


def _begin(tokens: Sequence[Token], stop: int, starts: set[int]) -> int:
    """Where the organisation that ends with this token, which may end one, begins; -1 if none does."""
    if (
        (is_site(tokens, stop) and tokens[max(0, stop - 2)].text not in _ENDS)
        or _is_of_state(tokens, stop)
        or (stop + 1 < len(tokens) and tokens[stop + 1].text in _SITES)
    ):
        return -1
    if _is_known(tokens[stop].text, tokens[stop].part):
        return _chain(tokens, stop, starts)
    return _leftmost(tokens, stop, starts)


def _is_of_state(tokens: Sequence[Token], stop: int) -> bool:
    if tokens[stop].text not in _STATES or stop == 0:
        return False
    return country_of(tokens[stop - 1].text) != ""


def _chain(tokens: Sequence[Token], stop: int, starts: set[int]) -> int:
    """Where a known organisation begins: with the places right before it."""
    begin = _congress(tokens, stop) if tokens[stop].text in _CONGRESSES else _numbered(tokens, stop, starts)
    while (
        begin > 0
        and stop - begin < _MAX_TOKENS
        and tokens[begin - 1].text not in organisations()
        and (tokens[begin - 1].start in starts or tokens[begin - 1].part == "ns")
        and tokens[begin - 1].text not in words_of("place")
        and len(tokens[begin - 1].text) > 1
    ):
        begin -= 1
    return begin - 1 if begin == stop and _is_of_level(tokens, begin) else begin


def _is_of_level(tokens: Sequence[Token], place: int) -> bool:
    """市 + 民政局: an office of the province or city that the text is about."""
    return place > 0 and tokens[place - 1].text in ("省", "市", "县", "区") and tokens[place].text[-1] in "局委厅办"


def _numbered(tokens: Sequence[Token], stop: int, starts: set[int]) -> int:
    """Where the number before a court or school begins, behind a place: 天津市 + 第一 + 中级 + 人民法院."""
    begin = stop
    while begin > 0 and (tokens[begin - 1].text[0] == "第" or tokens[begin - 1].text in ("中级", "高级")):
        begin -= 1
    return begin if begin > 0 and tokens[begin - 1].start in starts else stop


def _leftmost(tokens: Sequence[Token], stop: int, starts: set[int]) -> int:
    end = tokens[stop].text
    best, letters = -1, len(end)
    for begin in range(stop - 1, max(-1, stop - _MAX_TOKENS), -1):
        token = tokens[begin]
        if token.text in _KINDS:
            return -1
        if not _may_lie_before(tokens, begin, end):
            break
        letters += len(token.text)
        if (
            token.start in starts
            or (token.part in ("ns", "nz", "nt", "j") and len(token.text) > 1)
            or (token.part in ("nr", "nrt") and len(token.text) > 1 and stop - begin <= _MAX_TOKENS_AFTER_PERSON)
            or token.part == "eng"
            or (token.text in organisations() and len(token.text) > 1)
            or (token.text in _LEVELS and stop - begin > 1 and len(end) > 1)
        ):
            best = begin
    if end in _FULL_FIRMS and (begin := _place_before(tokens, stop, starts)) >= 0:
        return begin
    return best if letters > 2 else -1


def _may_lie_before(tokens: Sequence[Token], place: int, end: str) -> bool:
    """Whether this word may be in a name with this end: 住房 + 保障 + 管理中心."""
    token = tokens[place]
    if token.part == "v" and place > 0 and end.endswith(_WITH_VERBS):
        return True
    if token.text == "驻" and end.endswith(_MISSIONS):
        return True
    before = tokens[place - 1] if place else token
    if token.text in _IN_NAMES and len(end) > 1 and not _may_end(before.text, before.part):
        return True
    return _may_be_in(token)


def _place_before(tokens: Sequence[Token], stop: int, starts: set[int]) -> int:
    """The place with which the full name of a firm begins, whatever words are between them; -1 without one."""
    for begin in range(stop - 1, max(-1, stop - _MAX_TOKENS), -1):
        token = tokens[begin]
        if token.start in starts and len(token.text) > 1:
            return begin
        if not "\u4e00" <= token.text[0] <= "\u9fff" or token.part in NOT_IN_FIRMS:
            return -1
    return -1


def _congress(tokens: Sequence[Token], stop: int) -> int:
    """Where its number begins, or the party before that: 中共 + 第十五次 + 全国代表大会."""
    begin = stop
    while begin > 0 and (tokens[begin - 1].text[0] == "第" or tokens[begin - 1].text in "次届"):
        begin -= 1
    return begin - 1 if 0 < begin < stop and tokens[begin - 1].text in organisations() else begin


def _may_be_in(token: Token) -> bool:
    if token.text[0] == "第" and len(token.text) > 1:
        return True
    if token.text.lower() == "vs":
        return False
    return token.text in organisations() or token.part.startswith(_PARTS) or (len(token.text) == 1 and "\u4e00" <= token.text <= "\u9fff" and token.part in ("zg", "ng", "ag", "vg", "m", "nr", "x", "z") and token.text in surnames())  # fmt: skip
