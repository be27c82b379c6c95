"""Alerts: rules over collected data, and the messages they trigger."""

from analysis.alerts.rule_set import NamedRule, RuleSet, entries, rule_set_of
from analysis.alerts.step import JOB, AlertOptions, AlertStep

__all__ = ["JOB", "AlertOptions", "AlertStep", "NamedRule", "RuleSet", "entries", "rule_set_of"]
