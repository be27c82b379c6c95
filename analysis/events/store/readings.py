"""Readings of a page: names, places and times with offsets, the elements of its event, and its comparable report."""

import zlib
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Any

from analysis.events import Elements, find_elements, read_report
from analysis.events.entities import Entities, find
from analysis.events.reading import ReportReading, reading_of, topic_number
from analysis.jobs import StoredPage
from analysis.names import Name, find_division, near_codes
from pipelines.stores.base import Row

NOT_REPORTS = frozenset(("list", "thread_list", "error", "profile"))
"""Kinds of pages that do not report an event."""
_READ = 2_000
"""Characters of a text in which names and times are marked."""
_MAX_ELEMENTS = 3
_CHINA = timedelta(hours=8)


def is_report(page: StoredPage) -> bool:
    """Whether the page can report an event: not a list, with a title and a time."""
    return bool(page.text("title").strip() and page.at) and page.text("kind") not in NOT_REPORTS


def digest(page: StoredPage) -> str:
    """A fingerprint that changes when the readings may change."""
    parts = (page.text("title"), page.text("body"), page.at, page.text("published"), page.text("kind"))
    return blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=10).hexdigest()


def local_time(page: StoredPage) -> datetime:
    """The time of publication where the page is, naive: relative times in its text are meant from there."""
    try:
        if page.is_dated:
            return datetime.fromisoformat(page.text("published")).replace(tzinfo=None)
        raise ValueError
    except ValueError:
        moment = datetime.fromisoformat(page.at)
        return (moment + _CHINA if page.text("language").startswith("zh") else moment).replace(tzinfo=None)


def read(page: StoredPage) -> tuple[Row, ReportReading]:
    """The page's readings row and its comparable report."""
    base, title, body = local_time(page), page.text("title"), page.text("body")
    found = find(title, body[: max(0, _READ - len(title))], base)
    report = read_report(page.key, base, title, body, found, language=page.text("language"))
    moment = datetime.fromisoformat(page.at).astimezone(UTC).replace(tzinfo=None)
    reading = replace(
        reading_of(replace(report, time=moment, site=_site(page))), topic=topic_number(page.text("topic"))
    )
    codes = _place_codes(page, found.names)
    by_text = {each.text: code for each in found.names[::-1] for code in codes.get(each.start, ())}
    names = [[each.start, each.end, each.kind, *codes.get(each.start, ())] for each in found.names]
    times = [
        [each.start, each.end, each.interval.start.isoformat(), each.interval.end.isoformat(), each.interval.unit]
        for each in found.times
    ]
    row = {
        "page": page.key, "digest": digest(page), "base": base.isoformat(), "names": names, "times": times,
        "elements": _elements(_happening(title, body, base, found), by_text), "report": zlib.compress(reading.pack(), 1),
    }  # fmt: skip
    return row, reading


def _site(page: StoredPage) -> str:
    """The site that wrote the text; "" for threads, which have many authors."""
    return "" if page.text("kind") == "thread" else page.text("host").removeprefix("www.")


def _happening(title: str, body: str, base: datetime, found: Entities) -> Elements:
    """When, where and who; of a bare title from the title."""
    return find_elements(title, body, base, found) if body else find_elements("", title, base)


def stored_reading(row: Row) -> ReportReading:
    """The comparable report from a readings row."""
    return ReportReading.unpack(zlib.decompress(row["report"]))


def _place_codes(page: StoredPage, names: tuple[Name, ...]) -> dict[int, tuple[str]]:
    """The code of each place's division by where it begins, "" if it is none; places around it, the topic and the site decide
    between divisions of one name."""
    places = [each for each in names if each.kind == "place"]
    divisions = {
        each.start: find_division(each.text, near_codes(places, each.start, page.text("host"), page.text("topic")))
        for each in places
    }
    return {start: (division.code if division else "",) for start, division in divisions.items()}


def _elements(found: Elements, codes: Mapping[str, str]) -> Mapping[str, Any]:
    return {
        "times": [
            [
                each.text,
                each.sentence,
                each.interval.start.isoformat(),
                each.interval.end.isoformat(),
                each.interval.unit,
            ]
            for each in found.times[:_MAX_ELEMENTS]
            if each.interval
        ],
        "places": [[each.text, each.sentence, codes.get(each.text, "")] for each in found.places[:_MAX_ELEMENTS]],
        "people": [[each.text, each.sentence] for each in found.people[:_MAX_ELEMENTS]],
    }
