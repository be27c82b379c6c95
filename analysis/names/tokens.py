"""Words of a text with their place and part of speech, from a dictionary of its own that no topic changes."""

from functools import cache
from typing import NamedTuple

from analysis.names.splits import pieces
from extractors.topic.words import Segmenter


class Token(NamedTuple):
    """A word, where it begins and ends, and its part of speech in jieba's letters."""

    text: str
    start: int
    end: int
    part: str


@cache
def _segmenter() -> Segmenter:
    return Segmenter()


def tokens_of(text: str) -> list[Token]:
    """All words and marks in order; joined, they are the text."""
    found: list[Token] = []
    at = 0
    for whole, tagged in _segmenter().tag(text):
        for word, part in pieces(whole, tagged):
            end = at + len(word)
            found.append(Token(word, at, end, part))
            at = end
    return found
