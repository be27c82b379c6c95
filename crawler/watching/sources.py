"""All sources of a watch, and the values of their next visits."""

from collections.abc import Collection
from dataclasses import replace
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from crawler.links.scope import registered_domain
from crawler.watching.coverage import unseen_moments
from crawler.watching.hosts import Hosts
from crawler.watching.hourly_profile import HourlyProfile
from crawler.watching.shortlist import Shortlist
from crawler.watching.sites import WatchedSite, WatchSource
from crawler.watching.visit_queue import VisitQueue
from crawler.watching.visits import WatchVisit
from extractors.links.urls import host_of

UNSEEN_START, UNSEEN_CANDIDATE, UNSEEN_GUESS = 48 * 3_600.0, 12 * 3_600.0, 3 * 3_600.0
"""Initial unvisited seconds of a new source: most for start pages, less for their links, least for guesses."""
_SOON = 600.0
_AWAY = (3_600.0, 6 * 3_600.0, 24 * 3_600.0)
"""Seconds before retries of a missing source."""
_MARGIN_WEIGHT = 0.02
"""Weight of the last visit in the mean saving of a visit."""

_MIN_START_RATE = 1.0 / 86_400
"""Minimum expected items per second of a start page, which bounds the wait of rarely updated sites."""
_MIN_SHARE_CHANGE = 0.02
_MAX_COMMON = 50
"""New items of one visit that count for the hourly profile of all sites."""
_SLOW_SECONDS = 1_200.0
"""Mean seconds between visits of all lists of a slow site."""


class Sources:
    """The sources of all sites.

    Attributes:
        rows: each source at its row in `queue`. changed: sources to store, by address.
        margin: mean seconds of waiting that a recent visit saved.
    """

    def __init__(self, hosts: Hosts) -> None:
        self._hosts = hosts
        self.queue, self.hourly_profile = VisitQueue(), HourlyProfile()
        self._shortlist = Shortlist(self.queue)
        self.sites: dict[str, WatchedSite] = {}
        self.rows: list[WatchSource] = []
        self.changed: dict[str, WatchSource] = {}
        self.margin = 0.0
        self._asleep: list[tuple[float, int]] = []
        self._hour = -1
        self._slow: frozenset[str] = frozenset()

    def site_of(self, url: str) -> WatchedSite:
        """The site of an address, created on first use."""
        name = registered_domain(host_of(url))
        if name not in self.sites:
            self.sites[name] = WatchedSite(name, HourlyProfile(self.hourly_profile))
        return self.sites[name]

    def find(self, url: str) -> WatchSource | None:
        """The source at this address."""
        site = self.sites.get(registered_domain(host_of(url)))
        return site.sources.get(url) if site else None

    def add(self, site: WatchedSite, url: str, kind: str, now: float, unseen: float, depth: int) -> WatchSource:
        """Add a source to the site, initially unvisited for `unseen` seconds."""
        host = self._hosts.of(host_of(url))
        row = self.queue.add(host.number, now, unseen=unseen)
        source = WatchSource(url, host.name, kind, row, len(site.sources), depth)
        site.sources[url] = source
        site.note_try(url)
        self.rows.append(source)
        self.queue.set_factor(row, site.hourly_profile.factor(now))
        self.changed[url] = source
        return source

    def restore(self, site: WatchedSite, url: str, kind: str, depth: int, visited: float, now: float) -> WatchSource:
        """Restore a source of an earlier run with the time of its last visit."""
        found = site.sources.get(url)
        return found or self.add(site, url, kind, now, max(0.0, now - visited) if visited else UNSEEN_CANDIDATE, depth)

    def move(self, site: WatchedSite, source: WatchSource, url: str, now: float) -> None:
        """Go on with the list at another address, which certainly shows new items; visits under way are void."""
        self.changed[source.url] = replace(source, state="dead", listed=())
        site.sources = {url if each is source else known: each for known, each in site.sources.items()}
        source.url, source.listed, source.failures = url, (), 0
        source.validators.forget()
        self.changed[url] = source
        if source.state != "dropped":
            source.state = "watched" if source.visits else "new"
            self.queue.set_idle(source.row, True)
            self.queue.hurry(source.row, now, UNSEEN_CANDIDATE)

    def refresh(self, site: WatchedSite, source: WatchSource, now: float) -> None:
        """Apply a restored source's rate and importance to the queue."""
        self._set_rate(site, source, now)
        self._weigh(site, source)
        self.queue.set_idle(source.row, source.state in ("new", "watched", "unreadable"))

    def pin(self, source: WatchSource, seconds: float) -> None:
        """Set the maximum seconds between visits; 0 lets the scheduler decide."""
        source.interval = seconds
        self._weigh(self.site_of(source.url), source)
        self.changed[source.url] = source

    def drop(self, source: WatchSource) -> None:
        """Stop visiting the source."""
        source.state = "dropped"
        self.queue.set_idle(source.row, False)
        self.changed[source.url] = source

    def take_up(self, source: WatchSource) -> None:
        """Resume visits of a dropped or dead source."""
        source.state = "watched" if source.visits else "new"
        source.failures = 0
        self.queue.set_idle(source.row, True)
        self.changed[source.url] = source

    def slow_down(self, sites: Collection[str]) -> None:
        """Visit the lists of these sites seldom, except pinned ones, and those of all others as they are worth."""
        if self._slow == sites:
            return
        for name in self._slow.symmetric_difference(sites):
            rows = np.array([source.row for source in self.sites[name].sources.values()], np.intp)
            self.queue.set_gap(rows, _SLOW_SECONDS * len(rows) if name in sites else 0.0)
        self._slow = frozenset(sites)

    def worth(self, name: str) -> float:
        """The mean relevance of a site's pages so far, above 0 and at most 1; pages without a text have none."""
        judged = [(source.judged, source.relevance) for source in self.sites[name].sources.values() if source.judged]
        return sum(weight * found for weight, found in judged) / sum(weight for weight, _ in judged) if judged else 1.0

    def advance(self, now: float) -> None:
        """Update sleeping sources and the hourly profile to this moment."""
        self._wake(now)
        self._apply_hourly_profile(now)

    def next(self, now: float, ready: NDArray[np.bool_], gap: float) -> WatchVisit | None:
        """The visit of an available host that saves most waiting; its source is not idle until it is answered."""
        row, value = self._shortlist.best(now, ready, gap)
        if row < 0:
            return None
        self.queue.set_idle(row, False)
        source = self.rows[row]
        if registered_domain(source.host) not in self._slow:
            self.margin += _MARGIN_WEIGHT * (min(value, 1e5) - self.margin)
        headers = source.validators.headers(now) if source.state == "watched" else {}
        return WatchVisit(source.kind, source.url, source.host, source.url, headers, grows=source.grows)

    def fade(self, source: WatchSource, now: float) -> None:
        """Retry a missing or empty source after an hour, six hours, then daily; one that never was a list is dropped."""
        source.failures += 1
        if source.state == "new" or source.failures > len(_AWAY):
            source.state = "dead"
            return
        self.sleep(source, now + _AWAY[source.failures - 1])

    def misread(self, source: WatchSource, now: float) -> None:
        """Retry a source whose answer is no list after ten minutes, if it was one before, else after an hour, six hours, then daily."""
        source.state = "unreadable"
        waits = (_SOON, *_AWAY) if source.visits else _AWAY
        self.sleep(source, now + waits[min(source.failures, len(waits) - 1)])
        source.failures += 1

    def sleep(self, source: WatchSource, until: float) -> None:
        """Do not visit the source before that moment."""
        heappush(self._asleep, (until, source.row))

    def learn(self, site: WatchedSite, source: WatchSource, before: float, count: int, now: float) -> None:
        """Learn the rate from `count` new items since the previous visit."""
        elapsed = max(1.0, now - before)
        factor = site.hourly_profile.mean(before, now)
        expected = source.rate.mean * elapsed
        source.rate.see(count, elapsed, factor, now)
        if count <= _MAX_COMMON and site.name not in self._slow:
            self.hourly_profile.add(before, now, expected, count)
        site.hourly_profile.add(before, now, expected, count)
        if count:
            source.last_new_at, source.last_new_rate = now, source.rate.mean

    def compare(self, site: WatchedSite, source: WatchSource, keys: tuple[int, ...]) -> None:
        """Compare the newest items of a source with the site's other lists, at its first visit."""
        for other in site.sources.values():
            if other is not source and other.visits:
                site.coverage.compare_first(source.number, list(keys[:3]), other.number, set(other.listed))
                site.coverage.compare_first(other.number, list(other.listed[:3]), source.number, set(keys))

    def relieve(self, site: WatchedSite, source: WatchSource, now: float) -> None:
        """Reset the unseen time of a visited source, and reduce that of others by their overlap."""
        self.queue.see(source.row, now)
        self._set_rate(site, source, now)
        self._weigh(site, source)
        sources = list(site.sources.values())
        rows = np.array([found.row for found in sources])
        visited = self.queue.visits(rows)
        shares = site.coverage.shares(len(sources)) * np.array([found.surely for found in sources])
        np.fill_diagonal(shares, 0.0)
        seconds, moments = unseen_moments(visited, visited - site.coverage.lags(len(sources)), shares, now)
        self.queue.set_unseen(rows, seconds, moments, now)

    def judge(self, url: str, relevance: float) -> None:
        """Update the importance of a source from the relevance of its page."""
        source = self.find(url)
        if source is not None:
            weight = min(source.judged, 30.0)
            source.relevance = max(0.02, (source.relevance * (weight + 2) + relevance) / (weight + 3))
            source.judged += 1

    def push(self, source: WatchSource, belief: float) -> None:
        """Set the pushed share of a source's new items, which lowers the value of visits of it and of overlapping sources."""
        site = self.site_of(source.url)
        if abs(site.pushing.get(source.number, 0.0) - belief) < _MIN_SHARE_CHANGE:
            return
        site.pushing[source.number] = belief
        for other in site.sources.values():
            self._weigh(site, other)

    def _set_rate(self, site: WatchedSite, source: WatchSource, now: float) -> None:
        least = _MIN_START_RATE if source.depth == 0 else 0.0
        self.queue.set_rate(source.row, source.rate, site.hourly_profile.factor(now), least)

    def _weigh(self, site: WatchedSite, source: WatchSource) -> None:
        importance = source.relevance * (1.0 - site.pushed_share(source.number))
        self.queue.set_list(source.row, size=len(source.listed), importance=importance, interval=source.interval)

    def _wake(self, now: float) -> None:
        while self._asleep and self._asleep[0][0] <= now:
            _, row = heappop(self._asleep)
            self.queue.set_idle(row, self.rows[row].state != "dropped")

    def _apply_hourly_profile(self, now: float) -> None:
        hour = int(now // 3_600)
        if hour != self._hour:
            self._hour = hour
            for site in self.sites.values():
                factor = site.hourly_profile.factor(now)
                for source in site.sources.values():
                    self.queue.set_factor(source.row, factor)
