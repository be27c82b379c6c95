"""What beside the cosine decides; each rule is a switch and has its reason."""

from dataclasses import dataclass
from typing import Literal

from extractors.titles.numbers import numbers_conflict, numbers_of

Rule = Literal["", "numbers", "window", "short", "exchange"]


@dataclass(frozen=True, slots=True)
class Rules:
    """Which rules hold.

    Attributes:
        numbers: titles of a series differ in their numbers alone, and tell different news.
        window_days: what recurs with the same words after so many days is another happening; 0: no window.
        shortest: titles with fewer letters ("王者荣耀新皮肤") say too little; only equal ones are reposts. 0: off.
        exchange: two titles of one frame may differ in a name ("甲的手表…", "乙的手表…"): if each has a term that the
            other lacks, and both carry more than this share of their titles' squared norms, they differ. 1: off.
    """

    numbers: bool = True
    window_days: int = 0
    shortest: int = 12
    exchange: float = 0.08


PUBLISHED = Rules(numbers=False, shortest=0, exchange=1.0)
"""Cosine alone, as published."""


def objection(
    rules: Rules, one: dict[str, float], other: dict[str, float], days_apart: int | None, cosine: float
) -> Rule:
    """The first rule that speaks against the two being the same news; "" if none does.

    Args:
        rules: those that hold.
        one: weights of a title by term.
        other: of the other title.
        days_apart: between their publications, None if one is unknown.
        cosine: their similarity.
    """
    if rules.window_days and days_apart is not None and days_apart > rules.window_days:
        return "window"
    if cosine >= 1.0 - 1e-9:
        return ""
    if min(sum(map(len, one)), sum(map(len, other))) < rules.shortest:
        return "short"
    if rules.numbers and numbers_conflict(numbers_of(" ".join(one)), numbers_of(" ".join(other))):
        return "numbers"
    if rules.exchange < 1.0 and min(_alone(one, other), _alone(other, one)) > rules.exchange:
        return "exchange"
    return ""


def _alone(one: dict[str, float], other: dict[str, float]) -> float:
    """Share of the squared norm that the heaviest term carries which the other title lacks."""
    norm = sum(weight * weight for weight in one.values())
    return max((weight * weight for term, weight in one.items() if term not in other), default=0.0) / norm
