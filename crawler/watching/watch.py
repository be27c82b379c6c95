"""The core of a watch: which visit comes next, and what its answer changes. It has no network and no clock."""

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Literal

import numpy as np

from crawler.links.scope import registered_domain
from crawler.watching.answers import Answer, Listed, Listing
from crawler.watching.budget import Budget
from crawler.watching.coverage import unseen_moments
from crawler.watching.hosts import Hosts
from crawler.watching.pages import Pages, WatchedPage
from crawler.watching.rhythm import Rhythm
from crawler.watching.sites import Site, Source, thing_key
from crawler.watching.waits import Waits
from extractors.links.urls import host_of

_GUESSES = (("/feed/", "feed"), ("/rss.xml", "feed"), ("/atom.xml", "feed"))
_UNSEEN_START, _UNSEEN_CANDIDATE, _UNSEEN_GUESS = 48 * 3_600.0, 12 * 3_600.0, 3 * 3_600.0
"""Seconds that a source counts as unvisited when it is found: start pages first, then what they lead to, then guesses."""
_MIN_ITEMS = 3
_LATE = 1_200.0
"""Seconds by which a source may be behind others and still count as showing the same things."""
_FULL = 0.9
"""The share of a list that is new, from which on more may have scrolled off."""
_MAX_MORE = 4
_PATIENCE, _MARGIN_WEIGHT = 150.0, 0.02
"""Seconds of waiting that a visit of a list saves, above which looking at known pages again gets less than its share; and the
weight of the last visit in the mean of them."""
_AWAY = (3_600.0, 6 * 3_600.0, 24 * 3_600.0)
"""Seconds after which a source that is gone is tried again."""
_TRANSIENT = frozenset((0, 408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524))
_GONE = frozenset((404, 410))


Outcome = Literal["new", "changed", "same", "gone", ""]


@dataclass(frozen=True, slots=True)
class Visit:
    """One request.

    Attributes:
        kind: list, feed, map, robots, more (a further page of a list), page, recheck or backlog.
        source: address of the source that is visited, or that announced the page.
        headers: validators to be sent.
        level: of a further page of a list, which.
    """

    kind: str
    url: str
    host: str
    source: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    level: int = 0
    grows: bool | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """What an operator sets.

    Attributes:
        per_hour: requests in all; per_host: to one host at first; most_per_host: at most.
        gap: seconds between two visits of one source at least.
        rechecks, backlog: shares of all requests.
    """

    per_hour: float = 1_000.0
    per_host: float = 78.0
    most_per_host: float = 600.0
    gap: float = 30.0
    rechecks: float = 0.2
    backlog: float = 0.05


class Watch:
    """All sites of a watch."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.budget = Budget(options.per_hour, {"recheck": options.rechecks, "backlog": options.backlog})
        self.hosts = Hosts(options.per_host, options.most_per_host)
        self.waits, self.pages, self.rhythm = Waits(), Pages(), Rhythm()
        self.sites: dict[str, Site] = {}
        self.rows: list[Source] = []
        self.changed: set[str] = set()
        self._once: deque[Visit] = deque()
        self._asleep: list[tuple[float, int]] = []
        self._hour = -1
        self.margin = 0.0
        self.found: deque[tuple[float, float]] = deque(maxlen=1_000)

    # -- what is watched -----------------------------------------------------------------------------------------------

    def start(self, url: str, now: float) -> None:
        """Watch the site of this page."""
        site = self.site_of(url)
        if url in site.sources:
            return
        self._add_source(site, url, "list", now, _UNSEEN_START, 0)
        root = "/".join(url.split("/")[:3])
        self._once.append(Visit("robots", f"{root}/robots.txt", host_of(url), url))

    def site_of(self, url: str) -> Site:
        """The site of an address, made when it is first asked for."""
        name = registered_domain(host_of(url))
        if name not in self.sites:
            self.sites[name] = Site(name, Rhythm(self.rhythm))
        return self.sites[name]

    def sources(self) -> Iterator[Source]:
        """All of them."""
        return iter(self.rows)

    def source(self, url: str) -> Source | None:
        """The source at this address."""
        site = self.sites.get(registered_domain(host_of(url)))
        return site.sources.get(url) if site else None

    def _add_source(self, site: Site, url: str, kind: str, now: float, unseen: float, depth: int) -> Source:
        host = self.hosts.of(host_of(url))
        row = self.waits.add(host.number, now, unseen=unseen)
        source = Source(url, host.name, kind, row, len(site.sources), depth)
        site.sources[url] = source
        site.note_try(url)
        self.rows.append(source)
        self.waits.set_factor(row, site.rhythm.factor(now))
        self.changed.add(url)
        return source

    def restore_source(self, site: Site, url: str, kind: str, depth: int, visited: float, now: float) -> Source:
        """A source of an earlier run, last visited then."""
        found = site.sources.get(url)
        return found or self._add_source(
            site, url, kind, now, max(0.0, now - visited) if visited else _UNSEEN_CANDIDATE, depth
        )

    def refresh(self, site: Site, source: Source, now: float) -> None:
        """Bring a restored source's rate and importance into the order of visits."""
        self.waits.set_rate(source.row, source.rate, site.rhythm.factor(now))
        self._weigh(source)
        self.waits.set_idle(source.row, source.state in ("new", "watched"))

    def pin(self, source: Source, seconds: float) -> None:
        """Look there at least every so many seconds; 0: as often as it deserves."""
        source.interval = seconds
        self._weigh(source)
        self.changed.add(source.url)

    def drop(self, source: Source) -> None:
        """Look there no more."""
        source.state = "dropped"
        self.waits.set_idle(source.row, False)
        self.changed.add(source.url)

    def _weigh(self, source: Source) -> None:
        self.waits.set_list(source.row, size=len(source.listed), importance=source.relevance, interval=source.interval)

    # -- what comes next -----------------------------------------------------------------------------------------------

    def next(self, now: float) -> Visit | None:
        """The visit that is worth most now; None while there is none, or no budget for it."""
        self.budget.flow(now)
        if not self.budget.has():
            return None
        self._wake(now)
        self._follow_rhythm(now)
        visit = self._next_once(now) or self._next_page(now) or self._next_source(now)
        if visit is not None:
            self.budget.take(visit.kind, min(1.0, _PATIENCE / max(1.0, self.margin)))
            self.hosts.send(visit.host, now)
        return visit

    def _next_once(self, now: float) -> Visit | None:
        for _ in range(len(self._once)):
            visit = self._once.popleft()
            if self.hosts.is_ready(visit.host, now):
                return visit
            self._once.append(visit)
        return None

    def _next_page(self, now: float) -> Visit | None:

        def ready(host: str) -> bool:
            return self.hosts.is_ready(host, now)

        kind, page = "page", self.pages.next_new(ready)
        if page is None and self.budget.has("recheck"):
            kind, page = "recheck", self.pages.next_recheck(now, ready)
        if page is None and self.budget.has("backlog"):
            kind, page = "backlog", self.pages.next_new(ready, old=True)
        if page is None:
            return None
        page.under_way = True
        return Visit(kind, page.url, page.host, page.source)

    def _next_source(self, now: float) -> Visit | None:
        row, value = self.waits.best(now, self.hosts.ready(now), self.options.gap)
        if row < 0:
            return None
        source = self.rows[row]
        self.margin += _MARGIN_WEIGHT * (min(value, 1e5) - self.margin)
        self.waits.set_idle(row, False)
        headers = source.validators.headers(now) if source.state == "watched" else {}
        return Visit(source.kind, source.url, source.host, source.url, headers, grows=source.grows)

    def _wake(self, now: float) -> None:
        while self._asleep and self._asleep[0][0] <= now:
            _, row = heappop(self._asleep)
            self.waits.set_idle(row, self.rows[row].state != "dropped")

    def _follow_rhythm(self, now: float) -> None:
        hour = int(now // 3_600)
        if hour != self._hour:
            self._hour = hour
            for site in self.sites.values():
                factor = site.rhythm.factor(now)
                for source in site.sources.values():
                    self.waits.set_factor(source.row, factor)

    # -- what an answer changes ----------------------------------------------------------------------------------------

    def answered(self, visit: Visit, answer: Answer, now: float) -> Outcome:
        """Take in an answer; what it means for a page, "" for other visits and failures."""
        fails = self._note_host(visit, answer, now)
        if visit.kind in ("page", "recheck", "backlog"):
            return self._see_page(visit, answer, now, fails)
        source = self.source(visit.source)
        if source is None:
            return ""
        if visit.kind == "robots":
            self._see_robots(visit, source, answer, now, fails)
        elif visit.kind == "more":
            self._see_more(visit, source, answer, now, fails)
        else:
            self._see_source(source, answer, now, fails)
        return ""

    def _note_host(self, visit: Visit, answer: Answer, now: float) -> bool:
        """True if the host, and not the page, has failed."""
        if answer.status == 429 or (answer.status == 503 and answer.retry_after):
            self.hosts.refused(visit.host, now, answer.retry_after)
            return True
        if answer.status in _TRANSIENT and not answer.refused:
            self.hosts.failed(visit.host, now)
            return True
        self.hosts.answered(visit.host, now)
        return False

    def _see_robots(self, visit: Visit, source: Source, answer: Answer, now: float, fails: bool) -> None:
        if fails:
            self._once.append(visit)
        elif answer.listing is not None:
            self._add_candidates(source, answer.listing.candidates, now)

    def _see_more(self, visit: Visit, source: Source, answer: Answer, now: float, fails: bool) -> None:
        if fails:
            self._once.append(visit)
        elif answer.listing is not None:
            site = self.site_of(source.url)
            found = self._take_in(site, source, answer.listing, now, first=False)
            if found >= _FULL * len(answer.listing.items) and visit.level < _MAX_MORE:
                self._go_on(source, answer.listing, visit.level + 1)

    def _go_on(self, source: Source, listing: Listing, level: int) -> None:
        """The list may have lost things below its end: look at its next page."""
        if listing.next_page:
            self._once.append(
                Visit("more", listing.next_page, source.host, source.url, level=level, grows=source.grows)
            )

    def _see_source(self, source: Source, answer: Answer, now: float, fails: bool) -> None:
        self.changed.add(source.url)
        if source.state == "dropped":
            return
        if answer.status == 304 and source.state == "watched":
            self._see_listing(source, None, now)
        elif answer.listing is not None and (
            source.visits or len(answer.listing.items) >= _MIN_ITEMS or source.depth == 0
        ):
            self._see_listing(source, answer.listing, now, answer.validators)
        elif fails:
            self._sleep(source, now + 60.0)
            return
        else:
            self._fade(source, now)
            return
        source.failures = 0
        self.waits.set_idle(source.row, True)

    def _fade(self, source: Source, now: float) -> None:
        """It is gone, or shows nothing: ask again after an hour, after six, each day; what never was a list is dropped."""
        source.failures += 1
        if source.state == "new" or source.failures > len(_AWAY):
            source.state = "dead"
            return
        self._sleep(source, now + _AWAY[source.failures - 1])

    def _sleep(self, source: Source, until: float) -> None:
        heappush(self._asleep, (until, source.row))

    def _see_listing(
        self, source: Source, listing: Listing | None, now: float, validators: tuple[str, str] = ("", "")
    ) -> None:
        """`listing` is None where nothing has changed."""
        site, first = self.site_of(source.url), source.visits == 0
        before, told = self.waits.visited(source.row), source.first_told
        keys = source.listed
        if listing is not None:
            keys = tuple(thing_key(item.url) for item in listing.items)
            self._take_in(site, source, listing, now, first=first)
        shown = set(keys)
        fresh = [key for key in keys if key not in set(source.listed)] if not first else []
        came = [key for key in fresh if self._came_since(site, key, before)]
        bumped = source.first_told - told if source.grows else 0
        count = max(len(came), bumped)
        if first:
            self._compare(site, source, keys)
        else:
            self._learn(site, source, before, count, now)
        site.coverage.visit(source.number, now, [key for key in came if key in site.things], shown)
        changed = set(keys) != set(source.listed)
        if listing is not None:
            source.validators.see(validators, now, changed=changed and not first)
        source.listed, source.state, source.visits = keys, "watched", source.visits + 1
        crowded = min(1.0, count / max(1, len(keys)))
        source.surely = 1.0 if crowded < 0.4 else 1.0 - crowded
        self._relieve(site, source, now)
        if listing is not None:
            if not first and len(keys) >= 5 and count >= _FULL * len(keys):
                self._go_on(source, listing, 1)
            if source.depth == 0 or (source.first_told and source.depth < 2):
                self._add_candidates(source, listing.candidates, now)
            if first and source.depth == 0 and source.kind == "list":
                self._guess(site, source, listing, now)

    def _learn(self, site: Site, source: Source, before: float, count: int, now: float) -> None:
        elapsed = max(1.0, now - before)
        factor = site.rhythm.mean(before, now)
        expected = source.rate.mean * elapsed
        source.rate.see(count, elapsed, factor, now)
        for rhythm in (self.rhythm, site.rhythm):
            rhythm.add(before, now, expected, count)
        if count:
            source.told_at = now

    def _came_since(self, site: Site, key: int, before: float) -> bool:
        thing = site.things.get(key)
        return thing is not None and thing.since >= before - _LATE

    def _compare(self, site: Site, source: Source, keys: tuple[int, ...]) -> None:
        """At its first visit: whether its newest things are on the site's other lists, and theirs on it."""
        for other in site.sources.values():
            if other is not source and other.visits:
                site.coverage.compare_first(source.number, list(keys[:3]), other.number, set(other.listed))
                site.coverage.compare_first(other.number, list(other.listed[:3]), source.number, set(keys))

    def _relieve(self, site: Site, source: Source, now: float) -> None:
        self.waits.see(source.row, now)
        self.waits.set_rate(source.row, source.rate, site.rhythm.factor(now))
        self._weigh(source)
        sources = list(site.sources.values())
        rows = np.array([found.row for found in sources])
        visited = self.waits.visits(rows)
        shares = site.coverage.shares(len(sources)) * np.array([found.surely for found in sources])
        np.fill_diagonal(shares, 0.0)
        seconds, moments = unseen_moments(visited, visited - site.coverage.lags(len(sources)), shares, now)
        self.waits.set_unseen(rows, seconds, moments, now)

    # -- things --------------------------------------------------------------------------------------------------------

    def _take_in(self, site: Site, source: Source, listing: Listing, now: float, *, first: bool) -> int:
        """Queue what is new or said to have changed; returns how many."""
        if source.grows is None and listing.items:
            source.grows = any(item.grows for item in listing.items)
        found = 0
        if first and not any(other.visits for other in site.sources.values()):
            site.learn_order([item.url for item in listing.items])
        for item in listing.items:
            key = thing_key(item.url)
            thing = site.things.get(key)
            if thing is None:
                is_new = not site.is_old(item.url) and (not first or self._is_younger(site, item))
                found += self._add_thing(site, source, item, key, now, is_new=is_new)
            elif item.stamp and self._has_changed(thing.stamps, item.stamp):
                found += self._ask_changed(source, item, thing.last_page, now)
                thing.last_page = max([thing.last_page, *item.pages])
            if item.stamp and (thing := site.things.get(key)) is not None:
                thing.stamps[item.stamp[0]] = item.stamp
        source.first_told += found
        if found:
            site.note_find(source.url)
        return found

    def _is_younger(self, site: Site, item: Listed) -> bool:
        """On the first visit of a source: whether the thing has appeared since the watch of its site began."""
        return bool(site.ordered) and site.highest_old > 0 and not item.grows and not site.is_old(item.url)

    def _has_changed(self, stamps: dict[str, str], stamp: str) -> bool:
        known = stamps.get(stamp[0])
        return known is not None and known != stamp

    def _add_thing(self, site: Site, source: Source, item: Listed, key: int, now: float, *, is_new: bool) -> int:
        thing = site.add_thing(key, now if is_new else -math.inf)
        thing.last_page = max([1, *item.pages])
        if item.grows and not is_new:
            return 0
        address = item.pages[thing.last_page] if thing.last_page > 1 else item.url
        self._add_page(source, address, now, item, old=not is_new)
        return int(is_new)

    def _ask_changed(self, source: Source, item: Listed, last_page: int, now: float) -> int:
        """A thread: its last page, and the one that was the last before; an article: itself."""
        if not item.grows:
            page = self.pages.known.get(item.url)
            if page is not None and page.state == "known":
                self.pages.ask_again(page, now)
            return 0
        last = max([1, *item.pages])
        for number in sorted({last_page, last}):
            address = item.url if number == 1 else item.pages.get(number, "")
            if address:
                self._add_page(source, address, now, item)
        return 1

    def _add_page(self, source: Source, url: str, now: float, item: Listed, *, old: bool = False) -> None:
        known = self.pages.known.get(url)
        if known is not None:
            if known.state in ("known", "failed"):
                self.pages.ask_again(known, now)
            return
        page = WatchedPage(url, host_of(url), source.url, now, due=now, rechecked=not item.grows and not old)
        self.pages.add(page, old=old)

    def _see_page(self, visit: Visit, answer: Answer, now: float, fails: bool) -> Outcome:
        page = self.pages.known.get(visit.url)
        if page is None:
            return ""
        if answer.refused:
            self.pages.gone(page, now)
            page.state = "failed"
            return ""
        if fails or (answer.status >= 400 and answer.status not in _GONE):
            self.pages.failed(page, now, host_fails=fails)
            return ""
        if answer.status == 304:
            self.pages.fetched(page, page.digest, now)
            return "same"
        if answer.status in _GONE or answer.page is None or answer.page.gone:
            self.pages.gone(page, now)
            return "gone"
        is_new = page.state != "known"
        if is_new:
            self._judge(page, answer.page.relevance)
            self._note_delay(page, now)
        changed = self.pages.fetched(page, answer.page.digest, now)
        return "new" if is_new else "changed" if changed else "same"

    def _note_delay(self, page: WatchedPage, now: float) -> None:
        """Seconds from the announcement to the fetch, of the last thousand new pages."""
        if page.rechecked:
            self.found.append((now, now - page.found))

    def _judge(self, page: WatchedPage, relevance: float) -> None:
        """What a source brings says what its next things are worth."""
        source = self.source(page.source)
        if source is not None:
            weight = min(source.judged, 30.0)
            source.relevance = max(0.02, (source.relevance * (weight + 2) + relevance) / (weight + 3))
            source.judged += 1

    def figures(self, now: float) -> dict[str, float]:
        """Numbers for statistics."""
        found = [delay for at, delay in self.found if now - at <= 3_600]
        return {
            "sites": len(self.sites),
            "sources": sum(source.state == "watched" for source in self.rows),
            "waiting": self.pages.waiting(),
            "found_last_hour": len(found),
            "delay_seconds": sum(found) / len(found) if found else 0.0,
        }

    # -- discovery -----------------------------------------------------------------------------------------------------

    def _add_candidates(self, source: Source, candidates: tuple[tuple[str, str], ...], now: float) -> None:
        for url, kind in candidates:
            site = self.site_of(url)
            if site is self.site_of(source.url) and site.admits(url):
                self._add_source(site, url, kind, now, _UNSEEN_CANDIDATE, source.depth + 1)

    def _guess(self, site: Site, source: Source, listing: Listing, now: float) -> None:
        if any(other.kind == "feed" for other in site.sources.values()):
            return
        root = "/".join(source.url.split("/")[:3])
        for path, kind in _GUESSES:
            if site.admits(root + path):
                self._add_source(site, root + path, kind, now, _UNSEEN_GUESS, 1)
