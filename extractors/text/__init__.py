"""Dates in texts, and fast search for many patterns."""

__all__ = [
    "brief_times",
    "calendar",
    "characters",
    "date_order",
    "dates",
    "instants",
    "multi_search",
    "regex_prefixes",
]
