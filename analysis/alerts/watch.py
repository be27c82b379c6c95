"""One look at a rule of any kind."""

from datetime import datetime

from analysis.alerts.alert_rules import (
    BurstRule,
    EnteredRule,
    EventRule,
    FailedRule,
    LayoutRule,
    MoodRule,
    PlaceRule,
    RankRule,
    Rule,
    SilentRule,
    StalledRule,
    SubscriptionRule,
    TermRule,
)
from analysis.alerts.changed_lists import layout_look
from analysis.alerts.events import event_look
from analysis.alerts.hot_items import hot_look
from analysis.alerts.occurrences import Look
from analysis.alerts.runs import failed_look, stalled_look
from analysis.alerts.series_rules import burst_look, mood_look
from analysis.alerts.silent_sites import silent_look
from analysis.alerts.subscriptions import subscription_look
from analysis.alerts.text_rules import place_look, term_look
from analysis.search import Finder, Searcher
from pipelines.stores.base import Store


class AlertWatcher:
    """Applies rules to a store; the search index is opened when a rule first needs it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._opened: Finder | None = None

    def look(self, rule: Rule, since: datetime, until: datetime) -> Look:
        """The rule's occurrences that were noticed from `since` to `until` or continue, and how it stands at `until`. Raises QueryError if
        its term is not a valid query."""
        match rule:
            case EventRule():
                return event_look(self._store, rule, since, until)
            case BurstRule():
                return burst_look(self._store, rule, since, until)
            case MoodRule():
                return mood_look(self._store, rule, since, until)
            case TermRule():
                return term_look(self._store, rule, since, until, self._searcher())
            case PlaceRule():
                return place_look(self._store, rule, since, until, self._searcher())
            case SubscriptionRule():
                return subscription_look(self._store, rule, since, until, self._searcher())
            case SilentRule():
                return silent_look(self._store, rule, since, until)
            case StalledRule():
                return stalled_look(self._store, rule, since, until)
            case FailedRule():
                return failed_look(self._store, rule, since, until)
            case LayoutRule():
                return layout_look(self._store, rule, since, until)
            case EnteredRule() | RankRule():
                return hot_look(self._store, rule, since, until)

    def _searcher(self) -> Finder:
        self._opened = self._opened or Searcher(self._store)
        return self._opened
