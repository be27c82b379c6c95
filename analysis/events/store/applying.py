"""Applies decisions of people to members."""

from collections.abc import Collection
from typing import Any

from analysis.events.store.decisions import Decided, decided, decisions
from analysis.events.store.surviving import EventState
from pipelines.stores.analysis_tables import EVENT_DECISIONS, MEMBERS
from pipelines.stores.base import Condition, MutableRow, Row, Store


class DecisionApplier:
    """The applied decisions.

    Attributes:
        decided: the applied decisions, resolved.
    """

    def __init__(self, store: Store, state: EventState) -> None:
        self._store, self._state = store, state
        self.decided = self._resolved(state.decided)

    def final(self, row: Row) -> dict[str, Any]:
        """The event and story of a member after decisions."""
        event = self.decided.event(row["page"], row["placed_event"])
        if event == row["placed_event"]:
            return {"event": event, "story": row["placed_story"]}
        root = self._store.get(MEMBERS, event)
        return {"event": event, "story": root["placed_story"] if root else row["placed_story"]}

    def are_stale(self) -> bool:
        """Whether people have made or undone decisions since they were applied."""
        return [each.key for each in decisions(self._store)] != self._state.decided

    def apply(self) -> tuple[list[MutableRow], list[MutableRow]]:
        """Take in all decisions; returns the members that new, changed or withdrawn ones may affect, and those whose event changes.

        Decisions name pages, which may be in other events by then.
        """
        state = self._state
        state.decided = [each.key for each in decisions(self._store)]
        self.decided = self._resolved(state.decided)
        made = self._store.select(EVENT_DECISIONS)
        named = {page for row in made for page in (row["event"], row["other"], row["value"]) if page}
        events = {self._placed(page) for page in named} | set(state.concerned)
        state.concerned = sorted(events | set(self.decided.merges.values()))
        found: dict[str, MutableRow] = {}
        for event in events:
            found |= {row["page"]: row for row in self._store.select(MEMBERS, [Condition("placed_event", "=", event)])}
        affected = list(found.values())
        return affected, [row for row in affected if (row | self.final(row)) != row]

    def clear(self) -> None:
        """Forget what was applied."""
        self._state.decided, self._state.concerned = [], []
        self.decided = self._resolved([])

    def _resolved(self, keys: Collection[str]) -> Decided:
        return decided([each for each in decisions(self._store) if each.key in keys], self._placed)

    def _placed(self, page: str) -> str:
        row = self._store.get(MEMBERS, page)
        return str(row["placed_event"]) if row else page
