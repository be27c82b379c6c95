"""The number rule: titles of one fixed form ("…第 12 期", "…(3月5日)") differ in their numbers alone.

Two titles tell different news if each has a number that the other lacks; a title that merely leaves a number out may
still be the same news.
"""

import re

_NUMBER = re.compile(r"\d+(?:[.:]\d+)*")
_ORDINAL = re.compile(r"第 ?([零〇一二三四五六七八九十百]{1,8})")
_MAY_NUMBER = re.compile(r"[\d第]")
_NONE: frozenset[str] = frozenset()
_DIGITS = {"〇": 0, **{digit: value for value, digit in enumerate("零一二三四五六七八九")}}


def numbers_of(folded: str) -> frozenset[str]:
    """The numbers in a folded title; without group commas and leading zeros, Chinese ordinals as digits."""
    if not _MAY_NUMBER.search(folded):
        return _NONE
    ordinals = _ORDINAL.findall(folded) if "第" in folded else ()
    plain = folded.replace(",", "") if "," in folded else folded
    return frozenset([*map(_without_zeros, _NUMBER.findall(plain)), *map(_value, ordinals)])


def _without_zeros(number: str) -> str:
    return number.lstrip("0") or "0"


def _value(chinese: str) -> str:
    """第十二 is 12, 第二〇 is 20."""
    if "十" not in chinese and "百" not in chinese:
        return _without_zeros("".join(str(_DIGITS[letter]) for letter in chinese))
    total = digit = 0
    for letter in chinese:
        if letter in "十百":
            total, digit = total + (digit or 1) * (10 if letter == "十" else 100), 0
        else:
            digit = _DIGITS[letter]
    return str(total + digit)


def numbers_conflict(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether each has a number that the other lacks."""
    return bool(one - other) and bool(other - one)
