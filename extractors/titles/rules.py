"""What beside the cosine decides; each rule is a switch and has its reason."""

from dataclasses import dataclass
from typing import Literal

from extractors.titles.numbers import numbers_conflict, numbers_of
from extractors.titles.vectors import TitleText
from extractors.titles.wording import same_wording

Rule = Literal["", "numbers", "window", "wording"]


@dataclass(frozen=True, slots=True)
class Rules:
    """Which rules hold.

    Attributes:
        numbers: titles of a series differ in their numbers alone, and tell different news.
        window_days: what recurs with the same words after so many days is another happening; 0: no window.
        wording: the titles' letters have to agree too, the more the shorter they are.
        reach: where the wording is asked, titles from this cosine on are compared, also below the threshold.
    """

    numbers: bool = True
    window_days: int = 0
    wording: bool = True
    reach: float = 0.74


PUBLISHED = Rules(numbers=False, wording=False)
"""Cosine alone, as published."""


def objection(rules: Rules, one: TitleText, other: TitleText, days_apart: int | None) -> Rule:
    """The first rule that speaks against two titles being the same news; "" if none does.

    Args:
        rules: those that hold.
        one: a title.
        other: the other title.
        days_apart: between their publications, None if one is unknown.
    """
    if too_far(rules, days_apart):
        return "window"
    if one.terms == other.terms:
        return ""
    if rules.numbers:
        mine = numbers_of(" ".join(one.terms))
        if mine and numbers_conflict(mine, numbers_of(" ".join(other.terms))):
            return "numbers"
    if rules.wording and not same_wording(one.letters, other.letters):
        return "wording"
    return ""


def too_far(rules: Rules, days_apart: int | None) -> bool:
    """Whether so many days lie between the publications of two titles that even the same words tell different news."""
    return bool(rules.window_days) and days_apart is not None and days_apart > rules.window_days
