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
    r"(?P<prefix>最近|过去|近|未来|今后|往后|接下来|此前|之前|此后|前|(?<!\d)后|再过|这)?(?:的|这)?"
    r"(?P<many>\d{1,4}(?:\.\d)?|[零一二两三四五六七八九十百]{1,5}|半|几|数)"
    rf"(?P<more>多|余)?(?P<measure>个)?(?P<half>半)?(?P<more2>多|余)?(?P<work>工作)?(?P<unit>{_WORDS}|刻钟)(?P<half2>半)?钟?(?P<more3>多|余)?(?:时间)?的?"
    r"(?P<suffix>以前|之前|前|以后|之后|后|以内|之内|内|以来|之间|间|里|来)?"
)
_BACK = frozenset(("最近", "过去", "近", "此前", "之前", "前", "这"))
_ON = frozenset(("未来", "今后", "往后", "接下来", "此后", "后", "再过"))
_VAGUE_COUNT = 3
_VAGUE_BACK: dict[Unit, int] = {"year": 5, "day": 7, "hour": 6, "minute": 9, "month": 4, "second": 9}
"""How far back 前两天, 前几年 goes at most; it is two at least."""
_NEEDS_MEASURE = frozenset(("月", "季度", "星期", "礼拜", "世纪"))


def read_duration(text: str, at: int, base: datetime) -> tuple[int, Interval] | None:
    """The distance from `base` that begins there: where its words end, and the interval that it names; None without one."""
    match = _LENGTH.match(text, at)
    if not match or not (match["prefix"] or match["suffix"]):
        return None
    if match["unit"] == "年" and len(match["many"]) == 4:  # a year, not a number of years
        return None
    if match["unit"] in _NEEDS_MEASURE and not match["measure"] and not (match["unit"] in ("星期", "礼拜", "月") and match["prefix"]):  # fmt: skip
        return None
    try:
        found = _named(match, base)
    except (OverflowError, ValueError):
        return None
    return (match.end(), found) if found and found.start <= found.end else None  # the last 0 years


def _count(match: re.Match[str]) -> float:
    many = match["many"]
    if many in "几数":
        count = float(_VAGUE_COUNT)
    elif many == "半":
        count = 0.5
    else:
        count = float(many) if "." in many else number(many)
    return count + (0.5 if match["half"] or match["half2"] else 0)


def _named(match: re.Match[str], base: datetime) -> Interval | None:
    prefix, suffix = match["prefix"] or "", match["suffix"] or ""
    unit, count = _UNITS.get(match["unit"], "minute"), _count(match)
    if count < 0 or (match["unit"] == "日" and not match["many"].isdecimal() and not suffix):
        return None
    count *= 15 if match["unit"] == "刻钟" else 1
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


def _since(base: datetime, unit: Unit, count: float, more: bool) -> datetime:
    start = shift(base, unit, -count)
    if more:
        return around(start, unit).start
    return midnight(start) if UNITS.index(unit) < UNITS.index("day") else start


def _that_far(base: datetime, unit: Unit, count: float) -> Interval:
    """Half a year on, or three quarters, is the month; otherwise it is the whole unit."""
    moment = shift(base, unit, count)
    if unit in ("year", "quarter") and (count > 0 or count % 1):
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
