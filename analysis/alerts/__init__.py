"""Alerts: rules over collected data, and the messages they trigger."""

from analysis.alerts.alert_rules import AlertRuleError
from analysis.alerts.rule_set import NamedRule, RuleSet, entries, keep_rule, rule_set_of, set_state
from analysis.alerts.step import JOB, AlertOptions, AlertStep

__all__ = [
    "JOB",
    "AlertOptions",
    "AlertRuleError",
    "AlertStep",
    "NamedRule",
    "RuleSet",
    "checking",
    "entries",
    "keep_rule",
    "looks",
    "opening",
    "preview",
    "rule_set_of",
    "set_state",
    "state",
    "wording",
]
