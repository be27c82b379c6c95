"""`scrapy alerts`: rules, their alerts, previews on past data, and message channels."""

import argparse
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, Any

import yaml
from scrapy.exceptions import UsageError

from analysis.commands._known_topic import check_topic
from analysis.spans import since_of, to_the_minute, zone_of
from crawler.command_line import QuietCommand, say, say_aside, write_out
from crawler.config import environment_language, shown
from crawler.config.yaml_file import DeclarationError
from crawler.printed_tables import print_table
from pipelines.stores.alert_tables import ALERT_MESSAGES, ALERTS
from pipelines.stores.base import Condition, Order, Row, Store, StoreError

if TYPE_CHECKING:
    from analysis.alerts import NamedRule, RuleSet

_HISTORY = ("key", "rule", "state", "seen by", "begin", "size", "title")
_RULES = ("rule", "kind", "what", "grade", "channels", "in", "state", "now", "looked", "open")
_FORMATS = ("table", "jsonl")
_NOTES = {
    "behind": "waits until the pages that came are analysed",
    "few_texts": "too few texts with a mood",
    "young_series": "bursts are known after a week of counts",
}
_WORDS = {
    "rules": 0, "history": 0, "show": 1, "ack": 1, "unack": 1, "preview": 0, "test": 1, "check": 0, "messages": 0, "add": 2,
    "remove": 1, "pause": 1, "resume": 1, "deliver": 0,
}  # fmt: skip
"""Minimum number of arguments of each action."""


class Command(QuietCommand):
    """Shows rules and alerts, previews rules on the past, acknowledges, tests channels."""

    examples = (
        "scrapy alerts                              all rules, and how each stood at the last look",
        "scrapy alerts check                        is the file correct, and are all secrets set?",
        "scrapy alerts preview --since 30d          how often would each rule have fired?",
        "scrapy alerts preview quake-burst          one rule, with its occurrences",
        "scrapy alerts history --since 7d --unseen  alerts that are not acknowledged",
        "scrapy alerts show KEY                     one alert with its messages",
        "scrapy alerts ack KEY --by anna            acknowledge: no more messages; unack reverts it",
        "scrapy alerts test desk                    send a message to the channel desk now",
        "scrapy alerts add flood kind=term term=洪水 count=5 hours=6 'channels=[desk]'",
        "scrapy alerts pause NAME                   also resume, and remove for rules of the database",
        "scrapy alerts messages                     messages that wait or have failed; deliver sends what is due",
    )
    usage = "[rules|history|show|ack|unack|preview|test|check|messages|deliver|add|remove|pause|resume] [options]"
    summary = "Alert rules over collected data, and their messages"
    description = "`scrapy analysis run --follow` applies the rules and sends the messages."
    takes_arguments = True

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--since", default="30d", metavar="SPAN", help="history, preview: 12h, 7d, or a day (30d)")
        parser.add_argument("--rule", default="", metavar="NAME", help="history: only of this rule")
        parser.add_argument("--unseen", action="store_true", help="history: only alerts that are not acknowledged")
        parser.add_argument("--limit", type=int, default=50, metavar="N", help="history, messages: at most N (50)")
        parser.add_argument("--by", default="", metavar="NAME", help="ack, add, pause: name of the person who decides")
        parser.add_argument("--format", choices=_FORMATS, default="table", help="table (default) or jsonl")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Raises UsageError for invalid arguments; exit code 1 if something cannot be read or sent."""
        from analysis.alerts import AlertRuleError, rule_set_of

        action, words = (args or ["rules"])[0], args[1:]
        if action not in _WORDS or len(words) < _WORDS[action] or opts.limit < 1:
            raise UsageError(f"Use: scrapy alerts {self.usage}; --help shows examples", print_help=False)
        with self.reporting(DeclarationError, AlertRuleError, StoreError):
            rule_set = rule_set_of(self.values)
            if action in ("check", "test"):
                self._try_channels(action, words, rule_set, opts)
                return
            with self.store() as store:
                self._do(action, words, store, rule_set, opts)

    def _do(self, action: str, words: list[str], store: Store, rule_set: "RuleSet", opts: argparse.Namespace) -> None:
        from analysis.alerts import keep_rule

        match action:
            case "rules":
                self._print_rules(store, rule_set)
            case "history":
                if opts.rule and not store.count(ALERTS, [Condition("rule", "=", opts.rule)], limit=1):
                    self._known_rule(store, rule_set, opts.rule)
                print_history(store, opts, zone_of(self.values))
            case "show":
                print_alert(store, words[0])
            case "ack" | "unack":
                self._acknowledge(store, words, opts.by, undo=action == "unack")
            case "preview":
                self._preview(store, rule_set, words, opts)
            case "messages":
                print_messages(store, opts.limit)
            case "deliver":
                self._deliver(store, rule_set)
            case "add":
                values = _values(words[1:])
                check_topic(store, self.values, str(values.get("topic", "")))
                keep_rule(store, words[0], values, opts.by)
                self._print_rules(store, rule_set)
            case _:
                self._set_state(store, rule_set, action, words[0], opts.by)

    def _print_rules(self, store: Store, rule_set: "RuleSet") -> None:
        from analysis.alerts import entries
        from analysis.alerts.looks import looks

        found, faults = entries(store, rule_set)
        seen = looks(store)
        rows = []
        for entry in found:
            values = entry.rule.model_dump(exclude_defaults=True, exclude={"kind", "grade", "channels"})
            what = ", ".join(f"{name}={value}" for name, value in values.items())
            is_open = [Condition("rule", "=", entry.name), Condition("state", "=", "open")]
            look = seen.get(entry.name) or {}
            now = (shown(entry.state), shown(_standing(look)), look.get("looked_at") or shown("never"))
            rows.append([entry.name, entry.rule.kind, what, entry.rule.grade, ", ".join(rule_set.channels_of(entry.rule)),
                         shown(entry.origin), *now, store.count(ALERTS, is_open)])  # fmt: skip
        print_table(_RULES, rows)
        for fault in faults:
            self.fail(fault)
        if not found:
            say_aside("There are no rules: docs/insight.md shows how alerts.yaml is written")

    def _acknowledge(self, store: Store, keys: list[str], by: str, *, undo: bool) -> None:
        from analysis.alerts.state import acknowledge, forget_acknowledgement

        for key in keys:
            if undo:
                forget_acknowledgement(store, key)
            elif not acknowledge(store, key, by, datetime.now(UTC)):
                self.fail(f"There is no alert {key!r}; scrapy alerts history lists them")

    def _preview(self, store: Store, rule_set: "RuleSet", names: list[str], opts: argparse.Namespace) -> None:
        from analysis.alerts import AlertRuleError, entries
        from analysis.alerts.preview import preview
        from analysis.search import QueryError

        now, zone = datetime.now(UTC), zone_of(self.values)
        since = since_of(opts.since, now, zone)
        found, _ = entries(store, rule_set)
        if unknown := [name for name in names if name not in {entry.name for entry in found}]:
            raise AlertRuleError(f"there is no rule {unknown[0]}; there are {', '.join(entry.name for entry in found)}")
        for entry in (entry for entry in found if not names or entry.name in names):
            try:
                past = preview(store, entry.rule, since, now, 0 if names else 1)
            except QueryError as error:
                self.fail(f"{entry.name}: {error}")
                continue
            days = max(1, round((now - since).total_seconds() / 86_400))
            line = f"{entry.name}: would have fired {past.count} times in {days} days"
            say(f"{line}; {past.note}" if past.note else line)
            if names:
                facts = {"kind": entry.rule.kind, "topic": getattr(entry.rule, "topic", "")}
                rows = [
                    [to_the_minute(each.noticed, zone), *_worded(facts | asdict(each))] for each in past.occurrences
                ]
                print_table(("noticed", "title", "text"), rows)

    def _set_state(self, store: Store, rule_set: "RuleSet", action: str, name: str, by: str) -> None:
        from analysis.alerts import AlertRuleError, set_state

        if self._known_rule(store, rule_set, name).origin == "file" and action == "remove":
            raise AlertRuleError(f"{name} is a rule of the file: take it out there, or pause it")
        set_state(store, name, {"remove": "removed", "pause": "paused", "resume": "active"}[action], by)
        self._print_rules(store, rule_set)

    def _known_rule(self, store: Store, rule_set: "RuleSet", name: str) -> "NamedRule":
        from analysis.alerts import AlertRuleError, entries

        known = {entry.name: entry for entry in entries(store, rule_set)[0]}
        if name not in known:
            raise AlertRuleError(f"there is no rule {name}; there are {', '.join(known)}")
        return known[name]

    def _deliver(self, store: Store, rule_set: "RuleSet") -> None:
        from analysis.delivery.outbox import Outbox

        allowed = self.values.getbool("ALLOW_PRIVATE_ADDRESSES")
        sent, failed = Outbox(store, rule_set.channels, allow_private=allowed).deliver(60.0)
        say(f"{sent} messages sent, {failed} not")
        self.exitcode = int(bool(failed))

    def _try_channels(self, action: str, words: list[str], rule_set: "RuleSet", opts: argparse.Namespace) -> None:
        from analysis.alerts import DeliveryError, missing_secrets, send_test, unknown_channel

        for name, channel in rule_set.channels.items() if action == "check" else ():
            missing = missing_secrets(channel)
            if missing:
                self.fail(f"{name}: {', '.join(missing)} is not set in this environment")
        if action == "check":
            say(f"{len(rule_set.rules)} rules and {len(rule_set.channels)} channels are written correctly")
            return
        if words[0] not in rule_set.channels:
            self.fail(unknown_channel(words[0], rule_set.channels))
            return
        may_be_private = self.values.getbool("ALLOW_PRIVATE_ADDRESSES")
        channel, said = rule_set.channels[words[0]], (shown("topicrawl: a test"), shown("Alerts will arrive here."))
        try:
            note = send_test(channel, *said, allow_private=may_be_private)
        except DeliveryError as error:
            self.fail(f"{words[0]}: {error}")
            return
        say(f"{words[0]} accepted the message{f'; {note}' if note else ''}")


def _standing(look: Row | Mapping[str, Any]) -> str:
    """How a rule stood at its last look."""
    note = _NOTES.get(look.get("note") or "", "")
    if look.get("fault"):
        return str(look["fault"])
    if look.get("number") is None or look.get("threshold") is None:
        return note or "not looked at yet"
    word = "true" if look["is_met"] else "false"
    return f"{word}: {look['number']:.4g} of {look['threshold']:.4g}" + (f"; {note}" if note else "")


def _values(words: list[str]) -> dict[str, Any]:
    """`count=5` and the like as values of a rule."""
    from analysis.alerts import AlertRuleError

    found = {}
    for word in words:
        name, sign, value = word.partition("=")
        try:
            found[name] = yaml.safe_load(value)
        except yaml.YAMLError:
            sign = ""
        if not sign:
            raise AlertRuleError(f"{word!r} is not NAME=VALUE, such as count=5")
    return found


def _worded(row: Row) -> tuple[str, str]:
    """Title and text in the reader's language."""
    from analysis.alerts.wording import worded

    return worded(row, environment_language(os.environ))


def print_history(store: Store, opts: argparse.Namespace, zone: tzinfo) -> None:
    """Alerts, newest first."""
    since = since_of(opts.since, datetime.now(UTC), zone)
    where = [Condition("key", ">=", f"{since.astimezone(UTC):%Y%m%dT%H%M%S}")]
    where += [Condition("rule", "=", opts.rule)] if opts.rule else []
    where += [Condition("acknowledged_at", "=", "")] if opts.unseen else []
    found = store.select(ALERTS, where, [Order("key", descending=True)], opts.limit)
    if opts.format == "jsonl":
        for row in found:
            write_out(json.dumps(row, ensure_ascii=False))
        return
    print_table(_HISTORY, (_history_line(row, zone) for row in found))


def _history_line(row: Row, zone: tzinfo) -> Sequence[str]:
    begin, seen_by = datetime.fromisoformat(row["begin"]), row["acknowledged_by"] or row["acknowledged_at"]
    size, title = f"{row['size']:g}", _worded(row)[0]
    return row["key"], row["rule"], shown(row["state"]), seen_by, to_the_minute(begin, zone), size, title


def print_alert(store: Store, key: str) -> None:
    """One alert and its messages; raises StoreError if it does not exist."""
    row = store.get(ALERTS, key)
    if row is None:
        raise StoreError(f"there is no alert {key!r}; scrapy alerts history lists them")
    title, text = _worded(row)
    write_out(f"{title}\n  {text}\n  {row['link']}".rstrip())
    for name in (
        "rule",
        "kind",
        "topic",
        "state",
        "begin",
        "end",
        "first_at",
        "last_at",
        "acknowledged_at",
        "acknowledged_by",
    ):
        if row[name]:
            write_out(f"  {shown(name)}: {shown(row[name]) if name == 'state' else row[name]}")
    _print_messages(store, [Condition("alert", "=", key)], 100)


def print_messages(store: Store, limit: int) -> None:
    """Messages that are not sent yet."""
    _print_messages(store, [Condition("state", "in", ["waiting", "sending", "failed"])], limit)


def _print_messages(store: Store, where: list[Condition], limit: int) -> None:
    rows = [[row["key"], row["channel"], shown(row["state"]), row["attempts"], row["sent_at"] or row["made_at"], row["title"],
             shown(row["error"] or "")] for row in store.select(ALERT_MESSAGES, where, [Order("due")], limit)]  # fmt: skip
    print_table(("message", "channel", "state", "tries", "at", "title", "error"), rows)
