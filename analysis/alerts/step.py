"""The analysis step that applies the rules and sends their messages."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from analysis.alerts.alert_rules import NEED_ANALYSIS
from analysis.alerts.looks import note_fault, note_look, note_waiting
from analysis.alerts.notifications import notify
from analysis.alerts.rule_set import NamedRule, RuleSet, entries
from analysis.alerts.state import AlertStore
from analysis.alerts.watch import AlertWatcher
from analysis.delivery.outbox import Outbox
from analysis.jobs import Step, StoredPage
from analysis.search import NoIndexError, QueryError
from crawler.config.yaml_file import DeclarationError
from pipelines.lease import Lease
from pipelines.stores.base import Store

logger = logging.getLogger(__name__)
JOB = "alerts"
_SLOW_EVERY = 10
"""Rules about silent sites are expensive and run only every N-th time."""


@dataclass(frozen=True, slots=True)
class AlertOptions:
    """Options of the alert step.

    Attributes:
        rule_set: reads the rule file; called before each evaluation, so that changes apply at once.
        seconds: interval between evaluations.
        console: address of the console, "" if it has none.
        clock: seconds since 1970.
    """

    rule_set: Callable[[], RuleSet]
    seconds: float = 60.0
    allow_private: bool = False
    console: str = ""
    clock: Callable[[], float] = time.time


class AlertStep(Step):
    """Applies all rules when no page waits; while pages wait, only rules that need no analysis.

    `clear` keeps all alerts: messages that were sent stand.
    """

    def __init__(self, store: Store, lease: Lease, options: AlertOptions) -> None:
        self._store, self._lease, self._options = store, lease, options
        self._alerts, self._watcher = AlertStore(store), AlertWatcher(store)
        self._due = {True: 0.0, False: 0.0}
        self._round = 0
        self._complained: set[str] = set()

    def process(self, pages: Sequence[StoredPage]) -> None:
        """Evaluate the rules if due; individual pages are not used."""
        self._look(is_behind=True)

    def tidy(self) -> None:
        self._look(is_behind=False)

    def _look(self, *, is_behind: bool) -> None:
        now = self._options.clock()
        if now < self._due[is_behind]:
            return
        self._due[is_behind] = now + self._options.seconds
        try:
            rule_set = self._options.rule_set()
        except DeclarationError as error:
            self._complain(f"{error}. Alerts are suspended until it is corrected.")
            return
        self._round += not is_behind
        found, faults = entries(self._store, rule_set)
        for fault in faults:
            self._complain(f"Rule {fault}")
        moment = datetime.fromtimestamp(now, UTC)
        for entry in found:
            if entry.state != "active":
                continue
            if is_behind and entry.rule.kind in NEED_ANALYSIS:
                note_waiting(self._store, entry.name)
            else:
                self._apply(entry, moment)
        self._lease.renew()
        outbox = Outbox(
            self._store, rule_set.channels, allow_private=self._options.allow_private, clock=self._options.clock
        )
        notify(self._store, outbox, rule_set, {entry.name: entry for entry in found}, self._options.console, moment)
        outbox.deliver()

    def _apply(self, entry: NamedRule, now: datetime) -> None:
        if entry.rule.kind == "silent" and self._round % _SLOW_EVERY != 1:
            return
        self._lease.renew()
        try:
            look = self._watcher.look(entry.rule, self._alerts.since(entry, now), now)
        except (QueryError, NoIndexError) as error:
            self._complain(f"Rule {entry.name}: {error}")
            note_fault(self._store, entry.name, str(error), now)
            return
        self._alerts.keep(entry, look.occurrences, now)
        note_look(self._store, entry.name, look.standing, now)

    def _complain(self, sentence: str) -> None:
        """Warn once per run."""
        if sentence not in self._complained:
            self._complained.add(sentence)
            logger.warning("%s", sentence)
