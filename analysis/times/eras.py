"""Years of eras, and periods of five-year plans: "民國113年", "公元618年", "令和六年", "“十四五”期间"."""

from analysis.times.interval import Interval, years
from analysis.times.numerals import number
from analysis.times.step import Match, TimeReading, step

_BEFORE_FIRST = {
    "公元": 0,
    "西元": 0,
    "明治": 1867,
    "民国": 1911,
    "大正": 1911,
    "昭和": 1925,
    "平成": 1988,
    "令和": 2018,
}
"""The year before the first one."""
_N = r"(?:元|\d{1,4}|[零〇○一二两三四五六七八九十百]{1,5})"
_PLAN_YEARS = 5
_FIRST_PLAN, _THIRD_PLAN = 1953, 1966
"""Where they begin; from 1963 to 1965 there was none."""
_PLAN_PARTS = {"初": (0, 1), "开": (0, 1), "末": (4, 1), "收": (4, 1)}
"""From which of its years on, and how many."""


def _era(match: Match, reading: TimeReading) -> Interval | None:
    before = _BEFORE_FIRST[match["era"]]
    first, last = number(match["first"] or match["last"]), number(match["last"])
    return years(before + first, last - first + 1) if 1 <= first <= last < 9_900 - before else None


def _republic(match: Match, reading: TimeReading) -> Interval | None:
    return years(_BEFORE_FIRST["民国"] + int(match["number"]))


def _plan(match: Match, reading: TimeReading) -> Interval | None:
    place = number(match["short"].removesuffix("五") if match["short"] else match["nth"])
    if place < 1:
        return None
    first = _FIRST_PLAN + _PLAN_YEARS * (place - 1) if place < 3 else _THIRD_PLAN + _PLAN_YEARS * (place - 3)
    offset, count = _PLAN_PARTS.get((match["part"] or match["alone"] or "")[:1], (0, _PLAN_YEARS))
    return years(first + offset, count)


_QUOTED = r"[\"“”「『‘](?P<short>十?[一二三四五六七八九]?五)[\"“”」』’]"
_PERIOD = r"(?:规划|计划)?(?:建设)?的?(?:时期|期间)"
_PART = r"(?P<part>(?:开局|收官)(?:之年|年)?|[初末]期?)"
_SPAN = rf"(?:{_PERIOD}{_PART}?|{_PART.replace('part', 'alone')})"

ERA_STEPS = (
    step(
        "year",
        rf"(?:中华)?(?P<era>{'|'.join(_BEFORE_FIRST)})\s?(?:(?P<first>{_N})年?\s?(?:——|[至到~\-—–])\s?)?(?P<last>{_N})\s?年度?",
        _era,
    ),
    step("year", r"(?<!\d)(?P<number>1[0-3]\d)\s?年(?:度|(?=\s?\d{1,2}\s?月\s?\d))", _republic),
    step("year", r"(?P<number>[６-９][０-９])\s?年(?:度|(?=[第底初末中上下]|\s?\d{1,2}\s?月))", _republic),
    step("decade", rf"{_QUOTED}(?P<nth>)(?:{_SPAN}|(?!(?:[的\u4e00-\u9fff]{{0,4}})(?:规划|计划|纲要|建议)))", _plan),
    step("decade", rf"(?P<short>)第(?P<nth>[一二三四五六七八九十]{{1,3}})个五年{_SPAN}", _plan),
    step("decade", rf"(?P<short>十?[一二三四五六七八九]?五)(?P<nth>){_PERIOD}{_PART}?(?P<alone>)", _plan),
)
"""Tried before those of months.py, which they begin with."""
