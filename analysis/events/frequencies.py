"""How rare a term is in general language."""

import math
from functools import cache, lru_cache

_GENERAL_REPORTS = 10_000
"""Reports of general language; what is rarer than one in them is as rare as one."""
_PRIOR_WORDS = 150
"""Words of such a report."""
_MIN_FREQUENCY = 1e-8
_COMMON = 1e-5
"""Words that are rarer in general language need not be known: rarer ones hardly differ in weight."""
_SAME_WORDS = {"no": "nb", "nn": "nb", "hr": "sh", "sr": "sh", "bs": "sh"}
_PAIR = 3.0
"""Two neighbouring characters stand together that much more often than by chance."""


def rarity(term: str) -> float:
    """The inverse document frequency of a term in general language, ≥ 0: natural logarithm of reports by reports with the term."""
    return max(0.0, math.log((_GENERAL_REPORTS + 2) / (_GENERAL_REPORTS * expected_share(term) + 0.5)))


def language_of_words(code: str) -> str:
    """The language whose frequencies count for texts in letters: "" for English, and where none are known."""
    base = code.lower().partition("-")[0]
    base = _SAME_WORDS.get(base, base)
    return base if base != "en" and base in _languages() else ""


@lru_cache(maxsize=100_000)
def expected_share(term: str, language: str = "") -> float:
    """The share of reports of general language that have the term, 0 to 1; a term of "+" and two characters is a pair.

    `language` is one of `language_of_words`; with "" words of ASCII are English and others Chinese.
    """
    pair = term.startswith("+")
    frequency = _PAIR * _frequency(term[1]) * _frequency(term[2]) if pair else _frequency(term, language)
    return 1.0 - math.exp(-max(frequency, _MIN_FREQUENCY) * _PRIOR_WORDS)


def _frequency(word: str, language: str = "") -> float:
    if language:
        return _common(language).get(word, 0.0)
    return _list("en" if word.isascii() else "zh").get(word, 0.0)


@cache
def _list(language: str) -> dict[str, float]:
    from wordfreq import get_frequency_dict  # loading is slow and rarely needed

    found: dict[str, float] = get_frequency_dict(language, wordlist="small")
    return found


@cache
def _common(language: str) -> dict[str, float]:
    """Of one of many languages only what is needed, since all stay in memory."""
    from wordfreq import get_frequency_dict

    return {word: share for word, share in get_frequency_dict(language, wordlist="small").items() if share >= _COMMON}


@cache
def _languages() -> frozenset[str]:
    from wordfreq import available_languages

    return frozenset(available_languages("small"))
