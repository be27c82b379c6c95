"""Events in the store: the assignment of pages to events, updated as pages arrive late or are corrected."""

from analysis.events.store.decisions import EventDecision, decide, decisions
from analysis.events.store.moved_limits import limit_of
from analysis.events.store.step import JOB, EventStep

__all__ = [
    "JOB",
    "EventDecision",
    "EventStep",
    "decide",
    "decisions",
    "digest",
    "limit_of",
    "moods",
    "output",
    "spread_thresholds",
]
