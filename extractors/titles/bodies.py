"""Compares the first sentences of two pages whose titles alone do not tell whether they are the same news.

A repost copies its text, whatever headline an editor gives it; two texts that share almost nothing are not the same news. In
between, for instance if two newspapers report one event in their own words, the texts do not decide. Different numbers outweigh
equal words: reports of a series are written from one template.
"""

import re
from dataclasses import dataclass
from typing import Literal

from extractors.titles.numbers import numbers_of
from extractors.titles.repost_rules import Rule
from extractors.topic.words import fold

BodyVerdict = Literal["", "same", "different"]
Verdict = Literal["new", "repost", "suspected"]
LEAD_CHARS = 300
"""Letters and digits of a text that are compared."""
READ_CHARS = 1_500
"""Characters of a text from which its first sentences are read."""
_MIN_CHARS = 60
"""Shorter texts do not decide."""
_DATELINE = re.compile(
    r"\s*[^。！？.!?\n]{0,40}?(?:[电讯](?:\s?[（(][^）)\n]{0,40}[）)])?[，,：:\s]|\((?:reuters|ap|afp)\)\s?[-—–]\s?)"
)
_WORDS = re.compile(r"[^\W_]+")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_COPY_SHARE, _UNRELATED_SHARE = 0.4, 0.04
"""Shares of common sequences above which a text is a copy, and below which it is about something else."""
_SEQUENCES = {True: (4, 2), False: (12, 4)}
"""Letters of the sequences that copies share, and of those that texts on one subject share; by whether they are Chinese."""
_STRONGER: tuple[Rule, ...] = ("window", "numbers")
"""Rules that equal texts do not overrule: parts of a series may begin with the same sentences."""
_MIN_SURE_CHARS = 8
"""Minimum Chinese characters of equal titles that are not recurring headings."""


@dataclass(frozen=True, slots=True)
class Lead:
    """The beginning of a text.

    Attributes:
        letters: letters and digits, folded. numbers: by value.
    """

    letters: str
    numbers: frozenset[str]


@dataclass(frozen=True, slots=True)
class BodyMatch:
    """The verdict of two leads, and their share of common letter sequences, 0 … 1."""

    verdict: BodyVerdict = ""
    likeness: float = 0.0


def lead_of(text: str, title: str = "") -> Lead:
    """The first sentences of a text, without a repeated title and the place and agency before them."""
    begin = text[:READ_CHARS].lstrip().removeprefix(title.strip()) if title.strip() else text[:READ_CHARS]
    dateline = _DATELINE.match(fold(begin[:120]))
    folded = fold(begin)[dateline.end() if dateline else 0 :][: 2 * LEAD_CHARS]
    letters = "".join(_WORDS.findall(folded))[:LEAD_CHARS]
    return Lead(letters, frozenset(numbers_of(folded)))


def compare_leads(one: Lead, other: Lead) -> BodyMatch:
    """Whether two texts are the same, different, or undecided ("")."""
    shorter = min(len(one.letters), len(other.letters))
    if shorter < _MIN_CHARS:
        return BodyMatch()
    copied, related = _SEQUENCES[2 * len(_HAN.findall(one.letters)) >= len(one.letters)]
    likeness = _shared(one.letters[:shorter], other.letters, copied)
    if likeness >= _COPY_SHARE:
        differ = bool(one.numbers - other.numbers) and bool(other.numbers - one.numbers)
        return BodyMatch("" if differ else "same", likeness)
    unrelated = _shared(one.letters, other.letters, related) < _UNRELATED_SHARE
    return BodyMatch("different" if unrelated else "", likeness)


def together(title: Verdict, rule: Rule, sure: bool, body: BodyVerdict) -> tuple[Verdict, Rule]:
    """The verdict by title and body, and the rule that objects.

    Args:
        sure: the title alone is certainly a repost (see `is_sure`).
    """
    if rule in _STRONGER:
        return title, rule
    if body == "same":
        return "repost", ""
    if body == "different" and title == "repost" and not sure:
        return "suspected", "body"
    return title, rule


def is_sure(title: str, cosine: float) -> bool:
    """Whether a title with this cosine to another is equal to it, and too long for a heading of a series."""
    letters = _WORDS.findall(title)
    return cosine > 1 - 1e-6 and len("".join(letters)) >= (
        _MIN_SURE_CHARS if _HAN.search(title) else 4 * _MIN_SURE_CHARS
    )


def _shared(one: str, other: str, size: int) -> float:
    """The share of common sequences of `size` letters, of the text with fewer of them."""
    mine, theirs = ({text[at : at + size] for at in range(len(text) - size + 1)} for text in (one, other))
    return len(mine & theirs) / max(1, min(len(mine), len(theirs)))
