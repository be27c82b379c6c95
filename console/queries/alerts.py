"""Alerts, newest first, with their messages; rules and their previews."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from scrapy.settings import BaseSettings

from analysis.alerts import NamedRule, Occurrence, RuleSet, entries, missing_secrets, rule_set_of
from analysis.alerts.looks import looks
from analysis.alerts.preview import preview
from analysis.alerts.wording import Language, worded
from analysis.search import QueryError
from console.frame.paging import Cursor, Part, in_order, part
from crawler.config.yaml_file import DeclarationError
from pipelines.stores.alert_tables import ALERT_MESSAGES, ALERTS
from pipelines.stores.base import Condition, MutableRow, Order, Store, StoreError

ORDER = [Order("key", True)]
_MAX_MESSAGES = 100
_MAX_SHOWN = 50
_MESSAGE = ("key", "channel", "state", "attempts", "made_at", "sent_at", "error", "title")
_LOOK = ("looked_at", "is_met", "number", "threshold", "note", "fault")
_HIDDEN = ("notified_size", "notified_at", "spread")


def alerts(store: Store, params: Mapping[str, Any], after: Cursor, language: Language) -> Part:
    """Alerts that pass the filters."""
    where = [Condition(name, "=", params[name]) for name in ("rule", "state") if params.get(name)]
    if params.get("show") != "all":
        where.append(Condition("acknowledged_at", "=", ""))
    found = part(in_order(store, ALERTS, where, ORDER, after), ORDER)
    for row in found.rows:
        _show(row, language)
    return found


def alert(store: Store, key: str, language: Language) -> dict[str, Any] | None:
    """One alert with its messages."""
    row = store.get(ALERTS, key)
    if row is None:
        return None
    where = [Condition("alert", "=", key)]
    messages = store.select(ALERT_MESSAGES, where, limit=_MAX_MESSAGES, columns=_MESSAGE)
    _show(row, language)
    return row | {"messages": sorted(messages, key=lambda each: each["made_at"] or "")}


def _show(row: MutableRow, language: Language) -> None:
    """An alert in the user's language, without internal columns."""
    row["title"], row["text"] = worded(row, language)
    for name in _HIDDEN:
        row.pop(name, None)


def read_rules(store: Store, settings: BaseSettings) -> tuple[RuleSet, list[NamedRule], list[str]]:
    """The file, its rules and those of the store, and their problems."""
    try:
        rule_set, faults = rule_set_of(settings), list[str]()
    except DeclarationError as error:
        rule_set, faults = RuleSet(), [str(error)]
    found, wrong = entries(store, rule_set)
    return rule_set, found, [*faults, *wrong]


def shown_rules(store: Store, rule_set: RuleSet, found: list[NamedRule]) -> list[dict[str, Any]]:
    """Rules as plain values, with how each stood at its last look, and how many of its alerts are open and unseen."""
    seen = looks(store)
    return [_shown(store, rule_set, entry, seen.get(entry.name) or {}) for entry in found]


def _shown(store: Store, rule_set: RuleSet, entry: NamedRule, look: Mapping[str, Any]) -> dict[str, Any]:
    values = entry.rule.model_dump(exclude_defaults=True, exclude={"kind", "grade", "channels", "quiet_hours"})
    quiet = rule_set.quiet_hours_of(entry.rule)
    mine = Condition("rule", "=", entry.name)
    return {
        "name": entry.name, "kind": entry.rule.kind, "values": {name: str(value) for name, value in values.items()},
        "grade": entry.rule.grade, "channels": rule_set.channels_of(entry.rule),
        "look": {name: look.get(name) for name in _LOOK}, "origin": entry.origin, "state": entry.state,
        "quiet": f"{quiet.start}–{quiet.until}" if quiet else "",
        "open": store.count(ALERTS, [mine, Condition("state", "=", "open")], _MAX_SHOWN),
        "unseen": store.count(ALERTS, [mine, Condition("acknowledged_at", "=", "")], _MAX_SHOWN),
    }  # fmt: skip


def previewed(store: Store, entry: NamedRule, now: datetime, days: int, language: Language) -> dict[str, Any]:
    """The preview of a rule: number of alerts and the latest ones."""
    try:
        found = preview(store, entry.rule, now - timedelta(days=days), now, _MAX_SHOWN)
    except (QueryError, StoreError) as error:
        return {"rule": entry.name, "days": days, "count": 0, "rows": [], "fault": str(error), "is_stalled": False}
    rows = [_occurrence(entry, each, language) for each in reversed(found.occurrences)]
    return {
        "rule": entry.name,
        "days": days,
        "count": found.count,
        "rows": rows,
        "fault": "",
        "is_stalled": bool(found.note),
    }


def _occurrence(entry: NamedRule, found: Occurrence, language: Language) -> dict[str, Any]:
    row = {"kind": entry.rule.kind, "topic": getattr(entry.rule, "topic", ""), "title": found.title, "text": found.text}
    title, text = worded(row | {"facts": found.facts}, language)
    at = found.noticed.isoformat(timespec="seconds")
    return {"at": at, "title": title, "text": text, "link": found.link, "size": found.size}


def channels_of(rule_set: RuleSet) -> list[dict[str, Any]]:
    """The channels of the file, the variables that they miss, and the rules that send to them."""
    return [
        {"name": name, "kind": channel.kind, "missing": missing_secrets(channel)}
        for name, channel in rule_set.channels.items()
    ]


def hours_of(rule_set: RuleSet) -> list[dict[str, str]]:
    """Quiet hours of the file ("" as grade) and of grades."""
    given = [("", rule_set.quiet_hours), *((str(grade), keys.quiet_hours) for grade, keys in rule_set.grades.items())]
    return [{"grade": grade, "from": hours.start, "until": hours.until} for grade, hours in given if hours]
