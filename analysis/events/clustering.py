"""Incremental clustering of reports into events and stories.

A report joins the event of the most alike report within the window, if that is alike enough, and begins an event otherwise;
an event joins a story likewise. Alike reports are found by an inverted index of terms with the newest reports of each.

Decisions depend only on the reports of the window, in order, so a process that restores these with their decisions (`restore`)
continues exactly like the one that made them.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.events.rarity import TermCounts
from analysis.events.reading import ReportReading, reading_of
from analysis.events.report import EventReport
from analysis.events.similarity import OTHER_DAYS, OTHER_MAGNITUDE, OTHER_REGIONS, OTHER_TITLES, TWO_CONFLICTS
from analysis.events.window import ReportWindow, Vector

Values = NDArray[np.float64]
_TITLE_COUNT_EXPONENT = 0.2
"""How much more alike a title must be to more titles of a story: the power of their number by which the sum is divided."""


@dataclass(frozen=True, slots=True)
class EventLimits:
    """Likeness thresholds for joining an event or a story.

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

    title: EventLimits = EventLimits(0.39, 0.18)
    chinese: EventLimits = EventLimits(0.13, 0.1)
    general: EventLimits = EventLimits(0.6, 0.6)
    """For Chinese texts whose beginning names no region, day or magnitude: not reports of an event, so only copies are grouped."""
    letters: EventLimits = EventLimits(0.125, 0.1, 0.3, 0.0)
    other_regions_in_letters: float = 0.65
    """The share of the likeness that texts in letters keep that name no country in common. Places in Chinese are less sure."""
    copy_of_site: float = 0.95
    """Two pages of one site that reports no happenings (Counts.reports_happenings) are one event from this likeness on, a page of
    such a site and one of another site from the general limit on."""
    window_days: int = 60
    """An event without reports for this long gets no more reports."""
    postings: int = 32
    """Number of newest reports per term that are candidates."""
    counted: int = 20_000
    """Rarity is counted over the reports of the window at least, and over older ones up to this number."""
    candidates: int = 60
    """Number of most similar candidates that are compared in full."""


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
        self._next = 0

    def __len__(self) -> int:
        """The reports a new one is compared with."""
        return len(self._window)

    def add(self, report: EventReport) -> Placing:
        """Decide on the next report."""
        return self.place(report.key, reading_of(report))[0]

    def place(self, key: str, reading: ReportReading) -> tuple[Placing, Vector]:
        """Decide on the next report; also returns what `restore` needs."""
        self._forget_before(reading.days - self.settings.window_days)
        self._counts.add(reading)
        vector = self._counts.vector(reading)
        near = self._near(reading, vector)
        event, likeness = self._best(reading, near)
        limits = self._limits(reading)
        if event < 0 or likeness < limits.event:
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

    def count(self, reading: ReportReading) -> None:
        """Add a report too old to be compared: only its terms are counted."""
        self._counts.add(reading)

    def _begin(self, key: str, story: str) -> int:
        number = self._next
        self._next += 1
        self._keys[number], self._numbers[key] = (key, story), number
        self._sizes[number] = 0
        return number

    def _remember(self, reading: ReportReading, vector: Vector, event: int) -> None:
        self._sizes[event] += 1
        self._window.add(reading, vector, event)

    def _limits(self, reading: ReportReading) -> EventLimits:
        if reading.short:
            return self.settings.title
        if not reading.chinese:
            return self.settings.letters
        return self.settings.chinese if reading.tells_happening else self.settings.general

    def _forget_before(self, days: float) -> None:
        """Free reports too old to be compared, and events without other reports."""
        for event in self._window.forget_before(days):
            self._sizes[event] -= 1
            if not self._sizes[event]:
                del self._numbers[self._keys.pop(event)[0]], self._sizes[event]

    def _near(self, reading: ReportReading, vector: Vector) -> _Near:
        """Reports that share rare terms, and how alike they are."""
        limits, window = self._limits(reading), self._window
        numbers = window.candidates(vector, self.settings.candidates)
        rows = window.rows(numbers)
        if not len(numbers):
            return _Near(rows, np.zeros(0), np.zeros(0))
        gap = np.maximum(0.0, reading.days - window.days[rows]) / self.settings.window_days
        factor = (1.0 - limits.fading * gap) * self._of_sites(reading, rows) * self._conflicts(reading, rows)
        words, paired, pairs = window.cosines(vector, numbers)
        both_short = paired & reading.short
        alike = np.where(both_short, (words + pairs) / 2, words)
        return _Near(rows, alike * factor, np.where(both_short, pairs, words) * factor)

    def _best(self, reading: ReportReading, near: _Near) -> tuple[int, float]:
        """The most alike event, by its most alike report and by the mean of its reports that were compared; −1 without any."""
        limits, window, rows = self._limits(reading), self._window, near.rows
        if not len(rows):
            return -1, 0.0
        events, places = np.unique(window.events[rows], return_inverse=True)
        most = np.zeros(len(events))
        np.maximum.at(most, places, near.alike)
        mean = np.bincount(places, weights=near.alike) / np.bincount(places)
        mixed = (1 - limits.mean_share) * most + limits.mean_share * mean
        regions = np.zeros(len(events), np.uint64)
        np.bitwise_or.at(regions, places, window.regions[rows])
        in_letters = not reading.chinese and not reading.short
        kept = self.settings.other_regions_in_letters if in_letters else OTHER_REGIONS
        mixed *= np.where(_apart(regions, reading.regions), kept, 1.0)
        # of equals the one whose key is first: numbers of events differ after `restore`
        best = min(np.flatnonzero(mixed == mixed.max()).tolist(), key=lambda place: self._keys[int(events[place])])
        return (int(events[best]), float(mixed[best])) if mixed[best] > 0 else (-1, 0.0)

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
        needed = np.where(same, self.settings.copy_of_site, max(limit, self.settings.general.event))
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
        factor = np.where(days, OTHER_DAYS, 1.0) * np.where(magnitudes, OTHER_MAGNITUDE, 1.0)
        several = days.astype(int) + magnitudes + regions >= 2
        factor *= np.where(_other_titles(window.titles[rows], reading.title), OTHER_TITLES, 1.0)
        found: Values = factor * np.where(several, TWO_CONFLICTS, 1.0)
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
