"""How often a rule would have fired in the past."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from analysis.alerts.occurrences import Occurrence
from analysis.alerts.rules import Rule
from analysis.alerts.watch import Watcher
from pipelines.stores.base import Store


@dataclass(frozen=True, slots=True)
class Preview:
    """What would have been noticed, in the order of time; `note` says what is not known of the past."""

    occurrences: Sequence[Occurrence]
    note: str = ""


def preview(store: Store, rule: Rule, since: datetime, until: datetime) -> Preview:
    """By what is stored now: pages that came late count at the time of their publication. QueryError as for searches."""
    found = sorted(Watcher(store).occurrences(rule, since, until), key=lambda each: each.noticed)
    note = "stalls that are over are not kept, so only those of this moment are shown" if rule.kind == "stalled" else ""
    return Preview(found, note)
