"""Summaries of pages: a learned choice of their own sentences."""

from analysis.summary.choose import summarize

__all__ = ["summarize"]
