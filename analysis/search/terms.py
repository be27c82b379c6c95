"""Text as terms: words of letters, and single characters and neighbouring pairs of scripts without spaces.

So a Chinese word of any length is found, however text is segmented.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from operator import add

from extractors.topic.words import fold

_UNSPACED = (
    "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han, kana
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Myanmar, Khmer
    "\U00010000-\U0010ffff"
)
_TERM = re.compile(rf"((?:(?=\w)[{_UNSPACED}])+)|([^\W_{_UNSPACED}]+)")
_WORD_CHARACTERS = 64
"""A longer word is known by its beginning."""


@dataclass(frozen=True, slots=True)
class WordTerms:
    """Terms that a text with a word has: `exact` where every text with them has the word."""

    terms: tuple[str, ...]
    exact: bool


def terms_of(text: str) -> list[str]:
    """All terms of a text, as often as they are in it, without order."""
    return [term for run, word in _TERM.findall(fold(text)) for term in (_of_run(run) if run else (_cut(word),))]


def field_term(term: str, field: str) -> str:
    """A term of a field is another term than the same word anywhere ("")."""
    return f"{field}:{term}" if field else term


@lru_cache(maxsize=1_024)
def terms_of_word(text: str, field: str = "") -> WordTerms:
    """The terms of a text that contains this word or phrase; none for text without letters and digits."""
    found = list[str]()
    for run, word in _TERM.findall(fold(text)):
        # the characters of a run are in its pairs
        found += map(add, run, run[1:]) if len(run) > 1 else (run or _cut(word),)
    return WordTerms(tuple(field_term(term, field) for term in dict.fromkeys(found)), exact=len(found) <= 1)


def _of_run(run: str) -> list[str]:
    return [*run, *map(add, run, run[1:])]


def _cut(word: str) -> str:
    return word[:_WORD_CHARACTERS]
