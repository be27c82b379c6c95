"""A page's records as lines for people: who, when, which numbers, then the title or the text."""

from collections.abc import Iterator
from textwrap import wrap

from extractors.page import Page
from extractors.records import Record

_WIDTH = 100
_MOST_LINES = 12
"""Of one record's text; the rest is told by --json."""


def record_lines(page: Page) -> Iterator[str]:
    """The kind of page and its next page, then each record; records inside others stand further right."""
    found = page.records
    if not found.records:
        yield "(no records were found)"
        return
    yield f"{found.kind}: {len(found.records)} records, confidence {found.confidence:.2f}"
    if found.first_page:
        yield f"continues: {found.first_page}"
    if found.next_page:
        yield f"next page: {found.next_page}"
    levels: list[int] = []
    for number, record in enumerate(found.records):
        levels.append(levels[record.parent] + 1 if 0 <= record.parent < number else 0)
        yield ""
        yield from ("    " * min(levels[-1], 8) + line for line in _lines(number, record))


def _lines(number: int, record: Record) -> Iterator[str]:
    counts = (("replies", record.replies), ("views", record.views), ("likes", record.likes), ("floor", record.floor))
    time = record.time if record.time in ("", record.time_text) else f"{record.time} ({record.time_text})"
    last = [f"last answered {record.last_time or record.last_time_text}"] if record.last_time_text else []
    told = [record.author, time or record.time_text, *last, *(f"{name} {value}" for name, value in counts if value)]
    yield f"[{number + 1}] " + " · ".join(each for each in told if each)
    if record.title or record.url:
        yield f"    {record.title}  {record.url}".rstrip()
    if record.quote:
        yield from (f"    > {line}" for line in _shortened(record.quote))
    if record.own_text:
        yield from (f"    {line}" for line in _shortened(record.own_text))


def _shortened(text: str) -> list[str]:
    lines = [part for line in text.split("\n") for part in wrap(line, _WIDTH)]
    return lines if len(lines) <= _MOST_LINES else [*lines[: _MOST_LINES - 1], "…"]
