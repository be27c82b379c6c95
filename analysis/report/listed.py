"""The listed pages behind each figure of the report."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

from analysis.counts import title_values
from analysis.report.model import Report
from analysis.spans import LOCAL

Numbers = Sequence[int]


def pages_by_tag(report: Report) -> Mapping[tuple[str, str], Numbers]:
    """By kind and text of a tag, the pages that have it in their title."""
    found: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for page in report.pages:
        for kind_and_text in dict.fromkeys(title_values(page.title)):
            found[kind_and_text].append(page.number)
    return found


def pages_by_mood(report: Report) -> Mapping[str, Numbers]:
    """Pages by mood."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for page in report.pages:
        found[page.mood].append(page.number)
    return found


def pages_by_host(report: Report) -> Mapping[str, Numbers]:
    """Pages by site."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for page in report.pages:
        found[page.host].append(page.number)
    return found


def pages_within(report: Report, start: datetime, end: datetime) -> Numbers:
    """Pages in a time span."""
    first, last = (f"{time.astimezone(LOCAL):%Y-%m-%d %H:%M}" for time in (start, end))
    return [page.number for page in report.pages if first <= page.at < last]
