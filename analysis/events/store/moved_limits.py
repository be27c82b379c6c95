"""Learning from merges and splits of people: many of one kind move the limit for one event of its topic, within bounds.

The likeness of both parts is taken once, and kept with the decision. So the limits follow from the decisions alone: an undone one moves
them back, and a rebuild finds the same.
"""

import math
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from analysis.events import Clusters, Settings
from analysis.events.store.decisions import EventDecision, decisions
from analysis.events.store.readings import stored_reading
from analysis.events.window import Vector
from pipelines.stores.analysis_tables import EVENT_DECISIONS, MEMBERS, READINGS
from pipelines.stores.base import Condition, MutableRow, Store

LOWEST, HIGHEST = 0.8, 1.25
"""A limit stays between these shares of its usual value. Parts of a likeness that is further from the limit teach nothing: a person saw
there what their words do not show."""
_STEP = 0.25
"""The share of the way, in logarithms, that one correction moves the limit."""
_AHEAD = 5
"""Merges beyond splits, or splits beyond merges, from which on a limit moves: where both are needed it lies right."""
_BEYOND = 1.05
"""A limit moves to a little beyond the likeness of what was corrected."""
_COMPARED = 50
"""Newest pages of the earlier part that are compared."""
Moved = tuple[str, str, float]
"""A topic, and the factor of its limits from an instant on."""


class MovedLimits:
    """The factors by which the limits for one event differ from the usual ones, by topic and time."""

    def __init__(self, moved: Iterable[Moved]) -> None:
        self._begins, self._factors = defaultdict[str, list[str]](list), defaultdict[str, list[float]](list)
        for topic, since, factor in moved:
            self._begins[topic].append(since)
            self._factors[topic].append(factor)

    def factor(self, topic: str, at: str) -> float:
        """The factor for a report of this topic and instant."""
        if topic not in self._begins:
            return 1.0
        place = bisect_right(self._begins[topic], at)
        return self._factors[topic][place - 1] if place else 1.0


def moved_by(made: Sequence[EventDecision]) -> list[Moved]:
    """The factors that follow from the corrections, each from its instant on, in the order of time."""
    now, ahead, found = defaultdict[str, float](lambda: 1.0), Counter[str](), list[Moved]()
    telling = [each for each in made if LOWEST**2 <= (each.nearness or 0.0) < HIGHEST**2]
    for each in sorted(telling, key=lambda each: (each.since, each.key)):
        direction = 1 if each.action == "merge" else -1
        ahead[each.topic] += direction
        factor = _after(now[each.topic], each) if direction * ahead[each.topic] >= _AHEAD else now[each.topic]
        if factor != now[each.topic]:
            now[each.topic] = factor
            found.append((each.topic, each.since, factor))
    return found


def limit_of(store: Store, topic: str) -> tuple[float, int]:
    """The factor of a topic's limits for new reports, and the number of corrections that it follows from."""
    made = [each for each in decisions(store) if each.topic == topic and each.nearness]
    return ([1.0] + [factor for _, _, factor in moved_by(made)])[-1], len(made)


def _after(factor: float, correction: EventDecision) -> float:
    nearness, merges = correction.nearness or 0.0, correction.action == "merge"
    if not (factor * LOWEST <= nearness < factor if merges else factor <= nearness < factor * HIGHEST):
        return factor
    wanted = nearness / _BEYOND if merges else nearness * _BEYOND
    moved = factor * math.pow(wanted / factor, _STEP)
    return round(min(HIGHEST, max(LOWEST, moved)), 4)


def look_at_corrections(store: Store, settings: Settings) -> None:
    """Note with each correction how alike both parts are, unless it is noted; of unknown pages later."""
    made = decisions(store)
    for each in made:
        if each.nearness is None and each.action in ("merge", "split"):
            parts = _parts(store, each, {page.other for page in made if page.value == each.other})
            if parts is not None:
                found = _nearness(store, settings, *parts)
                store.change(EVENT_DECISIONS, [Condition("key", "=", each.key)], found).result()


def _parts(store: Store, correction: EventDecision, also: set[str]) -> tuple[list[MutableRow], list[MutableRow]] | None:
    """The pages of both parts in the order of time; none where there was nothing to correct, None if a page is unknown."""
    one, other = (store.get(MEMBERS, page) for page in (correction.event, correction.other))
    if one is None or other is None:
        return None
    merges, together = correction.action == "merge", one["placed_event"] == other["placed_event"]
    if merges == together or (correction.action == "split" and correction.value):
        return [], []
    if merges:
        return _pages(store, one), _pages(store, other)
    pages, leaving = _pages(store, one), {correction.other, *also}
    return [row for row in pages if row["page"] in leaving], [row for row in pages if row["page"] not in leaving]


def _pages(store: Store, member: MutableRow) -> list[MutableRow]:
    rows = store.select(MEMBERS, [Condition("placed_event", "=", member["placed_event"])])
    return sorted(rows, key=lambda row: (row["at"], row["page"]))


def _nearness(store: Store, settings: Settings, one: list[MutableRow], other: list[MutableRow]) -> MutableRow:
    """The columns of a correction: how like the earlier part the first page of the later one is."""
    if not one or not other:
        return {"topic": "", "since": "", "nearness": 0.0}
    earlier, (first, *_) = sorted((one, other), key=lambda rows: (rows[0]["at"], rows[0]["page"]))
    before = [row for row in earlier if (row["at"], row["page"]) < (first["at"], first["page"])][-_COMPARED:]
    wanted = [Condition("page", "in", [row["page"] for row in (*before, first)])]
    readings = {row["page"]: stored_reading(row) for row in store.select(READINGS, wanted) if row["report"]}
    clusters = Clusters(settings)
    for row in before:
        if row["page"] in readings:
            clusters.restore(readings[row["page"]], Vector.unpack(row["vector"]), "", "")
    nearness = (
        clusters.nearness(readings[first["page"]], Vector.unpack(first["vector"])) if first["page"] in readings else 0.0
    )
    return {"topic": first["topic"] or "", "since": first["at"], "nearness": round(nearness, 4)}
