"""Reports, as they come in, to events and stories.

A report joins the event of the most alike report within the window, if that is alike enough, and begins an event otherwise;
an event joins a story likewise. Alike reports are found by an inverted index of terms with the newest reports of each.
"""

from collections import defaultdict, deque
from dataclasses import dataclass
from datetime import datetime, timedelta

from analysis.events.frequencies import Frequencies
from analysis.events.report import Report
from analysis.events.similarity import Vector, likeness_of, region_conflict, vector


@dataclass(frozen=True, slots=True)
class Limits:
    """The likeness from which a report joins an event, or else a story, and how much the mean over an event's reports counts
    beside that of the most alike one."""

    event: float
    story: float
    mean_share: float = 0.0


@dataclass(frozen=True, slots=True)
class Settings:
    """Limits for bare titles, for Chinese texts and for texts in letters, and bounds of the search for alike reports."""

    title: Limits = Limits(0.39, 0.17)
    chinese: Limits = Limits(0.128, 0.1)
    letters: Limits = Limits(0.145, 0.1, 0.3)
    window_days: int = 30
    """An event that nobody reported for so long gets no more reports."""
    terms: int = 80
    """That many rarest terms of a report find candidates."""
    postings: int = 200
    """That many newest reports with a term are candidates."""
    candidates: int = 60
    """That many most alike candidates are compared in full."""


@dataclass(frozen=True, slots=True)
class Placing:
    """Where a report was put: the keys of the first report of its event, and of the first one of its story."""

    event: str
    story: str
    likeness: float


@dataclass(slots=True)
class _Event:
    key: str
    story: str
    last: datetime
    regions: frozenset[str]


class Clusters:
    """The events of a stream of reports, given in the order of their time."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self._frequencies = Frequencies()
        self._reports: list[tuple[Report, Vector, _Event]] = []
        self._postings: defaultdict[str, deque[tuple[int, float]]] = defaultdict(self._posting)

    def _posting(self) -> deque[tuple[int, float]]:
        return deque(maxlen=self.settings.postings)

    def add(self, report: Report) -> Placing:
        """Decide on the next report."""
        self._frequencies.add((*report.terms, *report.pairs))
        weighted = vector(report, self._frequencies)
        event, likeness = self._best(report, weighted)
        limits = self._limits(report)
        if event is None or likeness < limits.event:
            story = event.story if event and likeness >= limits.story else report.key
            event = _Event(report.key, story, report.time, report.regions)
        event.last = max(event.last, report.time)
        event.regions |= report.regions
        self._remember(report, weighted, event)
        return Placing(event.key, event.story, likeness)

    def _limits(self, report: Report) -> Limits:
        if report.short:
            return self.settings.title
        return self.settings.chinese if report.chinese else self.settings.letters

    def _rarest(self, weighted: Vector) -> list[tuple[str, float]]:
        terms = (*weighted.terms.items(), *weighted.pairs.items())
        return sorted(terms, key=lambda entry: -entry[1])[: self.settings.terms]

    def _remember(self, report: Report, weighted: Vector, event: _Event) -> None:
        number = len(self._reports)
        self._reports.append((report, weighted, event))
        for term, value in self._rarest(weighted):
            self._postings[term].append((number, value))

    def _candidates(self, weighted: Vector) -> list[int]:
        """Numbers of reports that share rare terms, the most alike first."""
        found: defaultdict[int, float] = defaultdict(float)
        for term, value in self._rarest(weighted):
            for number, other in self._postings.get(term, ()):
                found[number] += value * other
        return sorted(found, key=lambda number: -found[number])[: self.settings.candidates]

    def _best(self, report: Report, weighted: Vector) -> tuple[_Event | None, float]:
        """The most alike event, by its most alike report and by the mean of its reports that were compared."""
        found: defaultdict[int, list[float]] = defaultdict(list)
        events: dict[int, _Event] = {}
        window = timedelta(days=self.settings.window_days)
        for number in self._candidates(weighted):
            other, terms, event = self._reports[number]
            if report.time - event.last <= window:
                events[id(event)] = event
                found[id(event)].append(likeness_of(report, other, weighted, terms))
        share = self._limits(report).mean_share
        best, most = None, 0.0
        for place, likenesses in found.items():
            mixed = (1 - share) * max(likenesses) + share * sum(likenesses) / len(likenesses)
            mixed *= region_conflict(report.regions, events[place].regions)
            if mixed > most:
                best, most = events[place], mixed
        return best, most
