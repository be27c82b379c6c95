"""Create messages from alerts with news, one for each channel of their rule."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from analysis.alerts.alert_rules import QuietHours
from analysis.alerts.rule_set import NamedRule, RuleSet
from analysis.alerts.wording import Language, worded
from analysis.delivery.message import Message
from analysis.delivery.outbox import Outbox
from pipelines.stores.alert_tables import ALERTS
from pipelines.stores.base import Condition, Row, Store

_BEGINNINGS: Mapping[Language, Mapping[str, str]] = {
    "en": {"new": "", "more": "More: ", "over": "Over: "},
    "zh": {"new": "", "more": "又多了：", "over": "已过去："},
}
_GRADES: Mapping[Language, Mapping[str, str]] = {
    "en": {"notice": " (notice)", "warning": " (warning)", "critical": " (critical)"},
    "zh": {"notice": "（提示）", "warning": "（警告）", "critical": "（严重）"},
}
_RULE: Mapping[Language, str] = {"en": "Rule: ", "zh": "规则："}


def notify(
    store: Store, outbox: Outbox, rule_set: RuleSet, entries: Mapping[str, NamedRule], console: str, now: datetime
) -> int:
    """Create the missing messages and return the number of alerts with news; idempotent, so a killed call can be repeated."""
    count = 0
    for row in store.select(ALERTS, [Condition("spread", "=", 0)]):
        entry = entries.get(row["rule"])
        outbox.replace(row["key"], row["number"])
        due = end_of_quiet(rule_set.quiet_hours_of(entry.rule) if entry else None, rule_set.timezone, now)
        for channel in rule_set.channels_of(entry.rule) if entry else ():
            key = f"{row['key']}-{row['number']}"
            outbox.put(
                message_of(row, key, console, rule_set.language),
                channel,
                alert=row["key"],
                number=row["number"],
                due=due.timestamp(),
            )
        this_row = [Condition("key", "=", row["key"]), Condition("number", "=", row["number"])]
        store.change(ALERTS, this_row, {"spread": 1}).result()
        count += 1
    return count


def message_of(row: Row, key: str, console: str, language: Language = "en") -> Message:
    """The message about an alert; it links to the console if the console's address is configured."""
    title, said = worded(row, language)
    title = f"{_BEGINNINGS[language].get(row['sentence'], '')}{title}"
    link = f"{console.rstrip('/')}/alerts?key={row['key']}" if console else row["link"]
    facts = {
        name: row[name]
        for name in ("rule", "kind", "grade", "topic", "state", "begin", "end", "size", "number", "sentence")
    }
    rule = f"{_RULE[language]}{row['rule']}{_GRADES[language].get(row['grade'], '')}"
    text = f"{said}\n{rule}" + (f"\n{row['link']}" if console and row["link"] else "")
    return Message(key, title, text, link, {**(row["facts"] or {}), **facts, "alert": row["key"]})


def end_of_quiet(quiet: QuietHours | None, zone: str, now: datetime) -> datetime:
    """The end of the current quiet hours, or `now` outside of them."""
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
