"""All active rules: those of alerts.yaml and those in the store."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.resources.abc import Traversable
from typing import Any

from pydantic import ValidationInfo, field_validator
from scrapy.settings import BaseSettings

from analysis.alerts.alert_rules import AlertRuleError, AnyRule, Grade, GradeKeys, QuietHours, Rule, checked_rule
from analysis.alerts.wording import Language
from analysis.delivery.channels import AnyChannel, Channel
from crawler.config.yaml_file import Declaration, Strict, TimeZone, settings_folder
from pipelines.stores.alert_tables import ALERT_RULES
from pipelines.stores.base import Condition, Store

FILE = "alerts.yaml"


class _RuleFile(Strict):
    timezone: TimeZone = "Asia/Shanghai"
    language: Language = "en"
    quiet_hours: QuietHours | None = None
    channels: dict[str, AnyChannel] = {}
    grades: dict[Grade, GradeKeys] = {}
    rules: dict[str, AnyRule] = {}

    @field_validator("grades", "rules")
    @classmethod
    def _know_channels(
        cls, senders: Mapping[str, Rule | GradeKeys], info: ValidationInfo
    ) -> Mapping[str, Rule | GradeKeys]:
        channels = info.data.get("channels", {})
        for name, sender in senders.items():
            if unknown := [each for each in sender.channels if each not in channels]:
                known = ", ".join(channels) or "none"
                raise ValueError(f"{name} sends to {unknown[0]}, which is not a channel; known channels: {known}")
        return senders


@dataclass(frozen=True, slots=True)
class NamedRule:
    """A rule with its name; `origin` is file or store, `state` active or paused."""

    name: str
    rule: Rule
    origin: str = "file"
    state: str = "active"


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The parsed rule file; empty if there is no file."""

    timezone: str = "Asia/Shanghai"
    quiet_hours: QuietHours | None = None
    channels: Mapping[str, Channel] = field(default_factory=dict)
    rules: Mapping[str, Rule] = field(default_factory=dict)
    language: Language = "en"
    grades: Mapping[Grade, GradeKeys] = field(default_factory=dict)

    def channels_of(self, rule: Rule) -> list[str]:
        """The names of the channels of a rule's messages."""
        grade = self.grades.get(rule.grade)
        return rule.channels or (grade.channels if grade else [])

    def quiet_hours_of(self, rule: Rule) -> QuietHours | None:
        """The hours in which messages of a rule wait."""
        grade = self.grades.get(rule.grade)
        if rule.urgent:
            return None
        if own := rule.quiet_hours or (grade.quiet_hours if grade else None):
            return own
        return None if rule.grade == "critical" else self.quiet_hours


def read_rule_set(path: Traversable) -> RuleSet:
    """Raises DeclarationError with the problem and its line."""
    if not path.is_file():
        return RuleSet()
    found = Declaration(path).checked(_RuleFile)
    return RuleSet(found.timezone, found.quiet_hours, found.channels, found.rules, found.language, found.grades)


def rule_set_of(settings: BaseSettings) -> RuleSet:
    """The rules of `alerts.yaml` in the settings folder."""
    return read_rule_set(settings_folder(settings) / FILE)


def unknown_channel(name: str, channels: Iterable[str]) -> str:
    """A sentence about a channel that is not declared."""
    known = ", ".join(channels)
    return (
        f"There is no channel {name}; there are {known}" if known else f"There is no channel {name}: none is declared"
    )


def entries(store: Store, rule_set: RuleSet) -> tuple[list[NamedRule], list[str]]:
    """Every rule by name, and the problems of rules in the store."""
    found = {name: NamedRule(name, rule) for name, rule in rule_set.rules.items()}
    faults: list[str] = []
    for row in store.select(ALERT_RULES):
        name, state = row["name"], row["state"] or "active"
        try:
            rule = checked_rule(row["rule"]) if row["rule"] else None
        except AlertRuleError as error:
            faults.append(f"{name}: {error}")
            continue
        if rule is not None and state != "removed":
            found[name] = NamedRule(name, rule, "store", state)
            faults += [f"{name}: there is no channel {each}" for each in rule.channels if each not in rule_set.channels]
        elif name in found and state == "paused":
            found[name] = NamedRule(name, found[name].rule, "file", "paused")
    return sorted(found.values(), key=lambda entry: entry.name), faults


def keep_rule(store: Store, name: str, values: Mapping[str, Any], by: str) -> Rule:
    """Store a rule; an existing rule of the same name is replaced. Raises AlertRuleError if it is invalid."""
    if not name or len(name) > 80:
        raise AlertRuleError("the name of a rule has 1 to 80 characters")
    rule = checked_rule(values)
    row = {"name": name, "rule": rule.model_dump(by_alias=True), "state": "active", "by": by, "changed_at": _now()}
    store.upsert(ALERT_RULES, [row]).result()
    return rule


def forget_rule(store: Store, name: str) -> None:
    """Remove what the store says of a rule; one of the file is then as the file says."""
    store.remove(ALERT_RULES, [Condition("name", "=", name)]).result()


def set_state(store: Store, name: str, state: str, by: str) -> None:
    """Make a rule active, paused, or (one of the store) removed."""
    store.upsert(ALERT_RULES, [{"name": name, "state": state, "by": by, "changed_at": _now()}]).result()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
