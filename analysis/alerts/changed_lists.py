"""Lists that have changed their shape."""

from collections.abc import Iterator
from datetime import datetime

from analysis.alerts.alert_rules import LayoutRule
from analysis.alerts.occurrences import Look, Occurrence, Standing, going
from pipelines.stores.base import Condition, Row, Store
from pipelines.stores.instant_columns import utc_text
from pipelines.stores.watch_tables import LIST_STATES

_MAX_LISTS = 500
_COLUMNS = ("key", "url", "source", "state", "reason", "changed_at", "mended_at")


def layout_look(store: Store, rule: LayoutRule, since: datetime, until: datetime) -> Look:
    """Changes that were noticed in the span or continue; and the number of lists that cannot be read whole now."""
    found = list(_changes(store, rule, since, until))
    return Look(found, Standing.of(going(found), 1))


def _changes(store: Store, rule: LayoutRule, since: datetime, until: datetime) -> Iterator[Occurrence]:
    now = store.select(LIST_STATES, [Condition("state", "=", "layout_changed")], limit=_MAX_LISTS, columns=_COLUMNS)
    mended = [Condition("mended_at", ">=", utc_text(since)), Condition("mended_at", "<=", utc_text(until))]
    over = store.select(LIST_STATES, mended, limit=_MAX_LISTS, columns=_COLUMNS)
    for row in {row["key"]: row for row in (*over, *now) if row["changed_at"]}.values():
        noticed = datetime.fromisoformat(row["changed_at"])
        if noticed <= until and (not rule.sources or row["source"] in rule.sources):
            yield _occurrence(row, noticed)


def _occurrence(row: Row, noticed: datetime) -> Occurrence:
    name = row["source"] or row["url"]
    end = datetime.fromisoformat(row["mended_at"]) if row["mended_at"] and row["state"] != "layout_changed" else None
    facts = {"list": name, "reason": row["reason"]}
    text = f"It can no longer be read whole: {row['reason']}"
    return Occurrence(row["key"], noticed, noticed, end, 1.0, f"List changed: {name}", text, row["url"], facts)
