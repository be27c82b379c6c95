"""Numbers in titles, by value: "15000万" is "1.5亿", "第二十" and "二十" are "20", "3k" is "3,000"."""

import re
from collections import Counter
from functools import lru_cache

_MAY_NUMBER = re.compile(r"[\d第十百千万]")
_NUMBER = re.compile(r"(\d+(?:[.:]\d+)*)(?: ?(万亿|[万亿]|(?:k|thousand|mn?|million|bn?|billion)(?![a-z])))?")
_CHINESE = re.compile(
    r"第 ?([零〇一二三四五六七八九十百]{1,8})"
    r"|([一二两三四五六七八九](?: ?[一二三四五六七八九十百千万亿零]){1,12}|十 ?[一二三四五六七八九万亿])"
)
_ORDINAL = re.compile(r"第 ?(?=\d)")
_DIGITS = {"〇": 0, "两": 2, **{digit: value for value, digit in enumerate("零一二三四五六七八九")}}
_UNITS_BELOW_10_000 = {"十": 10, "百": 100, "千": 1_000}
_UNITS_FROM_10_000 = {"万": 10_000, "亿": 100_000_000}
_SCALES = {
    **dict.fromkeys(("万",), 10000),
    "亿": 10**8,
    "万亿": 10**12,
    **dict.fromkeys(("k", "thousand"), 1_000),
    **dict.fromkeys(("m", "mn", "million"), 10**6),
    **dict.fromkeys(("b", "bn", "billion"), 10**9),
}


def numbers_of(folded: str) -> Counter[str]:
    """The numbers in a folded title with their counts, without group commas and leading zeros."""
    if not _MAY_NUMBER.search(folded):
        return Counter()
    plain = folded.replace(",", "") if "," in folded else folded
    found = Counter(_scaled(number, unit) for number, unit in _NUMBER.findall(plain))
    found.update(
        _value((ordinal or number).replace(" ", ""))
        for ordinal, number in _CHINESE.findall(folded)
        if ordinal or _counts(number)
    )
    return found


def by_value(folded: str) -> str:
    """A folded title with its numbers by value, as `numbers_of` gives them."""
    if not _MAY_NUMBER.search(folded):
        return folded
    plain = _ORDINAL.sub("", _CHINESE.sub(_figure, folded.replace(",", "")))
    return _NUMBER.sub(lambda found: _scaled(found[1], found[2]), plain)


def _figure(found: re.Match[str]) -> str:
    """The value of Chinese numerals, or the numerals themselves if they form no number."""
    ordinal, number = found.groups()
    return _value((ordinal or number).replace(" ", "")) if ordinal or _counts(number) else found.group()


@lru_cache(256)
def numbers_in(terms: tuple[str, ...]) -> Counter[str]:
    """The numbers in a title of these terms; read-only and cached, since a searched title is compared with several."""
    return numbers_of(" ".join(terms))


def numbers_conflict(one: Counter[str], other: Counter[str]) -> bool:
    """Whether each has a number that the other lacks."""
    return bool(one - other) and bool(other - one)


def _scaled(number: str, unit: str) -> str:
    """The value of digits followed by a unit."""
    bare = number.lstrip("0") or "0"
    if not unit or number.count(".") > 1 or ":" in number:
        return bare
    whole, _, part = number.partition(".")
    zeros = len(str(_SCALES[unit])) - 1
    return (whole + part.ljust(zeros, "0")).lstrip("0") or "0" if len(part) <= zeros else bare


def _counts(chinese: str) -> bool:
    """Whether Chinese numerals form a number: 三千万 does, 一一 and 三四 are words."""
    return any(letter in _UNITS_BELOW_10_000 or letter in _UNITS_FROM_10_000 for letter in chinese)


def _value(chinese: str) -> str:
    """第十二 is 12, 第二〇 is 20, 三千万 is 30000000."""
    if not _counts(chinese):
        return "".join(str(_DIGITS[letter]) for letter in chinese).lstrip("0") or "0"
    total = part = digit = 0
    for letter in chinese:
        if letter in _UNITS_BELOW_10_000:
            part, digit = part + (digit or 1) * _UNITS_BELOW_10_000[letter], 0
        elif letter in _UNITS_FROM_10_000:
            total, part, digit = (total + part + digit or 1) * _UNITS_FROM_10_000[letter], 0, 0
        else:
            digit = _DIGITS[letter]
    return str(total + part + digit)
