"""A small web in virtual time: sites that publish now and then, beside sites that name a thousand new pages at each visit."""

import heapq
import random
from statistics import median
from typing import Protocol
from urllib.parse import urlsplit

from crawler.watching.answers import Listed, Listing, PageFacts, VisitAnswer
from crawler.watching.visits import WatchOptions, WatchVisit
from crawler.watching.watch import Watch

BEGIN, HOUR = 1e6, 3_600.0
_FIRST = 1_000_000


class Site(Protocol):
    """A host, and what it answers."""

    host: str

    def answer(self, visit: WatchVisit, now: float) -> VisitAnswer:
        """The answer to a visit at this moment."""


class QuietSite:
    """A home list of the twenty newest articles, which appear at random times."""

    def __init__(self, host: str, hours: float, per_hour: float, rng: random.Random) -> None:
        self.host, self.births, self.seen = host, list[float](), dict[int, float]()
        moment = BEGIN - 48 * HOUR
        while moment < BEGIN + hours * HOUR:
            moment += rng.expovariate(per_hour / HOUR)
            self.births.append(moment)

    def answer(self, visit: WatchVisit, now: float) -> VisitAnswer:
        path = urlsplit(visit.url).path
        if path == "/":
            born = [number for number, birth in enumerate(self.births) if birth <= now][::-1][:20]
            return VisitAnswer(200, Listing(tuple(Listed(self.address(number), "t") for number in born)))
        if path.startswith("/a/"):
            self.seen.setdefault(int(path[3:-5]) - _FIRST, now)
            return VisitAnswer(200, page=PageFacts(visit.url))
        return VisitAnswer(404)

    def address(self, number: int) -> str:
        return f"http://{self.host}/a/{_FIRST + number}.html"

    def delays(self, begin: float, end: float) -> list[float]:
        """Seconds from birth to fetch of the articles born between two moments; those that were not fetched are infinite."""
        born = [(number, birth) for number, birth in enumerate(self.births) if begin < birth < end]
        return [self.seen.get(number, float("inf")) - birth for number, birth in born]


class Flood:
    """Each visit of its list names pages that nobody has named before.

    Args:
        way: "text" (pages with a text), "gone" (no pages at all), "hosts" (on a thousand hosts of its domain), "pages" (each
            list leads to another), "maps" (sixty sitemaps).
    """

    def __init__(self, host: str, way: str, each: int = 1_000) -> None:
        self.host, self._way, self._each, self._named = host, way, each, 0

    def answer(self, visit: WatchVisit, now: float) -> VisitAnswer:
        path = urlsplit(visit.url).path
        if visit.kind == "robots" and self._way == "maps":
            maps = (f"http://{self.host}/{chr(97 + n // 8)}{chr(97 + n % 8)}/map.xml" for n in range(60))
            return VisitAnswer(200, Listing(candidates=tuple((url, "map") for url in maps)))
        if path == "/" or path.endswith("map.xml") or path.startswith("/page"):
            further = f"http://{self.host}/page{self._named}" if self._way == "pages" else ""
            return VisitAnswer(200, Listing(self._next_items(), next_page=further))
        if path.startswith("/a/") and self._way != "gone":
            return VisitAnswer(200, page=PageFacts(visit.url))
        return VisitAnswer(404)

    def _next_items(self) -> tuple[Listed, ...]:
        numbers = range(self._named, self._named + self._each)
        self._named += self._each
        return tuple(Listed(f"http://{self._host(n)}/a/x{_FIRST + n}.html", "t") for n in reversed(numbers))

    def _host(self, number: int) -> str:
        return f"h{number % 1_000}.{self.host}" if self._way == "hosts" else self.host


def watch_sites(sites: list[Site], hours: float, per_hour: float) -> Watch:
    """Watch these sites; answers take two seconds."""
    watch, now, number = Watch(WatchOptions(per_hour=per_hour)), BEGIN, 0
    by_host = {site.host: site for site in sites}
    under_way: list[tuple[float, int, WatchVisit]] = []
    for site in sites:
        watch.start(f"http://{site.host}/", now)
    while now < BEGIN + hours * HOUR:
        while under_way and under_way[0][0] <= now:
            _, _, visit = heapq.heappop(under_way)
            site = by_host[".".join(visit.host.split(".")[-2:])]
            watch.answered(visit, site.answer(visit, now), now)
        while (sent := watch.next(now)) is not None:
            number += 1
            heapq.heappush(under_way, (now + 2, number, sent))
        now += 1.0
    return watch


def quiet_delays(floods: list[Flood], per_hour: float, seed: int, hours: float = 5.0) -> tuple[float, bool]:
    """Median delay of the articles of six quiet sites after an hour, in seconds, and whether all were fetched."""
    rng = random.Random(seed)
    quiet = [QuietSite(f"quiet{number}.example", hours, 4.0, rng) for number in range(6)]
    watch_sites([*quiet, *floods], hours, per_hour)
    delays = [delay for site in quiet for delay in site.delays(BEGIN + HOUR, BEGIN + (hours - 0.5) * HOUR)]
    return median(delays), max(delays) < float("inf")
