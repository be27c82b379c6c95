"""The state of one site: its sources, and the items that they have shown."""

import math
import re
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise

from crawler.links.traps import pattern_of
from crawler.watching.coverage import ListCoverage
from crawler.watching.hourly_profile import HourlyProfile
from crawler.watching.rates import Rate
from crawler.watching.validators import Validators

MAX_SOURCES = 60
"""Per site; also the number of bits for where an item was seen."""
_MAX_TRIES = 3
"""Sources of one pattern tried without success before the rest is skipped, as for calendars and tags."""
_MAX_ITEMS = 5_000
_NUMBER = re.compile(r"\d{4,18}")
_MAX_PATTERNS = 100
_MIN_ORDERED_SHARE = 0.7
_MAX_PUSHED_SHARE = 0.98
"""Hubs may fall silent, so that pushed sources are still visited, a seventh as often."""
_MIN_CROWDED_SHARE = 0.4
"""Share of new items in a list above which items of another list may have scrolled off it."""


@lru_cache(maxsize=4_096)  # a visit needs each key twice
def item_key(url: str) -> int:
    """A 64-bit hash of an address."""
    return int.from_bytes(blake2b(url.encode(), digest_size=8).digest(), "big") >> 1


@dataclass(slots=True)
class WatchSource:
    """A page or feed that announces new items.

    Attributes:
        kind: list, feed, map (a sitemap) or robots.
        row: in `VisitQueue`. number: within its site.
        state: new (not visited yet), watched, unreadable, dead, dropped.
        listed: keys of the items at the last visit, in order.
        items_first_seen_here: total of items that it showed first. visits: total. depth: steps from the start page.
        last_new_at, last_new_rate: time of its last new item, and its rate then (items per second), as the rate falls later.
        interval: maximum seconds between visits, set by an operator; 0: none.
        visited_before: the visit before the one whose items are taken in; 0: none.
        grows: whether it is a list of threads; None: unknown yet.
    """

    url: str
    host: str
    kind: str
    row: int
    number: int
    depth: int = 0
    state: str = "new"
    listed: tuple[int, ...] = ()
    visits: int = 0
    items_first_seen_here: int = 0
    last_new_at: float = 0.0
    last_new_rate: float = 0.0
    failures: int = 0
    interval: float = 0.0
    visited_before: float = 0.0
    grows: bool | None = None
    relevance: float = 1.0
    judged: float = 0.0
    surely: float = 0.0
    rate: Rate = field(default_factory=Rate)
    validators: Validators = field(default_factory=Validators)

    def see(self, keys: tuple[int, ...], count: int) -> None:
        """Note a visit that lists these items, `count` of them new since the previous visit."""
        self.listed, self.state, self.visits = keys, "watched", self.visits + 1
        crowded = min(1.0, count / max(1, len(keys)))
        self.surely = 1.0 if crowded < _MIN_CROWDED_SHARE else 1.0 - crowded


@dataclass(slots=True)
class ListedItem:
    """An article or thread that some source has shown.

    Attributes:
        since: when it was first seen. stamps: the latest stamp of each kind, by its first letter.
        last_page: number of the last page of a thread that was fetched.
    """

    since: float
    stamps: dict[str, str] = field(default_factory=dict)
    last_page: int = 1

    @property
    def has_page(self) -> bool:
        """Whether it was new, so that the watch has a page at its address."""
        return self.since > -math.inf and self.last_page == 1


@dataclass(slots=True)
class WatchedSite:
    """One registered domain.

    Attributes:
        maps: the last stamp of each sitemap in an index.
        pushing: the expected share of pushed items, by number of the source.
        began: the day of its first visit in UTC, ISO 8601.
    """

    name: str
    hourly_profile: HourlyProfile
    sources: dict[str, WatchSource] = field(default_factory=dict)
    listed_items: OrderedDict[int, ListedItem] = field(default_factory=OrderedDict)
    coverage: ListCoverage = field(default_factory=ListCoverage)
    tried: dict[str, int] = field(default_factory=dict)
    maps: dict[str, str] = field(default_factory=dict)
    pushing: dict[int, float] = field(default_factory=dict)
    began: str = ""
    ordered: bool | None = None
    highest_old: dict[str, int] = field(default_factory=dict)

    def admits(self, url: str) -> bool:
        """Whether this address may become a source: the limit is not reached, and its pattern has not failed too often."""
        return (
            url not in self.sources
            and len(self.sources) < MAX_SOURCES
            and self.tried.get(pattern_of(url), 0) < _MAX_TRIES
        )

    def note_try(self, url: str) -> None:
        """Count a try of a source of this pattern."""
        pattern = pattern_of(url)
        self.tried[pattern] = self.tried.get(pattern, 0) + 1

    def note_find(self, url: str) -> None:
        """Note that a source of this pattern showed an item first, so that further ones may be tried."""
        pattern = pattern_of(url)
        self.tried[pattern] = min(0, self.tried.get(pattern, 0))

    def restore_pair(self, number: int, by: str, trials: float, hits: float) -> None:
        """Restore a stored pair of sources, if both exist."""
        if by in self.sources:
            self.coverage.restore(number, self.sources[by].number, trials, hits)

    def pushed_share(self, number: int) -> float:
        """The share of a source's items that will be pushed, for it or for another source of the site."""
        if not self.pushing:
            return 0.0
        shares = self.coverage.shares(len(self.sources))[number]
        pushed = (belief * (1.0 if other == number else shares[other]) for other, belief in self.pushing.items())
        return float(min(_MAX_PUSHED_SHARE, max(pushed)))

    def learn_order(self, urls: list[str]) -> None:
        """Learn from the first visit of a list whether numbers in addresses grow with time, and the highest of each pattern."""
        numbers = [number for number in map(number_in, urls) if number]
        if self.ordered is None and len(numbers) >= 5:
            falling = sum(before > after for before, after in pairwise(numbers))
            self.ordered = falling >= _MIN_ORDERED_SHARE * (len(numbers) - 1)
        found: dict[str, int] = {}
        for pattern, number in zip(map(pattern_of, urls), map(number_in, urls), strict=True):
            found[pattern] = max(found.get(pattern, 0), number)
        if len(self.highest_old) < _MAX_PATTERNS:
            self.highest_old = dict(list(found.items())[:_MAX_PATTERNS]) | self.highest_old

    def is_old(self, url: str) -> bool:
        """Whether the address is certainly older than the watch."""
        return bool(self.ordered) and 0 < number_in(url) <= self.highest_of(url)

    def highest_of(self, url: str) -> int:
        """The highest number in addresses of this pattern that are older than the watch; 0: none is known."""
        return self.highest_old.get(pattern_of(url), 0)

    def add_item(self, key: int, now: float) -> ListedItem:
        """Add a new item."""
        item = self.listed_items[key] = ListedItem(now)
        if len(self.listed_items) > _MAX_ITEMS:
            self.listed_items.popitem(last=False)
        return item

    def remember(self, key: int, since: float) -> None:
        """Restore an item of an earlier run."""
        if key not in self.listed_items and len(self.listed_items) < _MAX_ITEMS:
            self.listed_items[key] = ListedItem(since)


def number_in(url: str) -> int:
    """The identifying number in an address: the last with at least four digits; 0 if there is none."""
    found = _NUMBER.findall(url.partition("://")[2].partition("/")[2])
    return int(found[-1]) if found else 0
