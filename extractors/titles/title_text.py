"""A title as a bag of terms, and the weights of terms: tf times smooth idf, ln((N + 1) / (df + 1)) + 1."""

import math
import re
from dataclasses import dataclass, field
from functools import cache

from extractors.topic.words import Segmenter, fold

_MAX_TERMS = 200
_MAX_CHARS = 1_000
_ENDING = re.compile(r"(?:'s|s'|ing|ed|es|s|ly)$")
_CUT_NUMBER = re.compile(r"(?<![\d.,:])[.,:]*\d[\d.,:]*(?:\.{2,}|…+)$")


@dataclass(frozen=True, slots=True)
class TitleText:
    """A title ready for comparison.

    Attributes:
        terms: in order.
        fingerprint: of the full title if an ending was or could be cut off (see `fingerprints`), else 0.
    """

    terms: tuple[str, ...]
    fingerprint: int = field(default=0, compare=False)

    @property
    def letters(self) -> str:
        """Its letters and digits."""
        return "".join(self.terms)


def title_text(title: str, segmenter: Segmenter | None = None, fingerprint: int = 0) -> TitleText:
    """Fold and segment a title, at most 1,000 characters and 200 terms of it, and stem words in Latin letters.

    A number before a final ellipsis is dropped: it may lack digits. The default segmenter has no words of topics.
    """
    folded = fold(" ".join(title[:_MAX_CHARS].split()))
    if folded.endswith(("..", "…")):
        folded = _CUT_NUMBER.sub("", folded[-_MAX_CHARS:])
    if "’" in folded:
        folded = folded.replace("’", "'")
    words = (segmenter or _plain()).segment(folded)
    return TitleText(tuple([_stem(word) if word.isascii() else word for word in words[:_MAX_TERMS]]), fingerprint)


@cache
def _plain() -> Segmenter:
    """A segmenter without added words, so that a title has the same terms later and on other nodes."""
    return Segmenter()


def _stem(word: str) -> str:
    if len(word) < 5 or word[0].isdigit():
        return word
    stem = _ENDING.sub("", word)
    return stem if len(stem) > 2 else word


def cosine(one: dict[int, float], other: dict[int, float]) -> float:
    """The cosine of two weighted titles; 0 if one is empty."""
    norms = sum(weight * weight for weight in one.values()) * sum(weight * weight for weight in other.values())
    if not norms:
        return 0.0
    dot = sum(weight * other[term] for term, weight in one.items() if term in other)
    return min(1.0, dot / math.sqrt(norms))
