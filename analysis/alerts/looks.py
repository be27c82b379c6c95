"""How each rule stood when it was last looked at, as rows of the store."""

from collections.abc import Mapping
from datetime import datetime

from analysis.alerts.occurrences import Standing
from pipelines.stores.alert_tables import ALERT_LOOKS
from pipelines.stores.base import Row, Store
from pipelines.stores.instant_columns import utc_text

_MAX_FAULT_CHARS = 500


def note_look(store: Store, name: str, standing: Standing, now: datetime) -> None:
    """Keep how a rule stands."""
    row = {
        "number": standing.number,
        "threshold": standing.threshold,
        "is_met": int(standing.is_met),
        "note": standing.note,
    }
    store.upsert(ALERT_LOOKS, [{"name": name, "looked_at": utc_text(now), "fault": "", **row}]).result()


def note_fault(store: Store, name: str, fault: str, now: datetime) -> None:
    """Keep why a rule could not be looked at."""
    row = {"number": None, "threshold": None, "is_met": None, "note": "", "fault": fault[:_MAX_FAULT_CHARS]}
    store.upsert(ALERT_LOOKS, [{"name": name, "looked_at": utc_text(now), **row}]).result()


def note_waiting(store: Store, name: str) -> None:
    """Keep that a rule waits until the pages that came are analysed; how it last stood stays."""
    store.upsert(ALERT_LOOKS, [{"name": name, "note": "behind"}]).result()


def looks(store: Store) -> Mapping[str, Row]:
    """The last look at each rule by its name."""
    return {row["name"]: row for row in store.select(ALERT_LOOKS)}
