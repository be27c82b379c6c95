"""Times given as durations in Chinese: "三天前", "近两个月", "15个工作日内", "3年多以来"."""

import re
from datetime import datetime, timedelta

from analysis.times.chinese_days import workday
from analysis.times.interval import UNITS, Interval, Unit, around, day, days, midnight, months, shift
from analysis.times.numerals import number

_UNITS: dict[str, Unit] = {
    "世纪": "century",
    "年": "year",
    "季度": "quarter",
    "月": "month",
    "周": "week",
    "星期": "week",
    "礼拜": "week",
    "天": "day",
    "日": "day",
    "小时": "hour",
    "钟头": "hour",
    "分钟": "minute",
    "分": "minute",
    "秒钟": "second",
    "秒": "second",
}
_WORDS = "|".join(sorted(_UNITS, key=len, reverse=True))
_LENGTH = re.compile(
    r"(?P<prefix>最近|过去|近|未来|今后|往后|接下来|此前|之前|此后|前|(?<![\u4e00-\u9fff])头|(?<!\d)后|再过|这)?(?:的|这)?"
    r"(?:(?P<low>\d{1,3}|[一二两三四五六七八九十]{1,3})个?\s?(?:——|[至到~\-—–])\s?)?"
    r"(?P<many>\d{1,4}(?:\.\d)?|[零一二两三四五六七八九十百]{1,5}|半|几|数|[俩仨])(?P<tens>十|百)?"
    rf"(?P<more>多|余|几|来(?=[年天个]))?(?P<measure>个)?(?P<half>半)?(?P<more2>多|余)?(?P<work>工作)?(?P<unit>{_WORDS}|刻钟)(?P<half2>半)?钟?(?P<more3>多|余)?(?:时间)?的?"
    r"(?P<suffix>以前|之前|前|以后|之后|后|以内|之内|内|以来|之间|间|里|来)?"
)
_HEAD = re.compile(
    rf"(?P<many>\d{{1,3}}|[一二两三四五六七八九十]{{1,3}})个?(?P<unit>{_WORDS})[零又]?"
    rf"(?=(?:\d{{1,3}}|[一二两三四五六七八九十半]{{1,3}})个?(?:{_WORDS})钟?(?:以|之)?[前后](?!半))"
)
_SHORT_YEAR = re.compile("[零一二三四五六七八九]{2}")
_ERAS = ("公元", "西元")
"""公元前221年 is no distance."""
_BACK = frozenset(("最近", "过去", "近", "此前", "之前", "前", "这"))
_ON = frozenset(("未来", "今后", "往后", "接下来", "此后", "后", "再过"))
_VAGUE_COUNT = 3
_FUSED = {"俩": 2.0, "仨": 3.0}
"""Numbers with their measure word in them."""
_VAGUE_BACK: dict[Unit, int] = {"year": 5, "day": 7, "hour": 6, "minute": 9, "month": 4, "second": 9}
"""How far back 前两天, 前几年 goes at most; it is two at least."""
_NEEDS_MEASURE = frozenset(("月", "季度", "星期", "礼拜", "世纪"))


def read_duration(text: str, at: int, base: datetime) -> tuple[int, Interval] | None:
    """The distance from `base` that begins there: where its words end, and the interval that it names; None without one."""
    if head := _HEAD.match(text, at):
        return _in_two_units(text, head, base)
    match = _LENGTH.match(text, at)
    if not match or not (match["prefix"] or match["suffix"]) or text.endswith(_ERAS, 0, at):
        return None
    if match["unit"] == "年" and (
        len(match["many"]) == 4 or (_SHORT_YEAR.fullmatch(match["many"]) and not _bounds(match))
    ):
        return None  # a year, not a number of years
    if match["prefix"] == "这" and match["many"] == "一" and not match["suffix"]:
        return None  # this year or week
    if match["unit"] in _NEEDS_MEASURE and not match["measure"] and match["many"] not in _FUSED and not (match["unit"] in ("星期", "礼拜", "月") and match["prefix"]):  # fmt: skip
        return None
    try:
        found = _named(match, base)
    except (OverflowError, ValueError):
        return None
    return (match.end(), found) if found and found.start <= found.end else None  # the last 0 years


_TENS = {"十": (20, 90), "百": (200, 900)}
"""The least and the largest number that 几十 and 几百 may mean."""


def _in_two_units(text: str, head: re.Match[str], base: datetime) -> tuple[int, Interval] | None:
    """1天3小时前."""
    match = _LENGTH.match(text, head.end())
    if not match or (_UNITS[head["unit"]] == "year" and len(head["many"]) > 3):
        return None
    sign = -1 if match["suffix"] and match["suffix"].endswith("前") else 1
    try:
        found = _named(match, shift(base, _UNITS[head["unit"]], sign * number(head["many"])))
    except (OverflowError, ValueError):
        return None
    return (match.end(), found) if found else None


def _bounds(match: re.Match[str]) -> tuple[float, float] | None:
    """The least and the most of a number between two: 三到五, 两三, 十七八, 二三十, 几十; None of others."""
    many = match["many"]
    if match["tens"]:
        return _TENS[match["tens"]] if many in "几数" else None
    if match["low"]:
        return float(number(match["low"])), _count(match)
    if match["more"] == "几" and (count := number(many)) >= 10:
        return float(count), count + 10.0
    ones = many.rstrip("十")[-2:]
    if (
        len(ones) < 2
        or many.isdecimal()
        or (first := number(ones[0])) < 1
        or number(ones[1]) != first + 1
        or first >= 9
    ):
        return None
    if many.endswith("十"):
        return 10.0 * first, 10.0 * first + 10
    tens = max(0, number(many[:-2])) if len(many) > 2 else 0
    return float(tens + first), float(tens + first + 1)


def _count(match: re.Match[str]) -> float:
    many = match["many"]
    if many in _FUSED:
        count = _FUSED[many]
    elif many in "几数":
        count = float(_VAGUE_COUNT)
    elif many == "半":
        count = 0.5
    else:
        count = float(many) if "." in many else number(many)
    return count + (0.5 if match["half"] or match["half2"] else 0)


def _named(match: re.Match[str], base: datetime) -> Interval | None:
    prefix, suffix = match["prefix"] or "", match["suffix"] or ""
    unit, bounds = _UNITS.get(match["unit"], "minute"), _bounds(match)
    if bounds and bounds[0] < bounds[1]:
        return _between(base, unit, *bounds, prefix, suffix)
    count = _count(match)
    if count < 0 or (match["unit"] == "日" and not match["many"].isdecimal() and not suffix):
        return None
    count *= 15 if match["unit"] == "刻钟" else 1
    if (
        prefix in ("前", "头")
        and unit == "month"
        and match["many"] not in "几数"
        and not suffix
        and 3 - (prefix == "头") <= count <= base.month
    ):
        return months(base.year, 1, int(count))
    more = bool(match["more"] or match["more2"] or match["more3"])
    if prefix == "前" and not suffix and match["many"] in "两几数":
        return _vaguely_back(unit, base)
    if suffix in ("以来", "来") or prefix in ("最近", "过去", "近", "这"):
        return Interval(_since(base, unit, count, more), base, unit)
    if suffix in ("以前", "之前", "前") and prefix != "前":
        return _that_far(base, unit, -count)
    if suffix in ("以后", "之后", "后"):
        return _that_far(base, unit, count)
    if prefix in _ON or suffix in ("以内", "之内", "内"):
        return _ahead(base, unit, count, bool(match["work"]), inclusive=prefix not in _ON)
    return _run_back(base, unit, count) if prefix in _BACK else None


def _between(base: datetime, unit: Unit, least: float, most: float, prefix: str, suffix: str) -> Interval | None:
    """三五天前: from the one distance to the other; 近两三年, 未来三到五年: the longer one."""
    if suffix in ("以来", "来") or prefix in ("最近", "过去", "近", "这"):
        return Interval(_since(base, unit, most, more=False), base, unit)
    if suffix in ("以前", "之前", "前"):
        return Interval(_that_far(base, unit, -most).start, _that_far(base, unit, -least).end, unit)
    if suffix in ("以后", "之后", "后"):
        return Interval(_that_far(base, unit, least).start, _that_far(base, unit, most).end, unit)
    return _ahead(base, unit, most, work=False, inclusive=prefix not in _ON) if prefix in _ON or suffix else None


def _since(base: datetime, unit: Unit, count: float, more: bool) -> datetime:
    start = shift(base, unit, -count)
    if more:
        return around(start, unit).start
    return midnight(start) if UNITS.index(unit) < UNITS.index("day") else start


def _that_far(base: datetime, unit: Unit, count: float) -> Interval:
    """Half a month is the day, half a year or three quarters the month; otherwise it is the whole unit."""
    moment = shift(base, unit, count)
    if unit == "month" and abs(count) < 1:
        return day(moment)
    if unit == "century":
        return around(moment, "year")
    if (count % 1 and unit == "year") or unit == "quarter":
        return months(moment.year, moment.month)
    return around(moment, unit)


def _ahead(base: datetime, unit: Unit, count: float, work: bool, *, inclusive: bool) -> Interval:
    if work:
        return Interval(base, day(workday(base, int(count))).end, "day")
    last = shift(base, unit, count)
    if UNITS.index(unit) > UNITS.index("day"):
        return Interval(base, last, unit)
    if unit == "year" and count % 1 and inclusive:
        return Interval(base, around(last, "month").end, unit)
    return Interval(base, day(last if inclusive else last - timedelta(days=1)).end, unit)


def _vaguely_back(unit: Unit, base: datetime) -> Interval:
    if unit == "week":
        return Interval(shift(around(base, "week").start, "week", -2), base, unit)
    far = _whole(shift(base, unit, -_VAGUE_BACK.get(unit, 4)), unit)
    return Interval(far.start, _whole(shift(base, unit, -2), unit).end, unit)


def _whole(moment: datetime, unit: Unit) -> Interval:
    """The unit by the clock, also of an hour or a minute."""
    if unit == "hour":
        moment = moment.replace(minute=0, second=0)
    return around(moment.replace(second=0) if unit == "minute" else moment, unit)


def _run_back(base: datetime, unit: Unit, count: float) -> Interval:
    """前三天: the three days before this one."""
    if unit not in ("year", "month", "day"):
        return Interval(shift(base, unit, -count), base, unit)
    return days(around(shift(base, unit, -count), unit).start, around(shift(base, unit, -1), unit).end, unit)
