"""A node's replica of divided titles: it holds the titles of some parts, says what they have for a batch of titles, and decides
every batch from what all parts have said, as each other node does."""

import logging
from collections import deque
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from extractors.titles import Match, Rules, SuffixLearner, TitleText, title_text
from extractors.titles.additions import IndexAddition
from extractors.titles.answers import Answer, pack_answer, unpack_answer
from extractors.titles.batch import Batch
from extractors.titles.divided import PARTS, DividedIndex
from extractors.titles.snapshot import damaged
from extractors.titles.suffixes import join_changes
from extractors.topic.words import Segmenter
from pipelines.titles.additions import Addition, merged, unpack
from pipelines.titles.log import Entry, Snapshot
from pipelines.titles.messages import Answered, Cut, Message
from pipelines.titles.replica import MAX_RECENT, Sealed, described, read_title
from pipelines.titles.stories import Decision, Stories

_LARGEST_BATCH = 512
_NEW = Match("new")
_logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _Open:
    """A batch that is not decided yet: its entries by place, their titles (None: cannot be read), and what was said so far."""

    end: str
    entries: list[tuple[str, Entry]]
    titles: list[TitleText | None]
    answers: list[Answer] = field(default_factory=list)
    covered: set[int] = field(default_factory=set)


@dataclass(slots=True)
class _Since:
    """What was stored since a segment was sealed at this place: of all parts, since any node may keep the next segment."""

    place: str
    titles: int
    names: int
    matches: int
    lengths: list[int] = field(default_factory=list)
    terms: list[int] = field(default_factory=list)
    days: list[int] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)
    marked: list[int] = field(default_factory=list)

    def store(self, terms: list[int], day: int) -> None:
        self.lengths.append(len(terms))
        self.terms += terms
        self.days.append(day)

    def mark(self, title: TitleText, position: int) -> None:
        if title.fingerprint:
            self.marks.append(title.fingerprint)
            self.marked.append(position)

    def addition(self, names: list[str]) -> IndexAddition:
        kinds = np.uint16, np.uint32, np.int32, np.uint64, np.uint32
        columns = self.lengths, self.terms, self.days, self.marks, self.marked
        return IndexAddition(names, *(np.array(column, kind) for column, kind in zip(columns, kinds, strict=True)))


class DividedReplica:
    """The state is a function of the log and of the parts that are here.

    Attributes:
        place: of the last entry that was decided. read_to: of the last message that was taken.
    """

    def __init__(self, threshold: float = 0.8, rules: Rules | None = None, segmenter: Segmenter | None = None) -> None:
        self._threshold, self._rules, self.segmenter = threshold, rules, segmenter or Segmenter()
        self.seal_every, self.sealed = 0, list[Sealed]()
        self.recent = deque[tuple[str, Entry]](maxlen=MAX_RECENT)
        self.start_from(None, ())

    @property
    def config(self) -> str:
        """See `Replica.config`."""
        return described(self.index.threshold, self.index.rules, self.segmenter)

    def start_from(self, kept: Snapshot | None, own: Collection[int]) -> None:
        """Take the state of this snapshot with the titles of these parts, or become empty; SnapshotError if it cannot be read."""
        self.index = DividedIndex(self._threshold, self._rules, own)
        self.learner, self.stories = SuffixLearner(), Stories()
        self.place, self.applied = "", 0
        if kept is not None:
            self._restore(kept)
        self.read_to = self.place
        self._pending = deque[tuple[str, Entry]]()
        self._open: _Open | None = None
        self.recent.clear()
        self.sealed.clear()
        self._since = self._begun()

    def _restore(self, kept: Snapshot) -> None:
        found = merged([unpack(part) for part in kept.parts])
        state: dict[str, Any] = {"hosts": {}, "everywhere": {}}
        join_changes(state, found.learned)
        self.learner, self.stories = SuffixLearner.from_state(state), Stories(found)
        self.place, self.applied = kept.place, found.applied
        try:
            self.index.fill(found.index)
        except ValueError as error:
            raise damaged(error) from error

    def prepared(self, entry: Entry) -> Entry:
        """An entry with its terms, as far as what is known of endings now holds until it is decided: so that one node segments it."""
        try:
            clean = self.learner.without_suffix(entry.title, entry.host, entry.source)
            terms = title_text(clean, self.segmenter).terms
        except Exception:  # each node says so when the entry is decided
            return entry
        return Entry(entry.key, entry.title, entry.host, entry.source, entry.day, clean, terms)

    def take(self, place: str, message: Message) -> Mapping[str, Decision]:
        """The next message of the log; returns the decisions on the batch that it completes, by place."""
        self.read_to = place
        if isinstance(message, Entry):
            self._pending.append((place, message))
        elif isinstance(message, Cut):
            self._cut(message)
        elif self._open is not None and message.end == self._open.end:
            return self._hear(self._open, message)
        return {}

    def _cut(self, cut: Cut) -> None:
        """Open a batch; the first one after a batch counts, whoever has made it."""
        places = [place for place, _ in self._pending]
        if self._open is None and cut.begin == self.place and cut.end in places:
            entries = [self._pending.popleft() for _ in range(places.index(cut.end) + 1)]
            titles = [read_title(self.learner, self.segmenter, entry) for _, entry in entries]
            self._open = _Open(cut.end, entries, titles)

    def _hear(self, batch: _Open, message: Answered) -> Mapping[str, Decision]:
        if not batch.covered.issuperset(message.parts):
            batch.answers.append(unpack_answer(message.data))
            batch.covered.update(message.parts)
        if len(batch.covered) < PARTS:
            return {}
        decided = self._decide(batch)
        before, self.applied = self.applied, self.applied + len(batch.entries)
        self.place, self._open = batch.end, None
        self.recent.extend(batch.entries)
        if self.seal_every and self.applied // self.seal_every > before // self.seal_every:
            self.seal()
        return decided

    def next_message(self) -> Message | None:
        """What this node has to say, once it has read all of the log: its answer, or where the next batch ends."""
        if self._open is None:
            size = min(len(self._pending), self.index.vocabulary.left, _LARGEST_BATCH)
            return Cut(self.place, self._pending[size - 1][0]) if size else None
        if self.index.own <= self._open.covered:
            return None
        answer = self.index.answer(self._open.titles, [entry.day for _, entry in self._open.entries])
        return Answered(self._open.end, tuple(sorted(self.index.own)), pack_answer(answer))

    def _decide(self, opened: _Open) -> dict[str, Decision]:
        batch = Batch(opened.answers, self.index.threshold, self.index.rules, self.index.vocabulary.numbers)
        decided: dict[str, Decision] = {}
        for at, ((place, entry), title) in enumerate(zip(opened.entries, opened.titles, strict=True)):
            if title is None or batch.failed(at):
                decided[place] = Decision("new", entry.key)
            else:
                found = self._enter(batch, at, entry, title)
                decided[place] = self.stories.decision(entry, found, self.index.threshold)
        return decided

    def _enter(self, batch: Batch, at: int, entry: Entry, title: TitleText) -> Match:
        """Store the title, unless that adds nothing; returns what it was found to be."""
        found, copied = batch.find(at, title, entry.day) if title.terms else (_NEW, False)
        is_same_page = found.position >= 0 and self.stories.key(found.position) == entry.key
        if found.verdict == "repost" and (is_same_page or batch.is_same(found.position, title)):
            self.index.note(title, found.position)
            batch.noted(title, found.position)
            if not copied:
                self._since.mark(title, found.position)
            return found
        position = len(self.index)
        terms = self.index.add(title, entry.day)
        batch.stored(at, title, entry.day, position, terms)
        self._since.store(terms, entry.day)
        self._since.mark(title, position)
        self.stories.add(position, entry, found)
        return found

    def seal(self) -> None:
        """What was decided since the last call, or since the start, is to become a segment of the log."""
        since = self._since
        if self.place != since.place:
            keys, firsts, matches = self.stories.since(since.titles, since.matches)
            index = since.addition(self.index.vocabulary.names[since.names :])
            addition = Addition(self.applied, index, keys, firsts, matches, self.learner.changes())
            self.sealed.append(Sealed(since.place, self.place, since.titles, addition))
            self._since = self._begun()

    def _begun(self) -> _Since:
        return _Since(self.place, len(self.index), len(self.index.vocabulary), len(self.stories.matches))
