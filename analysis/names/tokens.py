"""Words of a text with their place and part of speech, from a dictionary of its own that no topic changes."""

from functools import cache
from typing import NamedTuple

from analysis.names.known import landmarks, organisations
from analysis.names.letters import famous_people
from analysis.names.splits import pieces
from extractors.topic.words import Segmenter

_MIN_UNAMBIGUOUS_CHARS = 3
"""Characters from which on a name is hardly ever two other words that meet."""


class Token(NamedTuple):
    """A word, where it begins and ends, and its part of speech in jieba's letters."""

    text: str
    start: int
    end: int
    part: str


_AFTER_CITIES = ("市场上", "市场内", "市场里", "市面上", "市值")
"""Words that the dictionary lacks, of which it gives the first character to the city before them: 深圳 + 市场上."""
_FREQUENCY = 5_000
"""How often they are, as the dictionary counts: so that they outweigh any city's name with its last character."""
_made = tuple.__new__
"""A third of the time of Token(…)."""


@cache
def _segmenter() -> Segmenter:
    found = Segmenter()
    for words, part in ((landmarks(), "ns"), (organisations(), "nt"), (famous_people(), "nr")):
        found.add_words(
            [word for word in sorted(words) if len(word) >= _MIN_UNAMBIGUOUS_CHARS and found.segment(word) != [word]],
            part=part,
        )
    found.add_words(_AFTER_CITIES, part="n", frequency=_FREQUENCY)
    return found


def tokens_of(text: str) -> list[Token]:
    """All words and marks in order; joined, they are the text."""
    found: list[Token] = []
    at = 0
    for whole, tagged in _segmenter().tag(text):
        for word, part in pieces(whole, tagged):
            end = at + len(word)
            found.append(_made(Token, (word, at, end, part)))
            at = end
    return found
