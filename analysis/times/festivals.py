"""Days that have a name: feasts by the Gregorian and by the Chinese calendar, and solar terms."""

import re
from datetime import datetime, timedelta
from functools import lru_cache

from lunar_python import Lunar

_FIXED = {
    (1, 1): "元旦",
    (2, 14): "情人节",
    (3, 8): "妇女节 三八节 女神节",
    (3, 12): "植树节",
    (3, 15): "消费者权益日 消费者权益保护日",
    (4, 1): "愚人节",
    (4, 22): "地球日",
    (5, 1): "劳动节 五一节 五一",
    (5, 4): "青年节 五四青年节",
    (5, 12): "护士节",
    (6, 1): "儿童节 六一儿童节 六一",
    (6, 5): "环境日",
    (6, 18): "六一八",
    (7, 1): "建党节 党的生日",
    (8, 1): "建军节 八一建军节",
    (9, 10): "教师节",
    (10, 1): "国庆节 国庆 十一国庆",
    (10, 31): "万圣夜",
    (11, 1): "万圣节",
    (11, 11): "光棍节 双十一 双11",
    (12, 12): "双十二 双12",
    (12, 24): "平安夜",
    (12, 25): "圣诞节 圣诞",
}
_BY_WEEKDAY = {(5, 2, 6): "母亲节", (6, 3, 6): "父亲节", (11, 4, 3): "感恩节"}
"""Month, which of its weekdays, weekday (Monday is 0)."""
_LUNAR = {
    (1, 1): "春节 大年初一 正月初一 农历新年",
    (1, 2): "大年初二",
    (1, 3): "大年初三",
    (1, 15): "元宵节 元宵 正月十五",
    (2, 2): "龙抬头 二月二",
    (5, 5): "端午节 端午",
    (7, 7): "七夕节 七夕 乞巧节",
    (7, 15): "中元节 鬼节",
    (8, 15): "中秋节 中秋",
    (9, 9): "重阳节 重阳",
    (12, 8): "腊八节 腊八",
    (12, 23): "小年",
}
_TERMS = "立春 雨水 惊蛰 春分 清明 谷雨 立夏 小满 芒种 夏至 小暑 大暑 立秋 处暑 白露 秋分 寒露 霜降 立冬 小雪 大雪 冬至 小寒 大寒"
HOLIDAYS = {"国庆": (0, 7), "国庆节": (0, 7), "十一": (0, 7), "五一": (0, 5), "劳动节": (0, 5), "春节": (1, 8)}
"""How many days before its feast a holiday begins, and how many it has; of others they are three from the feast on."""
_EVE = ("除夕", "大年三十", "年三十")
_DATES = {name: date for date, names in _FIXED.items() for name in names.split()}
_WEEKDAYS = {name: rule for rule, name in _BY_WEEKDAY.items()}
_LUNAR_DATES = {name: date for date, names in _LUNAR.items() for name in names.split()}
_TERM_NAMES = frozenset(_TERMS.split())
_NAMES = sorted({*_DATES, *_WEEKDAYS, *_LUNAR_DATES, *_TERM_NAMES, *_EVE, "清明节"}, key=len, reverse=True)
FESTIVAL = f"(?:{'|'.join(map(re.escape, _NAMES))})"


@lru_cache(maxsize=1_000)
def festival(name: str, year: int) -> datetime | None:
    """The day in that year; None if there is none of that name."""
    if date := _DATES.get(name):
        return datetime(year, *date)
    if rule := _WEEKDAYS.get(name):
        month, which, weekday = rule
        first = datetime(year, month, 1)
        return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (which - 1))
    if date := _LUNAR_DATES.get(name):
        return lunar_day(year, *date)
    if name in _EVE:
        new_year = lunar_day(year, 1, 1)
        return new_year and new_year - timedelta(days=1)
    term = name.removesuffix("节")
    return _term(term, year) if term in _TERM_NAMES else None


def lunar_day(year: int, month: int, day: int) -> datetime | None:
    """The day of the Chinese calendar's year, month and day; None if that month has no such day."""
    try:
        found = Lunar.fromYmd(year, month, day).getSolar()
    except Exception:  # the package raises bare exceptions for days that a month lacks
        return None
    return datetime(found.getYear(), found.getMonth(), found.getDay())


def _term(name: str, year: int) -> datetime | None:
    for lunar_year in (year, year + 1):
        found = Lunar.fromYmd(lunar_year, 6, 1).getJieQiTable().get(name)
        if found and found.getYear() == year:
            return datetime(year, found.getMonth(), found.getDay())
    return None
