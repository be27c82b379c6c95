"""Weeks, days and feasts in Chinese."""

from calendar import monthrange
from datetime import datetime, timedelta

from analysis.times.festivals import FESTIVAL, HOLIDAYS, festival, lunar_day
from analysis.times.interval import UNITS, Interval, day, days, nth_week, nth_weekday, shift, week
from analysis.times.numerals import number
from analysis.times.step import Match, TimeReading, step
from extractors.text.calendar import LANGUAGES

_N = r"(?:\d{1,2}|[一二两三四五六七八九十]{1,3})"
_NEAR_FEAST_DAYS = 70
"""A feast without a year is this year's, unless that of the year beside is at most so far away and this one is not."""
_WEEK = r"(?:周(?![期边岁刊围])|星期|礼拜)"
_WEEKDAYS = {name: place for place, names in enumerate(LANGUAGES["zh"].weekdays) for name in (*names, str(place + 1))}
_WEEKS = {"上上": -2, "上": -1, "上一": -1, "本": 0, "这": 0, "这一": 0, "下": 1, "下一": 1, "下下": 2}
_DAYS = {"今": 0, "本": 0, "当": 0, "同": 0, "即": 0, "昨": -1, "前": -2, "大前": -3, "大大前": -4, "明": 1, "后": 2, "大后": 3, "大大后": 4, "次": 1, "翌": 1, "隔": 1}  # fmt: skip


def _date(match: Match, reading: TimeReading) -> Interval | None:
    year = int(match["year"]) if match["year"] else reading.start.year
    return _day_of(year, int(match["month"]), int(match["day"]))


def _day_of(year: int, month: int, number_: int) -> Interval | None:
    valid = 1 <= year < 9_999 and 1 <= month <= 12 and 1 <= number_ <= monthrange(year, month)[1]
    return day(datetime(year, month, number_)) if valid else None


def _day(match: Match, reading: TimeReading) -> Interval | None:
    return _day_of(reading.start.year, reading.start.month, number(match["day"]))


def _bare_day(match: Match, reading: TimeReading) -> Interval | None:
    """Without 日: a number after a month in figures; in Chinese figures it is the Chinese calendar's."""
    if not reading.before or reading.before.unit != "month":
        return None
    if match["day"].isdecimal():
        return _day(match, reading)
    found = lunar_day(reading.start.year, reading.start.month, number(match["day"].removeprefix("初")))
    return day(found) if found else None


def _day_span(match: Match, reading: TimeReading) -> Interval | None:
    """8至10日; 8、9日 and 8日、9日、10日, which are neighbours. Over the end of a month it is the next one's."""
    first, last = number(match["first"]), number(match["last"])
    if not match["to"] and last != first + 1 + match["more"].count("、"):
        return None
    year, month = reading.start.year, reading.start.month
    start = _day_of(year, month, first)
    end = _day_of(year, month, last) if first < last else _day_of(year + month // 12, month % 12 + 1, last)
    return days(start.start, end.start) if start and end else None


def _near_days(match: Match, reading: TimeReading) -> Interval | None:
    """今明两天."""
    places = [_DAYS[each] for each in match["near"]]
    return days(reading.base + timedelta(days=min(places)), reading.base + timedelta(days=max(places)))


def _whole_day(match: Match, reading: TimeReading) -> Interval | None:
    return None if reading.before else day(reading.start)


def _lunar_date(match: Match, reading: TimeReading) -> Interval | None:
    month = {"正": 1, "冬": 11, "腊": 12}.get(match["month"]) or number(match["month"])
    sign = -1 if match["leap"] else 1  # as the calendar's package has leap months
    found = lunar_day(reading.start.year, sign * month, number(match["day"].removeprefix("初")))
    return day(found) if found else None


def _lunar_month(match: Match, reading: TimeReading) -> Interval | None:
    month = {"正": 1, "冬": 11, "腊": 12}.get(match["month"]) or number(match["month"])
    year = reading.start.year
    first = lunar_day(year, month, 1) if 1 <= month <= 12 else None
    after = lunar_day(year + month // 12, month % 12 + 1, 1)
    return days(first, after - timedelta(days=1), "month") if first and after else None


def _relative_day(match: Match, reading: TimeReading) -> Interval | None:
    if reading.before and reading.before.unit in ("year", "month"):  # 去年今日
        month = reading.base.month if reading.before.unit == "year" else reading.start.month
        found = _day_of(reading.start.year, month, reading.base.day)
        return day(found.start + timedelta(days=_DAYS[match["near"]])) if found else None
    return day(reading.start + timedelta(days=_DAYS[match["near"]]))


def _nth_day(match: Match, reading: TimeReading) -> Interval | None:
    place = 1 if match["nth"] == "首" else number(match["nth"])
    return day(reading.start + timedelta(days=place - 1)) if place > 0 else None


def _last_day(match: Match, reading: TimeReading) -> Interval | None:
    return day(reading.before.end) if reading.before else None


def _day_run(match: Match, reading: TimeReading) -> Interval | None:
    count = number(match["many"])
    if not reading.before or reading.before.unit == "day" or count < 1:
        return None
    if match["run"] == "前":
        return days(reading.start, reading.start + timedelta(days=count - 1))
    return days(reading.before.end - timedelta(days=count - 1), reading.before.end)


def _week(match: Match, reading: TimeReading) -> Interval | None:
    if match["nth"]:
        return _nth(match, reading)
    found = week(reading.start + timedelta(days=7 * _WEEKS.get(match["near"] or "本", 0)))
    if not match["day"]:
        return found if match["near"] else None
    if match["day"] == "末":
        return days(found.end - timedelta(days=1), found.end)
    return day(found.start + timedelta(days=_WEEKDAYS[match["day"]]))


def _nth(match: Match, reading: TimeReading) -> Interval | None:
    place = 1 if match["nth"] == "首" else number(match["nth"])
    if not reading.before or not 1 <= place <= 53:
        return None
    if match["day"]:
        return nth_weekday(reading.before, place, _WEEKDAYS[match["day"]])
    return nth_week(reading.before, place)


def _nth_weekend(match: Match, reading: TimeReading) -> Interval | None:
    if not reading.before or UNITS.index(reading.before.unit) > UNITS.index("month"):
        return None
    if match["last"]:
        saturday = nth_weekday(reading.before, 1, 5).start
        while (later := saturday + timedelta(days=7)) <= reading.before.end:
            saturday = later
        return days(saturday, saturday + timedelta(days=1))
    saturday = nth_weekday(reading.before, number(match["nth"] or "一"), 5).start
    return days(saturday, saturday + timedelta(days=1))


def _last_weekday(match: Match, reading: TimeReading) -> Interval | None:
    if not reading.before:
        return None
    last = reading.before.end
    return day(last - timedelta(days=(last.weekday() - _WEEKDAYS[match["day"]]) % 7))


def _feast(match: Match, reading: TimeReading) -> Interval | None:
    found = _feast_day(match["name"], reading)
    if not found:
        return None
    if match["nth"]:
        away = number(match["nth"])
        return day(found + timedelta(days=away if match["way"] == "后" else -away)) if away > 0 else None
    if match["holiday"]:
        before, count = HOLIDAYS.get(match["name"], (0, 3))
        return days(found - timedelta(days=before), found + timedelta(days=count - before - 1))
    return day(found - timedelta(days=1) if match["eve"] else found)


def _feast_day(name: str, reading: TimeReading) -> datetime | None:
    found = festival(name, reading.start.year)
    if reading.before or not found:
        return found
    beside = festival(name, reading.start.year + (1 if reading.base > found else -1))
    return (
        beside
        if beside and abs((beside - reading.base).days) <= _NEAR_FEAST_DAYS < abs((found - reading.base).days)
        else found
    )


def workday(start: datetime, count: int) -> datetime:
    """The day that many working days on, Saturdays and Sundays left out."""
    weeks, rest = divmod(count, 5)
    friday = start - timedelta(days=max(0, start.weekday() - 4))
    on = shift(friday, "week", weeks)
    for _ in range(rest):
        on += timedelta(days=3 if on.weekday() == 4 else 1)
    return on


_LUNAR_DAY = r"(?P<day>初?\d{1,2}|初?[一二三四五六七八九十廿]{1,3})"

LUNAR_STEPS = (
    step(
        "day",
        rf"(?:农历|阴历|旧历)(?P<leap>闰)?(?P<month>[正腊冬]|{_N})月{_LUNAR_DAY}[日号]?",
        _lunar_date,
    ),
    step("month", rf"(?:农历|阴历|旧历)(?P<month>[正腊冬]|{_N})月(?!初|[一二三四五六七八九十廿\d])份?", _lunar_month),
    step("month", r"(?P<month>[正腊])月(?!初|[一二三四五六七八九十廿\d])", _lunar_month),
    step("day", rf"(?P<leap>)(?P<month>[正腊])月{_LUNAR_DAY}(?!\d)", _lunar_date),
    step(
        "day",
        r"(?P<leap>)(?P<month>[一二三四五六七八九十]{1,2})月(?P<day>初[一二三四五六七八九十]|廿[一二三四五六七八九]?)(?![日号])",
        _lunar_date,
    ),
)
"""Tried before months, which they begin with."""

DAY_STEPS = (
    step("day", r"(?<!\d)(?P<year>\d{4})(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?!\d)", _date),
    step(
        "day",
        r"(?<!\d)(?P<year>\d{4})\s?[-/.·]\s?(?P<month>1[0-2]|0?[1-9])\s?[-/.·]\s?(?P<day>3[01]|[12]\d|0?[1-9])(?!\d(?!\d?:))",
        _date,
    ),
    step(
        "day",
        r"(?<![\d.])(?P<year>)(?P<month>1[0-2]|0?[1-9])[-/.·](?P<day>3[01]|[12]\d|0?[1-9])(?![\d.])",
        _date,
        loose=True,
    ),
    step(
        "day",
        r"(?<!\d)(?P<year>\d{4}) (?P<month>1[0-2]|0?[1-9]) (?P<day>3[01]|[12]\d|0?[1-9])(?!\d)",
        _date,
        loose=True,
    ),
    step("day", r"(?<![\d.])(?P<year>)(?P<month>1[0-2]|0?[1-9])[/.](?P<day>3[01]|[12]\d|0?[1-9])[日号]", _date),
    step("week", r"(?:第?(?P<nth>(?<=第)[一二三四五六]|首)个?|(?P<last>最后一个?))周末", _nth_weekend),
    step("day", rf"最后一个{_WEEK}(?P<day>[一二三四五六日天])", _last_weekday),
    step("week", rf"第?(?P<nth>(?<=第){_N}|首)个?{_WEEK}(?P<day>[一二三四五六日天])?(?P<near>)", _week),
    step(
        "week",
        rf"(?P<nth>)(?P<near>上上|下下|[上下这]一|[上下本这])?个?{_WEEK}(?:的?{_WEEK})?(?P<day>[一二三四五六日天末](?![个年天])|[1-7](?!\d))?",
        _week,
    ),
    step("day", r"(?P<near>[昨今明后前]{2,3})(?:[两二三23]?[天日])(?!报)", _near_days),
    step("day", r"全天|即日(?=起)", _whole_day),
    step("day", r"(?P<near>大{0,2}[前后]|[今明昨当隔])天(?!地)", _relative_day),
    step("day", r"(?P<near>[今明昨本当同即次翌前])日(?!报)", _relative_day),
    step("day", r"(?P<near>[今明昨])\((?:\d{1,2}月)?\d{1,2}日?\)[日天]?", _relative_day),
    step("day", r"(?P<near>[今明昨当同次翌前])(?=[晚夜晨早])", _relative_day),
    step("day", r"第(?P<nth>\d{1,3}|[一二三四五六七八九十]{1,3})[天日]|(?<!\w)首[天日]", _nth_day),
    step("day", r"最后一[天日]", _last_day),
    step("day", rf"(?P<run>[前后]|最后)(?P<many>{_N})[天日]", _day_run),
    step(
        "day",
        rf"(?P<first>{_N})[日号]?(?:(?P<to>\s?(?:——|[至到~\-—–])\s?)|(?P<more>(?:、{_N}[日号]?){{0,5}})、)(?P<last>{_N})[日号](?![线楼院门机文令厅馆])(?!至)",
        _day_span,
    ),
    step("day", rf"(?<!〕)(?P<day>{_N})[日号](?![线楼院门机文令厅馆])", _day),
    step(
        "day",
        rf"(?P<name>{FESTIVAL})(?:(?P<eve>前夕|前一[天日])|(?P<way>[前后])的?第?(?P<nth>{_N})[天日]|(?P<holiday>小?长?假期?(?:期间)?|黄金周))?(?:当[天日])?(?!劳动|奖)",
        _feast,
    ),
    step(
        "day", r"(?P<day>\d{1,2}(?![\d年月天个季:点时])|初?[一二三四五六七八九十]{1,3}(?![年月天个季点时]))", _bare_day
    ),
)
"""In the order in which they are tried."""
