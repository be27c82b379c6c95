"""Centuries, decades, years, quarters, seasons and months in Chinese."""

from analysis.times.interval import Interval, months, years
from analysis.times.numerals import number, year_of
from analysis.times.step import Match, TimeReading, step

_N = r"(?:\d{1,2}|[一二两三四五六七八九十]{1,3})"
_TO = r"\s?(?:——|[至到~\-—–])\s?"
_TENS = r"(?:(?:1[5-9]|20)\d0|[0-9]0|[一二三四五六七八九]十|零零)"
_FOUR = r"(?:\d{4}|[一二][零〇○一二三四五六七八九]{3})"
_NO_NAME = "(?!(?:经济报[道导]|海上丝绸之路|不动产|福克斯|福斯|财经|教育研究院))"
"""21世纪经济报道, 20世纪福克斯."""
_YEARS = {"今": 0, "本": 0, "当": 0, "同": 0, "这一": 0, "去": -1, "前": -2, "大前": -3, "上": -1, "上一": -1, "上上": -2, "明": 1, "后": 2, "大后": 3, "次": 1, "翌": 1, "来": 1, "下": 1, "下一": 1}  # fmt: skip
_RELATIVE_OFFSETS = {"上": -1, "上一": -1, "上上": -2, "本": 0, "这": 0, "这一": 0, "当": 0, "同": 0, "该": 0, "下": 1, "下一": 1, "下下": 2, "次": 1}  # fmt: skip
_DECADE_PARTS = {"初": (0, 3), "前": (0, 3), "早": (0, 3), "中": (4, 3), "后": (7, 3), "末": (7, 3), "晚": (7, 3)}
_CENTURY_PARTS = {"初": (0, 20), "前": (0, 20), "早": (0, 20), "中": (40, 20), "末": (80, 20), "后": (80, 20), "晚": (80, 20)}  # fmt: skip
_YEAR_PARTS = {"初": (1, 2), "伊始": (1, 1), "头": (1, 2), "中": (6, 2), "底": (11, 2), "末": (11, 2), "尾": (11, 2)}
_SEASONS = {"春": 3, "夏": 6, "秋": 9, "冬": 12}
_MONTH_NAMES = {"正": 1, "腊": 12, "冬": 11}
_MONTH_DAYS = {"初": (1, 5), "中": (10, 20), "底": (25, 31), "末": (25, 31), "上旬": (1, 10), "中旬": (11, 20), "下旬": (21, 31), "上中旬": (1, 20), "中上旬": (1, 20), "中下旬": (11, 31), "上": (1, 15), "下": (16, 31)}  # fmt: skip
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
    first = _tens(match["tens"] or match["pair"] + "十")
    last = _tens(match["last"] or match["next"] + "十") if match["last"] or match["next"] else first
    if match["pair"] is None and len(match["tens"]) == 4:
        century, first, last = first // 100 * 100, first % 100, last % 100
    else:
        present = reading.base.year
        century = (
            reading.start.year // 100 * 100 if reading.before else present // 100 * 100 - 100 * (first > present % 100)
        )
    if first % 10 or last % 10 or not 0 <= first <= last < 100:
        return None
    offset, count = _DECADE_PARTS.get((match["part"] or "")[:1], (0, 10))
    return years(century + first + offset, last - first + count, "decade")


def _tens(text: str) -> int:
    return int(text) if text.isdecimal() else number(text)


def _year(match: Match, reading: TimeReading) -> Interval | None:
    year = reading.start.year + _YEARS[match["near"]] if match["near"] else year_of(match["number"], reading.base.year)
    return years(year) if 1 <= year < 9_999 else None


def _year_span(match: Match, reading: TimeReading) -> Interval | None:
    """2014至2019年; 2024-25年."""
    first, last = year_of(match["first"], 0), match["last"]
    end = year_of(last, 0) if len(last) == 4 else first // 100 * 100 + int(last)
    return years(first, end - first + 1) if 1 <= first < end < 9_999 else None


def _two_years(match: Match, reading: TimeReading) -> Interval | None:
    """今明两年."""
    places = [_YEARS[each] for each in match["near"]]
    return years(reading.base.year + min(places), max(places) - min(places) + 1)


def _this_year(match: Match, reading: TimeReading) -> Interval | None:
    return None if reading.before else years(reading.start.year)


def _school_year(match: Match, reading: TimeReading) -> Interval | None:
    first = year_of(match["first"], 0)
    return months(first, 9, 12, "year") if 1 <= first < 9_900 else None


def _year_month(match: Match, reading: TimeReading) -> Interval | None:
    """2008.03"""
    return months(int(match["year"]), int(match["month"]))


def _year_part(match: Match, reading: TimeReading) -> Interval | None:
    first, count = _YEAR_PARTS[match["part"] or "初"]
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
        first = 1 if match["run"] in "前头" else 5 - count
    else:
        first = number(match["nth"])
        if not 1 <= first <= 4:
            return None
    if not 1 <= count <= 4:
        return None
    offset = {"初": 0, "中": 1, "末": 2, "底": 2}.get(match["part"] or "", -1)
    start = 3 * first - 2
    return months(reading.start.year, start + offset) if offset >= 0 else months(reading.start.year, start, 3 * count, "quarter")  # fmt: skip


def _two_quarters(match: Match, reading: TimeReading) -> Interval | None:
    first, last = number(match["first"]), number(match["last"])
    return months(reading.start.year, 3 * first - 2, 3 * (last - first + 1), "quarter") if first < last else None


def _season(match: Match, reading: TimeReading) -> Interval | None:
    first = _SEASONS[match["season"]]
    last = _SEASONS[match["last"] or match["season"]]
    return months(reading.start.year, first, last - first + 3, "quarter") if last >= first else None


def _near_season(match: Match, reading: TimeReading) -> Interval | None:
    """今夏; 今冬明春."""
    first = months(reading.base.year + _YEARS[match["near"]], _SEASONS[match["season"]], 3, "quarter")
    if not match["last"]:
        return first
    return Interval(first.start, months(first.start.year + 1, _SEASONS[match["last"]], 3).end, "quarter")


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
    return months(reading.start.year, 1 if match["run"] in "前头" else 13 - count, count)


def _nth_month(match: Match, reading: TimeReading) -> Interval | None:
    place = 12 if match["last"] else number(match["nth"])
    known = reading.before and reading.before.unit == "year" and 1 <= place <= 12
    return months(reading.start.year, place) if known else None


def _two_months(match: Match, reading: TimeReading) -> Interval | None:
    first, last = number(match["first"]), number(match["last"])
    return months(reading.start.year, first, 2) if last == first + 1 and first < 10 else None


def _month_span(match: Match, reading: TimeReading) -> Interval | None:
    """1至6月; 1、2月, which are neighbours. Over the end of a year it is the next one's."""
    first, last = number(match["first"]), number(match["last"])
    if not (1 <= first <= 12 and 1 <= last <= 12) or (not match["to"] and last != first + 1):
        return None
    return months(reading.start.year, first, (last - first) % 12 + 1)


def _whole_month(match: Match, reading: TimeReading) -> Interval | None:
    return months(reading.start.year, reading.start.month)


def _this_month(match: Match, reading: TimeReading) -> Interval | None:
    if reading.before and reading.before.unit != "month":
        return None
    return _days_of(reading.before or months(reading.start.year, reading.start.month), match["part"])


def _half_month(match: Match, reading: TimeReading) -> Interval | None:
    return _days_of(months(reading.start.year, reading.start.month), match["half"])


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
        rf"(?:(?P<near>上|本|下)个?|(?P<nth>{_N}))世纪{_NO_NAME}(?P<part>初|前期|前叶|早期|中期|中叶|末期?|后期|晚期)?",
        _century,
    ),
    step(
        "decade",
        rf"(?:(?P<tens>{_TENS})(?:年代)?(?:(?:{_TO}|[、和与])(?P<last>{_TENS}))?|(?P<pair>[一二三四五六七八])、?(?P<next>[二三四五六七八九])十)年代"
        r"(?P<part>初期?|前期|早期|中期?|末期?|后期|晚期)?",
        _decade,
    ),
    step("year", rf"(?P<first>{_FOUR})(?:{_TO}(?:{_FOUR}|\d\d))?学年度?(?!级)", _school_year),
    step("year", rf"(?P<first>{_FOUR}){_TO}(?P<last>{_FOUR}|\d\d)\s?年(?!代)度?", _year_span),
    step("year", r"(?P<near>[去今明后]{2,3})[两二三]年", _two_years),
    step("year", r"(?:全年|(?<![\u4e00-\u9fff])年内)", _this_year),
    step(
        "year",
        r"(?:(?P<number>\d{4}|[一二][零〇○一二三四五六七八九]{3}|(?:\d{2}|[零〇○一二三四五六七八九]{2})(?=年(?:第|[底初末中首上下前春夏秋冬暑寒]|[\d一二三四五六七八九十]{1,3}[月季])))"
        r"|(?P<near>大[前后]|上上|[上下]一|[今本当同去前明后次翌来上下]|这一))\s?(?:年度?|(?<=去)岁)(?:份(?![额子])|全年)?",
        _year,
    ),
    step("year", r"(?P<near>)(?P<number>\d{2}|[零〇○一二三四五六七八九]{2})年(?!代)", _year, loose=True),
    step("year", r"(?P<near>)(?P<number>(?:19|20)\d\d)(?!\d)(?=$|\s?[至到~—–])", _year, loose=True),
    step(
        "month",
        r"(?<!\d)(?P<year>(?:19|20)\d\d)[-/.](?P<month>0[1-9]|1[0-2])(?![\d/.:]|-\d\d?(?!\d))",
        _year_month,
        loose=True,
    ),
    step("quarter", r"(?P<half>[上下前后])半年(?!报)", _half),
    step(
        "quarter", rf"第?(?P<first>[一二三四1-4])(?:季度)?(?:{_TO}|、)?第?(?P<last>[一二三四2-4])个?季度", _two_quarters
    ),
    step(
        "quarter",
        rf"(?:(?P<near>上一?|本|这一?|下一?)个?|(?P<run>[前后头]|最后)(?P<many>{_N})个?|第?(?P<nth>[一二三四首1-4])个?|[Qq](?=[1-4]))季度?(?P<part>[初末底]|中(?![国央]))?",
        _quarter,
    ),
    step("quarter", r"(?P<season>[春夏秋冬])(?P<last>)(?:天|季(?!度)|日(?!报))", _season),
    step("quarter", r"(?<=年)(?P<season>[春夏秋冬])(?P<last>[夏秋冬])?(?=[的,，。、；)]|\s|$)", _season),
    step("quarter", r"(?P<near>[今去明前])(?P<season>[春夏秋冬])(?![晚])(?:明(?P<last>[春夏秋]))?", _near_season),
    step("quarter", r"(?P<holiday>[暑寒])(?:假|期)期?间?", _holiday),
    step("month", r"年(?P<part>[初中底末尾头])(?!级)|开(?P<start>年)(?=以来|至今)", _year_part),
    step("month", r"岁(?P<part>[初末尾])", _year_part),
    step(
        "month",
        rf"(?P<first>{_N})(?:月份?)?(?:(?P<to>{_TO})|、)(?P<last>{_N})月(?![球亮饼薪经票])份?(?!\s?[\d一二三四五六七八九十初上中下底末])",
        _month_span,
    ),
    step("month", r"(?P<first>[一二三四五六七八九十])(?P<last>[二三四五六七八九十])月份?", _two_months),
    step(
        "month",
        r"(?:(?<=年)|(?<=年[度内]))(?P<part>[初底末尾]|伊始|头(?![\d一二两三四五六七八九十])|中(?![秋元国央]))",
        _year_part,
    ),
    step(
        "month",
        rf"(?:(?P<near>上上|上一|下一|这一|下下|[上下]|本|这|当|同|该|次)个?|农?历?(?P<number>{_N}|[正腊冬首]|(?<![\d万亿千百])元))月(?:份(?![额子]))?(?!球|亮|饼|薪|经|票)",
        _month,
    ),
    step("month", rf"(?P<run>[前后头])(?P<many>{_N})个?月(?:份)?", _month_run),
    step("month", rf"(?:第(?P<nth>{_N})|(?P<last>最后一))个月", _nth_month),
    step("month", r"(?<!每)月内", _whole_month),
    step("week", r"(?<![每一])月(?P<part>[初底末]|中(?![央国学心小午]))", _this_month),
    step("week", r"(?P<half>[上下])半月", _half_month),
    step("week", r"(?P<part>上中?旬|中[上下]?旬|下旬|[初底末]|中(?![央国学心小午]))", _month_part),
)
"""In the order in which they are tried."""
