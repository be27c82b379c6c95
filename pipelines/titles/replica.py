"""A node's replica of the title index: entries of the log applied in order give every node the same decisions."""

import logging
from collections import deque
from dataclasses import dataclass
from typing import Any

from extractors.titles import Match, Rules, SuffixLearner, TitleIndex, TitleText, title_text
from extractors.titles.additions import Sizes, added, fill, sizes
from extractors.titles.snapshot import damaged
from extractors.titles.suffixes import join_changes
from extractors.topic.words import Segmenter
from pipelines.titles.additions import Addition, merged, parts_of, unpack
from pipelines.titles.chain import Segment
from pipelines.titles.log import Entry, LogGapError, Snapshot, TitleLog
from pipelines.titles.stories import Decision, Stories

_NEW = Match("new")
MAX_RECENT = 2_000
"""Entries that are entered again if the server has lost them: more than come in the second that it may lose."""
_logger = logging.getLogger(__name__)


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
        self.recent = deque[tuple[str, Entry]](maxlen=MAX_RECENT)
        self.seal_every, self.sealed = 0, list[Sealed]()
        self.start_from(None)

    @property
    def config(self) -> str:
        """What decides besides the log, in words: replicas with equal words decide alike."""
        return described(self.index.threshold, self.index.rules, self.segmenter)

    def start_from(self, kept: Snapshot | None) -> None:
        """Take the state of this snapshot, or become empty; SnapshotError if it cannot be read."""
        self.place, self.applied = "", 0
        self.index, self.learner = TitleIndex(self._threshold, self._rules), SuffixLearner()
        self.stories = Stories()
        self.sealed.clear()
        if kept is not None:
            self._restore(kept)
        self._mark = self._marked()

    def apply(self, place: str, entry: Entry) -> Decision:
        self.place, self.applied = place, self.applied + 1
        title = read_title(self.learner, self.segmenter, entry)
        try:
            found = self.index.search(title, entry.day) if title and title.terms else _NEW
        except Exception:  # a new title, on each node alike; else the entry would stop all, also after a restart
            _logger.exception("A title cannot be compared: %s", ascii(entry.title))
            title = None
        if title is None:
            return Decision("new", entry.key)
        self.enter(entry, title, found)
        return self.stories.decision(entry, found, self.index.threshold)

    def enter(self, entry: Entry, title: TitleText, found: Match) -> int:
        """Store a title that was found to be this, unless that adds nothing; returns its position, −1 if it is not stored."""
        if found.verdict == "repost" and self._is_redundant(found.position, title, entry):
            self.index.note(title, found.position)
            return -1
        position = self.index.add(title, entry.day)
        self.stories.add(position, entry, found)
        return position

    def _is_redundant(self, position: int, title: TitleText, entry: Entry) -> bool:
        """Whether storing the title adds nothing: the same title is stored, or another one of the same page."""
        return self.stories.key(position) == entry.key or self.index.words(position) == title

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
        return _Mark(self.place, sizes(self.index), len(self.stories.matches))

    def _addition(self, since: "_Mark", learned: dict[str, Any]) -> Addition:
        keys, firsts, matches = self.stories.since(since.sizes.titles, since.matches)
        return Addition(self.applied, added(self.index, since.sizes), keys, firsts, matches, learned)

    def _restore(self, snapshot: Snapshot) -> None:
        found = merged([unpack(part) for part in snapshot.parts])
        state: dict[str, Any] = {"hosts": {}, "everywhere": {}}
        join_changes(state, found.learned)
        self.applied, self.place = found.applied, snapshot.place
        self.learner, self.stories = SuffixLearner.from_state(state), Stories(found)
        try:
            self.index = fill(self.index, found.index)
        except ValueError as error:
            raise damaged(error) from error

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
            self.recent.extend(entries)

    def _start_again(self, log: TitleLog) -> None:
        """Start from the log's snapshot; entries that were applied here and lost by the server are entered again."""
        lost = log.lost([place for place, _ in self.recent])
        if lost:
            _logger.warning(
                "The log of titles has lost its end; %d titles are entered again. If more are lost, "
                "`scrapy titles rebuild` restores them from the store.",
                len(lost),
            )
            log.append([entry for place, entry in self.recent if place in lost])
        self.recent.clear()
        self.start_from(log.snapshot())


def described(threshold: float, rules: Rules, segmenter: Segmenter) -> str:
    """What decides besides the log, in words."""
    parts = [f"a threshold of {threshold}", f"the segmenter {segmenter.used_engine}"]
    parts += ["the rule on numbers"] if rules.numbers else []
    parts += [f"the rule on wording from {rules.reach} on"] if rules.wording else []
    parts += [f"a window of {rules.window_days} days"] if rules.window_days else []
    return ", ".join(parts)


def read_title(learner: SuffixLearner, segmenter: Segmenter, entry: Entry) -> TitleText | None:
    """An entry's title without the names of site and section that are known now, after its endings are learned; None, on each node
    alike, if that fails."""
    try:
        learner.learn(entry.title, entry.host)
        clean = learner.without_suffix(entry.title, entry.host, entry.source)
        fingerprint = learner.fingerprint(entry.title)
        if entry.terms and clean == entry.clean:
            return TitleText(entry.terms, fingerprint)
        return title_text(clean, segmenter, fingerprint)
    except Exception:
        _logger.exception("A title cannot be read: %s", ascii(entry.title))
        return None
