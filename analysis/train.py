"""Implements `scrapy analysis train`: read labelled reports, choose event thresholds and cross-validate them."""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from analysis.events import Settings, read_report
from analysis.events.agreement import Agreement
from analysis.events.training import Labelled, Validated, labelled, train, validate
from analysis.events.weights import write_weights
from pipelines.stores.base import StoreError

_MIN_EVENTS = 10
"""Minimum number of events with two or more reports."""
_MAX_ROWS = 100_000
_FORMAT = '{"id": "1", "date": "2026-05-10T08:00:00+08:00", "title": "…", "text": "…", "event": "quake", "story": "", "site": ""}'


def train_from(source: Path, target: Path, folds: int, say: Callable[[str], None]) -> Iterator[str]:
    """Yield lines of results; the weights file is written at the end.

    Raises StoreError for an invalid file, naming the line.
    """
    rows = sorted(_read(source), key=lambda row: (row.reading.days, row.key))
    _check(rows, folds)
    start = Settings()
    found = validate(rows, start, folds, say)
    yield f"{len(rows):,} reports, {len({row.event for row in rows}):,} events; {folds}-fold cross-validation"
    yield from _table(found, stories=any(row.story for row in rows))
    chosen = train(rows, start, say)
    if found.after.mean <= found.before.mean:
        yield f"These thresholds are not better than the current ones: {target} is not written."
        return
    try:
        write_weights(target, chosen)
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error}") from None
    yield f"Written to {target}. Set EVENTS_WEIGHTS={target}; the next `scrapy analysis run` recomputes all events."


def _check(rows: list[Labelled], folds: int) -> None:
    sizes: dict[str, int] = {}
    for row in rows:
        sizes[row.event] = sizes.get(row.event, 0) + 1
    several = sum(1 for size in sizes.values() if size > 1)
    if several < _MIN_EVENTS:
        raise StoreError(f"{several} events with two or more reports are too few; at least {_MIN_EVENTS} are needed")
    if not 2 <= folds <= several:
        raise StoreError(f"--folds: between 2 and {several}, the number of events with two or more reports")


def _read(source: Path) -> Iterator[Labelled]:
    keys = set[str]()
    try:
        with source.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    row = _row(line, number)
                    if row.key in keys:
                        raise StoreError(f"line {number}: duplicate id {row.key!r}")
                    if len(keys) == _MAX_ROWS:
                        raise StoreError(f"the file has more than {_MAX_ROWS:,} reports")
                    keys.add(row.key)
                    yield row
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{source} cannot be read: {error}") from None


def _row(line: str, number: int) -> Labelled:
    try:
        row: Any = json.loads(line)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, Mapping):
        raise StoreError(f"line {number} is not a JSON object; each line is a report: {_FORMAT}")
    texts = {name: str(row.get(name) or "") for name in ("id", "date", "title", "text", "event", "story", "site")}
    for name in ("id", "date", "title", "event"):
        if not texts[name].strip():
            raise StoreError(f"line {number} has no {name}; each line is a report: {_FORMAT}")
    report = read_report(texts["id"], _time(texts["date"], number), texts["title"], texts["text"], site=texts["site"])
    return labelled(report, texts["event"], texts["story"])


def _time(text: str, number: int) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
        return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
    except (ValueError, OverflowError):
        raise StoreError(
            f"line {number}: {text!r} is not a date; write 2026-05-10 or 2026-05-10T08:30:00+08:00"
        ) from None


def _table(found: Validated, *, stories: bool) -> Iterator[str]:
    yield f"{'':<26}{'B³':>7}{'groups':>8}{'pairs':>8}"
    yield _line("events, current thresholds", found.before)
    yield _line("events, learned thresholds", found.after)
    if stories:
        yield _line("stories, current thresholds", found.story_before)
        yield _line("stories, learned thresholds", found.story_after)


def _line(name: str, score: Agreement) -> str:
    return f"{name:<26}{score.all:>7.3f}{score.groups:>8.3f}{score.pairs:>8.3f}"
