"""Mood of many texts: counts by class rather than one number, and the complaints of negative texts."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from analysis.mood.classify import Label, Mood
from extractors.topic.lexicon import is_candidate
from extractors.topic.words import Segmenter, fold

LABELS: tuple[Label, ...] = ("positive", "neutral", "negative", "unsure")
_Z = 1.96
"""Standard deviations of a 95 % interval."""
_MIN_NEGATIVE_TEXTS = 2
"""Minimum number of negative texts with a complaint."""


@dataclass(frozen=True, slots=True)
class MoodSpread:
    """`texts` by class; `negative_share` of those with a class, with the bounds of its 95 % interval (Wilson)."""

    texts: dict[Label, int]
    negative_share: float
    low: float
    high: float

    @property
    def total(self) -> int:
        return sum(self.texts.values())

    @property
    def shown(self) -> str:
        """The numbers as a phrase: "40: 5 positive, 20 neutral, 10 negative, 5 unsure; 29% negative (16% to 45%)"."""
        if not self.total:
            return "0"
        counts = ", ".join(f"{count} {label}" for label, count in self.texts.items())
        return f"{self.total}: {counts}; {self.negative_share:.0%} negative ({self.low:.0%} to {self.high:.0%})"


def spread_of(labels: Iterable[Label]) -> MoodSpread:
    """The spread of many texts' classes."""
    counted = Counter(labels)
    known = counted["positive"] + counted["neutral"] + counted["negative"]
    low, high = wilson(counted["negative"], known)
    return MoodSpread(
        {label: counted[label] for label in LABELS}, counted["negative"] / known if known else 0.0, low, high
    )


def wilson(hits: int, total: int) -> tuple[float, float]:
    """The score interval of a share (Wilson 1927); 0 to 1 if there is nothing."""
    if not total:
        return 0.0, 1.0
    share, square = hits / total, _Z * _Z
    middle = (share + square / (2 * total)) / (1 + square / total)
    half = _Z * math.sqrt(share * (1 - share) / total + square / (4 * total * total)) / (1 + square / total)
    return max(0.0, middle - half), min(1.0, middle + half)


def complaints(texts: Iterable[tuple[str, Mood]], most: int = 10) -> list[tuple[str, int]]:
    """Words in significantly many negative texts, with the number of those texts, most significant first."""
    segmenter = Segmenter()
    negative: Counter[str] = Counter()
    everywhere: Counter[str] = Counter()
    sizes = [0, 0]
    for text, mood in texts:
        words = {word for word in segmenter.segment(fold(text)) if len(word) > 1 and is_candidate(word)}
        everywhere.update(words)
        sizes[1] += 1
        if mood.label == "negative":
            negative.update(words)
            sizes[0] += 1
    base = sizes[0] / max(1, sizes[1])
    scored = ((count * math.log(count / (everywhere[word] * base)), word, count) for word, count in negative.items())
    chosen = sorted(
        (each for each in scored if each[0] > 0 and each[2] >= _MIN_NEGATIVE_TEXTS),
        key=lambda each: (-each[0], each[1]),
    )
    return [(word, count) for _, word, count in chosen[:most]]
