"""Parts of a day and clock times in Chinese."""

from datetime import timedelta

from analysis.times.interval import SECOND, Interval, Unit, midnight
from analysis.times.numerals import number
from analysis.times.step import Match, TimeReading, step

_HOURS: dict[str, tuple[float, float]] = {
    "凌晨": (0, 5),
    "后半夜": (2, 5),
    "前半夜": (21, 24),
    "半夜": (0, 4),
    "午夜": (0, 2),
    "黎明": (4, 7),
    "拂晓": (4, 7),
    "清晨": (5, 8),
    "早晨": (5, 9),
    "早上": (6, 10),
    "早间": (6, 10),
    "一早": (6, 10),
    "上午": (7, 12),
    "中午": (12, 14),
    "正午": (12, 13),
    "午间": (12, 14),
    "午后": (13, 15),
    "下午": (13, 18),
    "傍晚": (17, 19),
    "晚上": (18, 24),
    "晚间": (18, 24),
    "夜间": (19, 24),
    "夜里": (20, 24),
    "夜晚": (19, 24),
    "深夜": (22, 24),
    "晚": (18, 24),
    "夜": (19, 24),
    "晨": (5, 9),
    "早": (6, 10),
    "大清早": (5, 8),
    "大早": (5, 8),
    "白天": (6, 18),
    "整晚": (18, 24),
    "通宵": (18, 24),
    "上半夜": (20, 24),
    "下半夜": (0, 5),
}
_PARTS = "|".join(sorted((name for name in _HOURS if len(name) > 1), key=len, reverse=True))
_N = r"(?:\d{1,2}|[零〇一二两三四五六七八九十]{1,3})"
_AFTER = r"(?:钟|整|多钟?|许|左右)?"


def _part(match: Match, reading: TimeReading) -> Interval | None:
    first, last = _HOURS[match["part"]]
    start = midnight(reading.start)
    return Interval(start + timedelta(hours=first), start + timedelta(hours=last) - SECOND, "part")


def _is_late(reading: TimeReading) -> bool:
    """Whether a clock of 12 hours means the afternoon or evening."""
    return bool(
        reading.before and reading.before.unit in ("part", "hour", "minute") and reading.before.start.hour >= 12
    )


def _at(reading: TimeReading, hour: int, minute: int, second: int, unit: Unit) -> Interval | None:
    if _is_late(reading) and 1 <= hour < 12:
        hour += 12
    if hour == 12 and reading.before and reading.before.unit == "part" and reading.before.start.hour >= 18:
        hour = 24
    if not (0 <= hour <= 24 and 0 <= minute < 60 and 0 <= second < 60):
        return None
    start = midnight(reading.start) + timedelta(hours=hour, minutes=minute, seconds=second)
    return Interval(start, start + {"hour": timedelta(hours=1), "minute": timedelta(minutes=1)}.get(unit, SECOND) - SECOND, unit)  # fmt: skip


def _figures(match: Match, reading: TimeReading) -> Interval | None:
    second = match["second"]
    if _ends_day(match["hour"], match["minute"]):
        return _end_of_day(reading)
    return _at(reading, int(match["hour"]), int(match["minute"]), int(second or 0), "second" if second else "minute")


def _ends_day(hour: str, minute: str) -> bool:
    """24时, 24:00: the end of a day, which counts as part of it; 晚上12点 is the beginning of the next."""
    return hour == "24" and minute in ("00", "0")


def _end_of_day(reading: TimeReading) -> Interval:
    last = midnight(reading.start) + timedelta(days=1) - SECOND
    return Interval(last, last, "hour")


def _minutes(text: str) -> int:
    return {"半": 30, "一刻": 15, "三刻": 45}.get(text) or number(text.removeprefix("零"))


def _words(match: Match, reading: TimeReading) -> Interval | None:
    if _ends_day(match["hour"], match["minute"] or "00"):
        return _end_of_day(reading)
    if not match["minute"]:
        return _at(reading, number(match["hour"]), 0, 0, "hour")
    second = number(match["second"]) if match["second"] else 0
    return _at(reading, number(match["hour"]), _minutes(match["minute"]), second, "second" if second else "minute")


def _to_hour(match: Match, reading: TimeReading) -> Interval | None:
    """差五分九点."""
    hour = _at(reading, number(match["hour"]), 0, 0, "hour")
    start = hour and hour.start - timedelta(minutes=_minutes(match["minute"]))
    return Interval(start, start + timedelta(minutes=1) - SECOND, "minute") if start else None


def _two_hours(match: Match, reading: TimeReading) -> Interval | None:
    """七八点; 9~11点."""
    first, last = _at(reading, number(match["hour"]), 0, 0, "hour"), _at(reading, number(match["last"]), 0, 0, "hour")
    if first and _ends_day(match["last"], "00"):
        return Interval(first.start, _end_of_day(reading).end, "hour")
    if not first or not last or last.start < first.start:
        return None
    return Interval(first.start, last.end if len(match.group(0)) <= 4 else last.start, "hour")


def _past_hour(match: Match, reading: TimeReading) -> Interval | None:
    """Minutes and seconds of this hour: 35:37."""
    start = reading.start.replace(minute=int(match["minute"]), second=int(match["second"]), microsecond=0)
    return Interval(start, start, "second")


CLOCK_STEPS = (
    step(
        "part",
        rf"(?P<part>{_PARTS}|(?<=[日今明昨当同次翌前])[晚夜晨早](?!报)|[早晚](?=\d{{1,2}}[点时:]|[一二三四五六七八九十]{{1,3}}[点时]))",
        _part,
    ),
    step("hour", r"(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?(?!\d)[时分]?", _figures),
    step("hour", r"(?P<minute>2[5-9]|[3-5]\d):(?P<second>[0-5]\d)(?!\d)", _past_hour, loose=True),
    step("hour", rf"差(?P<minute>一刻|{_N})分?(?:钟?到)?(?P<hour>{_N})[点时](?!间)", _to_hour),
    step("hour", rf"(?P<hour>\d{{1,2}})\s?[~\-—–至到]\s?(?P<last>\d{{1,2}})[点时]{_AFTER}(?!\d)", _two_hours),
    step("hour", rf"(?P<hour>[一二三四五六七八九])(?P<last>[二三四五六七八九])[点时]{_AFTER}", _two_hours),
    step(
        "hour",
        rf"(?P<hour>{_N})(?:点(?!\d{{3}}|[名球击]|[儿]?[意建])|时(?![候间代期]))"
        rf"(?:(?P<minute>半|[一三]刻|{_N})(?![年月日个天多次])分?(?:(?P<second>{_N})秒)?|{_AFTER})",
        _words,
    ),
)
"""In the order in which they are tried."""
