"""A node's replica of the title index: entries of the log applied in order give every node the same decisions."""

from array import array
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
from pipelines.title_log import Entry, LogGapError, Snapshot, TitleLog

_KEY_BYTES = 10


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
        self.place = ""
        self.applied = 0
        self._clear()

    @property
    def terms(self) -> str:
        """What decides beside the log, in words: replicas agree if it is equal."""
        rules = self.index.rules
        parts = [f"a threshold of {self.index.threshold}", f"the segmenter {self.segmenter.loaded}"]
        parts += ["the rule on numbers"] if rules.numbers else []
        parts += [f"the rule on wording from {rules.reach} on"] if rules.wording else []
        parts += [f"a window of {rules.window_days} days"] if rules.window_days else []
        return ", ".join(parts)

    def _clear(self) -> None:
        self.index, self.learner = TitleIndex(self._threshold, self._rules), SuffixLearner()
        self._keys, self._stories = bytearray(), array("I")

    def apply(self, place: str, entry: Entry) -> Decision:
        """Take the next entry of the log."""
        self.learner.learn(entry.title, entry.host)
        title = title_text(self.learner.without_suffix(entry.title, entry.host, entry.source), self.segmenter)
        found = self.index.search(title, entry.day) if title.terms else Match("new")
        self.place, self.applied = place, self.applied + 1
        if found.verdict == "repost" and self._holds(found.position, title, entry):
            return self._decision(entry, found)
        position = self.index.add(title, entry.day)
        self._keys += _key_bytes(entry.key)
        self._stories.append(self._stories[found.position] if found.verdict == "repost" else position)
        return self._decision(entry, found)

    def _holds(self, position: int, title: TitleText, entry: Entry) -> bool:
        """Whether storing the title would add nothing: the same stands there, or another of the same page."""
        return self.key(position) == entry.key or self.index.words(position) == title

    def key(self, position: int) -> str:
        """The page's key of a stored title."""
        return self._keys[position * _KEY_BYTES : (position + 1) * _KEY_BYTES].hex()

    def _decision(self, entry: Entry, found: Match) -> Decision:
        if found.position < 0:
            return Decision("new", entry.key)
        matched = self.key(found.position)
        if found.verdict == "suspected":
            return Decision("suspected", entry.key, matched, found.cosine, found.rule)
        story = self.key(self._stories[found.position])
        if story == entry.key:
            return Decision("new", entry.key)
        return Decision("repost", story, matched, found.cosine)

    def snapshot(self) -> Snapshot:
        """The state as bytes."""
        state = (self.applied, dump(self.index), self.learner.state(), bytes(self._keys), self._stories.tobytes())
        return Snapshot(self.place, msgpack.packb(state))

    def restore(self, snapshot: Snapshot) -> None:
        """Become what gave the snapshot; SnapshotError if it cannot be read."""
        self._clear()
        self.applied, index, learned, keys, stories = unpacked(snapshot)
        self.learner = SuffixLearner.from_state(learned)
        self.index = load(index, self._threshold, self._rules)
        self._keys += keys
        self._stories.frombytes(stories)
        self.place = snapshot.place

    def catch_up(self, log: TitleLog) -> dict[str, Decision]:
        """Apply all that the log has; returns what was decided, by place."""
        decided: dict[str, Decision] = {}
        while True:
            try:
                entries = log.read(self.place)
            except LogGapError:
                kept = log.snapshot()
                if kept is None:
                    raise
                self.restore(kept)
                continue
            if not entries:
                return decided
            for place, entry in entries:
                decided[place] = self.apply(place, entry)


def unpacked(snapshot: Snapshot) -> tuple[int, bytes, dict[str, Any], bytes, bytes]:
    """Titles applied, index, what was learned of suffixes, keys, stories; SnapshotError if that is not what it holds."""
    try:
        applied, index, learned, keys, stories = msgpack.unpackb(snapshot.data, max_bin_len=len(snapshot.data) + 1)
        SuffixLearner.from_state(learned)
        check(bytes(index))
    except (ValueError, TypeError, KeyError, msgpack.UnpackException) as error:
        raise SnapshotError(
            f"the snapshot of titles is damaged ({error}); `scrapy titles rebuild` makes a new one"
        ) from error
    return applied, index, learned, keys, stories


def _key_bytes(key: str) -> bytes:
    return bytes.fromhex(key)[:_KEY_BYTES].ljust(_KEY_BYTES, b"\0")
