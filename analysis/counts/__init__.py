"""Hourly counts of pages and posts, maintained incrementally so that charts read no pages."""

from analysis.counts.cells import MAX_MOODS, page_mood, post_mood, title_terms, title_values
from analysis.counts.series import DIMENSIONS, Measure, Series, read_series, read_totals, series_of_times
from analysis.counts.step import JOB, CountStep

__all__ = [
    "DIMENSIONS",
    "JOB",
    "MAX_MOODS",
    "CountStep",
    "Measure",
    "Series",
    "page_mood",
    "post_mood",
    "read_series",
    "read_totals",
    "series_of_times",
    "title_terms",
    "title_values",
]
