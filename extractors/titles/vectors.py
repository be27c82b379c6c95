"""A title as a bag of terms, and the weights of terms: tf times smooth idf, ln((N + 1) / (df + 1)) + 1."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from extractors.topic.words import Segmenter, fold, shared_segmenter

_MOST_TERMS = 200
_LONGEST = 1_000
_ENDING = re.compile(r"(?:'s|s'|ing|ed|es|s|ly)$")


@dataclass(frozen=True, slots=True)
class TitleText:
    """A title ready for comparison: its terms as often as they occur."""

    terms: tuple[str, ...]

    @property
    def length(self) -> int:
        """Letters and digits in it."""
        return sum(map(len, self.terms))


def title_text(title: str, segmenter: Segmenter | None = None) -> TitleText:
    """Fold, segment, and take the endings off words of Latin letters; what is longer than any title is cut off."""
    words = (segmenter or shared_segmenter()).segment(fold(" ".join(title[:_LONGEST].split())).replace("’", "'"))
    return TitleText(tuple(_stem(word) if word.isascii() else word for word in words[:_MOST_TERMS]))


def _stem(word: str) -> str:
    if len(word) < 5 or word[0].isdigit():
        return word
    stem = _ENDING.sub("", word)
    return stem if len(stem) > 2 else word


_LOGARITHMS = [0.0, *map(math.log, range(1, 65_537))]


def inverse_frequency(titles: int, frequency: int) -> float:
    """Smooth idf of a term that `frequency` of so many titles have."""
    known = _LOGARITHMS[frequency + 1] if frequency < 65_536 else math.log(frequency + 1)
    return math.log(titles + 1) - known + 1.0


def weights(terms: Iterable[int], frequencies: dict[int, int], titles: int) -> dict[int, float]:
    """tf · idf by term, summed in the order of terms so that equal titles get equal sums."""
    return {
        term: len(list(same)) * inverse_frequency(titles, frequencies[term]) for term, same in groupby(sorted(terms))
    }


def cosine(one: dict[int, float], other: dict[int, float]) -> float:
    """Of two weighted titles; 0 if one is empty."""
    norms = sum(weight * weight for weight in one.values()) * sum(weight * weight for weight in other.values())
    if not norms:
        return 0.0
    dot = sum(weight * other[term] for term, weight in one.items() if term in other)
    return min(1.0, dot / math.sqrt(norms))
