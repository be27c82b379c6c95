"""A title as a bag of terms, and the weights of terms: tf times smooth idf, ln((N + 1) / (df + 1)) + 1."""

import math
import re
from dataclasses import dataclass, field
from functools import cache

from extractors.topic.words import Segmenter, fold

_MOST_TERMS = 200
_LONGEST = 1_000
_ENDING = re.compile(r"(?:'s|s'|ing|ed|es|s|ly)$")
_CUT_NUMBER = re.compile(r"[\d.,:]*\d[\d.,:]*(?:\.{2,}|…+)$")


@dataclass(frozen=True, slots=True)
class TitleText:
    """A title ready for comparison: its terms in the order in which they stand there.

    `whole` is the mark of the title as it stood, where something was or could be cut off it (see `whole.mark`), else 0.
    """

    terms: tuple[str, ...]
    whole: int = field(default=0, compare=False)

    @property
    def letters(self) -> str:
        """Its letters and digits."""
        return "".join(self.terms)


def title_text(title: str, segmenter: Segmenter | None = None, whole: int = 0) -> TitleText:
    """Fold, segment, and take the endings off words of Latin letters; what is longer than any title is cut off.

    So is a number at the end of a title that somebody has shortened by an ellipsis: it may lack digits. The segmenter is
    one that no topic's words are added to, unless another is given. `whole` is passed on.
    """
    folded = fold(" ".join(title[:_LONGEST].split()))
    if folded.endswith(("..", "…")):
        folded = _CUT_NUMBER.sub("", folded[-_LONGEST:])
    if "’" in folded:
        folded = folded.replace("’", "'")
    words = (segmenter or _plain()).segment(folded)
    return TitleText(tuple([_stem(word) if word.isascii() else word for word in words[:_MOST_TERMS]]), whole)


@cache
def _plain() -> Segmenter:
    """One that nobody adds words to: a title has to have the same terms today and tomorrow, here and on other nodes."""
    return Segmenter()


def _stem(word: str) -> str:
    if len(word) < 5 or word[0].isdigit():
        return word
    stem = _ENDING.sub("", word)
    return stem if len(stem) > 2 else word


COUNTED = 65_536
LOGARITHMS = [0.0, *map(math.log, range(1, COUNTED + 2))]


def logarithm(count: int) -> float:
    """The natural one of a whole number above 0, quickly where many ask."""
    return LOGARITHMS[count] if count <= COUNTED else math.log(count)


def cosine(one: dict[int, float], other: dict[int, float]) -> float:
    """Of two weighted titles; 0 if one is empty."""
    norms = sum(weight * weight for weight in one.values()) * sum(weight * weight for weight in other.values())
    if not norms:
        return 0.0
    dot = sum(weight * other[term] for term, weight in one.items() if term in other)
    return min(1.0, dot / math.sqrt(norms))
