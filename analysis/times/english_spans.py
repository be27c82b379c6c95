"""English times that cover several days, months or years: "from 2014 to 2019", "May 3-5", "the first half of 2025", "the 19th century"."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta

from analysis.times.english import (
    COUNTS,
    MONTH,
    MONTH_FORMS,
    WEEKDAYS,
    month_number,
    nearest_year,
    read_english_point,
)
from analysis.times.interval import SECOND, Interval, day, days, midnight, months, shift, week, years
from analysis.times.step import skip

_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "final": 4, "last": 4, "latter": 2}
_TIES = {"twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80, "nineties": 90}  # fmt: skip
_THIRDS = {"early": 0, "mid": 1, "late": 2}
_FIRST_PLAN_COUNTED = 1966 - 2 * 5
"""Where five-year plans would begin if there had been no gap; it holds from the third on."""
_TO = r"\s?(?:[-–—]|to|through|until|till)\s?"
_YEAR = r"(?:1[5-9]|20)\d\d"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_TH = r"(?:st|nd|rd|th)?"
_MONTH_1, _MONTH_2 = (MONTH.replace("?P<month>", f"?P<{name}>") for name in ("month1", "month2"))
_OF = rf"(?:\sof)?(?:\s(?P<of>{_YEAR}|(?:the|this|last|next)\s(?:fiscal\s)?year))?"
_Part = dict[str, str]
_AND = re.compile(r"\s(?:to|through|until|till|and)\s(?:the\s)?")
_OPEN = re.compile(r"(?:from|between)\s(?:the\s)?")
_BARE = re.compile(rf"(?P<year>{_YEAR})\b(?!s)|(?P<month>{MONTH_FORMS})(?!\w)(?!\s\d)")


def _years(part: _Part, base: datetime) -> Interval | None:
    first = int(part["first"])
    end = int(part["last"]) if "last" in part else first // 100 * 100 + int(part["short"])
    return years(first, end - first + 1) if first < end else None


def _days(part: _Part, base: datetime) -> Interval | None:
    first = month_number(part["month1"])
    year = int(part.get("year") or nearest_year(first, base))
    last = month_number(part.get("month2") or part["month1"])
    return days(datetime(year, first, int(part["day1"])), datetime(year + (last < first), last, int(part["day2"])))


def _months(part: _Part, base: datetime) -> Interval | None:
    first, last = month_number(part["month1"]), month_number(part["month2"])
    end = int(part.get("year") or nearest_year(first, base) + (last < first))
    start = int(part.get("year1") or end - (last < first))
    count = 12 * (end - start) + last - first + 1
    return months(start, first, count) if count > 1 else None


def _year_named(part: _Part, base: datetime) -> int:
    of = part.get("of", "")
    return int(of) if of.isdecimal() else base.year + {"last": -1, "next": 1}.get(of.split()[0] if of else "", 0)


def _quarter(part: _Part, base: datetime) -> Interval | None:
    place = int(part["q"]) if "q" in part else _ORDINALS[part["nth"]]
    return months(_year_named(part, base), 3 * place - 2, 3, "quarter")


def _half(part: _Part, base: datetime) -> Interval | None:
    second = int(part["h"]) == 2 if "h" in part else part["nth"] != "first"
    return months(_year_named(part, base), 7 if second else 1, 6, "quarter")


def _first_months(part: _Part, base: datetime) -> Interval | None:
    count = int(part["many"]) if part["many"].isdecimal() else COUNTS.get(part["many"], 0)
    first = 1 if part["nth"] == "first" else 13 - count
    return months(_year_named(part, base), first, count) if 1 <= count <= 12 else None


def _century(part: _Part, base: datetime) -> Interval | None:
    first = 100 * int(part["nth"]) - 100
    if not 0 < first < 9_900:
        return None
    third = _THIRDS.get(part.get("edge", ""))
    return years(first, 100, "century") if third is None else years(first + 40 * third, 20, "century")


def _decades(part: _Part, base: datetime) -> Interval | None:
    first, last = (_decade(part[name], base) for name in ("first", "last" if "last" in part else "first"))
    if last < first:
        return None
    third = _THIRDS.get(part.get("edge", ""))
    if third is None:
        return years(first, last - first + 10, "decade")
    return years(first + (0, 4, 7)[third], 3, "decade")


def _decade(text: str, base: datetime) -> int:
    if text in _TIES:
        text = str(_TIES[text])
    tens = int(text.strip("'’s"))
    if tens >= 100:
        return tens
    century = base.year // 100 * 100
    return century + tens - 100 * (tens > base.year % 100)


def _weekend(part: _Part, base: datetime) -> Interval | None:
    there = week(base).end - timedelta(days=1)
    near = part.get("near", "")
    if near in ("last", "past") or (near not in ("this", "next", "coming") and there > base):
        there -= timedelta(days=7)
    return days(there + timedelta(days=7 * (near == "next")), there + timedelta(days=1 + 7 * (near == "next")))


def _near_month(part: _Part, base: datetime) -> Interval | None:
    month, near = month_number(part["month1"]), part["near"]
    if near in ("last", "past"):
        return months(base.year - (month >= base.month), month)
    return months(base.year + (near != "this" and month <= base.month), month)


def _two_days(part: _Part, base: datetime) -> Interval | None:
    places = {"yesterday": -1, "today": 0, "tomorrow": 1}
    first, last = places[part["first"]], places[part["last"]]
    return days(base + timedelta(days=first), base + timedelta(days=last)) if first < last else None


def _part_ago(part: _Part, base: datetime) -> Interval | None:
    units: dict[str, tuple[str, float]] = {"hour": ("minute", 30), "century": ("year", 50), "decade": ("year", 5), "year": ("month", 6)}  # fmt: skip
    if "fortnight" in part["what"]:
        return day(base - timedelta(days=14))
    if part["what"] == "half an hour":
        return Interval(base - timedelta(minutes=30), base + timedelta(minutes=30) - SECOND, "hour")
    unit, count = units[part["what"].split()[-1]]
    there = shift(base, "year" if unit == "year" else "month", -count)
    return years(there.year) if unit == "year" else months(there.year, there.month)


def _plan(part: _Part, base: datetime) -> Interval | None:
    place = int(part["nth"])
    return years(_FIRST_PLAN_COUNTED + 5 * (place - 1), 5, "decade") if place > 2 else None


def _clock(part: _Part, base: datetime) -> Interval | None:
    hour, minute, length = 12 if part.get("word") == "noon" else 0, 0, timedelta(hours=1)
    if "hour" in part:
        hour, minute = int(part["hour"]) % 12 + 12 * (part["half"] == "p"), int(part.get("minute") or 0)
        length = timedelta(minutes=1) if part.get("minute") else length
    on = day(base)
    if name := part.get("weekday"):
        on = day(base - timedelta(days=(base.weekday() - WEEKDAYS.index(name)) % 7))
    start = midnight(on.start) + timedelta(hours=hour, minutes=minute)
    return Interval(start, start + length - SECOND, "hour")


_DECADE = rf"(?:{_YEAR[:-2]}0s|['’]\d0s|(?:(?<=the\s)|(?<=the\slate\s)|(?<=the\searly\s))(?:{'|'.join(_TIES)}))"
_SPANS: tuple[tuple[re.Pattern[str], Callable[[_Part, datetime], Interval | None]], ...] = tuple(
    (re.compile(pattern), read)
    for pattern, read in (
        (rf"(?:in\s|from\s|between\s)?(?:the\s)?(?:(?P<edge>early|mid|late)[-\s])?(?:the\s)?(?P<first>{_DECADE})(?:(?:\sand\s|{_TO})(?:the\s)?(?P<last>{_DECADE}))?(?!\w)", _decades),
        (rf"(?:in\s|from\s)?(?P<first>{_YEAR})(?:{_TO}(?P<last>{_YEAR})|\s?[-–—]\s?(?P<short>\d\d))\b(?![-/.]\d)", _years),
        (rf"between\s(?P<first>{_YEAR})\sand\s(?P<last>{_YEAR})\b", _years),
        (rf"(?:on\s|from\s|between\s)?{_MONTH_1}\s(?P<day1>{_DAY}){_TH}(?:{_TO}|(?<=\d)\sand\s(?=\d))(?:{_MONTH_2}\s)?(?P<day2>{_DAY}){_TH}\b(?![:\d])(?:,?\s(?P<year>{_YEAR})\b)?", _days),
        (rf"(?:on\s|from\s|between\s)?(?P<day1>{_DAY}){_TH}(?:\s{_MONTH_1})?{_TO}(?P<day2>{_DAY}){_TH}\s(?:of\s)?{_MONTH_2}(?!\w)(?:,?\s(?P<year>{_YEAR})\b)?", _days),
        (rf"(?:from\s|between\s)?{_MONTH_1}(?:\s(?P<year1>{_YEAR}))?{_TO}{_MONTH_2}(?!\w)(?:\s(?P<year>{_YEAR}))?\b(?!\s?\d)", _months),
        (rf"between\s{_MONTH_1}(?:\s(?P<year1>{_YEAR}))?\sand\s{_MONTH_2}(?!\w)(?:\s(?P<year>{_YEAR}))?\b(?!\s?\d)", _months),
        (rf"(?:in\s)?(?:q(?P<q>[1-4])(?=\s(?:of\s)?(?:\d{{4}}|the|this|last))|(?:the\s)?(?P<nth>first|second|third|fourth|(?:final|last)(?=\squarter\sof))\squarter){_OF}(?!\w)", _quarter),
        (rf"(?:in\s)?(?:h(?P<h>[12])(?=\s\d)|(?:the\s)?(?P<nth>first|second|latter|last)\shalf(?=\sof\s(?:\d|the\s(?:fiscal\s)?year|this\syear|last\syear))){_OF}(?!\w)", _half),
        (rf"(?:in\s)?the\s(?P<nth>first|last|final)\s(?P<many>\d{{1,2}}|{'|'.join(COUNTS)})\smonths(?=\sof\s(?:\d|the|this|last)){_OF}(?!\w)", _first_months),
        (r"(?:in\s)?(?:the\s)?(?:(?P<edge>early|mid|late)[-\s])?(?:the\s)?(?P<nth>\d{1,2})(?:st|nd|rd|th)[-\s]century\b", _century),
        (r"(?:(?:over|during)\s(?:the\s)?)?(?:the\s|this\s)?(?:(?P<near>last|this|next|past|coming)\s|(?<=over\sthe\s)|(?<=during\sthe\s))weekend\b", _weekend),
        (rf"(?P<near>last|this(?!\smay\b|\smarch\b)|next|past|coming)\s{_MONTH_1}(?!\w)(?!\.?,?\s\d)", _near_month),
        (r"(?P<first>yesterday|today)\sand\s(?P<last>today|tomorrow)\b", _two_days),
        (r"(?P<what>a\sfortnight|half\san?\s(?:hour|century|decade|year))\s(?:ago|earlier)\b", _part_ago),
        (r"(?:the\s)?(?P<nth>\d{1,2})(?:st|nd|rd|th)\sfive-year\splan\speriod\b", _plan),
        (rf"(?:at\s|around\s|about\s)*(?:(?P<hour>1[0-2]|0?[1-9])(?:[:.](?P<minute>[0-5]\d))?\s?(?P<half>[ap])(?:m\b|\.m\.?)|(?P<word>noon|midnight)\b)(?:,?\s(?:on\s)?(?P<weekday>{'|'.join(WEEKDAYS)})\b)?", _clock),
    )
)  # fmt: skip
_SINCE = re.compile(r"(?:ever\s)?since\s")


def read_english(text: str, at: int, base: datetime) -> tuple[int, Interval] | None:
    """The expression that begins there in a text in lower case: where it ends, and its interval; None if there is none."""
    if end := _SINCE.match(text, at):
        found = (
            read_english_point(text, at, base) or read_english(text, end.end(), base) or _bare(text, end.end(), base)
        )
        return (found[0], Interval(found[1].start, base, found[1].unit)) if found and found[1].start < base else found
    for pattern, read in _SPANS:
        if (match := pattern.match(text, at)) and (interval := _tried(read, match, base)):
            return match.end(), interval
    return _from_to(text, at, base) or read_english_point(text, at, base)


def _tried(read: Callable[[_Part, datetime], Interval | None], match: re.Match[str], base: datetime) -> Interval | None:
    part = {name: text for name, text in match.groupdict().items() if text is not None}
    if read is _days and "month1" not in part:
        part["month1"] = part["month2"]
    try:
        found = read(part, base)
    except (ValueError, OverflowError):
        return None
    return found if found and found.start <= found.end else None


def _from_to(text: str, at: int, base: datetime) -> tuple[int, Interval] | None:
    """From one point to another: "between May 3, 2024 and June 7, 2025", "from Monday to Friday"."""
    begin = skip(_OPEN, text, at)
    if begin == at:
        return None
    first = read_english_point(text, begin, base) or _bare(text, begin, base)
    to = _AND.match(text, first[0]) if first else None
    last = (read_english_point(text, to.end(), base) or _bare(text, to.end(), base)) if to else None
    if not first or not last:
        return None
    end = last[1].end + (
        timedelta(days=7) if last[1].end < first[1].start and last[1].unit in ("day", "part") else timedelta()
    )
    return (last[0], Interval(first[1].start, end, first[1].unit)) if first[1].start < end else None


def _bare(text: str, at: int, base: datetime) -> tuple[int, Interval] | None:
    """A year or month that only the word before it makes a time."""
    if not (match := _BARE.match(text, at)):
        return None
    if match["year"]:
        return match.end(), years(int(match["year"]))
    month = month_number(match["month"])
    return match.end(), months(nearest_year(month, base), month)
