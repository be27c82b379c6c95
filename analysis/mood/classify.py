"""The mood of a text: positive, neutral, negative, or unsure.

Weights of opinion words add up, each negated or intensified by the words just before it. The classifier is not trained, as no labelled
set of Chinese opinions has a licence that permits shipping a model. The thresholds were chosen on texts of four sources; thresholds chosen
on three of them do as well on the fourth (`benchmarks/mood.py`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from analysis.mood.opinion_words import LexiconMatch, lexicon

Label = Literal["positive", "neutral", "negative", "unsure"]
MAX_TEXT_CHARS = 3_000
"""Maximum number of characters read, from the beginning and the end of a text."""
_REACH = 4
"""Characters over which a "not" or "very" reaches the next word."""
_BREAK = re.compile(r"[，,。！!？?；;\n~～…]")
_SPACE_REACH = 12
"""The same for alphabetic text, where words are longer."""
_READABLE = re.compile(r"[\u4e00-\u9fffa-z]")
_FOREIGN = re.compile(r"[\u0370-\u1fff\u3040-\u30ff\uac00-\ud7af]")
_LEAN = 0.1
"""Added to the sum, as people who are content use fewer words of praise than the discontent use of blame."""
_MIXED = 0.08
"""A sum that is a smaller share of all weights is unsure, where there are enough of them."""
_FULL_EVIDENCE = 6.0


@dataclass(frozen=True, slots=True)
class Opinion:
    """A word of opinion: its place in the text, and its weight as it is used there."""

    text: str
    start: int
    weight: float


@dataclass(frozen=True, slots=True)
class Mood:
    """`score` is between -1 and 1: the sum of the opinions by the sum of their sizes; `opinions` in order."""

    label: Label
    score: float
    opinions: tuple[Opinion, ...] = ()


def classify_mood(text: str) -> Mood:
    """Of a post, a comment, a review or an article in Chinese or English; of other languages "unsure"."""
    shown = text if len(text) <= MAX_TEXT_CHARS else text[: MAX_TEXT_CHARS // 2] + "\n" + text[-MAX_TEXT_CHARS // 2 :]
    lowered = shown.lower()
    found = tuple(_opinions(lowered)) if len(lowered) == len(shown) else ()
    if not found:
        return Mood("neutral" if _is_readable(lowered) else "unsure", 0.0)
    total, size = sum(each.weight for each in found), sum(abs(each.weight) for each in found)
    return Mood(_label(total, size), total / size, found)


def _is_readable(text: str) -> bool:
    return not _FOREIGN.search(text) and (_READABLE.search(text) is not None or not text.strip())


def _label(total: float, size: float) -> Label:
    if size >= _FULL_EVIDENCE and abs(total) < _MIXED * size:
        return "unsure"
    return "positive" if total + _LEAN > 0 else "negative"


def _opinions(text: str) -> Iterator[Opinion]:
    factor, end = 1.0, -1
    for match in lexicon().find(text):
        if end >= 0 and _is_out_of_reach(text, end, match):
            factor = 1.0
        if match.word.role == "opinion":
            yield Opinion(text[match.start : match.end], match.start, match.word.weight * factor)
            factor, end = 1.0, -1
        elif match.word.role == "but":
            factor, end = 1.0, -1
        else:
            factor, end = factor * match.word.weight, match.end


def _is_out_of_reach(text: str, end: int, match: LexiconMatch) -> bool:
    between = text[end : match.start]
    reach = _SPACE_REACH if match.word.text[0].isascii() else _REACH
    return len(between) > reach or _BREAK.search(between) is not None
