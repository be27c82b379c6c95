"""Rules that object where the cosine alone would be wrong. Each can be switched off.

numbers: titles of one series ("…第 12 期", "…(3月5日)") differ in their numbers alone. Two titles tell different news if
each has a number that the other lacks; a title that only leaves a number out may tell the same. Parts of a series without
digits ("（上）", "Part II") and directions ("增长", "下降") count as numbers do (see `opposites`).

wording: words alone cannot tell "A 战胜 B" from "B 战胜 A", and take two short titles about the same people for the same
news. Pairs of neighbouring letters see order and particles, and need no segmenter. Long titles need to share less. A title
that only adds to the other one tells the same news; one that puts a name in another's place does not.
"""

import re
from dataclasses import dataclass
from math import log1p, sqrt
from typing import Literal

from extractors.titles.opposites import opposed
from extractors.titles.title_text import TitleText

Rule = Literal["", "numbers", "window", "wording"]
_NUMBER = re.compile(r"\d+(?:[.:]\d+)*")
_ORDINAL = re.compile(r"第 ?([零〇一二三四五六七八九十百]{1,8})")
_MAY_NUMBER = re.compile(r"[\d第]")
_DIGITS = {"〇": 0, **{digit: value for value, digit in enumerate("零一二三四五六七八九")}}
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_LETTERS_PER_HAN = 4
"""Letters of an alphabet that say as much as one Chinese character."""
_NEEDED_HAN, _NEEDED_ALPHABET = (2.2, 0.6), (1.7, 0.17)
"""Titles must agree by the first, minus the second times the logarithm of the length of the shorter one, in Chinese characters."""
_MAX_LETTERS = 200
"""Of a title that are compared."""
_STRANGE_WEIGHT = 0.9
"""What it costs a Chinese title if the other has none of its characters."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Which rules are on.

    Attributes:
        numbers: object when each title has a number, a part or a direction that the other lacks or opposes.
        window_days: object when more days lie between the titles: the same words then tell another event. 0: off.
        wording: object when the titles' letters agree too little.
        reach: with `wording`, titles below the threshold are compared too, from this cosine on.
    """

    numbers: bool = True
    window_days: int = 0
    wording: bool = True
    reach: float = 0.5


PUBLISHED = Rules(numbers=False, wording=False)
"""Cosine alone, as published."""


def objection(rules: Rules, one: TitleText, other: TitleText, days_apart: int | None) -> Rule:
    """The first rule that objects to two titles being the same news; "" if none does.

    Args:
        days_apart: days between their publications, None if one is unknown.
    """
    if too_far(rules, days_apart):
        return "window"
    if one.terms == other.terms:
        return ""
    if rules.numbers:
        mine = numbers_of(" ".join(one.terms))
        if mine and numbers_conflict(mine, numbers_of(" ".join(other.terms))):
            return "numbers"
        if opposed(one.terms, other.terms):
            return "numbers"
    if rules.wording and not same_wording(one.letters, other.letters):
        return "wording"
    return ""


def too_far(rules: Rules, days_apart: int | None) -> bool:
    """Whether the days between two titles exceed the window."""
    return bool(rules.window_days) and days_apart is not None and days_apart > rules.window_days


def numbers_of(folded: str) -> frozenset[str]:
    """The numbers in a folded title, without group commas and leading zeros; Chinese ordinals as digits."""
    if not _MAY_NUMBER.search(folded):
        return frozenset()
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


def same_wording(one: str, other: str) -> bool:
    """Whether the letters of two titles agree enough for their length."""
    return one == other or wording_margin(one, other) >= 0


def wording_margin(one: str, other: str) -> float:
    """By how much two titles agree more than titles of their length must; below 0 if they agree less.

    Chosen on pairs that people labelled. Chinese: by the share of its pairs of neighbouring letters that the shorter title
    has in common with the other, less the share of letters that are in one title alone, in the one that has less of them.
    Alphabets: by that share and the cosine of the pairs.
    """
    shorter = min(one, other, key=_han_length)
    length = log1p(_han_length(shorter))
    cosine, contained = shared_pairs(one, other)
    if 2 * len("".join(_HAN.findall(shorter))) >= len(shorter):
        level, gain = _NEEDED_HAN
        return contained - _STRANGE_WEIGHT * _strange(one, other) - level + gain * length
    level, gain = _NEEDED_ALPHABET
    return contained + cosine - level + gain * length


def shared_pairs(one: str, other: str) -> tuple[float, float]:
    """How far two titles share their pairs of neighbouring letters: the cosine, and the share in the smaller set."""
    mine, theirs = _pairs(one), _pairs(other)
    shared = len(mine & theirs)
    return shared / sqrt(len(mine) * len(theirs)), shared / min(len(mine), len(theirs))


def agreement(one: str, other: str) -> float:
    """How far two titles share their pairs of neighbouring letters, 0 … 1: the mean of both `shared_pairs`."""
    return sum(shared_pairs(one, other)) / 2 if one and other else 0.0


def _strange(one: str, other: str) -> float:
    """The share of a title's letters that the other lacks, in the title that has the smaller share."""
    mine, theirs = set(one), set(other)
    lacking = (
        sum(letter not in known for letter in text) / max(1, len(text))
        for text, known in ((one, theirs), (other, mine))
    )
    return min(lacking)


def _pairs(letters: str) -> set[str]:
    letters = letters[:_MAX_LETTERS]
    return {letters[at : at + 2] for at in range(len(letters) - 1)} or {letters}


def _han_length(letters: str) -> float:
    han = len("".join(_HAN.findall(letters)))
    return han + (len(letters) - han) / _LETTERS_PER_HAN
