"""The listed pages behind each figure of the report."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from analysis.counts import title_values
from analysis.report.model import Report

Numbers = Sequence[int]
Key = TypeVar("Key", str, tuple[str, str])


def pages_by_tag(report: Report) -> Mapping[tuple[str, str], Numbers]:
    """By kind and text of a tag, the pages that have it in their title."""
    return _grouped((tag, page.number) for page in report.pages for tag in dict.fromkeys(title_values(page.title)))


def pages_by_mood(report: Report) -> Mapping[str, Numbers]:
    """Pages by mood."""
    return _grouped((page.mood, page.number) for page in report.pages)


def pages_by_host(report: Report) -> Mapping[str, Numbers]:
    """Pages by site."""
    return _grouped((page.host, page.number) for page in report.pages)


def _grouped(pairs: Iterable[tuple[Key, int]]) -> Mapping[Key, Numbers]:
    found: defaultdict[Key, list[int]] = defaultdict(list)
    for key, number in pairs:
        found[key].append(number)
    return found


def pages_within(report: Report, start: datetime, end: datetime) -> Numbers:
    """Pages in a time span."""
    first, last = map(report.clock, (start, end))
    return [page.number for page in report.pages if first <= page.counted < last]
