"""Events in the store: which page tells which happening, kept up to date as pages come, late or corrected."""

from analysis.happenings.decisions import EventDecision, decide, decisions
from analysis.happenings.step import JOB, EventStep

__all__ = ["JOB", "EventDecision", "EventStep", "decide", "decisions"]
