"""Sites that name a thousand new pages at each visit do not make others wait, and nothing of the others is lost."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.watching import pages as pages_module
from crawler.watching.answers import Listed, Listing, PageFacts, VisitAnswer
from crawler.watching.pages import Pages, WatchedPage
from crawler.watching.site_turns import SiteTurns
from crawler.watching.visits import WatchOptions, WatchVisit
from crawler.watching.watch import Watch
from tests.crawler.watching.flooded_web import Flood, quiet_delays

QUIET, FLOOD = "http://quiet.example/", "http://flood.example/"


@cache
def calm_median(per_hour: float, seed: int) -> float:
    """The median delay without hostile sites."""
    return quiet_delays([], per_hour, seed)[0]


@pytest.mark.parametrize(
    ("way", "per_hour", "seed"),
    [("text", 300.0, 3), ("gone", 1_000.0, 5), ("hosts", 300.0, 3), ("pages", 1_000.0, 5), ("maps", 1_000.0, 5)],
)
def test_eight_floods_of_fourteen_sites_delay_the_others_little_and_lose_nothing(
    way: str, per_hour: float, seed: int
) -> None:
    found, is_whole = quiet_delays([Flood(f"flood{number}.example", way) for number in range(8)], per_hour, seed)
    assert is_whole
    assert found <= 1.5 * calm_median(per_hour, seed)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=200))
def test_sites_take_turns_and_no_address_is_lost(named: list[tuple[int, int]]) -> None:
    turns, taken = SiteTurns(lambda site: 1.0), list[str]()
    for number, (site, host) in enumerate(named):
        turns.add(str(site), f"{host}.{site}", f"{site}/{number}")
    left = {site: turns.count(site) for site in "01234"}
    while (url := turns.next(lambda site, host: True, lambda url: True)) is not None:
        taken.append(url)
    assert sorted(taken) == sorted(f"{site}/{number}" for number, (site, _) in enumerate(named))
    rounds = min(count for count in left.values() if count)
    first = [url[0] for url in taken[: rounds * sum(count > 0 for count in left.values())]]
    assert {first.count(site) for site in set(first)} == {rounds}


def test_turns_follow_what_pages_were_worth_and_are_not_saved() -> None:
    turns = SiteTurns({"good": 1.0, "bad": 0.1, "late": 1.0}.__getitem__)
    for number in range(100):
        turns.add("good", "good", f"good{number}")
        turns.add("bad", "bad", f"bad{number}")
    taken = [turns.next(lambda site, host: True, lambda url: True) or "" for _ in range(55)]
    assert sum(url.startswith("bad") for url in taken) <= 6
    for number in range(100):
        turns.add("late", "late", f"late{number}")
    taken = [turns.next(lambda site, host: True, lambda url: True) or "" for _ in range(20)]
    assert sum(url.startswith("good") for url in taken) >= 8


def test_pages_that_are_not_there_make_a_site_worth_less() -> None:
    watch = Watch(WatchOptions())
    watch.start(FLOOD, 1e6)
    list_visit = WatchVisit("list", FLOOD, "flood.example", FLOOD)
    for turn in range(2):
        items = tuple(Listed(f"{FLOOD}a/x{turn}{n}.html") for n in range(10))
        watch.answered(list_visit, VisitAnswer(200, Listing(items)), 1e6 + turn)
    for item in items:
        watch.answered(WatchVisit("page", item.url, "flood.example", FLOOD), VisitAnswer(404), 1e6 + 3)
    assert watch.sources.worth("flood.example") < 0.2


def test_a_page_that_another_site_named_first_is_fetched_in_the_turn_of_its_own() -> None:
    watch = Watch(WatchOptions(per_hour=10_000, most_per_host=10_000, per_host=10_000))
    stolen = tuple(Listed(f"{QUIET}a/x{n}.html") for n in range(300))
    for start in (QUIET, FLOOD):
        watch.start(start, 1e6)
        host = start.split("/")[2]
        watch.answered(WatchVisit("list", start, host, start), VisitAnswer(200, Listing((Listed(f"{start}1"),))), 1e6)
    watch.answered(WatchVisit("list", FLOOD, "flood.example", FLOOD), VisitAnswer(200, Listing(stolen)), 1e6 + 1)
    watch.answered(WatchVisit("list", QUIET, "quiet.example", QUIET), VisitAnswer(200, Listing(stolen[-1:])), 1e6 + 2)
    asked = list[str]()
    for second in range(60):
        while (visit := watch.next(1e6 + 2 + second)) is not None:
            asked += [visit.url] if visit.kind == "page" else []
            facts = PageFacts(visit.url) if visit.kind == "page" else None
            watch.answered(visit, VisitAnswer(200 if facts else 404, page=facts), 1e6 + 2 + second)
    assert stolen[-1].url in asked[:10]
    assert len(set(asked)) == len(asked)


def test_a_page_that_waits_outlives_floods_of_old_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages_module, "_MAX_PAGES", 100)
    pages = Pages()
    pages.add(WatchedPage(f"{QUIET}1.html", "quiet.example", QUIET, 0.0))
    for number in range(1_000):
        pages.add(WatchedPage(f"{FLOOD}{number}.html", "flood.example", FLOOD, 0.0), old=True)
    assert len(pages.known) <= 100
    page = pages.next_new(lambda site, host: True)
    assert page is not None
    assert page.url == f"{QUIET}1.html"


def test_a_choice_among_a_thousand_busy_hosts_of_one_site_costs_little() -> None:
    turns = SiteTurns(lambda site: 1.0)
    looked = list[str]()
    for number in range(50_000):
        turns.add("flood", f"h{number}", f"flood{number}")
    turns.add("quiet", "quiet", "quiet1")

    def ready(site: str, host: str) -> bool:
        looked.append(host)
        return site == "quiet"

    assert turns.next(ready, lambda url: True) == "quiet1"
    assert len(looked) < 100
