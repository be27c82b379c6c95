"""Rules that object to a repost where the cosine alone would be wrong. Each can be switched off.

numbers: titles of one series ("…第 12 期", "…(3月5日)") differ only in their numbers. Two titles are different news if
each has a number that the other lacks; a title that only omits a number may be the same news. Parts of a series without
digits ("（上）", "Part II") and directions ("增长", "下降") count as numbers (see `opposites`).

wording: words alone cannot tell "A 战胜 B" from "B 战胜 A", and make two short titles about the same people look like the same
news (see `wording`). Pairs of neighbouring letters capture order and particles, and need no segmenter. A title that only adds to
another is mostly the same news; a title with a name replaced by another is not. Titles that differ only by a role before a name, or
by words that say the same, are the same news; those of which one names an answer or the last part are not (see `contained`).

body: decided elsewhere: the first sentences of the two pages differ (see `bodies`).
"""

from dataclasses import dataclass
from typing import Literal

from extractors.titles.numbers import numbers_conflict, numbers_in
from extractors.titles.opposites import opposed
from extractors.titles.retelling import same_wording
from extractors.titles.title_text import TitleText

Rule = Literal["", "numbers", "window", "wording", "body"]


@dataclass(frozen=True, slots=True)
class Rules:
    """The active rules.

    Attributes:
        numbers: object when each title has a number, a part or a direction that the other lacks or opposes.
        window_days: object when more days are between the titles: equal words then report another event. 0: off.
        wording: object when the titles' wordings agree too little.
        lower_threshold: with `wording`, titles with at least this cosine are compared too.
    """

    numbers: bool = True
    window_days: int = 0
    wording: bool = True
    lower_threshold: float = 0.5


PUBLISHED = Rules(numbers=False, wording=False)
"""Cosine alone, as published."""


def objection(
    rules: Rules, one: TitleText, other: TitleText, days_apart: int | None, cosine: float, unlike: bool = False
) -> Rule:
    """The first rule that objects to two titles as the same news; "" if none does.

    Args:
        cosine: of their weighted terms.
        days_apart: days between their publications, None if one is unknown.
        unlike: their wordings certainly disagree (see `wording_bound`).
    """
    if too_far(rules, days_apart):
        return "window"
    if one.terms == other.terms:
        return ""
    if rules.numbers:
        mine = numbers_in(one.terms)
        if mine and numbers_conflict(mine, numbers_in(other.terms)):
            return "numbers"
        if opposed(one.terms, other.terms):
            return "numbers"
    if rules.wording and (unlike or not same_wording(one, other, cosine)):
        return "wording"
    return ""


def too_far(rules: Rules, days_apart: int | None) -> bool:
    """Whether the days between two titles exceed the window."""
    return bool(rules.window_days) and days_apart is not None and days_apart > rules.window_days
