"""Incremental clustering: reports of one occurrence form an event, events of one affair form a story."""

from analysis.events.clustering import Clusters, EventLimits, Placing, Settings
from analysis.events.elements import Element, Elements, find_elements
from analysis.events.report import EventReport, read_report
from analysis.events.similarity import alike

__all__ = [
    "Clusters",
    "Element",
    "Elements",
    "EventLimits",
    "EventReport",
    "Placing",
    "Settings",
    "agreement",
    "alike",
    "find_elements",
    "read_report",
    "store",
    "training",
    "weights",
]
