"""Time expressions in running text, with offsets and the intervals that they name."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache

import numpy as np
from numpy.typing import NDArray

from analysis.times.english import STARTS
from analysis.times.english_spans import read_english
from analysis.times.expressions import read_expression
from analysis.times.interval import Interval, shift

_LISTED_DAY = re.compile(r"(\d{1,2})[日号]")
_THAT_DAY = re.compile(r"[次翌同当]日|当[天晚]|[次翌]晨")
_OF_SOME_YEAR = re.compile(r"[自从]?(\d{1,2})月\d{1,2}[日号]")
_SENTENCE_END = re.compile(r"[。!?！？\n]")
_MAX_SENTENCE_CHARS = 80
"""Maximum distance in characters over which a date keeps the year of the one before."""
_OF_TAIWAN = re.compile("[臺台]灣|臺[北中南東]|民國")
_OF_THE_REPUBLIC = re.compile(r"(?<!\d)[6-9]\d(?=\s?年(?!代))")
_WIDE = str.maketrans("0123456789", "０１２３４５６７８９")
_MAX_TITLE_CHARS, _MAX_AGENCY_CHARS = 40, 3
_WORK = re.compile(r"《[^《》]*\Z")
_TELLS = re.compile(r"(?<!\d)\d{4}年|[一二][零〇○一二三四五六七八九]{3}年|[日号]专?[讯訊电電]》")
_YEARS = range(1000, 9000)
"""Years that others are read against: the calendar does not end beside them."""
_TURN_OF_YEAR_MONTHS = 6
"""A month that is earlier by more than this is one of the next year: 12月31日…1月9日."""
_MAX_EXPRESSION_CHARS = 60
"""Maximum length of an expression in characters."""
_SAME = str.maketrans(
    "０１２３４５６７８９：～〜－．／（）　點時號個週後兩鐘內來間開過億劃當農曆臘禮現從節"
    "這歲紀幾數剛連聖誕國慶勞動兒婦雙陽龍驚蟄穀種處滿頭於為發餘葉貳淩淸裡裏閏舊陰際學業規畫單團",
    "0123456789:~~-./() 点时号个周后两钟内来间开过亿划当农历腊礼现从节"
    "这岁纪几数刚连圣诞国庆劳动儿妇双阳龙惊蛰谷种处满头于为发余叶二凌清里里闰旧阴际学业规划单团",
)
"""Wide and traditional characters, each by one that means the same, so that offsets stay."""
_CHINESE_START = re.compile(
    r"(?<!\d)(?!(?<=\d\.)\d+[点日号天])(?<!拘留)\d{1,4}(?=[年月日号天个多余点时分秒小周星季世半刻钟:\-/.·至到~—–、\s]|\d{4}(?!\d))|(?<![零〇○一二两三四五六七八九十百第几])[一二两三四五六七八九十百半几数零廿][一二两三四五六七八九十百几数零廿、]{0,5}[\d年月日号天个多余点时分秒小周星季世刻钟零〇○至到]"
    r"|[\"“”「『‘]?[一二三四五六七八九十]{1,2}五[\"”」』’时期规计]|[西公]元(?=[\d一二三四五六七八九十])|民国|昭和|平成|令和|大正|明治"
    r"|[今明去后前]年|[昨今明后]{2,3}[两二三]?[天日年晚]|[今去明前][春夏秋冬]|全[天年月]|开年|(?<![\u4e00-\u9fff])头[\d一二两三四五六七八九十]|即日|白天|[月年周日]内|[早晚](?=\d)|半[年月天]|差[一二两三五十\d]"
    r"|[今明昨后]天|[今明昨]日|[今明昨](?=\(\d)|[今明昨当同次翌前][晚夜晨早]|[当本次翌同即前]日|[当隔]天|[当同前后次翌来本][年月]|本(?=[周季世个])"
    r"|前(?=[天\d一二两三四五六七八九十几数半不])|[上下](?=[上下一个半月周星礼世季年]|旬)|这(?=[周个一几])|此[前后](?=\d|[一二两三四五六七八九十几])"
    r"|大[前后大年寒暑雪]|第(?=[\d一二三四五六七八九十])|最[近后]|未来|过去|今后|往后|接下|近[\d一二两三四五六七八九十几数半日期来年些仨俩]|再过|之前|[首q][\d季月周]"
    r"|正月|腊[月八]|农历|阴历|旧历|[春夏秋冬][天季节日分至]|[暑寒][假期]|凌晨|清[晨明]|黎明|拂晓|早[晨上间]|中[午旬秋元]|正午|上午|下午|午[后间夜]|傍晚|晚[上间]|夜[间里晚]"
    r"|深夜|半夜|周[末一二三四五六日天]|星期|礼拜|元[旦宵]|(?<![\d万亿千百])元月|情人|妇女|劳动|青年|儿童|端午|七夕|国庆|[圣母父教]|除夕|小[年满暑寒雪]|立[春夏秋冬]|雨水|惊蛰|谷雨|芒种|处暑|白露|霜降"
    r"|六一|五[一四]|双[十1]|平安|感恩|光棍|重阳|龙抬|鬼节|植树|愚人|(?<![出呈展体浮])现在|目前|眼下|刚[刚才]|日前|不久|连日|截[至止]|如今|此刻|当前|迄今|从(?=\d)|自(?=\d)|[年岁月][初底末]|年中"
)
"""Where an expression can begin; what follows is looked at to try few places."""
_INNER_SPACE = re.compile(
    r"(?<=\d) (?=[年月日号时点分秒])|(?<=[年月日号时点分]) (?=\d{1,2} ?[年月日号时点分秒:])|(?<=[至到~—-]) (?=\d)|(?<=\d|[年月日号时点分]) (?=[至到~—-])"
)
_HAN = re.compile("[\u4e00-\u9fff]")
_FIGURES_START = re.compile(r"[\dq](?:(?<=q)\d|(?<=\d)(?<!\d\d)\d{0,3}(?:[:\-/.·~\s]|\d{4}(?!\d)))")
"""The same for texts without Chinese characters: there it takes a tenth of the time."""


@dataclass(frozen=True, slots=True)
class TimeMention:
    """An expression as it is written, from `start` to `end` in the text, and its interval."""

    start: int
    end: int
    text: str
    interval: Interval


def find_times(text: str, base: datetime) -> tuple[TimeMention, ...]:
    """All expressions in the order of the text, none inside another; `base` is the page's local time, naive."""
    return tuple(_mentions(text, base))


def _mentions(text: str, base: datetime) -> Iterator[TimeMention]:
    plain = _with_republic(text, _plain(text))
    starts = _CHINESE_START if _HAN.search(plain) else _FIGURES_START
    chinese, english = _first(starts, plain, 0), _first(STARTS, plain, 0)
    last = dated = None
    while (at := min(chinese, english)) < len(plain):
        window = plain[: at + _MAX_EXPRESSION_CHARS]
        found = _read_chinese(window, at, _base_in_list(plain, at, last, dated, base)) if at == chinese else None
        if not found and at == english:
            found = read_english(window, at, base)
        end = found[0] if found and found[0] > at else at + 1
        if found and end > at + 1 and not _is_title(plain, at, end):
            yield (last := TimeMention(at, end, text[at:end], found[1]))
            if found[1].unit == "day" and "年" in plain[at:end] and found[1].start.year in _YEARS:
                dated = last
        chinese = _first(starts, plain, end) if chinese < end else chinese
        english = _first(STARTS, plain, end) if english < end else english


def _with_republic(text: str, plain: str) -> str:
    """Where a text of Taiwan has years of two figures these are the Republic's, marked for eras.py by wide figures: 97年6月."""
    if text.isascii() or not _OF_TAIWAN.search(text) or "香港" in text:
        return plain
    return _OF_THE_REPUBLIC.sub(lambda match: match[0].translate(_WIDE), plain)


def _is_title(plain: str, at: int, end: int) -> bool:
    """《今日早报》, 《春节》: in the title of a work only a year of four figures tells a time, and 《…社15日讯》."""
    titled = _WORK.search(plain, max(0, at - _MAX_TITLE_CHARS), at)
    return titled is not None and not _TELLS.search(plain, at, end + _MAX_AGENCY_CHARS)


def _base_in_list(plain: str, at: int, last: TimeMention | None, dated: TimeMention | None, base: datetime) -> datetime:
    """6月3日、5日: the second day is of the month of the first; 2011年2月23日立案，8月21日开庭: in one
    sentence of its year, as a later day is of its month; 翌日, 当晚 are read from the day before them."""
    if last and _THAT_DAY.match(plain, at) and at - last.end <= _MAX_SENTENCE_CHARS and _is_of_one_day(last.interval):
        return last.interval.start
    listed = last and last.interval.unit == "day" and last.end == at - 1 and plain[at - 1] in "、,和及与"
    day = _LISTED_DAY.match(plain, at)
    if last and listed and day:
        return last.interval.start
    if not dated or at - dated.end > _MAX_SENTENCE_CHARS or _SENTENCE_END.search(plain, dated.end, at):
        return base
    known, some_year = dated.interval.start, _OF_SOME_YEAR.match(plain, at)
    if some_year:
        return shift(known, "year", int(known.month - int(some_year[1]) > _TURN_OF_YEAR_MONTHS))
    return known if day and int(day[1]) >= known.day else base


def _is_of_one_day(interval: Interval) -> bool:
    return interval.start.date() == interval.end.date() and interval.start.year in _YEARS


def _read_chinese(text: str, at: int, base: datetime, *, loose: bool = False) -> tuple[int, Interval] | None:
    """As `read_expression`; spaces between figures and units do not count."""
    spaces = [match.start() for match in _INNER_SPACE.finditer(text, at)] if " " in text[at:] else []
    if not spaces:
        return read_expression(text, at, base, loose=loose)
    found = read_expression(text[:at] + _INNER_SPACE.sub("", text[at:]), at, base, loose=loose)
    if not found:
        return None
    end = found[0]
    for space in spaces:
        end += space < end
    return end, found[1]


def _plain(text: str) -> str:
    """In lower case and with the characters of `_SAME`, each character by one, so that offsets stay."""
    if text.isascii():
        return text.lower()
    codes, table = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32), _plain_codes()
    changed = np.where(codes < len(table), table[np.minimum(codes, len(table) - 1)], codes)
    return changed.astype(np.uint32).tobytes().decode("utf-32-le", "surrogatepass")


@cache
def _plain_codes() -> NDArray[np.uint32]:
    """The replacement of each character below 0x10000: for a page's text ten times as fast as `str.translate`."""
    plain = [chr(code).translate(_SAME) for code in range(0x10000)]
    return np.array([ord(each.lower() if len(each.lower()) == 1 else each) for each in plain], np.uint32)


def _first(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.search(text, at)
    return match.start() if match else len(text)


def resolve_time(text: str, base: datetime) -> Interval | None:
    """The interval of a text that is a time expression; of a longer text, of its first. None without one."""
    plain = _plain(text[:_MAX_EXPRESSION_CHARS])
    found = _read_chinese(plain, 0, base, loose=True)
    if found and not plain[found[0] :].strip():
        return found[1]
    return next((mention.interval for mention in _mentions(text, base)), None)
