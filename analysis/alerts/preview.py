"""How often a rule would have fired in the past."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from analysis.alerts.alert_rules import EventRule, Rule
from analysis.alerts.events import described, event_times
from analysis.alerts.occurrences import Occurrence
from analysis.alerts.watch import AlertWatcher
from pipelines.stores.base import Store


@dataclass(frozen=True, slots=True)
class Preview:
    """The last occurrences, oldest first, and their total `count`; `note` says what the store does not know of the past."""

    occurrences: Sequence[Occurrence]
    count: int
    note: str = ""


def preview(store: Store, rule: Rule, since: datetime, until: datetime, most: int = 0) -> Preview:
    """Computed from stored data: late pages count at their publication time. Raises QueryError as searches do.

    most: at most this many of the last occurrences; 0 means all.
    """
    if isinstance(rule, EventRule):
        times = event_times(store, rule, since, until)
        shown = sorted(described(store, times[-most:], until), key=lambda each: each.noticed)
        return Preview(shown, len(times))
    looked = AlertWatcher(store).look(rule, since, until).occurrences
    found = sorted((each for each in looked if each.noticed >= since), key=lambda each: each.noticed)
    note = "past stalls are not stored; only current ones are shown" if rule.kind == "stalled" else ""
    return Preview(found[-most:], len(found), note)
