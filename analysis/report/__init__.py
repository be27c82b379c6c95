"""The report of a topic over a time: facts of the store as one file."""

from analysis.report.collect import collect
from analysis.report.html import report_html
from analysis.report.markdown import report_markdown
from analysis.report.model import Report

__all__ = ["Report", "collect", "report_html", "report_markdown"]
