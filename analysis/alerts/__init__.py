"""Alerts: rules that watch what is collected, and messages about what they notice."""

from analysis.alerts.book import Book, Entry, book_of, entries
from analysis.alerts.step import JOB, AlertOptions, AlertStep

__all__ = ["JOB", "AlertOptions", "AlertStep", "Book", "Entry", "book_of", "entries"]
