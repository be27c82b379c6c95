"""Incremental clustering of reports into events and stories.

A report joins the event that it is most like within the window, if that is like enough, and begins an event otherwise; an event joins
a story likewise. How like an event a report is follows from the most alike report of the event and from the mean of its newest reports
(average link), so that events of one subject do not chain. Alike reports are found by an inverted index of terms with the newest reports
of each.

Decisions depend only on the reports of the window, in order, so a process that restores these with their decisions (`restore`)
continues exactly like the one that made them.
"""

from collections import Counter, defaultdict, deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.events.rarity import TermCounts
from analysis.events.reading import ReportReading, reading_of
from analysis.events.report import EventReport
from analysis.events.window import ReportWindow, Vector

Values = NDArray[np.float64]
_FADING = 0.5
"""The share of their likeness that reports of one affair lose which are a whole window apart."""
_COPY = 0.8
"""Reports as alike as this are copies: they report one happening however late the copy is."""
_OTHER_DAYS = 0.7
_OTHER_MAGNITUDE = 0.6
_OTHER_TITLES = 0.8
"""Of Chinese texts whose titles have no two neighbouring characters in common."""
_TWO_CONFLICTS = 0.3
"""Of days, magnitudes and regions."""
_TITLE_COUNT_EXPONENT = 0.2
"""How much more alike a title must be to more titles of a story: the power of their number by which the sum is divided."""


@dataclass(frozen=True, slots=True)
class EventLimits:
    """Likeness thresholds for joining an event or a story.

    mean_share: how much the mean over an event's newest reports counts beside the likeness of the most alike one.
    days: reports that are this many days apart do not report one happening; nearer ones lose in proportion.
    """

    event: float
    story: float
    mean_share: float = 0.3
    days: float = 8.0


@dataclass(frozen=True, slots=True)
class Settings:
    """Limits for bare titles and for texts, in Chinese and in letters, and bounds of the search for alike reports."""

    title: EventLimits = EventLimits(0.28, 0.17, mean_share=0.45, days=14.0)
    chinese: EventLimits = EventLimits(0.1, 0.1)
    title_in_letters: EventLimits = EventLimits(0.18, 0.18)
    letters: EventLimits = EventLimits(0.11, 0.09, days=1_000.0)
    contained: float = 0.35
    """How much the share of the shorter one of two Chinese titles that the other one has counts beside their cosine."""
    other_regions: float = 0.65
    """The share of the likeness to an event that a report keeps which names no region in common with it."""
    copy_of_site: float = 0.95
    copy_of_other_site: float = 0.6
    """Two pages of one site that reports no happenings (Counts.reports_happenings) are one event from the first likeness on, a page of
    such a site and one of another site from the second on."""
    window_days: int = 60
    """An event without reports for this long gets no more reports."""
    postings: int = 16
    """Number of newest reports per term that are candidates."""
    counted: int = 20_000
    """Rarity is counted over the reports of the window at least, and over older ones up to this number."""
    candidates: int = 24
    """Number of most similar candidates that are compared in full."""
    events: int = 3
    """Number of events, those of the most alike candidates, of which the mean is taken."""
    members: int = 24
    """Number of an event's newest reports that its mean is taken of."""


@dataclass(frozen=True, slots=True)
class Placing:
    """The placement of a report: the keys of the first reports of its event and of its story."""

    event: str
    story: str
    likeness: float


@dataclass(frozen=True, slots=True)
class _Near:
    """Reports as rows of the window, how much each is about one happening, and how much about one affair."""

    rows: NDArray[np.int64]
    alike: Values
    of_story: Values


class Clusters:
    """Events of a stream of reports in time order."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self._counts = TermCounts(self.settings.window_days, self.settings.counted)
        self._window = ReportWindow(self.settings.postings)
        self._keys: dict[int, tuple[str, str]] = {}
        self._numbers: dict[str, int] = {}
        self._sizes: dict[int, int] = {}
        self._newest: dict[int, deque[int]] = {}
        self._next = 0

    def __len__(self) -> int:
        """The reports a new one is compared with."""
        return len(self._window)

    def add(self, report: EventReport) -> Placing:
        """Decide on the next report."""
        return self.place(report.key, reading_of(report))[0]

    def place(self, key: str, reading: ReportReading, factor: float = 1.0) -> tuple[Placing, Vector]:
        """Decide on the next report, with its limit for an event times a factor; also returns what `restore` needs."""
        self._forget_before(reading.days - self.settings.window_days)
        self._counts.add(reading)
        vector = self._counts.vector(reading)
        near = self._near(reading, vector)
        event, likeness = self._best(reading, vector, near)
        limits = self._limits(reading)
        if event < 0 or likeness < limits.event * factor:
            story, likeness_of_story = self._story(reading, near, event, likeness)
            event = self._begin(key, story if likeness_of_story >= limits.story else key)
        self._remember(reading, vector, event)
        return Placing(*self._keys[event], likeness), vector

    def restore(self, reading: ReportReading, vector: Vector, event: str, story: str) -> None:
        """Add the next report with its earlier decision."""
        self._forget_before(reading.days - self.settings.window_days)
        self._counts.add(reading)
        number = self._numbers.get(event, -1)
        self._remember(reading, vector, number if number >= 0 else self._begin(event, story))

    def nearness(self, reading: ReportReading, vector: Vector) -> float:
        """How like the most alike event a report is, divided by the limit of its kind."""
        return self._best(reading, vector, self._near(reading, vector))[1] / self._limits(reading).event

    def count(self, reading: ReportReading) -> None:
        """Add a report too old to be compared: only its terms are counted."""
        self._counts.add(reading)

    def _begin(self, key: str, story: str) -> int:
        number = self._next
        self._next += 1
        self._keys[number], self._numbers[key] = (key, story), number
        self._sizes[number] = 0
        self._newest[number] = deque(maxlen=self.settings.members)
        return number

    def _remember(self, reading: ReportReading, vector: Vector, event: int) -> None:
        self._sizes[event] += 1
        self._newest[event].append(self._window.end)
        self._window.add(reading, vector, event)

    def _limits(self, reading: ReportReading) -> EventLimits:
        if reading.chinese:
            return self.settings.title if reading.short else self.settings.chinese
        return self.settings.title_in_letters if reading.short else self.settings.letters

    def _forget_before(self, days: float) -> None:
        """Free reports too old to be compared, and events without other reports."""
        for event in self._window.forget_before(days):
            self._sizes[event] -= 1
            if not self._sizes[event]:
                del self._numbers[self._keys.pop(event)[0]], self._sizes[event], self._newest[event]

    def _near(self, reading: ReportReading, vector: Vector) -> _Near:
        """Reports that share rare terms, and how alike they are."""
        return self._compared(reading, vector, self._window.candidates(vector, self.settings.candidates))

    def _compared(self, reading: ReportReading, vector: Vector, numbers: NDArray[np.int64]) -> _Near:
        limits, window = self._limits(reading), self._window
        rows = window.rows(numbers)
        if not len(numbers):
            return _Near(rows, np.zeros(0), np.zeros(0))
        gap = np.maximum(0.0, reading.days - window.days[rows])
        factor = self._of_sites(reading, rows) * self._conflicts(reading, rows)
        found = window.likeness(vector, numbers, self.settings.contained if reading.short and reading.chinese else 0.0)
        both_short = found.paired & reading.short
        alike = np.where(both_short, found.both, found.words)
        of_story = np.where(both_short, found.pairs, found.words) * (1.0 - _FADING * gap / self.settings.window_days)
        near = np.where(alike >= _COPY, 1.0, np.maximum(0.0, 1.0 - gap / limits.days))
        return _Near(rows, alike * near * factor, of_story * factor)

    def _best(self, reading: ReportReading, vector: Vector, near: _Near) -> tuple[int, float]:
        """The event that the report is most like; −1 without any."""
        if not near.alike.any():
            return -1, 0.0
        events, places = np.unique(self._window.events[near.rows], return_inverse=True)
        most = np.zeros(len(events))
        np.maximum.at(most, places, near.alike)
        # of equals the one whose key is first: numbers of events differ after `restore`
        order = sorted(range(len(events)), key=lambda place: (-most[place], self._keys[int(events[place])]))
        kept = order[: self.settings.events]
        found = [(self._of_event(reading, vector, int(events[place]), float(most[place])), place) for place in kept]
        likeness, best = max(found, key=lambda each: (each[0], -kept.index(each[1])))
        return int(events[best]), likeness

    def _of_event(self, reading: ReportReading, vector: Vector, event: int, most: float) -> float:
        """How like an event a report is, given its likeness to the most alike candidate of it."""
        numbers = np.array([number for number in self._newest[event] if number >= self._window.first], np.int64)
        share = self._limits(reading).mean_share
        mean = float(self._compared(reading, vector, numbers).alike.mean()) if share else 0.0
        regions = np.bitwise_or.reduce(self._window.regions[self._window.rows(numbers)])
        other = self.settings.other_regions if _apart(regions, reading.regions) else 1.0
        return ((1 - share) * most + share * mean) * other

    def _story(self, reading: ReportReading, near: _Near, event: int, likeness: float) -> tuple[str, float]:
        """The most alike story, "" without any: of a text that of the most alike event; a bare title is compared with all titles of a
        story together, since titles of one affair share few characters with each other, and many with all of them."""
        if event < 0:
            return "", 0.0
        if not reading.short:
            return self._keys[event][1], likeness
        sums, counts = defaultdict[str, float](float), Counter[str]()
        for number, alike in zip(self._window.events[near.rows].tolist(), near.of_story.tolist(), strict=True):
            story = self._keys[number][1]
            sums[story] += alike
            counts[story] += 1
        found = {story: total / counts[story] ** _TITLE_COUNT_EXPONENT for story, total in sums.items()}
        best = min(found, key=lambda story: (-found[story], story))
        return best, found[best]

    def _of_sites(self, reading: ReportReading, rows: NDArray[np.int64]) -> Values:
        """A factor for sites that publish lessons and notes, which share words but report no events."""
        sites, limit = self._window.sites[rows], self._limits(reading).event
        known = {site: self._counts.reports_happenings(site) for site in {*sites.tolist(), reading.site}}
        news = np.array([known[site] and known[reading.site] for site in sites.tolist()], dtype=bool)
        same = (sites == reading.site) & (reading.site != 0)
        needed = np.where(same, self.settings.copy_of_site, max(limit, self.settings.copy_of_other_site))
        found: Values = np.where(news, 1.0, limit / needed)
        return found

    def _conflicts(self, reading: ReportReading, rows: NDArray[np.int64]) -> Values:
        window = self._window
        named, magnitude, region = window.named[rows], window.magnitudes[rows], window.regions[rows]
        days = np.zeros(len(rows), dtype=bool)
        if reading.named:
            apart = np.abs(named[:, :, None] - np.array(reading.named)[None, None, :])
            apart[named < 0] = 1 << 30
            days = (named >= 0).any(1) & (apart.min(axis=(1, 2)) >= 2)
        magnitudes, regions = _apart(magnitude, reading.magnitudes), _apart(region, reading.regions)
        factor = np.where(days, _OTHER_DAYS, 1.0) * np.where(magnitudes, _OTHER_MAGNITUDE, 1.0)
        several = days.astype(int) + magnitudes + regions >= 2
        factor *= np.where(_other_titles(window.titles[rows], reading.title), _OTHER_TITLES, 1.0)
        found: Values = factor * np.where(several, _TWO_CONFLICTS, 1.0)
        return found


def _apart(sets: NDArray[np.uint64], other: int) -> NDArray[np.bool_]:
    """Whether a set of bits and the other one have members, but none in common."""
    apart: NDArray[np.bool_] = (sets != 0) & (other != 0) & ((sets & np.uint64(other)) == 0)
    return apart


def _other_titles(titles: NDArray[np.uint16], title: tuple[int, ...]) -> NDArray[np.bool_]:
    """Mask of known titles that share nothing with this one."""
    if not title:
        return np.zeros(len(titles), dtype=bool)
    shared = (titles[:, :, None] == np.array(title, np.uint16)).any(axis=(1, 2))
    found: NDArray[np.bool_] = (titles[:, 0] != 0) & ~shared
    return found
