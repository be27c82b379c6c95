"""Alerts: rules over collected data, and the messages they trigger."""

from analysis.alerts.alert_rules import KINDS, AlertRuleError, checked_rule
from analysis.alerts.channel_file import checked_channel, forget_channel, keep_channel
from analysis.alerts.channel_test import send_test
from analysis.alerts.occurrences import Occurrence
from analysis.alerts.rule_set import (
    NamedRule,
    RuleSet,
    entries,
    forget_rule,
    keep_rule,
    rule_set_of,
    set_state,
    unknown_channel,
)
from analysis.alerts.step import JOB, AlertOptions, AlertStep
from analysis.delivery.channels import KINDS as CHANNEL_KINDS
from analysis.delivery.channels import missing_secrets
from analysis.delivery.message import DeliveryError

__all__ = [
    "CHANNEL_KINDS",
    "JOB",
    "KINDS",
    "AlertOptions",
    "AlertRuleError",
    "AlertStep",
    "DeliveryError",
    "NamedRule",
    "Occurrence",
    "RuleSet",
    "checked_channel",
    "checked_rule",
    "checking",
    "entries",
    "forget_channel",
    "forget_rule",
    "keep_channel",
    "keep_rule",
    "looks",
    "missing_secrets",
    "opening",
    "preview",
    "rule_set_of",
    "send_test",
    "set_state",
    "state",
    "unknown_channel",
    "wording",
]
