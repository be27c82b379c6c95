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
