"""How rare a term is in general language."""

import math
from functools import cache, lru_cache

_GENERAL_REPORTS = 10_000
"""Reports of general language; what is rarer than one in them is as rare as one."""
_PRIOR_WORDS = 150
"""Words of such a report."""
_LEAST = 1e-8
_PAIR = 3.0
"""Two neighbouring characters stand together that much more often than by chance."""


def rarity(term: str) -> float:
    """The inverse document frequency of a term in general language, ≥ 0: natural logarithm of reports by reports with the term."""
    return max(0.0, math.log((_GENERAL_REPORTS + 2) / (_GENERAL_REPORTS * expected_share(term) + 0.5)))


@lru_cache(maxsize=100_000)
def expected_share(term: str) -> float:
    """The share of reports of general language that have the term, 0 to 1; a term of "+" and two characters is a pair."""
    pair = term.startswith("+")
    frequency = _PAIR * _frequency(term[1]) * _frequency(term[2]) if pair else _frequency(term)
    return 1.0 - math.exp(-max(frequency, _LEAST) * _PRIOR_WORDS)


def _frequency(word: str) -> float:
    return _list("en" if word.isascii() else "zh").get(word, 0.0)


@cache
def _list(language: str) -> dict[str, float]:
    from wordfreq import get_frequency_dict  # loading is slow and rarely needed

    found: dict[str, float] = get_frequency_dict(language, wordlist="small")
    return found
