"""Streams of reports with labelled events: the sets of the analysis, and streams of one topic, labelled in event_streams.yaml."""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import md5
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray

from analysis.events import EventReport, read_report

LABELS = Path(__file__).with_suffix(".yaml")
_SETS = ("analysis", "analysis-b")
_NAMES = ("cec", "hotlist", "en")
_ANY_DAY = "2012-01-12"


@dataclass(frozen=True, slots=True)
class Stream:
    """Reports in the order of time, and the label of each one's event; those before `begin` are read and not measured."""

    name: str
    reports: list[EventReport]
    events: list[str]
    begin: int = 0

    @property
    def measured(self) -> list[str]:
        """The labels of what is measured."""
        return self.events[self.begin :]

    def second_half(self, *, warm: bool) -> "Stream":
        """Its second half alone, or measured after the first one."""
        half = len(self.reports) // 2
        if warm:
            return replace(self, begin=half)
        return Stream(self.name, self.reports[half:], self.events[half:])

    def days(self) -> NDArray[np.float64]:
        """Days of the reports, since the first."""
        return np.array([(report.time - self.reports[0].time).total_seconds() / 86_400 for report in self.reports])


def streams(data: Path) -> Iterator[Stream]:
    """All streams of a folder of sets."""
    for folder in _SETS:
        for name in _NAMES:
            rows = sorted(_rows(data / folder / f"stream_{name}.jsonl.gz"), key=lambda row: row["date"])
            yield _stream(f"{name}{folder.removeprefix('analysis')}", rows, [str(row["event"]) for row in rows])
    for name, labelled in yaml.safe_load(LABELS.read_text()).items():
        rows = sorted(_of_topic(data / f"{labelled['set']}.jsonl.gz", labelled), key=_order)
        key, groups = labelled.get("key", "id"), enumerate(labelled["groups"])
        group = {each: f"group {n}" for n, keys in groups for each in keys.split()}
        yield _stream(name, rows, [group.get(str(row[key]), f"alone {row['line']}") for row in rows])


def _rows(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) | {"line": n} for n, line in enumerate(lines)]


def _of_topic(path: Path, labelled: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The rows whose title has one of the words and whose day is of the span; all where nothing is said."""
    words, days = labelled.get("words", [""]), [str(day) for day in labelled.get("days", [])]
    for row in _rows(path):
        title, day = row.get("title") or "", row.get("date") or ""
        of_topic = any(word in title for word in words) and row.get("id") not in labelled.get("without", ())
        if of_topic and (not days or days[0] <= day <= days[1]):
            yield row | {"title": title.rsplit(" - ", 1)[0] if days else title, "date": day[:10] or _ANY_DAY}


def _order(row: dict[str, Any]) -> tuple[str, str]:
    """By day; within a day in an order that says nothing."""
    return row["date"], md5(str(row["line"]).encode()).hexdigest()


def _stream(name: str, rows: list[dict[str, Any]], events: list[str]) -> Stream:
    reports = [
        read_report(
            str(n),
            datetime.fromisoformat(row["date"]).replace(tzinfo=None),
            row.get("title") or "",
            row.get("text") or "",
        )
        for n, row in enumerate(rows)
    ]
    return Stream(name, reports, events)


def likeness(stream: Stream) -> NDArray[np.float64]:
    """Cosines of TF-IDF of words, rarity counted over the whole stream (which no online method can know)."""
    found = Counter(term for report in stream.reports for term in report.terms)
    number = {term: place for place, term in enumerate(found)}
    weights = np.zeros((len(stream.reports), len(number)))
    for row, report in zip(weights, stream.reports, strict=True):
        for term, count in report.terms.items():
            row[number[term]] = count * np.log(len(stream.reports) / found[term])
    weights /= np.linalg.norm(weights, axis=1, keepdims=True) + 1e-12
    cosines: NDArray[np.float64] = weights @ weights.T
    return cosines
