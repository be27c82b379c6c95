"""A node's replica of the title index: entries of the log applied in order give every node the same decisions."""

import logging
from array import array
from bisect import bisect_left
from collections import deque
from dataclasses import dataclass
from typing import Any, Self, get_args

import msgpack
import numpy as np

from extractors.titles import (
    Match,
    Rule,
    Rules,
    SnapshotError,
    SuffixLearner,
    TitleIndex,
    TitleText,
    Verdict,
    check,
    dump,
    load,
    title_text,
)
from extractors.titles.storage import Column
from extractors.topic.words import Segmenter
from pipelines.titles.log import Entry, LogGapError, Snapshot, TitleLog

_KEY_BYTES = 10
_MAX_RECENT = 2_000
"""Entries that are entered again if the server has lost them: more than come in the second that it may lose."""
_logger = logging.getLogger(__name__)
_RULES: tuple[Rule, ...] = get_args(Rule)
_KINDS = {"positions": np.uint32, "matched": np.uint32, "cosines": np.float64, "rules": np.uint8}


@dataclass(frozen=True, slots=True)
class Decision:
    """What a page's title is: `story` is the key of the story's first page, `matched` of the nearest one."""

    verdict: Verdict
    story: str
    matched: str = ""
    cosine: float = 0.0
    rule: Rule = ""


class StoredMatches:
    """What stored titles were found to be when they were stored, so that a page that enters again gets the same answer.

    By position, ascending: the matched position, the cosine, and the rule that objected ("" for a repost).
    """

    def __init__(self) -> None:
        self._columns = {name: Column(kind) for name, kind in _KINDS.items()}

    def add(self, position: int, found: Match) -> None:
        """What the title that is stored next was found to be; new titles need no entry."""
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

    def state(self) -> dict[str, bytes]:
        return {name: column.filled().tobytes() for name, column in self._columns.items()}

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Self:
        """The matches with this state; KeyError or ValueError if it is something else."""
        matches = cls()
        for name, kind in _KINDS.items():
            matches._columns[name].extend(np.frombuffer(state[name], kind))
        if len({len(column) for column in matches._columns.values()}) > 1:
            raise ValueError("matches of titles have different lengths")
        return matches


class Replica:
    """Index, learned suffixes, the pages' keys and the first page of each story; the state is a function of the log.

    Therefore its segmenter has no words of a topic: these change while a crawl runs, on each node at another moment.
    """

    def __init__(self, threshold: float = 0.8, rules: Rules | None = None, segmenter: Segmenter | None = None) -> None:
        self._threshold, self._rules, self.segmenter = threshold, rules, segmenter or Segmenter()
        self._recent = deque[tuple[str, Entry]](maxlen=_MAX_RECENT)
        self.start_from(None)

    @property
    def config(self) -> str:
        """What decides besides the log, in words: replicas with equal words decide alike."""
        rules = self.index.rules
        parts = [f"a threshold of {self.index.threshold}", f"the segmenter {self.segmenter.loaded}"]
        parts += ["the rule on numbers"] if rules.numbers else []
        parts += [f"the rule on wording from {rules.reach} on"] if rules.wording else []
        parts += [f"a window of {rules.window_days} days"] if rules.window_days else []
        return ", ".join(parts)

    def start_from(self, kept: Snapshot | None) -> None:
        """Take the state of this snapshot, or become empty; SnapshotError if it cannot be read."""
        self.place, self.applied = "", 0
        self.index, self.learner = TitleIndex(self._threshold, self._rules), SuffixLearner()
        self._keys, self._stories, self._matches = bytearray(), array("I"), StoredMatches()
        if kept is not None:
            self._restore(kept)

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
        return self._keys[position * _KEY_BYTES : (position + 1) * _KEY_BYTES].hex()

    def _decision(self, entry: Entry, found: Match) -> Decision:
        if found.verdict == "repost":
            found = self._previous_match(entry, found)
        if found.position < 0 or self.key(found.position) == entry.key:
            return Decision("new", entry.key)
        matched = self.key(found.position)
        if found.verdict == "suspected":
            return Decision("suspected", entry.key, matched, found.cosine, found.rule)
        return Decision("repost", self.key(self._stories[found.position]), matched, found.cosine)

    def _previous_match(self, entry: Entry, found: Match) -> Match:
        """If the page matches itself, or is the first of the story: what it was found to be when it entered before."""
        for position in (self._stories[found.position], found.position):
            if self.key(position) == entry.key:
                return self._matches.at(position)
        return found

    def snapshot(self) -> Snapshot:
        columns = (bytes(self._keys), self._stories.tobytes(), self._matches.state())
        state = (self.applied, dump(self.index), self.learner.state(), *columns)
        return Snapshot(self.place, msgpack.packb(state))

    def _restore(self, snapshot: Snapshot) -> None:
        self.applied, index, learned, keys, stories, matches = unpacked(snapshot)
        self.learner, self._matches = SuffixLearner.from_state(learned), StoredMatches.from_state(matches)
        self.index = load(index, self._threshold, self._rules)
        self._keys += keys
        self._stories.frombytes(stories)
        self.place = snapshot.place

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


def unpacked(snapshot: Snapshot) -> tuple[int, bytes, dict[str, Any], bytes, bytes, dict[str, Any]]:
    """Number of titles, index, learned suffixes, keys, stories, matches; SnapshotError if it is something else."""
    try:
        applied, index, *rest = msgpack.unpackb(snapshot.data, max_bin_len=len(snapshot.data) + 1)
        check(bytes(index))
        learned, keys, stories, matches = rest
        SuffixLearner.from_state(learned)
        StoredMatches.from_state(matches)
    except (ValueError, TypeError, KeyError, msgpack.UnpackException) as error:
        raise SnapshotError(
            f"the snapshot of titles is damaged ({error}); `scrapy titles rebuild` makes a new one"
        ) from error
    return applied, index, learned, keys, stories, matches


def _key_bytes(key: str) -> bytes:
    return bytes.fromhex(key)[:_KEY_BYTES].ljust(_KEY_BYTES, b"\0")
