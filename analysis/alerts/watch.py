"""The occurrences of a rule in a time span."""

from collections.abc import Callable, Iterator
from datetime import datetime

from analysis.alerts.alert_rules import (
    BurstRule,
    EventRule,
    FailedRule,
    MoodRule,
    PlaceRule,
    Rule,
    SilentRule,
    StalledRule,
    TermRule,
)
from analysis.alerts.events import event_occurrences
from analysis.alerts.occurrences import Occurrence
from analysis.alerts.runs import failed_occurrences, stalled_occurrences
from analysis.alerts.series_rules import burst_occurrences, mood_occurrences
from analysis.alerts.silent_sites import silent_occurrences
from analysis.alerts.text_rules import place_occurrences, term_occurrences
from analysis.search import Finder, Searcher
from pipelines.stores.base import Store


class AlertWatcher:
    """Applies rules to a store; the search index is opened when a rule first needs it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._opened: Finder | None = None

    def occurrences(self, rule: Rule, since: datetime, until: datetime) -> Iterator[Occurrence]:
        """The rule's occurrences from `since` to `until`; raises QueryError if its term is not a valid query."""
        return _found(self._store, rule, since, until, self._searcher)

    def _searcher(self) -> Finder:
        self._opened = self._opened or Searcher(self._store)
        return self._opened


def _found(
    store: Store, rule: Rule, since: datetime, until: datetime, searcher: Callable[[], Finder]
) -> Iterator[Occurrence]:
    match rule:
        case EventRule():
            return event_occurrences(store, rule, since, until)
        case BurstRule():
            return burst_occurrences(store, rule, since, until)
        case MoodRule():
            return mood_occurrences(store, rule, since, until)
        case TermRule():
            return term_occurrences(store, rule, since, until, searcher())
        case PlaceRule():
            return place_occurrences(store, rule, since, until, searcher())
        case SilentRule():
            return silent_occurrences(store, rule, since, until)
        case StalledRule():
            return stalled_occurrences(store, rule, since, until)
        case FailedRule():
            return failed_occurrences(store, rule, since, until)
