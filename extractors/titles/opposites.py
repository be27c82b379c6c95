"""Titles that differ, apart from common terms, in the part of a series, a direction, or a person.

"…（上）" and "…（下）", "Part I" and "Part II", "增长 50%" and "下降 50%" share nearly all terms, yet tell different news.
"""

from collections.abc import Sequence

_SERIES = tuple(
    frozenset(line.split())
    for line in (
        "上 中 下 上篇 中篇 下篇 上集 下集 上半 下半 终篇",
        "一 二 三 四 五 六 七 八 九 十",
        "甲 乙 丙 丁",
        "i ii iii iv v vi vii viii ix x",
        "one two three four five six seven eight nine ten",
        "first second third fourth fifth",
        "早报 午报 晚报",
        "一季度 二季度 三季度 四季度",
        "春天 夏天 秋天 冬天",
        "春季 夏季 秋季 冬季",
        "周一 周二 周三 周四 周五 周六 周日",
        "星期一 星期二 星期三 星期四 星期五 星期六 星期日",
        "monday tuesday wednesday thursday friday saturday sunday",
    )
)
_DIRECTIONS = tuple(
    (frozenset(up.split()), frozenset(down.split()))
    for up, down in (
        (
            "增长 上涨 上升 上调 大涨 涨 升 增加 涨价 提高 走高 回升",
            "下降 下跌 下滑 下调 大跌 跌 降 减少 降价 降低 走低 回落",
        ),
        ("开盘 开幕", "收盘 闭幕"),
        ("冠军", "亚军 季军"),
        ("半决赛", "决赛"),
        ("任 担任 出任 就任", "不再 卸任 离任 辞任 免去"),
        ("进口 进口量 进口额", "出口 出口量 出口额"),
        ("高温", "降温 低温"),
        ("男 男子 男性 男人 男单 男双 男团 男篮 男排 男足", "女 女子 女性 女人 女单 女双 女团 女篮 女排 女足"),
        ("man men male boy", "woman women female girl"),
        (
            "up rise ris gain jump surge surg increase increas grow higher",
            "down fall drop slump plunge plung decrease decreas decline declin lower",
        ),
    )
)
"""Words and stems of words (see `title_text`)."""
_WORDS = frozenset().union(*_SERIES, *(words for pair in _DIRECTIONS for words in pair))
_MAX_LEFT_TERMS = 6
"""Maximum terms outside the common ones, on each side, of titles that differ only in the direction."""


def opposed(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two titles, as terms, name different parts of one series, or opposite directions."""
    mine, theirs = set(one), set(other)
    left, right = mine - theirs, theirs - mine
    if left.isdisjoint(_WORDS) or right.isdisjoint(_WORDS):
        return False
    if len(left) > _MAX_LEFT_TERMS or len(right) > _MAX_LEFT_TERMS:
        return False
    if any(len(left & series) == len(right & series) == 1 for series in _SERIES):
        return True
    return any((left & up and right & down) or (left & down and right & up) for up, down in _DIRECTIONS)
