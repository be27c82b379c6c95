"""Converts written times, absolute and relative, Chinese and others, to ISO 8601.

Every pattern is a fixed sequence of bounded parts, so that matching is linear in the text's length.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache, lru_cache

from extractors.text.brief_times import BriefTime, brief_time
from extractors.text.calendar import LANGUAGES, day_words, month_names, unit_names
from extractors.text.calendar.cldr import cldr_names, folded
from extractors.text.clock import CLOCK

CHINA = timezone(timedelta(hours=8))
_MAX_CHARS = 400


_MONTHS = {**cldr_names().months, **{folded(name): number for name, number in month_names()}}
_NUMERALS = {"一": 1, "二": 2, "两": 2, "兩": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10, "半": 0.5, "几": 3, "幾": 3, "a": 1, "an": 1}  # fmt: skip
_SECONDS = {folded(name): seconds for name, seconds in unit_names()}
_UNIT_NAMES = sorted({re.escape(name) for name, _ in unit_names()}, key=len, reverse=True)
_DAYS = {folded(word): days for word, days in day_words().items()}
_DAY_WORDS = "|".join(day_words())

_WEEKDAY = rf"(?:\s{{0,2}}[(（]?(?:星期|周|週|礼拜)[{''.join(map(''.join, LANGUAGES['zh'].weekdays))}][)）]?)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_PATTERNS = tuple(
    (re.compile(pattern, re.I), frozenset(signs.split()))
    for signs, pattern in (
        (
            "年",
            rf"(?<!\d){_YEAR}\s?[年년]\s?(?P<month>1[0-2]|0?[1-9])\s?[月월]\s?(?P<day>3[01]|[12]\d|0?[1-9])\s?[日号號일]?{_WEEKDAY}{CLOCK}",
        ),
        (
            "year between",
            rf"(?<!\d){_YEAR}\s?[-/.]\s?(?P<month>1[0-2]|0?[1-9])\s?[-/.]\s?(?P<day>3[01]|[12]\d|0?[1-9])(?!\d){_WEEKDAY}{CLOCK}",
        ),
        (
            "year run",
            rf"(?<!\d){_YEAR}(?P<month>1[0-2]|0[1-9])(?P<day>3[01]|[12]\d|0[1-9])(?:T(?P<hour>[01]\d|2[0-3]):?(?P<minute>[0-5]\d):?(?P<second>[0-5]\d)?(?P<zone>Z|[+-]\d\d:?\d\d)?)?(?!\d)",
        ),
        (
            "year letter",
            rf"(?<!\d)(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th|\.|º)?[ -](?:de |of )?(?P<name>[^\W\d_]{{3,13}})\.?,?[ -](?:de |del )?{_YEAR}(?: г\.)?{CLOCK}",
        ),
        (
            "year letter",
            rf"(?<![^\W\d_])(?P<name>[^\W\d_]{{3,13}})\.? (?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?,? {_YEAR}{CLOCK}",
        ),
        (
            "letter between",
            rf"(?<![^\W\d_])(?P<name>[a-z]{{3}})-(?P<day>3[01]|[12]\d|0[1-9])-(?P<year>(?:19|20)?\d\d)(?![\d-]){CLOCK}",
        ),
        (
            "year letter",
            rf"(?<![a-z])(?P<name>[a-z]{{3}}) {{1,2}}(?P<day>3[01]|[12]\d|0?[1-9]) (?P<hour>[0-2]\d):(?P<minute>[0-5]\d):(?P<second>[0-5]\d)"
            rf"(?: (?P<zone>UTC|GMT|CST|EST|EDT|PST|PDT|[+-]\d{{4}}))? {_YEAR}",
        ),
        (
            "year between",
            rf"(?<!\d)(?P<first>3[01]|[12]\d|0?[1-9])(?P<separator>[/.-])\s?(?P<next>3[01]|[12]\d|0?[1-9])(?:[/.-]\s?|,\s){_YEAR}(?!\d){CLOCK}",
        ),
        (
            "between",
            rf"(?<![\d.])(?P<first>3[01]|[12]\d|0[1-9])(?P<separator>[.-])(?P<next>3[01]|[12]\d|0[1-9])[.-](?P<year>\d\d)(?![\d.-]){CLOCK}",
        ),
        (
            "/",
            rf"(?<![\d/])(?P<first>3[01]|[12]\d|0?[1-9])(?P<separator>/)(?P<next>3[01]|[12]\d|0?[1-9])/(?P<year>\d\d)(?![\d/]){CLOCK}",
        ),
        (
            "月",
            rf"(?<![\d年년])(?P<month>1[0-2]|0?[1-9])\s?[月월]\s?(?P<day>3[01]|[12]\d|0?[1-9])\s?[日号號일]{_WEEKDAY}{CLOCK}",
        ),
        (
            "月",
            rf"(?<!\d)(?P<month>1[0-2]|0?[1-9])\s?[月월]\s?(?P<day>3[01]|[12]\d|0?[1-9]),\s?{_YEAR}(?!\d){CLOCK}",
        ),
        (
            "月",
            r"(?<![\d.:/-])(?P<day>3[01]|[12]\d|0?[1-9])\s(?P<month>1[0-2]|0?[1-9])\s?[月월][,，]?\s?['’]?"
            rf"(?P<year>(?:19|20)\d\d|(?<=['’])\d\d)(?!\d){CLOCK}",
        ),
        ("between", rf"(?<![\d.-])(?<!\d/)(?P<month>1[0-2]|0[1-9])[-/](?P<day>3[01]|[12]\d|0[1-9])(?![\d/-]){CLOCK}"),
        ("back", rf"(?P<back>{_DAY_WORDS}){CLOCK}"),
    )
)
"""Patterns, and the signs (see `_signs`) that a text must have for each to match."""
_UNIT = "|".join(_UNIT_NAMES)
_LARGER_UNIT = "|".join(name for name in _UNIT_NAMES if name not in ("月", "日"))
"""After a number without 个, 月 and 日 are parts of a date."""
_LARGER = re.compile(rf"(\d{{1,3}})\s?({_LARGER_UNIT})", re.I)
_AGO = re.compile(
    rf"(?:(?<![\w.])|(?<=[于於])(?=\d))(?P<larger>(?:\d{{1,3}}\s?(?:{_LARGER_UNIT})\s?[,，、]?\s?(?:and\s|и\s|零|又)?){{0,3}})"
    rf"(?P<amount>\d{{1,4}}|[一二两兩三四五六七八九十半几幾]|an?)\s{{0,3}}(?P<unit>{_UNIT})[多余]?\s{{0,3}}"
    r"(?:之?前|以前|\bago\b|назад|\bold\b)",
    re.I,
)
_AGO_BEFORE = re.compile(
    r"(?:\bvor|il y a|\bhace|\bhá)\s(?P<amount>\d{1,4}|einer|einem|une?|una?)\s"
    rf"(?P<unit>{_UNIT})\b(?P<smaller>(?:,?\s(?:und\s|et\s|y\s|e\s)?\d{{1,3}}\s(?:{_UNIT})\b){{0,2}})",
    re.I,
)
_NOW = re.compile(
    r"^\W{0,3}(?:刚刚|剛剛|刚才|just now|now|à l'instant|gerade eben|только что|방금(?: 전)?|たった今|ahora mismo|agora mesmo|az önce)\W{0,3}$",
    re.I,
)
_EXPRESSIONS = (*_PATTERNS, (_AGO, frozenset(("ago",))), (_AGO_BEFORE, frozenset(("before",))))
_YEAR_FIRST = _PATTERNS[1][0]
"""The format of declared times. If it matches at the beginning of a text, no other pattern matches earlier."""
_HAS_YEAR = re.compile(r"(?:19|20)\d\d")
_ARABIC = re.compile(r"[\u0620-\u064a]")
_HAS_RUN = re.compile(r"(?:19|20)\d{6}")
_SIGN_WORDS = {
    "back": tuple(_DAYS),
    "ago": ("前", "ago", "назад", "old"),
    "before": ("vor", "il y a", "hace", "há"),
    "between": ("-", "/", "."),
}
"""Words of each sign, in lower case: a text has a sign if it has one of its words."""
_SAME_SIGNS = {"년": "年", "월": "月"}
_ZONES = {"Z": 0, "UTC": 0, "GMT": 0, "EST": -5, "EDT": -4, "PST": -8, "PDT": -7}
_LATER_HALF = frozenset(("下午", "晚上", "傍晚", "午后", "오후"))


def find_time(text: str) -> str:
    """The first time expression in a text, as written, "" if there is none."""
    text = text[:_MAX_CHARS]
    found = _search(text) if _may_hold_time(text) else None
    if found is not None:
        return found.group(0).strip(" ,，、·|@-")
    brief = brief_time(text)
    return brief.text if brief else ""


def parse_time(text: str, *, now: datetime, zone: tzinfo | None = None, day_first: bool | None = None) -> str:
    """The first time in a text as ISO 8601, "" if there is none.

    A date gives a date; a clock time gives minutes or seconds, with the written zone or `zone`.
    "3 minutes ago" and dates without a year are resolved against the aware time `now`. `day_first`: the order
    of 4/3/2020 and 4-3-2020; None: the month comes first.
    """
    text = text[:_MAX_CHARS]
    if _NOW.match(text):
        return _iso(now, zone)
    found = _search(text) if _may_hold_time(text) else None
    brief = None if found else brief_time(text)
    try:
        if brief is not None:
            return _of_brief(brief, now, zone)
        if found is None:
            return ""
        parts = found.groupdict()
        return _ago(parts, now, zone) if "amount" in parts else _absolute(parts, now, zone, bool(day_first))
    except (ValueError, OverflowError):
        return ""


@cache
def _digit_or_word() -> re.Pattern[str]:
    return re.compile(rf"\d|[一二两兩三四五六七八九十半几幾][秒分小个個天日周星月年]|{_DAY_WORDS}|\ban? ", re.I)


def _may_hold_time(text: str) -> bool:
    return _digit_or_word().search(text) is not None


@lru_cache(maxsize=2_000)
def _search(text: str) -> re.Match[str] | None:
    """The earliest expression; of several at the same place, the first pattern's."""
    if text.startswith(("19", "20")) and (match := _YEAR_FIRST.match(text)):
        return match
    signs, earliest = _signs(text), None
    for pattern, wanted in _EXPRESSIONS:
        match = _first_valid(pattern, text) if wanted <= signs else None
        if match and (earliest is None or match.start() < earliest.start()):
            earliest = match
            if match.start() == 0:
                break
    return earliest


def _signs(text: str) -> set[str]:
    """The signs of `_EXPRESSIONS` in a text."""
    compared = folded(text)
    found = {_SAME_SIGNS.get(sign, sign) for sign in "年月년월/" if sign in text}
    found.update(sign for sign, words in _SIGN_WORDS.items() if any(word in compared for word in words))
    if _HAS_YEAR.search(text):
        found.add("year")
        if _HAS_RUN.search(text):
            found.add("run")
    if text.upper() != text.lower() or _ARABIC.search(text):
        found.add("letter")
    return found


def _first_valid(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    if "name" not in pattern.groupindex:
        return pattern.search(text)
    return next((match for match in pattern.finditer(text) if folded(match["name"]) in _MONTHS), None)


def _of_brief(brief: BriefTime, now: datetime, zone: tzinfo | None) -> str:
    local = now.astimezone(zone) if zone else now
    if brief.seconds:
        then = now - timedelta(seconds=float(brief.parts["amount"] or 0) * brief.seconds)
        return (
            _iso(then, zone) if brief.seconds < 86400 else then.astimezone(zone or now.tzinfo or UTC).date().isoformat()
        )
    if brief.month:
        day = _of_month(brief, local)
    else:
        back = local + timedelta(days=brief.back)
        day = back.year, back.month, back.day
    return _with_clock(datetime(*day), brief.parts, zone)


def _of_month(brief: BriefTime, local: datetime) -> tuple[int, int, int]:
    day, year = int(brief.parts["day"] or 0), int(brief.parts.get("year") or 0)
    return (_whole_year(year, local), brief.month, day) if year else _without_year(brief.month, day, local)


def _whole_year(year: int, local: datetime) -> int:
    """Of two figures: at most next year's."""
    return year + (0 if year > 99 else 2000 if year <= local.year % 100 + 1 else 1900)


def _ago(parts: dict[str, str | None], now: datetime, zone: tzinfo | None) -> str:
    amount, unit = folded(parts["amount"] or ""), folded(parts["unit"] or "")
    number = float(amount) if amount.isdecimal() else float(_NUMERALS.get(amount, 1))
    seconds = _SECONDS[unit]
    others = _LARGER.findall(parts.get("larger") or parts.get("smaller") or "")
    further = [(int(times), _SECONDS[folded(name)]) for times, name in others]
    then = now - timedelta(seconds=number * seconds + sum(times * each for times, each in further))
    if min([seconds, *(each for _, each in further)]) < 86400:
        return _iso(then, zone)
    return then.astimezone(zone or now.tzinfo or UTC).date().isoformat()


def _absolute(parts: dict[str, str | None], now: datetime, zone: tzinfo | None, day_first: bool) -> str:
    local = now.astimezone(zone) if zone else now
    if back := parts.get("back"):
        day = local + timedelta(days=_DAYS[folded(back)])
        year, month, number = day.year, day.month, day.day
    else:
        year, month, number = _date(parts, local, day_first)
    return _with_clock(datetime(year, month, number), parts, zone)


def _with_clock(date: datetime, parts: Mapping[str, str | None], zone: tzinfo | None) -> str:
    if not parts.get("hour"):
        return date.date().isoformat()
    time = date.replace(hour=_hour(parts), minute=int(parts["minute"] or 0), second=int(parts.get("second") or 0))
    aware = time.replace(tzinfo=_zone(parts.get("zone")) or zone)
    return aware.isoformat(timespec="seconds" if parts.get("second") else "minutes")


def _date(parts: dict[str, str | None], local: datetime, day_first: bool) -> tuple[int, int, int]:
    if parts.get("name"):
        month, day = _MONTHS[folded(parts["name"] or "")], int(parts["day"] or 0)
    elif parts.get("first"):
        first, second = int(parts["first"] or 0), int(parts["next"] or 0)
        is_day = first > 12 or (second <= 12 and (day_first or parts["separator"] == "."))
        month, day = (second, first) if is_day else (first, second)
    else:
        month, day = int(parts["month"] or 0), int(parts["day"] or 0)
    if parts.get("year"):
        year = int(parts["year"] or 0)
        return _whole_year(year, local), month, day
    return _without_year(month, day, local)


def _without_year(month: int, day: int, local: datetime) -> tuple[int, int, int]:
    """The last such day, tomorrow included."""
    later = (month, day) > ((local + timedelta(days=1)).month, (local + timedelta(days=1)).day)
    return local.year - later, month, day


def _hour(parts: Mapping[str, str | None]) -> int:
    hour = int(parts["hour"] or 0)
    afternoon = (parts.get("ampm") or "").lower().startswith("p") or not _LATER_HALF.isdisjoint(
        (parts.get("half"), parts.get("ampm"))
    )
    if afternoon and hour < 12:
        return hour + 12
    if (parts.get("ampm") or "").lower().startswith("a") and hour == 12:
        return 0
    return hour


def _zone(text: str | None) -> tzinfo | None:
    if not text:
        return None
    if text.upper() == "CST":
        return CHINA
    if text.upper() in _ZONES:
        hours = _ZONES[text.upper()]
        return timezone(timedelta(hours=hours)) if hours else UTC
    digits = text[1:].replace(":", "")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:4]))
    return timezone(-offset if text[0] == "-" else offset)


def _iso(moment: datetime, zone: tzinfo | None) -> str:
    return (moment.astimezone(zone) if zone else moment).isoformat(timespec="minutes")
