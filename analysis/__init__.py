"""Analysis of the collected pages: search, events, names, times, counts, trends, alerts, summaries and reports."""

__all__ = [
    "alerts",
    "commands",
    "counts",
    "events",
    "mood",
    "names",
    "report",
    "search",
    "times",
    "trend",
]
