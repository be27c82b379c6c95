"""How common words are in general, by the lists of the package wordfreq: nothing is loaded before it is asked for."""

import math
from functools import cache

from extractors.topic.words import fold

_UNSEEN = 1e-8
"""Share of a word that no list knows: one in a hundred million."""
_HAN = ("\u3400", "\u9fff")


def share(word: str) -> float:
    """The share of all words of its language that this word makes up."""
    folded = fold(word)
    return max(_UNSEEN, _list("zh" if _is_han(folded) else "en").get(folded, 0.0))


def idf(word: str) -> float:
    """Inverse document frequency of a word by its share, as if a document held a thousand words: log(1 / (1 − (1 − s)¹⁰⁰⁰))."""
    return -math.log(-math.expm1(1000 * math.log1p(-share(word))))


def forget() -> None:
    """Give the lists' memory back."""
    _list.cache_clear()


@cache
def _list(language: str) -> dict[str, float]:
    from wordfreq import get_frequency_dict  # loading takes long, and few need it

    return dict(get_frequency_dict(language))


def _is_han(word: str) -> bool:
    return any(_HAN[0] <= character <= _HAN[1] for character in word)
