"""Time expressions in texts, read against the date of the page: "上周三", "3月初", "last Wednesday"."""

from analysis.times.interval import Interval
from analysis.times.time_search import TimeMention, find_times, resolve_time

__all__ = ["Interval", "TimeMention", "find_times", "resolve_time"]
