"""Centuries, decades, years, quarters, seasons and months in Chinese."""

from analysis.times.interval import Interval, months, years
from analysis.times.numerals import number, year_of
from analysis.times.step import Match, TimeReading, step

_N = r"(?:\d{1,2}|[一二两三四五六七八九十]{1,3})"
_YEARS = {"今": 0, "本": 0, "当": 0, "同": 0, "去": -1, "前": -2, "大前": -3, "上": -1, "上一": -1, "上上": -2, "明": 1, "后": 2, "大后": 3, "次": 1, "翌": 1, "来": 1, "下": 1, "下一": 1}  # fmt: skip
_RELATIVE_OFFSETS = {"上": -1, "上一": -1, "上上": -2, "本": 0, "这": 0, "这一": 0, "当": 0, "同": 0, "该": 0, "下": 1, "下一": 1, "下下": 2, "次": 1}  # fmt: skip
_DECADE_PARTS = {"初": (0, 3), "前": (0, 3), "早": (0, 3), "中": (4, 3), "后": (7, 3), "末": (7, 3), "晚": (7, 3)}
_CENTURY_PARTS = {"初": (0, 20), "前": (0, 20), "早": (0, 20), "中": (40, 20), "末": (80, 20), "后": (80, 20), "晚": (80, 20)}  # fmt: skip
_YEAR_PARTS = {"初": (1, 2), "头": (1, 2), "中": (6, 2), "底": (11, 2), "末": (11, 2), "尾": (11, 2)}
_SEASONS = {"春": 3, "夏": 6, "秋": 9, "冬": 12}
_MONTH_NAMES = {"正": 1, "腊": 12, "冬": 11}
_MONTH_DAYS = {"初": (1, 5), "中": (10, 20), "底": (25, 31), "末": (25, 31), "上旬": (1, 10), "中旬": (11, 20), "下旬": (21, 31)}  # fmt: skip
_HALVES = {"上": 1, "前": 1, "下": 7, "后": 7}
_HOLIDAYS = {"暑": (7, 2), "寒": (1, 2)}


def _century(match: Match, reading: TimeReading) -> Interval | None:
    century = number(match["nth"]) - 1 if match["nth"] else reading.start.year // 100 + _RELATIVE_OFFSETS[match["near"]]
    first = 100 * century
    if not 0 < first < 9_900:
        return None
    offset, count = _CENTURY_PARTS.get((match["part"] or "")[:1], (0, 100))
    return years(first + offset, count, "century")


def _decade(match: Match, reading: TimeReading) -> Interval | None:
    tens = number(match["tens"])
    if tens % 10 or not 0 <= tens < 100:
        return None
    century = reading.start.year // 100 * 100 if reading.before else 1900 if tens > reading.base.year % 100 else 2000
    offset, count = _DECADE_PARTS.get((match["part"] or "")[:1], (0, 10))
    return years(century + tens + offset, count, "decade")


def _year(match: Match, reading: TimeReading) -> Interval | None:
    year = reading.start.year + _YEARS[match["near"]] if match["near"] else year_of(match["number"], reading.base.year)
    return years(year) if 1 <= year < 9_999 else None


def _year_part(match: Match, reading: TimeReading) -> Interval | None:
    first, count = _YEAR_PARTS[match["part"]]
    return months(reading.start.year, first, count)


def _half(match: Match, reading: TimeReading) -> Interval | None:
    return months(reading.start.year, _HALVES[match["half"]], 6, "quarter")


def _quarter(match: Match, reading: TimeReading) -> Interval | None:
    present = (reading.start.month - 1) // 3 + 1
    first, count = 1, 1
    if match["near"]:
        first = present + _RELATIVE_OFFSETS[match["near"]]
    elif match["run"]:
        count = number(match["many"])
        first = 1 if match["run"] == "前" else 5 - count
    else:
        first = number(match["nth"])
        if not 1 <= first <= 4:
            return None
    if not 1 <= count <= 4:
        return None
    offset = {"初": 0, "中": 1, "末": 2, "底": 2}.get(match["part"] or "", -1)
    start = 3 * first - 2
    return months(reading.start.year, start + offset) if offset >= 0 else months(reading.start.year, start, 3 * count, "quarter")  # fmt: skip


def _season(match: Match, reading: TimeReading) -> Interval | None:
    return months(reading.start.year, _SEASONS[match["season"]], 3, "quarter")


def _holiday(match: Match, reading: TimeReading) -> Interval | None:
    return months(reading.start.year, *_HOLIDAYS[match["holiday"]], "quarter")


def _month(match: Match, reading: TimeReading) -> Interval | None:
    if match["near"]:
        return months(reading.start.year, reading.start.month + _RELATIVE_OFFSETS[match["near"]])
    month = _MONTH_NAMES.get(match["number"]) or number(match["number"])
    return _of_the_year(month, reading) if 1 <= month <= 12 else None


def _of_the_year(month: int, reading: TimeReading) -> Interval:
    """A month without a year is this year's; in January and February, November and December are last year's."""
    year, present = reading.start.year, reading.start.month
    return months(year - 1 if not reading.before and present <= 2 and month >= 11 else year, month)


def _month_run(match: Match, reading: TimeReading) -> Interval | None:
    count = number(match["many"])
    if not (1 <= count <= 12 and reading.before):
        return None
    return months(reading.start.year, 1 if match["run"] == "前" else 13 - count, count)


def _two_months(match: Match, reading: TimeReading) -> Interval | None:
    first, last = number(match["first"]), number(match["last"])
    return months(reading.start.year, first, 2) if last == first + 1 and first < 10 else None


def _this_month(match: Match, reading: TimeReading) -> Interval | None:
    return _days_of(months(reading.start.year, reading.start.month), match["part"]) if not reading.before else None


def _month_part(match: Match, reading: TimeReading) -> Interval | None:
    if not reading.before and match["part"].endswith("旬"):
        return _days_of(months(reading.start.year, reading.start.month), match["part"])
    if not reading.before or reading.before.unit != "month":
        return None
    return _days_of(reading.before, match["part"])


def _days_of(month: Interval, part: str) -> Interval:
    first, last = _MONTH_DAYS[part]
    start, end = month.start, month.end
    return Interval(start.replace(day=first), end.replace(day=min(last, end.day)), "week")


MONTH_STEPS = (
    step(
        "century",
        rf"(?:(?P<near>上|本|下)个?|(?P<nth>{_N}))世纪(?P<part>初|前期|前叶|早期|中期|中叶|末期?|后期|晚期)?",
        _century,
    ),
    step(
        "decade",
        r"(?P<tens>[1-9]0|[二三四五六七八九]十|零零|00)年代(?P<part>初期?|前期|早期|中期?|末期?|后期|晚期)?",
        _decade,
    ),
    step(
        "year",
        r"(?:(?P<number>\d{4}|[一二][零〇○一二三四五六七八九]{3}|(?:\d{2}|[零〇○一二三四五六七八九]{2})(?=年(?:第|[底初末中首上下前春夏秋冬暑寒]|[\d一二三四五六七八九十]{1,3}[月季])))"
        r"|(?P<near>大[前后]|上上|[上下]一|[今本当同去前明后次翌来上下]))(?:年度?|(?<=去)岁)(?:份(?![额子]))?",
        _year,
    ),
    step("quarter", r"(?P<half>[上下前后])半年", _half),
    step(
        "quarter",
        rf"(?:(?P<near>上一?|本|这一?|下一?)个?|(?P<run>[前后])(?P<many>{_N})个?|第?(?P<nth>[一二三四首1-4])个?|[Qq](?=[1-4]))季度?(?P<part>[初中末底])?",
        _quarter,
    ),
    step("quarter", r"(?P<season>[春夏秋冬])(?:天|季|日(?!报))", _season),
    step("quarter", r"(?P<holiday>[暑寒])(?:假|期)期?间?", _holiday),
    step("month", r"年(?P<part>[初中底末尾])(?!级)", _year_part),
    step("month", r"岁(?P<part>[初末尾])", _year_part),
    step("month", r"(?P<first>[一二三四五六七八九十])(?P<last>[二三四五六七八九十])月份?", _two_months),
    step("month", r"(?:(?<=年)|(?<=年[度内]))(?P<part>[初底末头尾]|中(?![秋元]))", _year_part),
    step(
        "month",
        rf"(?:(?P<near>上上|上一|下一|这一|下下|[上下]|本|这|当|同|该|次)个?|农?历?(?P<number>{_N}|[正腊冬首]))月(?:份(?![额子]))?(?!球|亮|饼|薪|经|票)",
        _month,
    ),
    step("month", rf"(?P<run>[前后])(?P<many>{_N})个?月(?:份)?", _month_run),
    step("week", r"(?P<near>)月(?P<part>[初中底末])", _this_month),
    step("week", r"(?P<part>上旬|中旬|下旬|[初底末]|中(?![央国学心小午]))", _month_part),
)
"""In the order in which they are tried."""
