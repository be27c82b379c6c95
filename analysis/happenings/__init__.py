"""Events in the store: which page tells which happening, kept up to date as pages come, late or corrected."""

from analysis.happenings.decisions import Decision, decide, decisions
from analysis.happenings.step import JOB, EventStep

__all__ = ["JOB", "Decision", "EventStep", "decide", "decisions"]
