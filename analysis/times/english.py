"""English time expressions: "last Wednesday", "early March", "the end of last year", "3 May 2016 at 5 p.m."."""

import re
from datetime import datetime, timedelta

from analysis.times.festivals import festival
from analysis.times.interval import (
    SECOND,
    UNITS,
    Interval,
    Unit,
    around,
    day,
    days,
    midnight,
    months,
    shift,
    week,
    years,
)
from extractors.text.calendar import LANGUAGES

_ENGLISH = LANGUAGES["en"]
_MONTHS = [forms[0] for forms in _ENGLISH.months]
WEEKDAYS = [forms[0] for forms in _ENGLISH.weekdays]
_WORDS = "one two three four five six seven eight nine ten eleven twelve".split()
COUNTS = {word: place for place, word in enumerate(_WORDS, 1)} | {"a": 1, "an": 1, "a couple of": 2, "a few": 3, "several": 3}  # fmt: skip
_FEASTS = {"new year's day": "元旦", "christmas eve": "平安夜", "christmas": "圣诞节", "halloween": "万圣夜", "thanksgiving": "感恩节", "valentine's day": "情人节"}  # fmt: skip
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_DAY_PARTS = {"morning": (6, 12), "afternoon": (12, 18), "evening": (18, 24), "night": (18, 24)}
_UNITS: dict[str, Unit] = {unit: unit for unit in UNITS}
_RELATIVE_OFFSETS = {"last": -1, "previous": -1, "this": 0, "current": 0, "next": 1, "coming": 1}
_DAYS = {**_ENGLISH.days, "the day before yesterday": -2, "tonight": 0, "tomorrow": 1, "the day after tomorrow": 2}

# a dot may follow short ones
_FORMS = (form + r"\.?" * (at > 0) for forms in _ENGLISH.months for at, form in enumerate(forms))
MONTH_FORMS = "|".join(_FORMS)
MONTH = f"(?P<month>{MONTH_FORMS})"
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:1[0-9]|20)\d\d)"
_UNIT = r"(?P<unit>year|month|week|day|hour|minute|second|decade)s?"
_UNIT_WORDS = "year|month|week|day|hour|minute|second|decade"
_COUNT_PATTERN = rf"(?P<many>\d{{1,4}}|a couple of|a few|several|an?|{'|'.join(_WORDS)})"
_NUMBER = rf"(?:\d{{1,3}}|{'|'.join(_WORDS)})"
_POINT = re.compile(
    rf"(?P<relday>{'|'.join(sorted(_DAYS, key=len, reverse=True))})\b(?:\s(?P<relpart>morning|afternoon|evening|night))?"
    rf"|(?P<thispart>this|last)\s(?P<part>morning|afternoon|evening|night)\b"
    rf"|(?:on\s)?(?:(?P<nearday>last|this|next|past)\s)?(?P<weekday>{'|'.join(WEEKDAYS)})(?:\s(?P<weekpart>morning|afternoon|evening|night))?\b(?!,?\s(?:{MONTH.replace('?P<month>', '?:')})\s\d)"
    rf"|(?P<edge>early|mid[- ]|late|(?:the\s)?(?:beginning|start|middle|end)\sof)\s?(?:in\s)?(?P<near0>(?:(?:last|this|next)\s(?:year|month))|{MONTH.replace('month', 'edgemonth')}(?:,?\s(?P<edgeyear>\d{{4}}))?|(?:(?P<bareyear>(?:19|20)\d\d)s?))\b"
    rf"|(?:the\s)?(?P<near>last|previous|this|next|coming)\s(?P<nearunit>year|month|week|quarter|decade|spring|summer|autumn|fall|winter)\b(?!\s(?:two|three|few|\d))"
    rf"|(?:the\s)?(?P<span>last|past|next|coming)\s(?P<spanmany>\d{{1,4}}|few|couple\sof|{'|'.join(_WORDS)})\s(?P<spanunit>year|month|week|day|hour|minute|decade)s\b"
    rf"|(?:(?P<low>{_NUMBER})\s(?:to|or)\s)?{_COUNT_PATTERN}\s{_UNIT}\s(?P<way>ago|earlier|later|from\snow)\b"
    rf"|(?P<within>within|in)\s(?:the\s)?(?P<inmany>\d{{1,4}}|{'|'.join(_WORDS)})\s(?P<inunit>year|month|week|day|hour|minute)s?\b"
    rf"|(?:the\s)?(?P<decade>(?:1[5-9]|20)\d0)s\b"
    rf"|(?P<season>spring|summer|autumn|fall|winter)\s(?:of\s)?(?P<seasonyear>(?:19|20)\d\d)\b"
    rf"|(?P<feast>{'|'.join(_FEASTS)}|new\syear's\seve)\b(?:,?\s(?P<feastyear>(?:19|20)\d\d))?",
)  # fmt: skip
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{MONTH}\s{_DAY}\b(?:,?\s{_YEAR}\b)?",
        rf"(?:the\s)?{_DAY}\s(?:of\s)?{MONTH}(?!\w)(?:,?\s{_YEAR}\b)?",
        rf"{MONTH},?\s(?:of\s)?{_YEAR}\b",
        rf"(?:in|since|by|until|during|of)\s(?P<only>{MONTH})(?!\w)(?!\s\d)",
        rf"(?:in|since|by|until|during|of|before|after|from|year)\s{_YEAR}\b(?!\s(?:people|other|more))",
    )
)
_CLOCK = re.compile(
    r",?\s?(?:at\s|around\s|about\s)*(?P<hour>1[0-2]|0?[1-9])(?::(?P<minute>[0-5]\d))?\s?(?P<half>[ap])\.?m\b\.?"
    r"|,?\s?(?:at\s)(?P<hour24>[01]?\d|2[0-3]):(?P<minute24>[0-5]\d)"
)
STARTS = re.compile(
    rf"\b(?:(?:an?|several)(?=\s(?:few\s|couple\sof\s)?(?:{_UNIT_WORDS}))|the\s(?=last|past|previous|next|coming|day\s|[12]\d\d0s|beginning|start|middle|end|\d|first\s|second\s|third\s|fourth\s|final\s|latter\s|weekend|['’]\d0s|early|mid|late|\w{{4,5}}ties\b)"
    r"|(?:in|since|by|until|during|of|on|before|after|from|between|within|year)\s(?=the\s(?:[12]\d|first\s|second\s|third\s|fourth\s|final\s|last\s|past\s|early|mid|late|'\d|\w{4,5}ties)|q[1-4]\s|(?:last|this)\s|yesterday|\d|"
    + "|".join((*(f"{month[:3]}[a-z]*\\b" for month in _MONTHS), *_WORDS, *WEEKDAYS))
    + r")"
    r"|(?:this|last|past|previous|next|coming)(?=\s(?:\w{1,6}\s)?(?:year|month|week|day|hour|minute|quarter|decade|morning|afternoon|evening|night|spring|summer|autumn|fall|winter|"
    + "|".join((*WEEKDAYS, "weekend", *_MONTHS))
    + r"))|(?:over|during)\s(?=the\sweekend)|at\s(?=noon|midnight)|noon|midnight|q[1-4]\s(?=\d|of)|h[12]\s(?=\d{4})|half\san?\s|a\sfortnight"
    r"|(?:first|second|third|fourth|final)\s(?=quarter|half)|[12]\d{3}(?=\s?[-–—]\s?\d)|(?<![\d.:])\d{1,2}(?=(?:[.:]\d\d)?\s?[ap]\.?m\b|\s?[-–—]\s?\d{1,2}\s[a-z])|early|mid|late|end\sof|start\sof|beginning\sof|middle\sof|yesterday|today|tonight|tomorrow"
    rf"|[12]\d{{3}}s|\d{{1,4}}(?=(?:st|nd|rd|th)?\s[a-z])|(?:{'|'.join(_WORDS)})\s(?=(?:(?:to|or)\s\w{{3,6}}\s)?(?:{_UNIT_WORDS}))|{'|'.join(WEEKDAYS)}"
    r"|(?:spring|summer|autumn|fall|winter)\s(?=of|\d)|new year's|christmas|halloween|thanksgiving|valentine's"
    rf"|(?:{'|'.join(month[:3] for month in _MONTHS)})[a-z]{{0,7}}\.?(?:,?\s\d|\s(?:to|through|until)\s[jfmasond]))",
)
"""Where an expression can begin."""


def read_english_point(text: str, at: int, base: datetime) -> tuple[int, Interval] | None:
    """The expression that begins there in a text in lower case: where it ends, and its interval; None if there is none."""
    for pattern in _DATES:
        if (match := pattern.match(text, at)) and (found := _date(match, base)):
            return _clock(text, match.end(), found)
    if (match := _POINT.match(text, at)) and (found := _relative(match, base)):
        return _clock(text, match.end(), found)
    return None


def month_number(name: str) -> int:
    return next(place for place, month in enumerate(_MONTHS, 1) if month.startswith(name[:3]))


def _date(match: re.Match[str], base: datetime) -> Interval | None:
    parts = match.groupdict()
    month = month_number(parts["month"]) if parts.get("month") else 0
    year = int(parts.get("year") or 0) or nearest_year(month, base)
    try:
        if parts.get("day"):
            return day(datetime(year, month, int(parts["day"])))
        return months(year, month) if month else years(year)
    except ValueError:
        return None


def nearest_year(month: int, base: datetime) -> int:
    """That of the nearest such month, not more than half a year ahead."""
    return base.year - (month > base.month + 6) + (month < base.month - 6 and month + 12 - base.month < 3)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else COUNTS.get(text, 2 if "couple" in text else 3)  # fmt: skip


def _relative(match: re.Match[str], base: datetime) -> Interval | None:
    parts = {name: text for name, text in match.groupdict().items() if text is not None}
    try:
        return _of_days(parts, base) or _of_units(parts, base) or _of_years(parts, base)
    except (ValueError, OverflowError):
        return None


def _of_days(parts: dict[str, str], base: datetime) -> Interval | None:
    if name := parts.get("relday"):
        part = parts.get("relpart") or ("night" if name == "tonight" else "")
        return _part(base + timedelta(days=_DAYS[name]), part)
    if "part" in parts:
        return _part(base - timedelta(days=parts["thispart"] == "last"), parts["part"])
    if name := parts.get("weekday"):
        back = (base.weekday() - WEEKDAYS.index(name)) % 7
        near = parts.get("nearday")
        if near in ("last", "past"):
            back = back or 7
        elif near in ("next", "this"):
            back = back - 7 if back else 0 if near == "this" else -7
        return _part(base - timedelta(days=back), parts.get("weekpart", ""))
    return None


def _part(moment: datetime, part: str) -> Interval:
    if part not in _DAY_PARTS:
        return day(moment)
    first, last = _DAY_PARTS[part]
    start = midnight(moment)
    return Interval(start + timedelta(hours=first), start + timedelta(hours=last) - SECOND, "part")


def _of_units(parts: dict[str, str], base: datetime) -> Interval | None:
    if "way" in parts:
        unit = _UNITS[parts["unit"]]
        sign = -1 if parts["way"] in ("ago", "earlier") else 1
        far = around(shift(base, unit, sign * _number(parts["many"])), unit)
        near = around(shift(base, unit, sign * _number(parts["low"])), unit) if "low" in parts else far
        return Interval(min(far.start, near.start), max(far.end, near.end), unit)
    if "span" in parts:
        unit, count = _UNITS[parts["spanunit"]], _number(parts["spanmany"])
        there = shift(base, unit, count if parts["span"] in ("next", "coming") else -count)
        if UNITS.index(unit) <= UNITS.index("day"):
            there = midnight(there)
        return Interval(min(base, there), max(base, there), unit)
    if "within" in parts:
        unit = _UNITS[parts["inunit"]]
        there = shift(base, unit, _number(parts["inmany"]))
        return Interval(base, there, unit) if parts["within"] == "within" else around(there, unit)
    return None


def _of_years(parts: dict[str, str], base: datetime) -> Interval | None:
    if "edge" in parts:
        return _edge(parts, base)
    if "near" in parts:
        return _near(_RELATIVE_OFFSETS[parts["near"]], parts["nearunit"], base)
    if "decade" in parts:
        return years(int(parts["decade"]), 10, "decade")
    if "season" in parts:
        return months(int(parts["seasonyear"]), _SEASONS[parts["season"]], 3, "quarter")
    if "feast" in parts:
        year = int(parts.get("feastyear") or base.year)
        if parts["feast"].endswith("year's eve"):
            return day(datetime(year if "feastyear" in parts or base.month > 6 else year - 1, 12, 31))
        found = festival(_FEASTS[parts["feast"]], year)
        return day(found) if found else None
    return None


def _near(step: int, unit: str, base: datetime) -> Interval:
    if unit in _SEASONS:
        return months(base.year + step, _SEASONS[unit], 3, "quarter")
    if unit == "week":
        return week(shift(base, "week", step))
    if unit == "decade":
        return years(base.year // 10 * 10 + 10 * step, 10, "decade")
    return around(shift(base, _UNITS[unit], step), _UNITS[unit])


def _edge(parts: dict[str, str], base: datetime) -> Interval:
    if name := parts.get("edgemonth"):
        month = month_number(name)
        whole = months(int(parts.get("edgeyear") or nearest_year(month, base)), month)
    elif year := parts.get("bareyear"):
        decade = parts["near0"].endswith("s")
        whole = years(int(year), 10 if decade else 1, "decade" if decade else "year")
    else:
        near, unit = parts["near0"].split()
        whole = _near(_RELATIVE_OFFSETS[near], unit, base)
    third = (whole.end - whole.start + SECOND) / 3
    edge = parts["edge"].removeprefix("the ")
    place = 0 if edge.startswith(("early", "beginning", "start")) else 1 if edge.startswith("mid") else 2
    return days(whole.start + third * place, whole.start + third * (place + 1) - SECOND, "week" if whole.unit == "month" else "month")  # fmt: skip


def _clock(text: str, end: int, found: Interval) -> tuple[int, Interval]:
    match = _CLOCK.match(text, end) if found.unit in ("day", "part") else None
    if not match:
        return end, found
    if match["hour24"]:
        hour, minute = int(match["hour24"]), int(match["minute24"])
    else:
        hour, minute = int(match["hour"]) % 12 + (12 if match["half"] == "p" else 0), int(match["minute"] or 0)
    start = midnight(found.start) + timedelta(hours=hour, minutes=minute)
    return match.end(), Interval(start, start + timedelta(minutes=1 if match["minute"] or match["minute24"] else 60) - SECOND, "hour")  # fmt: skip
