"""Alerts that have something to tell become messages, one for each channel of their rule."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from analysis.alerts.rule_set import NamedRule, RuleSet
from analysis.alerts.rules import QuietHours
from analysis.alerts.wording import Language, worded
from analysis.delivery.message import Message
from analysis.delivery.outbox import Outbox
from pipelines.stores.alert_tables import ALERTS
from pipelines.stores.base import Condition, Row, Store

_BEGINNINGS: Mapping[Language, Mapping[str, str]] = {
    "en": {"new": "", "more": "More: ", "over": "Over: "},
    "zh": {"new": "", "more": "又多了：", "over": "已过去："},
}
_RULE: Mapping[Language, str] = {"en": "Rule: ", "zh": "规则："}


def notify(
    store: Store, outbox: Outbox, rule_set: RuleSet, entries: Mapping[str, NamedRule], console: str, now: datetime
) -> int:
    """Make the messages that are missing; how many alerts had something to tell. After a kill it makes what is left."""
    count = 0
    for row in store.select(ALERTS, [Condition("spread", "=", 0)]):
        entry = entries.get(row["rule"])
        outbox.replace(row["key"], row["number"])
        for channel in entry.rule.channels if entry else ():
            due = now if entry and entry.rule.urgent else end_of_quiet(rule_set.quiet_hours, rule_set.timezone, now)
            key = f"{row['key']}-{row['number']}"
            outbox.put(
                message_of(row, key, console, rule_set.language),
                channel,
                alert=row["key"],
                number=row["number"],
                due=due.timestamp(),
            )
        told = [Condition("key", "=", row["key"]), Condition("number", "=", row["number"])]
        store.change(ALERTS, told, {"spread": 1}).result()
        count += 1
    return count


def message_of(row: Row, key: str, console: str, language: Language = "en") -> Message:
    """What people get to read about an alert; the link leads to the console if its address is known."""
    title, said = worded(row, language)
    title = f"{_BEGINNINGS[language].get(row['sentence'], '')}{title}"
    link = f"{console.rstrip('/')}/alerts?key={row['key']}" if console else row["link"]
    facts = {
        name: row[name] for name in ("rule", "kind", "topic", "state", "begin", "end", "size", "number", "sentence")
    }
    text = f"{said}\n{_RULE[language]}{row['rule']}" + (f"\n{row['link']}" if console and row["link"] else "")
    return Message(key, title, text, link, {**(row["facts"] or {}), **facts, "alert": row["key"]})


def end_of_quiet(quiet: QuietHours | None, zone: str, now: datetime) -> datetime:
    """The end of the quiet hours that `now` is in, else `now`."""
    if quiet is None:
        return now
    local = now.astimezone(ZoneInfo(zone))
    clock = f"{local:%H:%M}"
    inside = quiet.start <= clock < quiet.until if quiet.start < quiet.until else not quiet.until <= clock < quiet.start
    if not inside:
        return now
    hour, minute = (int(part) for part in quiet.until.split(":"))
    end = local.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return (end if end > local else end + timedelta(days=1)).astimezone(UTC)
