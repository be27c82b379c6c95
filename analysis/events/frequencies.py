"""How rare a term is: counted over the reports so far, begun with the frequencies of general language."""

import math
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache

_PRIOR_REPORTS = 100
"""As many reports of general language as the counts begin with."""
_PRIOR_WORDS = 150
"""Words of such a report."""
_LEAST = 1e-8
_PAIR = 3.0
"""Two neighbouring characters stand together that much more often than by chance."""


class Frequencies:
    """In how many reports each term was; grows with every report."""

    def __init__(self) -> None:
        self._reports = 0
        self._with_term: Counter[str] = Counter()

    def add(self, terms: Iterable[str]) -> None:
        """Count a report with these terms, each once."""
        self._reports += 1
        self._with_term.update(terms)

    def weight(self, term: str) -> float:
        """The inverse document frequency, ≥ 0: natural logarithm of reports by reports with the term."""
        known = _PRIOR_REPORTS * expected_share(term) + self._with_term[term]
        return max(0.0, math.log((_PRIOR_REPORTS + self._reports + 2) / (known + 0.5)))


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
