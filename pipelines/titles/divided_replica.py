"""A node's replica where nodes divide the search: it searches for its shares of a batch of titles, and decides the batch from what all
nodes have said, as each of them does."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from extractors.titles import Match, TitleText, title_text
from extractors.titles.answers import SHARES, Answer, answer_to, pack_answer, unpack_answer
from extractors.titles.batch import Batch
from pipelines.titles.log import Entry, Snapshot
from pipelines.titles.messages import Answered, Cut, Message
from pipelines.titles.replica import Replica, read_title
from pipelines.titles.stories import Decision

_LARGEST_BATCH = 512
_NEW = Match("new")


@dataclass(slots=True)
class _Open:
    """A batch that is not decided yet: its entries by place, their titles (None: cannot be read), and what was said so far."""

    end: str
    entries: list[tuple[str, Entry]]
    titles: list[TitleText | None]
    answers: list[Answer] = field(default_factory=list)
    covered: set[int] = field(default_factory=set)


class DividedReplica(Replica):
    """The state is a function of the log, and the same as that of a `Replica`.

    Attributes:
        place: of the last entry that was decided. read_to: of the last message that was taken.
        own: the shares of each batch that this node searches for, see `SHARES`.
    """

    own: frozenset[int] = frozenset()

    def start_from(self, kept: Snapshot | None) -> None:
        """See `Replica.start_from`."""
        super().start_from(kept)
        self.read_to = self.place
        self._pending = deque[tuple[str, Entry]]()
        self._open: _Open | None = None

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
        if not batch.covered.issuperset(message.shares):
            batch.answers.append(unpack_answer(message.data))
            batch.covered.update(message.shares)
        if len(batch.covered) < SHARES:
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
        shares = self.own - self._open.covered
        if not shares:
            return None
        days = [entry.day for _, entry in self._open.entries]
        answer = answer_to(self.index, self._open.titles, days, shares)
        return Answered(self._open.end, tuple(sorted(shares)), pack_answer(answer))

    def _decide(self, opened: _Open) -> dict[str, Decision]:
        batch, decided = Batch(opened.answers, self.index), dict[str, Decision]()
        for at, ((place, entry), title) in enumerate(zip(opened.entries, opened.titles, strict=True)):
            if title is None or batch.failed(at):
                decided[place] = Decision("new", entry.key)
                continue
            found = batch.find(at, title, entry.day) if title.terms else _NEW
            position = self.enter(entry, title, found)
            if position >= 0:
                batch.stored(at, position)
            decided[place] = self.stories.decision(entry, found, self.index.threshold)
        return decided
