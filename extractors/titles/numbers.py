"""The number rule: titles of one fixed form ("…第 12 期", "…(3月5日)") differ in their numbers alone.

Two titles tell different news if each has a number that the other lacks; a title that merely leaves a number out may
still be the same news.
"""

import re

_NUMBER = re.compile(r"\d+(?:[.:]\d+)*")
_CHINESE = re.compile(r"第([零一二三四五六七八九十百]+)")


def numbers_of(folded: str) -> frozenset[str]:
    """The numbers in a folded title; group commas are dropped, Chinese ordinals are kept as they are written."""
    if folded.isascii() and not any(map(str.isdigit, folded)):
        return frozenset()
    plain = folded.replace(",", "") if "," in folded else folded
    return frozenset([*_NUMBER.findall(plain), *(_CHINESE.findall(plain) if "第" in plain else ())])


def numbers_conflict(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether each has a number that the other lacks."""
    return bool(one - other) and bool(other - one)
