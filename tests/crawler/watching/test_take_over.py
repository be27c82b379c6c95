"""A process that dies at any moment of a watch loses nothing: its standby goes on with what is in the store."""

import copy
from collections.abc import Iterator, Sequence
from typing import Any, cast

import pytest

from crawler.watching.answers import Listed, Listing, PageFacts, VisitAnswer
from crawler.watching.pages import WatchedPage
from crawler.watching.rows import WatchRows
from crawler.watching.visits import WatchOptions, WatchVisit
from crawler.watching.watch import Watch
from pipelines.stores.base import Condition, Row, Store, Table

HOME, NOW = "http://news.example.cn/", 1e9
HOST = "news.example.cn"
QUIET = 2_400.0
"""Seconds of which the watch goes on after the last thing was published."""


class Memory:
    """The rows of a store."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], dict[str, Any]] = {}

    def write(self, rows: Sequence[tuple[Table, Row]]) -> None:
        for table, row in rows:
            self.rows.setdefault((table.name, row["key"]), {}).update(copy.deepcopy(row))

    def get(self, table: Table, *key: Any) -> None:
        return None

    def select(self, table: Table, where: Sequence[Condition] = ()) -> Iterator[dict[str, Any]]:
        for (name, _), row in list(self.rows.items()):
            if name == table.name:
                yield copy.deepcopy(row)


class BurstingWeb:
    """A list of five with further pages, where twelve articles come at once, and a sitemap with articles of its own."""

    def __init__(self) -> None:
        self.fetched: set[str] = set()

    def answer(self, visit: WatchVisit, now: float) -> VisitAnswer:
        hour = int((now - NOW) // 600)
        if visit.kind == "robots":
            return VisitAnswer(200, Listing(candidates=((f"{HOME}map.xml", "map"),)))
        if "/a/" in visit.url or "/m/" in visit.url:
            self.fetched.add(visit.url)
            return VisitAnswer(200, page=PageFacts(visit.url))
        if visit.url == f"{HOME}map.xml":
            return VisitAnswer(200, listing("m", range(10 + min(hour, 3), 5, -1)))
        if visit.url.startswith(f"{HOME}?p=") or visit.url == HOME:
            page = int(visit.url.partition("=")[2] or 1)
            newest = 10 if hour < 2 else 22
            return VisitAnswer(200, listing("a", range(newest - 5 * (page - 1), newest - 5 * page, -1), page + 1))
        return VisitAnswer(404)


def listing(name: str, numbers: range, further: int = 0) -> Listing:
    return Listing(
        tuple(Listed(f"{HOME}{name}/{1_000_000 + number}.html", "t") for number in numbers),
        next_page=f"{HOME}?p={further}" if 1 < further <= 5 else "",
    )


def run(kill_at: int, *, answered: bool) -> tuple[set[str], int]:
    """The pages that were fetched and the number of visits, of a process that dies at a visit and of the one that follows it."""
    web, memory, now, visits = BurstingWeb(), Memory(), NOW, 0
    watch, rows = begin(memory, now)
    while now < NOW + QUIET:
        visit = watch.next(now)
        if visit is None:
            now += 20
            continue
        visits += 1
        if visits == kill_at and not answered:
            watch, rows = begin(memory, now)
            continue
        watch.answered(visit, web.answer(visit, now), now + 1)
        if visits == kill_at:
            watch, rows = begin(memory, now)
        memory.write(rows.changed(now))
    return web.fetched, visits


def begin(memory: Memory, now: float) -> tuple[Watch, WatchRows]:
    watch = Watch(WatchOptions(per_hour=150, per_host=300))
    rows = WatchRows("w", watch)
    rows.load(cast(Store, memory), now)
    watch.start(HOME, now)
    memory.write(rows.changed(now))
    return watch, rows


def test_whatever_moment_a_process_dies_all_that_is_new_is_fetched() -> None:
    new = {f"{HOME}a/{1_000_000 + n}.html" for n in range(11, 23)} | {
        f"{HOME}m/{1_000_000 + n}.html" for n in range(11, 14)
    }
    fetched, visits = run(0, answered=True)
    assert new <= fetched
    for kill_at in range(1, visits, 2):
        for answered in (False, True):
            assert new - run(kill_at, answered=answered)[0] == set(), (kill_at, answered)


@pytest.fixture
def watch() -> Watch:
    """It has visited its home list twice; of the three things that are there one has come since."""
    made = Watch(WatchOptions())
    made.start(HOME, NOW)
    for moment, numbers in ((1, range(7, 5, -1)), (60, range(8, 5, -1))):
        made.answered(
            WatchVisit("list", HOME, HOST, HOME),
            VisitAnswer(200, listing("a", numbers), validators=("e", "")),
            NOW + moment,
        )
    return made


def test_a_new_page_that_the_store_refused_is_new_for_the_standby(watch: Watch) -> None:
    memory, new = Memory(), f"{HOME}a/1000008.html"
    memory.write([(table, row) for table, row in WatchRows("w", watch).changed(NOW + 61) if row["url"] != new])
    other, _ = begin(memory, NOW + 70)
    source = other.sources.find(HOME)
    assert source is not None
    assert source.validators.headers(NOW + 70) == {}
    other.answered(
        WatchVisit("list", HOME, HOST, HOME),
        VisitAnswer(200, listing("a", range(8, 5, -1)), validators=("e", "")),
        NOW + 80,
    )
    assert other.pages.known[new].state == "waiting"


def test_a_thread_that_is_to_be_asked_again_is_so_by_the_standby(watch: Watch) -> None:
    memory, rows, url = Memory(), WatchRows("w", watch), f"{HOME}thread-1.html"
    thread = WatchedPage(url, HOST, HOME, NOW, rechecked=False)
    watch.pages.add(thread)
    watch.pages.fetched(thread, "text", NOW + 62)
    memory.write(rows.changed(NOW + 62))
    watch.pages.ask_again(thread, NOW + 63)
    memory.write(rows.changed(NOW + 63))
    other, _ = begin(memory, NOW + 70)
    assert other.pages.known[url].due == NOW + 63
    assert url in list(waiting(other))


def waiting(watch: Watch) -> Iterator[str]:
    while (page := watch.pages.next_new(lambda site, host: True)) is not None:
        yield page.url


def test_what_was_stored_before_the_clock_was_set_back_is_found_on_after_it() -> None:
    memory, web, now = Memory(), BurstingWeb(), NOW + 30 * 86_400
    watch, rows = begin(memory, now)
    for _ in range(40):
        now += 60
        while visit := watch.next(now):
            watch.answered(visit, web.answer(visit, NOW), now)
        memory.write(rows.changed(now))
    before, now = set(web.fetched), NOW
    watch, rows = begin(memory, now)
    while now < NOW + 3_600:
        now += 60
        while visit := watch.next(now):
            watch.answered(visit, web.answer(visit, now), now)
    assert {f"{HOME}a/{1_000_000 + number}.html" for number in range(11, 23)} <= web.fetched - before
    assert all(found <= now for found, _ in watch.found)
