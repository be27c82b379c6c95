"""A node's replica of the title index: entries of the log applied in order give every node the same decisions."""

import logging
from array import array
from collections import deque
from dataclasses import dataclass
from typing import Any

import msgpack

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
from extractors.topic.words import Segmenter
from pipelines.titles.links import Links
from pipelines.titles.log import Entry, LogGapError, Snapshot, TitleLog

_KEY_BYTES = 10
_REMEMBERED = 2_000
"""Entries that are entered again if the server has lost them: more than come in the second that it may lose."""
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a page's title is: `story` is the key of the first page that told it, `matched` of the nearest one."""

    verdict: Verdict
    story: str
    matched: str = ""
    cosine: float = 0.0
    rule: Rule = ""


class Replica:
    """Index, learned suffixes, the pages' keys and the first page of each story; state is a function of the log.

    That is why its segmenter has no words of a topic: those change while a crawl runs, on each node at another moment.
    """

    def __init__(self, threshold: float = 0.8, rules: Rules | None = None, segmenter: Segmenter | None = None) -> None:
        self._threshold, self._rules, self.segmenter = threshold, rules, segmenter or Segmenter()
        self._recent = deque[tuple[str, Entry]](maxlen=_REMEMBERED)
        self.start_from(None)

    @property
    def terms(self) -> str:
        """What decides beside the log, in words: replicas agree if it is equal."""
        rules = self.index.rules
        parts = [f"a threshold of {self.index.threshold}", f"the segmenter {self.segmenter.loaded}"]
        parts += ["the rule on numbers"] if rules.numbers else []
        parts += [f"the rule on wording from {rules.reach} on"] if rules.wording else []
        parts += [f"a window of {rules.window_days} days"] if rules.window_days else []
        return ", ".join(parts)

    def start_from(self, kept: Snapshot | None) -> None:
        """Become what gave this snapshot, or empty; SnapshotError if it cannot be read."""
        self.place, self.applied = "", 0
        self.index, self.learner = TitleIndex(self._threshold, self._rules), SuffixLearner()
        self._keys, self._stories, self._links = bytearray(), array("I"), Links()
        if kept is not None:
            self._restore(kept)

    def apply(self, place: str, entry: Entry) -> Decision:
        """Take the next entry of the log."""
        title = self._read(entry)
        found = self.index.search(title, entry.day) if title.terms else Match("new")
        self.place, self.applied = place, self.applied + 1
        if found.verdict == "repost" and self._holds(found.position, title, entry):
            self.index.note(title, found.position)
            return self._decision(entry, found)
        position = self.index.add(title, entry.day)
        self._keys += _key_bytes(entry.key)
        self._stories.append(self._stories[found.position] if found.verdict == "repost" else position)
        self._links.add(position, found)
        return self._decision(entry, found)

    def _read(self, entry: Entry) -> TitleText:
        """Its title without the names of site and section, as far as they are known now."""
        self.learner.learn(entry.title, entry.host)
        clean = self.learner.without_suffix(entry.title, entry.host, entry.source)
        return title_text(clean, self.segmenter, self.learner.whole(entry.title))

    def _holds(self, position: int, title: TitleText, entry: Entry) -> bool:
        """Whether storing the title would add nothing: the same stands there, or another of the same page."""
        return self.key(position) == entry.key or self.index.words(position) == title

    def key(self, position: int) -> str:
        """The page's key of a stored title."""
        return self._keys[position * _KEY_BYTES : (position + 1) * _KEY_BYTES].hex()

    def _decision(self, entry: Entry, found: Match) -> Decision:
        if found.verdict == "repost":
            found = self._told(entry, found)
        if found.position < 0 or self.key(found.position) == entry.key:
            return Decision("new", entry.key)
        matched = self.key(found.position)
        if found.verdict == "suspected":
            return Decision("suspected", entry.key, matched, found.cosine, found.rule)
        return Decision("repost", self.key(self._stories[found.position]), matched, found.cosine)

    def _told(self, entry: Entry, found: Match) -> Match:
        """What the page was told when it entered before, if it is itself that it repeats, or the story's first."""
        for position in (self._stories[found.position], found.position):
            if self.key(position) == entry.key:
                return self._links.found(position)
        return found

    def snapshot(self) -> Snapshot:
        """The state as bytes."""
        columns = (bytes(self._keys), self._stories.tobytes(), self._links.state())
        state = (self.applied, dump(self.index), self.learner.state(), *columns)
        return Snapshot(self.place, msgpack.packb(state))

    def _restore(self, snapshot: Snapshot) -> None:
        self.applied, index, learned, keys, stories, links = unpacked(snapshot)
        self.learner, self._links = SuffixLearner.from_state(learned), Links.from_state(links)
        self.index = load(index, self._threshold, self._rules)
        self._keys += keys
        self._stories.frombytes(stories)
        self.place = snapshot.place

    def catch_up(self, log: TitleLog) -> dict[str, Decision]:
        """Apply all that the log has, from its snapshot on if entries are gone; returns what was decided, by place."""
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
        """From the log's snapshot; what was applied here and the server has lost since is entered again."""
        lost = log.lost([place for place, _ in self._recent])
        if lost:
            _logger.warning(
                "The log of titles has lost its end; %d titles are entered again. Were more lost, "
                "`scrapy titles rebuild` brings them back from the store.",
                len(lost),
            )
            log.append([entry for place, entry in self._recent if place in lost])
        self._recent.clear()
        self.start_from(log.snapshot())


def unpacked(snapshot: Snapshot) -> tuple[int, bytes, dict[str, Any], bytes, bytes, dict[str, Any]]:
    """Titles applied, index, what was learned of suffixes, keys, stories, links; SnapshotError if it holds something else."""
    try:
        applied, index, *rest = msgpack.unpackb(snapshot.data, max_bin_len=len(snapshot.data) + 1)
        check(bytes(index))
        learned, keys, stories, links = rest
        SuffixLearner.from_state(learned)
        Links.from_state(links)
    except (ValueError, TypeError, KeyError, msgpack.UnpackException) as error:
        raise SnapshotError(
            f"the snapshot of titles is damaged ({error}); `scrapy titles rebuild` makes a new one"
        ) from error
    return applied, index, learned, keys, stories, links


def _key_bytes(key: str) -> bytes:
    return bytes.fromhex(key)[:_KEY_BYTES].ljust(_KEY_BYTES, b"\0")
