"""The living web in this process: simulated sites in virtual time, without a network, for policies that are to be compared."""

import heapq
import importlib
import sys
import zlib
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from benchmarks import living_kinds
from crawler.links.robots_rules import named_sitemaps
from crawler.watching.answers import Listed, Listing, PageFacts, VisitAnswer
from crawler.watching.listings import read_feed_listing, read_page
from crawler.watching.running_reports import is_running_report
from crawler.watching.visits import PAGE_KINDS, WatchOptions, WatchVisit
from crawler.watching.watch import Watch
from extractors.page import Page
from testbed.served_web import SHARED

START = datetime(2026, 3, 2, tzinfo=timezone(timedelta(hours=8))).timestamp()
"""When the web's virtual time begins."""

_STEP, _LONGEST_STEP = 0.3, 5.0


class Policy(Protocol):
    """What is compared; moments are virtual seconds from the beginning of the web."""

    def next(self, now: float) -> Any:
        """A request with `host`, `target` and `headers`, or None."""

    def seen(self, request: Any, answer: Any, now: float) -> None:
        """Its answer, as the simulator made it."""


def simulator(name: str) -> Any:
    """A module of the simulator; SystemExit where it is not there."""
    folder = SHARED / "tools"
    if not (folder / f"{name}.py").exists():
        raise SystemExit(f"The simulator {folder / name}.py is not there")
    sys.path.insert(0, str(folder))
    return importlib.import_module(name)


def world_of(seed: int, hours: float, sites: int = 40, *, further: bool = False) -> Any:
    """The sites of a seed, with real sentences if they are there. `further`: also of the kinds of `benchmarks.living_kinds`."""
    texts = SHARED / "data/living-texts.jsonl.gz"
    sys.modules["extra_sites"] = living_kinds
    world = simulator("living_web").World
    return world(seed, sites, hours / 24, str(texts) if Path(texts).exists() else "", extra=further)


def run(world: Any, policy: Policy, hours: float) -> list[Any]:
    """The log of a policy over these hours."""
    visit_log = simulator("living_web").Run(world, keep=True)
    now, number, under_way = 0.0, 0, list[tuple[float, int, Any, Any]]()
    while now < hours * 3_600:
        while under_way and under_way[0][0] <= now:
            _, _, request, answer = heapq.heappop(under_way)
            policy.seen(request, answer, now)
        request = policy.next(now)
        if request is None:
            now += 1.0
            continue
        answer = visit_log.fetch(request.host, request.target, request.headers, now)
        if answer.cls == "home" and (moved := dict(answer.headers).get("Location")):
            answer = visit_log.fetch(request.host, urlsplit(moved).path, {}, now)
        number += 1
        heapq.heappush(under_way, (now + answer.latency, number, request, answer))
        now += _STEP
    return list(visit_log.kept)


class _Request:
    def __init__(self, visit: WatchVisit) -> None:
        parts = urlsplit(visit.url)
        self.visit, self.host = visit, visit.host
        self.target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self.headers = {name.lower(): value for name, value in visit.headers.items()}


class WatchPolicy:
    """The product's own core. Lists, feeds and sitemaps are read from their bytes; of articles the simulator says the version.

    Args:
        quick: boards are not read either: the simulator says what they show.
    """

    def __init__(self, world: Any, per_hour: float, *, quick: bool = False) -> None:
        self.watch, self._world, self._quick = Watch(WatchOptions(per_hour=per_hour)), world, quick
        self._last: dict[str, tuple[Any, Listing]] = {}
        for url in world.seeds():
            self.watch.start(url, START)

    def next(self, now: float) -> _Request | None:
        """See `Policy`."""
        visit = self.watch.next(START + now)
        return None if visit is None else _Request(visit)

    def seen(self, request: _Request, answer: Any, now: float) -> None:
        """See `Policy`."""
        self.watch.answered(request.visit, self._read(request.visit, answer), START + now)

    def _read(self, visit: WatchVisit, answer: Any) -> VisitAnswer:
        headers = {name.lower(): value for name, value in answer.headers}
        validators = headers.get("etag", ""), headers.get("last-modified", "")
        if answer.drop:
            return VisitAnswer(0)
        if visit.kind == "robots":
            named = named_sitemaps(answer.body) if answer.status == 200 else []
            maps = named or [f"http://{visit.host}/sitemap.xml"]
            return VisitAnswer(answer.status, Listing(candidates=tuple((address, "map") for address in maps)))
        if visit.kind in PAGE_KINDS and answer.status in (200, 302):
            version = answer.shown[0][1] if answer.shown else zlib.crc32(answer.body)
            gone = answer.gone or answer.status == 302
            grows = (
                answer.status == 200
                and self._world.by_host[visit.host].kind == "live"
                and self._is_running(visit, answer)
            )
            return VisitAnswer(
                200, page=PageFacts("" if gone else str(version), gone, grows=grows), validators=validators
            )
        if answer.status != 200:
            return VisitAnswer(answer.status, retry_after=float(headers.get("retry-after", 0)), validators=validators)
        return VisitAnswer(200, self._listing(visit, answer, headers.get("content-type", "")), validators=validators)

    def _is_running(self, visit: WatchVisit, answer: Any) -> bool:
        return is_running_report(
            Page(answer.body, visit.url, content_type=dict(answer.headers).get("Content-Type", ""))
        )

    def _listing(self, visit: WatchVisit, answer: Any, content_type: str) -> Listing:
        """The listing; that of the last answer if the body is the same."""
        mark = (zlib.crc32(answer.body), visit.grows)
        if self._last.get(visit.url, (None,))[0] != mark:
            self._last[visit.url] = mark, self._read_listing(visit, answer, content_type)
        return self._last[visit.url][1]

    def _read_listing(self, visit: WatchVisit, answer: Any, content_type: str) -> Listing:
        if (found := read_feed_listing(answer.body, visit.url)) is not None:
            return found
        page = Page(answer.body, visit.url, content_type=content_type)
        if not self._quick:
            return read_page(page, grows=visit.grows)
        read = read_page(page, grows=False)
        if self._world.by_host[visit.host].kind != "forum" or answer.cls not in ("list", "page"):
            return read
        return Listing(tuple(_thread(visit.host, key, posts) for key, posts in answer.shown), read.candidates)


def _thread(host: str, key: str, posts: int) -> Listed:
    address: Callable[[int], str] = lambda page: f"http://{host}/thread-{int(key.split('.')[1]) + 100}-{page}-1.html"  # noqa: E731
    last = -(-posts // 15)
    return Listed(address(1), f"r{posts}", True, {page: address(page) for page in range(max(2, last - 3), last + 1)})
