"""The state of the event step that survives a kill."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Self

from analysis.events import Settings
from analysis.events.store.doubts import START, Position, apart
from analysis.events.store.moved_limits import Moved
from pipelines.lease import Lease

_METHOD = "rarity by topic"
"""With another method than before, every decision is stale."""


@dataclass(slots=True)
class EventState:
    """The row of the step's lease.

    Attributes:
        limits: fingerprint of the thresholds.
        window_days: of the thresholds.
        late: positions from which decisions may be stale.
        moved: the limits that corrections of people have moved, as `MovedLimits` keeps them.
        decided: keys of the applied decisions of people. concerned: events that they affect.
        changing: events whose rows a killed process may have left incomplete.
        has_reaches: whether `event_reaches` is filled.
    """

    lease: Lease
    limits: str
    window_days: int
    late: list[Position]
    moved: list[Moved]
    decided: list[str]
    concerned: list[str]
    changing: Sequence[str]
    has_reaches: bool

    @classmethod
    def load(cls, lease: Lease, settings: Settings) -> Self:
        """The stored state; with other thresholds than before, every decision is stale."""
        row, limits = lease.state(), _fingerprint(settings)
        late = _positions(row.get("late") or [])
        if row.get("limits", _fingerprint(Settings())) != limits:
            late = [START]
        decided, concerned, changing = (row.get(name, []) for name in ("decided", "concerned", "changing"))
        moved = [(str(topic), str(since), float(factor)) for topic, since, factor in row.get("moved") or []]
        return cls(
            lease, limits, settings.window_days, late, moved, decided, concerned, changing, bool(row.get("reaches"))
        )

    def save(self, changing: Sequence[str] = ()) -> None:
        """Store the state before the rows of these events change."""
        self.late = apart(self.late, self.window_days)
        state = {"late": [list(position) for position in self.late], "moved": [list(each) for each in self.moved],
                 "decided": self.decided, "concerned": self.concerned, "changing": list(changing), "limits": self.limits,
                 "reaches": True}  # fmt: skip
        self.lease.save(state)


def _positions(stored: Sequence[Any]) -> list[Position]:
    """Stored positions; older versions have stored one alone."""
    pairs = [stored] if stored and isinstance(stored[0], str) else stored
    return [(str(at), str(page)) for at, page in pairs]


def _fingerprint(settings: Settings) -> str:
    return blake2b(f"{_METHOD} {settings!r}".encode(), digest_size=10).hexdigest()
