"""How often a rule would have fired in the past."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from analysis.alerts.events import described, event_times
from analysis.alerts.occurrences import Occurrence
from analysis.alerts.rules import EventRule, Rule
from analysis.alerts.watch import AlertWatcher
from pipelines.stores.base import Store


@dataclass(frozen=True, slots=True)
class Preview:
    """The last of what would have been noticed, in the order of time, `count` in all; `note` says what is not known of the past."""

    occurrences: Sequence[Occurrence]
    count: int
    note: str = ""


def preview(store: Store, rule: Rule, since: datetime, until: datetime, most: int = 0) -> Preview:
    """By what is stored now: pages that came late count at the time of their publication. QueryError as for searches.

    most: how many are described, the last ones; 0: all.
    """
    if isinstance(rule, EventRule):
        times = event_times(store, rule, since, until)
        shown = sorted(described(store, times[-most:], until), key=lambda each: each.noticed)
        return Preview(shown, len(times))
    found = sorted(AlertWatcher(store).occurrences(rule, since, until), key=lambda each: each.noticed)
    note = "stalls that are over are not kept, so only those of this moment are shown" if rule.kind == "stalled" else ""
    return Preview(found[-most:], len(found), note)
