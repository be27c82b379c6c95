"""Choose event thresholds from labelled reports, and cross-validate them."""

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analysis.events.agreement import Agreement, agreement
from analysis.events.clustering import Clusters, EventLimits, Settings
from analysis.events.reading import ReportReading, reading_of
from analysis.events.report import EventReport
from analysis.events.weights import KINDS

_MIN_REPORTS = 10
"""Reports of a kind from which limits of this kind are chosen."""
_EVENT, _NEAR = (0.4, 0.5, 0.6, 0.75, 0.9, 1.1, 1.3, 1.6, 2.0), (0.85, 0.92, 0.96, 1.04, 1.08)
"""Limits that are tried, by the one in use: far ones first, then those near the best."""
_SHARES = (0.0, 0.3, 0.6)
_DAYS = (5.0, 10.0, 20.0, 1_000.0)
_STORY = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A report, as it is compared, with the event and the story that a person put it in; no story: ""."""

    key: str
    reading: ReportReading
    event: str
    story: str

    @property
    def kind(self) -> str:
        """The kind whose thresholds apply."""
        if self.reading.chinese:
            return "title" if self.reading.short else "chinese"
        return "title_in_letters" if self.reading.short else "letters"


@dataclass(frozen=True, slots=True)
class Validated:
    """Events and stories of parts that nothing was chosen on: with the limits in use, and with those of the other parts."""

    before: Agreement
    after: Agreement
    story_before: Agreement
    story_after: Agreement


def labelled(report: EventReport, event: str, story: str = "") -> Labelled:
    """A report with its labels."""
    return Labelled(report.key, reading_of(report), event, story)


def train(rows: Sequence[Labelled], start: Settings, say: Callable[[str], None] = lambda text: None) -> Settings:
    """The thresholds that group these reports best, by coordinate search; reports are in time order."""
    settings = start
    for kind in KINDS:
        if sum(1 for row in rows if row.kind == kind) >= _MIN_REPORTS:
            settings = _trained(rows, settings, kind)
            say(f"{kind}: {getattr(settings, kind)}")
    return settings


def validate(rows: Sequence[Labelled], start: Settings, folds: int, say: Callable[[str], None]) -> Validated:
    """Cross-validate; reports of one story (or event) stay in one fold."""
    parts = [[row for row in rows if _part(row, folds) == fold] for fold in range(folds)]
    found: dict[str, tuple[list[str], list[str]]] = {
        name: ([], []) for name in ("before", "after", "stories before", "stories after")
    }
    for fold, part in enumerate(parts):
        others = [row for row in rows if _part(row, folds) != fold]
        chosen = train(others, start)
        for name, settings in (("before", start), ("after", chosen)):
            for prefix, groups, labels in _grouped(part, settings):
                wanted, made = found[f"{prefix}{name}"]
                wanted += labels
                made += [f"{fold} {group}" for group in groups]
        say(f"part {fold + 1} of {folds} done")
    scores = {name: agreement(*entries) for name, entries in found.items()}
    return Validated(scores["before"], scores["after"], scores["stories before"], scores["stories after"])


def _part(row: Labelled, folds: int) -> int:
    return zlib.crc32((row.story or row.event).encode("utf-8", "replace")) % folds


def _grouped(rows: Sequence[Labelled], settings: Settings) -> Iterator[tuple[str, list[str], list[str]]]:
    placings = _placed(rows, settings)
    yield "", [event for event, _ in placings], [row.event for row in rows]
    with_story = [(place, row.story) for place, row in enumerate(rows) if row.story]
    yield "stories ", [placings[place][1] for place, _ in with_story], [story for _, story in with_story]


def _placed(rows: Sequence[Labelled], settings: Settings) -> list[tuple[str, str]]:
    clusters = Clusters(settings)
    placings = [clusters.place(row.key, row.reading)[0] for row in rows]
    return [(placing.event, placing.story) for placing in placings]


def _score(rows: Sequence[Labelled], settings: Settings, *, stories: bool = False) -> float:
    placings = _placed(rows, settings)
    if stories:
        with_story = [(row.story, story) for row, (_, story) in zip(rows, placings, strict=True) if row.story]
        return agreement([label for label, _ in with_story], [story for _, story in with_story]).mean
    return agreement([row.event for row in rows], [event for event, _ in placings]).mean


def _trained(rows: Sequence[Labelled], settings: Settings, kind: str) -> Settings:
    known: dict[tuple[Settings, bool], float] = {}

    def best(tried: Sequence[EventLimits], current: Settings, *, stories: bool = False) -> Settings:
        """The best; the current one if none is better."""
        every = [current, *(_with(current, kind, limits) for limits in tried)]
        for each in every:
            if (each, stories) not in known:
                known[each, stories] = _score(rows, each, stories=stories)
        return max(every, key=lambda each: known[each, stories])

    settings = best([_with_event(getattr(settings, kind), factor) for factor in _EVENT], settings)
    settings = best([replace(getattr(settings, kind), mean_share=share) for share in _SHARES], settings)
    settings = best([replace(getattr(settings, kind), days=days) for days in _DAYS], settings)
    settings = best([_with_event(getattr(settings, kind), factor) for factor in _NEAR], settings)
    if any(row.story for row in rows):
        limits = getattr(settings, kind)
        settings = best(
            [replace(limits, story=round(limits.event * share, 4)) for share in _STORY], settings, stories=True
        )
    return settings


def _with(settings: Settings, kind: str, limits: EventLimits) -> Settings:
    changed: dict[str, Any] = {kind: limits}
    return replace(settings, **changed)


def _with_event(limits: EventLimits, factor: float) -> EventLimits:
    """The story's limit keeps its distance."""
    event = min(1.0, limits.event * factor)
    return replace(limits, event=round(event, 4), story=round(min(event, limits.story * factor), 4))
