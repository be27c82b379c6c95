"""The analysis step that maintains `readings`, `members` and `events`."""

import time
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any

from analysis.events import Settings
from analysis.events.store.decisions import Decided, decided, decisions
from analysis.events.store.placing import START, Placer, Position
from analysis.events.store.readings import digest, is_report, read
from analysis.events.store.spread_thresholds import fill
from analysis.events.store.sums import write_sums
from analysis.jobs import StoredPage
from pipelines.lease import Lease
from pipelines.stores.analysis_tables import EVENT_DECISIONS, EVENT_REACHES, EVENTS, MEMBERS, READINGS
from pipelines.stores.base import Condition, MutableRow, Row, Store

JOB = "events"
_MAX_TIME_SHARE = 0.1
"""Maximum share of time spent on deciding again after late pages."""
_BATCH_ROWS = 500


class EventStep:
    """Reads pages, assigns them to events, and updates the rows of changed events.

    Before any write, the job row records the events that may change and the first page whose decision may be stale; after a kill
    these are computed again.
    """

    def __init__(self, store: Store, lease: Lease, settings: Settings | None = None) -> None:
        self._store, self._lease, self._settings = store, lease, settings or Settings()
        state = lease.state()
        self._late: Position | None = tuple(state["late"]) if state.get("late") else None
        self._limits = _digest_of(self._settings)
        if state.get("limits", _digest_of(Settings())) != self._limits:
            self._late = START  # other thresholds: recompute all
        self._signature: list[str] = state.get("decided", [])
        self._concerned: list[str] = state.get("concerned", [])
        self._decided = self._apply(self._signature)
        self._has_moved = True
        self._placer: Placer | None = None
        self._quiet_until = 0.0
        self._sum_up(state.get("changing", ()), again=True)
        if not state.get("reaches"):  # made by a version that did not keep them
            fill(store, lease.renew)
            self._save([])

    def process(self, pages: Sequence[StoredPage]) -> None:
        """Place new and changed pages, and count their comments."""
        self._notice_decisions()
        keys = [page.key for page in pages]
        known = {row["page"]: row for row in self._store.select(MEMBERS, [Condition("page", "in", keys)])}
        readings, members, gone = list[Row](), list[Row](), list[Row]()
        late = self._late
        for page in sorted(pages, key=lambda page: (page.at, page.key)):
            old = known.get(page.key)
            if not is_report(page):
                gone += [old] if old else []
                late = _earliest(late, old)
                continue
            if old is not None and self._is_read(page):
                members.append(old | self._present(page))
                continue
            late = _earliest(late, old)
            read_row, reading = read(page)
            placing, vector, is_late = self._stream().add(page.at, page.key, reading)
            member = {"page": page.key, "at": page.at, "placed_event": placing.event, "placed_story": placing.story,
                      "likeness": round(placing.likeness, 4), "vector": vector.pack(), **self._present(page)}  # fmt: skip
            late = _earliest(late, member) if is_late or old else late
            readings.append(read_row)
            members.append(member)
        self._commit(readings, members, gone, list(known.values()), late)

    def tidy(self) -> None:
        """Apply new decisions of people; repair after late pages within the time share."""
        if self._has_moved:
            self._decide_again()
        if self._late is None or time.monotonic() < self._quiet_until:
            return
        begun = time.monotonic()
        changed = list(self._stream().repair(self._late, self._lease.renew))
        members = [
            {"page": row["page"], "placed_event": placing.event, "placed_story": placing.story,
             "likeness": round(placing.likeness, 4), "vector": vector.pack()}
            for row, placing, vector in changed
        ]  # fmt: skip
        old = [self._store.get(MEMBERS, row["page"]) for row, _, _ in changed]
        self._commit([], members, [], [row for row in old if row], self._late)
        self._decide_again()
        self._late = None
        self._save([])
        self._quiet_until = time.monotonic() + (time.monotonic() - begun) / _MAX_TIME_SHARE

    def clear(self) -> None:
        self._late, self._signature, self._concerned = None, [], []
        self._decided = decided([], lambda page: page)
        self._save([])
        for table in (EVENTS, EVENT_REACHES, MEMBERS, READINGS):
            self._store.remove(table, []).result()
        self._placer = None

    def close(self) -> None:
        """Nothing is open."""

    def _stream(self) -> Placer:
        self._placer = self._placer or Placer(self._store, self._settings)
        return self._placer

    def _is_read(self, page: StoredPage) -> bool:
        """Whether the stored readings are current."""
        same = [Condition("page", "=", page.key), Condition("digest", "=", digest(page))]
        return self._store.count(READINGS, same) > 0

    def _present(self, page: StoredPage) -> dict[str, Any]:
        """The member columns copied from the page."""
        return {
            "title": page.text("title"), "url": page.text("url"), "topic": page.text("topic"), "site": page.text("host"),
            "comments": sum(1 for record in page.records if not record["is_first"]),
            "repost": int(page.is_repost),
        }  # fmt: skip

    def _commit(
        self,
        readings: Sequence[Row],
        members: Sequence[Row],
        gone: Sequence[Row],
        old: Sequence[Row],
        late: Position | None,
    ) -> None:
        """Write everything; safe against a kill at any moment."""
        placed = [dict(row) | self._final(row) for row in members]
        changing = sorted({str(row["event"]) for row in (*old, *gone, *placed) if row["event"]})
        self._late, self._has_moved = late, True
        self._save(changing)
        for start in range(0, len(placed), _BATCH_ROWS):
            part = slice(start, start + _BATCH_ROWS)
            rows = [*((READINGS, row) for row in readings[part]), *((MEMBERS, row) for row in placed[part])]
            self._store.write(rows).result()
        for row in gone:
            for table in (MEMBERS, READINGS):
                self._store.remove(table, [Condition("page", "=", row["page"])]).result()
        self._sum_up(changing)

    def _sum_up(self, events: Sequence[str], *, again: bool = False) -> None:
        """Rewrite the rows of these events."""
        write_sums(self._store, events, self._decided, again=again)

    def _save(self, changing: Sequence[str]) -> None:
        late = list(self._late) if self._late else None
        state = {"late": late, "decided": self._signature, "concerned": self._concerned, "changing": list(changing),
                 "limits": self._limits, "reaches": True}  # fmt: skip
        self._lease.save(state)

    def _final(self, row: Row) -> dict[str, Any]:
        """The event and story of a member after decisions of people."""
        event = self._decided.event(row["page"], row["placed_event"])
        if event == row["placed_event"]:
            return {"event": event, "story": row["placed_story"]}
        root = self._store.get(MEMBERS, event)
        return {"event": event, "story": root["placed_story"] if root else row["placed_story"]}

    # -- decisions of people ----------------------------------------------------------------------------------------

    def _notice_decisions(self) -> None:
        """Apply decisions of people made since the last call."""
        if [each.key for each in decisions(self._store)] != self._signature:
            self._decide_again()

    def _decide_again(self) -> None:
        """Recompute the events of all members affected by new, changed or withdrawn decisions.

        Decisions name pages, which may be in other events by then.
        """
        self._signature = [each.key for each in decisions(self._store)]
        self._decided = self._apply(self._signature)
        named = {
            page
            for row in self._store.select(EVENT_DECISIONS)
            for page in (row["event"], row["other"], row["value"])
            if page
        }
        events = {self._placed(page) for page in named} | set(self._concerned)
        self._concerned = sorted(events | set(self._decided.merges.values()))
        rows: dict[str, MutableRow] = {}
        for event in events:
            rows |= {row["page"]: row for row in self._store.select(MEMBERS, [Condition("placed_event", "=", event)])}
        old, changed = list(rows.values()), [row for row in rows.values() if (row | self._final(row)) != row]
        if old:
            self._commit([], changed, [], old, self._late)
        self._has_moved = False

    def _apply(self, keys: Iterable[str]) -> Decided:
        wanted = set(keys)
        return decided([each for each in decisions(self._store) if each.key in wanted], self._placed)

    def _placed(self, page: str) -> str:
        row = self._store.get(MEMBERS, page)
        return str(row["placed_event"]) if row else page


def _digest_of(settings: Settings) -> str:
    return blake2b(repr(settings).encode(), digest_size=10).hexdigest()


def _earliest(late: Position | None, row: Row | None) -> Position | None:
    if row is None:
        return late
    position = (str(row["at"]), str(row["page"]))
    return position if late is None else min(late, position)
