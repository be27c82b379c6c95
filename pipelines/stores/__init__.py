"""Stores: tables declared once, rows as mappings, the same calls on SQLite and MongoDB."""

__all__ = [
    "alert_tables",
    "analysis_tables",
    "base",
    "checked",
    "filters",
    "instant_columns",
    "mongo",
    "opening",
    "people_tables",
    "tables",
    "watch_tables",
]
