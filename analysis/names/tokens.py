"""Words of a text with their place and part of speech, from a dictionary of its own that no topic changes."""

from functools import cache
from typing import NamedTuple

from analysis.names.divisions import names_kept_whole
from analysis.names.known import cues, landmarks, organisations
from analysis.names.letters import famous_people
from analysis.names.splits import pieces
from extractors.topic.words import Segmenter

_ALSO_OTHER = cues("also_two_words")
"""Short names that often are the ends of two other words: 其中大部分."""


class Token(NamedTuple):
    """A word, where it begins and ends, and its part of speech in jieba's letters."""

    text: str
    start: int
    end: int
    part: str


_AFTER_CITIES = ("市场上", "市场内", "市场里", "市面上", "市值")
"""Words that the dictionary lacks, of which it gives the first character to the city before them: 深圳 + 市场上."""
_NO_WORDS = ("局局长", "中央政治局常委")
"""Words of the dictionary that are two, or the end of one and the beginning of the next: 发展局 + 局长."""
_NEW_WORDS = ("新冠", "新冠肺炎", "新冠病毒", "疫情")
"""Words of these years, which otherwise are taken for the end of a name."""
_FREQUENCY = 5_000
"""How often they are, as the dictionary counts: so that they outweigh any city's name with its last character."""
_BEHIND_DIVISIONS = ("市长", "县长", "区长", "镇长", "乡长", "市立", "县立")
_FREQUENCY_BEHIND = 30_000
"""So that 嘉义 + 县长 + 翁章梁 outweighs 嘉义县 and a name that begins with 长."""
_made = tuple.__new__
"""A third of the time of Token(…)."""


@cache
def _segmenter() -> Segmenter:
    found = Segmenter()
    for words, part, least in (
        (landmarks(), "ns", 3),
        (names_kept_whole(), "ns", 2),
        (organisations(), "nt", 2),
        (famous_people(), "nr", 3),
    ):
        found.add_words(
            [
                word
                for word in sorted(words - _ALSO_OTHER, key=_shortest_first)
                if len(word) >= least and not word.isascii()
            ],
            part=part,
        )
    found.add_words(_AFTER_CITIES + _NEW_WORDS, part="n", frequency=_FREQUENCY)
    found.add_words(_BEHIND_DIVISIONS, part="n", frequency=_FREQUENCY_BEHIND)
    found.remove_words(_NO_WORDS)
    return found


def _shortest_first(word: str) -> tuple[int, str]:
    """So that a longer one is worth more than the shorter ones in it."""
    return len(word), word


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
