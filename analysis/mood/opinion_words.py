"""Opinion words, and modifiers of the words after them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from ahocorasick_rs import MATCHKIND_LEFTMOST_LONGEST, AhoCorasick

Role = Literal["opinion", "not", "more", "less", "but"]
_OPINIONS = {"++": 2.0, "+": 1.0, "-": -1.0, "--": -2.0}
_FACTORS = {"not": -0.8, "more": 1.4, "less": 0.7, "but": 1.0}

_SHARE_OF_BORROWED = 0.5


@dataclass(frozen=True, slots=True)
class MoodWord:
    """A word of opinion with its weight, or one that turns, strengthens, weakens or opposes, with its factor."""

    text: str
    role: Role
    weight: float


@dataclass(frozen=True, slots=True)
class LexiconMatch:
    """A word and its offset in the text."""

    word: MoodWord
    start: int
    end: int


class Lexicon:
    """Finds words in one pass; where words overlap, the longest that begins first counts."""

    def __init__(self, words: dict[str, MoodWord]) -> None:
        self._words = list(words.values())
        self._search = AhoCorasick(list(words), matchkind=MATCHKIND_LEFTMOST_LONGEST)

    def find(self, text: str) -> Iterator[LexiconMatch]:
        """All words of a text in lower case; words of letters only where they are whole."""
        for number, start, end in self._search.find_matches_as_indexes(text):
            word = self._words[number]
            if not word.text.isascii() or _is_whole(text, start, end):
                yield LexiconMatch(word, start, end)


def _is_whole(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return not ((_is_latin(before) and _is_latin(text[start])) or (_is_latin(after) and _is_latin(text[end - 1])))


def _is_latin(letter: str) -> bool:
    return letter.isascii() and letter.isalnum()


@cache
def lexicon() -> Lexicon:
    """The packaged lexicon; our own list takes precedence over the borrowed one."""
    borrowed = {word.text: word for word in _borrowed()}
    return Lexicon(borrowed | {word.text: word for word in reversed(list(_read()))})


def _read() -> Iterator[MoodWord]:
    kind = ""
    for line in _lines("words.txt"):
        if line.startswith(("[zh ", "[en ", "[signs ")):
            kind = line.strip("[]").split(" ")[1]
            continue
        for text in line.lower().split():
            yield MoodWord(text, "opinion", _OPINIONS[kind]) if kind in _OPINIONS else _modifier(text, kind)


def _borrowed() -> Iterator[MoodWord]:
    """Words from a dictionary, which has many rare ones and some that are no opinion: they count half."""
    weight = 0.0
    for line in _lines("jionlp.txt"):
        if line.startswith("["):
            weight = _SHARE_OF_BORROWED * float(line.strip("[]"))
            continue
        yield from (MoodWord(text, "opinion", weight) for text in line.split())


def _lines(name: str) -> Iterator[str]:
    text = (files("analysis.mood") / "data" / name).read_text(encoding="utf-8")
    return (line for line in text.splitlines() if not line.startswith("#"))


def _modifier(text: str, kind: str) -> MoodWord:
    roles: dict[str, Role] = {"not": "not", "more": "more", "less": "less", "but": "but"}
    return MoodWord(text, roles[kind], _FACTORS[kind])
