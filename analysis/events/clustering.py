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
    """The likeness from which a report joins an event, or else a story.

    mean_share: how much the mean over an event's reports counts beside the likeness of the most alike one.
    fading: the share of the likeness that reports lose which are a whole window apart.
    """

    event: float
    story: float
    mean_share: float = 0.0
    fading: float = 0.5


@dataclass(frozen=True, slots=True)
class Settings:
    """Limits for bare titles, for Chinese texts and for texts in letters, and bounds of the search for alike reports."""

    title: Limits = Limits(0.39, 0.17)
    chinese: Limits = Limits(0.125, 0.1)
    letters: Limits = Limits(0.145, 0.1, 0.3, 0.0)
    window_days: int = 60
    """An event that nobody reported for so long gets no more reports."""
    terms: int = 40
    """That many rarest terms of a report find candidates."""
    postings: int = 100
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
    regions: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Placed:
    report: Report
    vector: Vector
    event: _Event


class Clusters:
    """The events of a stream of reports, given in the order of their time."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self._frequencies = Frequencies()
        self._count = 0
        self._reports: dict[int, _Placed] = {}
        self._postings: defaultdict[str, deque[tuple[int, float]]] = defaultdict(self._posting)

    def __len__(self) -> int:
        """The reports that a new one is compared with."""
        return len(self._reports)

    def _posting(self) -> deque[tuple[int, float]]:
        return deque(maxlen=self.settings.postings)

    def add(self, report: Report) -> Placing:
        """Decide on the next report."""
        self._forget_before(report.time - timedelta(days=self.settings.window_days))
        self._frequencies.add((*report.terms, *report.pairs))
        weighted = vector(report, self._frequencies)
        event, likeness = self._best(report, weighted)
        limits = self._limits(report)
        if event is None or likeness < limits.event:
            story = event.story if event and likeness >= limits.story else report.key
            event = _Event(report.key, story, report.regions)
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
        self._reports[self._count] = _Placed(report, weighted, event)
        for term, value in self._rarest(weighted):
            self._postings[term].append((self._count, value))
        self._count += 1

    def _forget_before(self, moment: datetime) -> None:
        """Free what is too old to be compared."""
        while self._reports:
            number, oldest = next(iter(self._reports.items()))
            if oldest.report.time >= moment:
                return
            del self._reports[number]
            for term, _ in self._rarest(oldest.vector):
                postings = self._postings.get(term)
                while postings and postings[0][0] <= number:
                    postings.popleft()
                if not postings:
                    self._postings.pop(term, None)

    def _candidates(self, weighted: Vector) -> list[int]:
        """Numbers of reports that share rare terms, the most alike first."""
        found: defaultdict[int, float] = defaultdict(float)
        for term, value in self._rarest(weighted):
            for number, other in self._postings.get(term, ()):
                found[number] += value * other
        return sorted(found, key=lambda number: -found[number])[: self.settings.candidates]

    def _best(self, report: Report, weighted: Vector) -> tuple[_Event | None, float]:
        """The most alike event, by its most alike report and by the mean of its reports that were compared."""
        limits = self._limits(report)
        found: defaultdict[int, list[float]] = defaultdict(list)
        events: dict[int, _Event] = {}
        for number in self._candidates(weighted):
            other = self._reports[number]
            events[id(other.event)] = other.event
            gap = (report.time - other.report.time).total_seconds() / (86_400 * self.settings.window_days)
            fading = 1.0 - limits.fading * max(0.0, gap)
            found[id(other.event)].append(fading * likeness_of(report, other.report, weighted, other.vector))
        best, most = None, 0.0
        for place, likenesses in found.items():
            mixed = (1 - limits.mean_share) * max(likenesses) + limits.mean_share * sum(likenesses) / len(likenesses)
            mixed *= region_conflict(report.regions, events[place].regions)
            if mixed > most:
                best, most = events[place], mixed
        return best, most
