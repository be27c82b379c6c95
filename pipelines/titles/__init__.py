"""Reposts, found by title."""

__all__ = [
    "comparer",
    "decided",
    "holder",
    "opening",
    "pipeline",
    "rebuilding",
    "title_requests",
]
