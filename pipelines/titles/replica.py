"""A node's replica of the title index: entries of the log applied in order give every node the same decisions."""

import logging
from array import array
from bisect import bisect_left
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from extractors.titles import (
    Match,
    Rule,
    Rules,
    SuffixLearner,
    TitleIndex,
    TitleText,
    Verdict,
    title_text,
)
from extractors.titles.additions import Sizes, added, fill, sizes
from extractors.titles.columns import Column
from extractors.titles.snapshot import damaged
from extractors.titles.suffixes import join_changes
from extractors.topic.words import Segmenter
from pipelines.titles.additions import KEY_BYTES, MATCH_COLUMNS, Addition, merged, parts_of, unpack
from pipelines.titles.chain import Segment
from pipelines.titles.log import Entry, LogGapError, Snapshot, TitleLog

_MAX_RECENT = 2_000
"""Entries that are entered again if the server has lost them: more than come in the second that it may lose."""
_logger = logging.getLogger(__name__)
_RULES: tuple[Rule, ...] = get_args(Rule)


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
            values = (position, found.position, found.cosine, _RULES.index(found.rule))
            for column, value in zip(self._columns.values(), values, strict=True):
                column.append(value)

    def at(self, position: int) -> Match:
        """What the title at this position was found to be when it was stored."""
        positions, matched, cosines, rules = (column.view for column in self._columns.values())
        size = len(self._columns["positions"])
        row = bisect_left(positions, position, 0, size)
        if row == size or positions[row] != position:
            return Match("new")
        rule = _RULES[rules[row]]
        return Match("suspected" if rule else "repost", matched[row], cosines[row], rule)

    def since(self, number: int) -> dict[str, NDArray[Any]]:
        """Copies of the columns, but for so many matches at their beginning."""
        return {name: column.filled()[number:].copy() for name, column in self._columns.items()}


@dataclass(frozen=True, slots=True)
class Sealed:
    """What the entries from one place of the log to another have added; `first` is the position of the first title."""

    begin: str
    end: str
    first: int
    addition: Addition

    def segments(self) -> list[Segment]:
        """As segments of a chain, none of which is too large; more than one only of a very long run."""
        parts = parts_of(self.addition, self.first)
        ends = [*(f"{self.end}.{number}" for number in range(1, len(parts))), self.end]
        return list(map(Segment, [self.begin, *ends[:-1]], ends, parts))


@dataclass(frozen=True, slots=True)
class _Mark:
    """A place of the log, and how much the replica held there."""

    place: str
    sizes: Sizes
    matches: int


class Replica:
    """Index, learned suffixes, the pages' keys and the first page of each story; the state is a function of the log.

    Therefore its segmenter has no words of a topic: these change while a crawl runs, on each node at another moment.
    """

    def __init__(self, threshold: float = 0.8, rules: Rules | None = None, segmenter: Segmenter | None = None) -> None:
        self._threshold, self._rules, self.segmenter = threshold, rules, segmenter or Segmenter()
        self._recent = deque[tuple[str, Entry]](maxlen=_MAX_RECENT)
        self.seal_every, self.sealed = 0, list[Sealed]()
        self.start_from(None)

    @property
    def config(self) -> str:
        """What decides besides the log, in words: replicas with equal words decide alike."""
        rules = self.index.rules
        parts = [f"a threshold of {self.index.threshold}", f"the segmenter {self.segmenter.used_engine}"]
        parts += ["the rule on numbers"] if rules.numbers else []
        parts += [f"the rule on wording from {rules.reach} on"] if rules.wording else []
        parts += [f"a window of {rules.window_days} days"] if rules.window_days else []
        return ", ".join(parts)

    def start_from(self, kept: Snapshot | None) -> None:
        """Take the state of this snapshot, or become empty; SnapshotError if it cannot be read."""
        self.place, self.applied = "", 0
        self.index, self.learner = TitleIndex(self._threshold, self._rules), SuffixLearner()
        self._keys, self._stories, self._matches = bytearray(), array("I"), StoredMatches()
        self.sealed.clear()
        if kept is not None:
            self._restore(kept)
        self._mark = self._marked()

    def apply(self, place: str, entry: Entry) -> Decision:
        self.place, self.applied = place, self.applied + 1
        try:
            title = self._read(entry)
            found = self.index.search(title, entry.day) if title.terms else Match("new")
        except Exception:  # a new title, on each node alike; else the entry would stop all, also after a restart
            _logger.exception("A title cannot be compared: %s", ascii(entry.title))
            return Decision("new", entry.key)
        if found.verdict == "repost" and self._is_redundant(found.position, title, entry):
            self.index.note(title, found.position)
            return self._decision(entry, found)
        position = self.index.add(title, entry.day)
        self._keys += _key_bytes(entry.key)
        self._stories.append(self._stories[found.position] if found.verdict == "repost" else position)
        self._matches.add(position, found)
        return self._decision(entry, found)

    def _read(self, entry: Entry) -> TitleText:
        """Its title without the names of site and section that are known now."""
        self.learner.learn(entry.title, entry.host)
        clean = self.learner.without_suffix(entry.title, entry.host, entry.source)
        return title_text(clean, self.segmenter, self.learner.fingerprint(entry.title))

    def _is_redundant(self, position: int, title: TitleText, entry: Entry) -> bool:
        """Whether storing the title adds nothing: the same title is stored, or another one of the same page."""
        return self.key(position) == entry.key or self.index.words(position) == title

    def key(self, position: int) -> str:
        return self._keys[position * KEY_BYTES : (position + 1) * KEY_BYTES].hex()

    def _decision(self, entry: Entry, found: Match) -> Decision:
        if found.verdict == "repost":
            found = self._previous_match(entry, found)
        if found.position < 0 or self.key(found.position) == entry.key:
            return Decision("new", entry.key)
        matched = self.key(found.position)
        if found.rule:
            near = found.cosine >= self.index.threshold
            return Decision("suspected" if near else "new", entry.key, matched, found.cosine, found.rule)
        return Decision("repost", self.key(self._stories[found.position]), matched, found.cosine)

    def _previous_match(self, entry: Entry, found: Match) -> Match:
        """If the page matches itself, or is the first of the story: what it was found to be when it entered before."""
        for position in (self._stories[found.position], found.position):
            if self.key(position) == entry.key:
                return self._matches.at(position)
        return found

    def snapshot(self) -> Snapshot:
        """Everything that was applied."""
        return Snapshot(self.place, tuple(segment.data for segment in self.whole(self.place)))

    def whole(self, place: str) -> list[Segment]:
        """Everything that was applied as the chain of a log that has it up to this place."""
        state = self.learner.state()
        hosts = {name: [titles, tails, True] for name, (titles, tails) in state["hosts"].items()}
        learned = {"hosts": hosts, "everywhere": [state["everywhere"], True]}
        return Sealed("", place, 0, self._addition(_Mark("", Sizes(), 0), learned)).segments()

    def seal(self) -> None:
        """What was applied since the last call, or since the start, is to become a segment of the log."""
        if self.place != self._mark.place:
            addition = self._addition(self._mark, self.learner.changes())
            self.sealed.append(Sealed(self._mark.place, self.place, self._mark.sizes.titles, addition))
            self._mark = self._marked()

    def _marked(self) -> "_Mark":
        return _Mark(self.place, sizes(self.index), len(self._matches))

    def _addition(self, since: "_Mark", learned: dict[str, Any]) -> Addition:
        first = since.sizes.titles
        stories = np.frombuffer(self._stories[first:], np.uint32)
        keys, matches = bytes(self._keys[first * KEY_BYTES :]), self._matches.since(since.matches)
        return Addition(self.applied, added(self.index, since.sizes), keys, stories, matches, learned)

    def _restore(self, snapshot: Snapshot) -> None:
        found = merged([unpack(part) for part in snapshot.parts])
        state: dict[str, Any] = {"hosts": {}, "everywhere": {}}
        join_changes(state, found.learned)
        self.applied, self.place = found.applied, snapshot.place
        self.learner, self._matches = SuffixLearner.from_state(state), StoredMatches(found.matches)
        try:
            self.index = fill(self.index, found.index)
        except ValueError as error:
            raise damaged(error) from error
        self._keys += found.keys
        self._stories.frombytes(found.stories.tobytes())

    def catch_up(self, log: TitleLog) -> dict[str, Decision]:
        """Apply all new entries of the log, from its snapshot on if entries are gone; returns decisions by place."""
        decided: dict[str, Decision] = {}
        while True:
            try:
                entries = log.read(self.place)
            except LogGapError:
                self._start_again(log)
                continue
            if not entries:
                return decided
            for place, entry in entries:
                decided[place] = self.apply(place, entry)
                if self.seal_every and not self.applied % self.seal_every:
                    self.seal()
            self._recent.extend(entries)

    def _start_again(self, log: TitleLog) -> None:
        """Start from the log's snapshot; entries that were applied here and lost by the server are entered again."""
        lost = log.lost([place for place, _ in self._recent])
        if lost:
            _logger.warning(
                "The log of titles has lost its end; %d titles are entered again. If more are lost, "
                "`scrapy titles rebuild` restores them from the store.",
                len(lost),
            )
            log.append([entry for place, entry in self._recent if place in lost])
        self._recent.clear()
        self.start_from(log.snapshot())


def _key_bytes(key: str) -> bytes:
    return bytes.fromhex(key)[:KEY_BYTES].ljust(KEY_BYTES, b"\0")
