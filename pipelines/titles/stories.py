"""What is known of stored titles besides their terms: their pages, the first page of each story, and what they were found to be."""

from array import array
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.titles import Match, Rule, Verdict
from extractors.titles.answers import RULES
from extractors.titles.columns import Column
from pipelines.titles.additions import KEY_BYTES, MATCH_COLUMNS, Addition
from pipelines.titles.log import Entry


@dataclass(frozen=True, slots=True)
class Decision:
    """What a page's title is: `story` is the key of the story's first page, `matched` of the nearest one, also where a rule
    objects to it."""

    verdict: Verdict
    story: str
    matched: str = ""
    cosine: float = 0.0
    rule: Rule = ""


class StoredMatches:
    """What stored titles were found to be when they were stored, so that a page that enters again gets the same answer.

    By position, ascending: the matched position, the cosine, and the rule that objected ("" for a repost). One to which a rule
    objected counts as suspected here, whatever its cosine.
    """

    def __init__(self, columns: Mapping[str, NDArray[Any]] = MappingProxyType({})) -> None:
        self._columns = {name: Column(kind) for name, kind in MATCH_COLUMNS.items()}
        for name, values in columns.items():
            self._columns[name].extend(values)

    def __len__(self) -> int:
        return len(self._columns["positions"])

    def add(self, position: int, found: Match) -> None:
        """What the title that is stored next was found to be; titles that are like no other need no entry."""
        if found.position >= 0:
            values = (position, found.position, found.cosine, RULES.index(found.rule))
            for column, value in zip(self._columns.values(), values, strict=True):
                column.append(value)

    def at(self, position: int) -> Match:
        """What the title at this position was found to be when it was stored."""
        positions, matched, cosines, rules = (column.view for column in self._columns.values())
        size = len(self._columns["positions"])
        row = bisect_left(positions, position, 0, size)
        if row == size or positions[row] != position:
            return Match("new")
        rule = RULES[rules[row]]
        return Match("suspected" if rule else "repost", matched[row], cosines[row], rule)

    def since(self, number: int) -> dict[str, NDArray[Any]]:
        """Copies of the columns, but for so many matches at their beginning."""
        return {name: column.filled()[number:].copy() for name, column in self._columns.items()}


class Stories:
    """By position: the pages of titles, and the position of the first title of each one's story."""

    def __init__(self, kept: Addition | None = None) -> None:
        self.keys = bytearray(kept.keys if kept else b"")
        self.firsts = array("I", kept.stories.astype(np.uint32).tobytes() if kept else b"")
        self.matches = StoredMatches(kept.matches if kept else {})

    def key(self, position: int) -> str:
        return self.keys[position * KEY_BYTES : (position + 1) * KEY_BYTES].hex()

    def add(self, position: int, entry: Entry, found: Match) -> None:
        """The title that is stored next."""
        self.keys += bytes.fromhex(entry.key)[:KEY_BYTES].ljust(KEY_BYTES, b"\0")
        self.firsts.append(self.firsts[found.position] if found.verdict == "repost" else position)
        self.matches.add(position, found)

    def decision(self, entry: Entry, found: Match, threshold: float) -> Decision:
        """What an entry is, if its title was found to be this."""
        if found.verdict == "repost":
            found = self._previous_match(entry, found)
        if found.position < 0 or self.key(found.position) == entry.key:
            return Decision("new", entry.key)
        matched = self.key(found.position)
        if found.rule:
            near = found.cosine >= threshold
            return Decision("suspected" if near else "new", entry.key, matched, found.cosine, found.rule)
        return Decision("repost", self.key(self.firsts[found.position]), matched, found.cosine)

    def _previous_match(self, entry: Entry, found: Match) -> Match:
        """If the page matches itself, or is the first of the story: what it was found to be when it entered before."""
        for position in (self.firsts[found.position], found.position):
            if self.key(position) == entry.key:
                return self.matches.at(position)
        return found

    def since(self, titles: int, matches: int) -> tuple[bytes, NDArray[np.uint32], dict[str, NDArray[Any]]]:
        """Copies of the columns, but for so many titles and matches at their beginning."""
        firsts = np.frombuffer(self.firsts[titles:], np.uint32)
        return bytes(self.keys[titles * KEY_BYTES :]), firsts, self.matches.since(matches)
