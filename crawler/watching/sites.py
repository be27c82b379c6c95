"""What is known of one site: its sources, and which items they have shown."""

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
"""Of one site; also the number of bits that say where a item was seen."""
_MAX_TRIES = 3
"""Sources of one pattern that are tried before one of them has brought something: calendars and tags end here."""
_MAX_ITEMS = 5_000
_NUMBER = re.compile(r"\d{4,18}")
_MIN_ORDERED_SHARE = 0.7
_MIN_CROWDED_SHARE = 0.4
"""The share of new items in a list, from which on some of what another list has shown may have scrolled off it."""


@lru_cache(maxsize=4_096)  # a visit asks for each key twice
def item_key(url: str) -> int:
    """64 bits that stand for an address."""
    return int.from_bytes(blake2b(url.encode(), digest_size=8).digest(), "big") >> 1


@dataclass(slots=True)
class WatchSource:
    """Something that announces new items.

    Attributes:
        kind: list, feed, map (a sitemap) or robots.
        row: in `VisitQueue`; number: within its site.
        state: new (not visited yet), watched, dead, dropped.
        listed: keys of what it showed last, in order.
        items_first_seen_here: items that it was the first to show, in all; visits: in all; depth: steps from the start page.
        last_new_at, last_new_rate: when it had something new last, and its rate then (items a second): the rate itself falls in a silence.
        interval: seconds between visits at most, set by a person; 0: none.
        grows: whether it is a list of threads; None: not known yet.
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
    grows: bool | None = None
    relevance: float = 1.0
    judged: float = 0.0
    surely: float = 0.0
    rate: Rate = field(default_factory=Rate)
    validators: Validators = field(default_factory=Validators)

    def see(self, keys: tuple[int, ...], count: int) -> None:
        """It was visited and shows these items, of which so many have come since the visit before."""
        self.listed, self.state, self.visits = keys, "watched", self.visits + 1
        crowded = min(1.0, count / max(1, len(keys)))
        self.surely = 1.0 if crowded < _MIN_CROWDED_SHARE else 1.0 - crowded


@dataclass(slots=True)
class ListedItem:
    """An article or thread that some source has shown.

    Attributes:
        since: when it was seen first. stamps: what sources of each kind said of it last, by the first letter of the stamp.
        last_page: number of the last page of a thread that was fetched.
    """

    since: float
    stamps: dict[str, str] = field(default_factory=dict)
    last_page: int = 1

    @property
    def has_page(self) -> bool:
        """Whether it was new, so that its own address is that of a page of the watch."""
        return self.since > -math.inf and self.last_page == 1


@dataclass(slots=True)
class WatchedSite:
    """One registered domain.

    Attributes:
        maps: what an index of sitemaps said of each when it changed last.
        pushing: for sources that are pushed, by their numbers, the share of their new items that will be.
    """

    name: str
    hourly_profile: HourlyProfile
    sources: dict[str, WatchSource] = field(default_factory=dict)
    listed_items: OrderedDict[int, ListedItem] = field(default_factory=OrderedDict)
    coverage: ListCoverage = field(default_factory=ListCoverage)
    tried: dict[str, int] = field(default_factory=dict)
    maps: dict[str, str] = field(default_factory=dict)
    pushing: dict[int, float] = field(default_factory=dict)
    ordered: bool | None = None
    highest_old: int = 0

    def admits(self, url: str) -> bool:
        """Whether this address may become a source: enough room, and its pattern has not been tried in vain too often."""
        return (
            url not in self.sources
            and len(self.sources) < MAX_SOURCES
            and self.tried.get(pattern_of(url), 0) < _MAX_TRIES
        )

    def note_try(self, url: str) -> None:
        """A source of this pattern is tried."""
        pattern = pattern_of(url)
        self.tried[pattern] = self.tried.get(pattern, 0) + 1

    def note_find(self, url: str) -> None:
        """A source of this pattern has brought something first, so further ones may be tried."""
        pattern = pattern_of(url)
        self.tried[pattern] = min(0, self.tried.get(pattern, 0))

    def restore_pair(self, number: int, by: str, trials: float, hits: float) -> None:
        """What is stored of a pair of sources, once both are there."""
        if by in self.sources:
            self.coverage.restore(number, self.sources[by].number, trials, hits)

    def learn_order(self, urls: list[str]) -> None:
        """Whether numbers in addresses grow with time, from the first list; later: the highest of them."""
        numbers = [number for number in map(number_in, urls) if number]
        if self.ordered is None and len(numbers) >= 5:
            falling = sum(before > after for before, after in pairwise(numbers))
            self.ordered = falling >= _MIN_ORDERED_SHARE * (len(numbers) - 1)
        if numbers:
            self.highest_old = max(self.highest_old, *numbers)

    def is_old(self, url: str) -> bool:
        """Whether the address surely was given before the watch began."""
        number = number_in(url)
        return bool(self.ordered) and 0 < number <= self.highest_old

    def add_item(self, key: int, now: float) -> ListedItem:
        """A item that was not known."""
        item = self.listed_items[key] = ListedItem(now)
        if len(self.listed_items) > _MAX_ITEMS:
            self.listed_items.popitem(last=False)
        return item

    def remember(self, key: int, since: float) -> None:
        """A item of an earlier run."""
        if key not in self.listed_items and len(self.listed_items) < _MAX_ITEMS:
            self.listed_items[key] = ListedItem(since)


def number_in(url: str) -> int:
    """The number that names the item: the last of at least four digits; 0 if there is none."""
    found = _NUMBER.findall(url.partition("://")[2].partition("/")[2])
    return int(found[-1]) if found else 0
