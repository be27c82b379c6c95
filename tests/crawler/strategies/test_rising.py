"""Waiting links of a host that begins to give move up."""

import pytest

from crawler.links.follower import LinkFollower
from crawler.links.scope import Scope
from crawler.links.traps import PatternYields
from crawler.meta import PROMOTE_KEY
from crawler.strategies.focused import FocusedStrategy
from crawler.strategies.rising import RisingHosts
from pipelines.stores.base import Store
from tests.crawler.strategies.test_promise import LIFE, SETTINGS, TOPIC, judged

HOST = "http://late.example"
TAX = "<h1>增值税稽查的新规定</h1>" + "".join(
    f"<p>税务机关在第{number}次增值税稽查中发现，企业没有按时申报印花税，因此应当在十五天以内补缴税款。</p>"
    for number in range(9)
)


@pytest.fixture
def strategy(store: Store) -> FocusedStrategy:
    return FocusedStrategy(SETTINGS, lambda: store, TOPIC)


@pytest.fixture
def follower(strategy: FocusedStrategy) -> LinkFollower:
    scope = Scope([f"{HOST}/", "http://other.example/"], [])
    return LinkFollower(scope, strategy, PatternYields(), depth=9, per_host=1_000, tunnel=9)


def read(follower: LinkFollower, strategy: FocusedStrategy, url: str, body: str) -> dict[str, tuple[int, bool]]:
    """Fetch a page: the priorities of the requests that it leads to, and whether they only move up."""
    item = judged(strategy, url, body)
    found = list(follower.requests(item, print))
    follower.learn(item, True, found)
    return {request.url: (request.priority, PROMOTE_KEY in request.meta) for request in found}


def test_links_found_earlier_move_up_when_their_host_begins_to_give(
    strategy: FocusedStrategy, follower: LinkFollower
) -> None:
    links = "".join(f'<p><a href="/p/{place}">第{place}篇</a></p>' for place in range(60))
    before = read(follower, strategy, f"{HOST}/", LIFE + links)
    for place in range(20):
        read(follower, strategy, f"http://other.example/{place}", LIFE)
    moved: dict[str, tuple[int, bool]] = {}
    for place in range(4):
        moved |= read(follower, strategy, f"{HOST}/p/{place}", TAX)
    assert 5 <= len(moved) <= 60
    assert all(only_moves for _, only_moves in moved.values())
    assert all(priority > before[url][0] for url, (priority, _) in moved.items())


def test_links_of_other_hosts_and_of_hosts_that_give_nothing_stay(
    strategy: FocusedStrategy, follower: LinkFollower
) -> None:
    links = "".join(f'<p><a href="/p/{place}">第{place}篇</a></p>' for place in range(30))
    read(follower, strategy, "http://other.example/", LIFE + links)
    read(follower, strategy, f"{HOST}/", LIFE + links)
    assert not [read(follower, strategy, f"http://other.example/p/{place}", LIFE) for place in range(4)][-1]
    for place in range(4):
        moved = read(follower, strategy, f"{HOST}/p/{place}", TAX)
        assert all(url.startswith(HOST) for url in moved)


def test_only_a_step_of_the_yield_has_links_scored_anew() -> None:
    rising = RisingHosts()
    rising.found([f"{HOST}/{place}" for place in range(300)] + [f"{HOST}/299"])
    assert rising.risen("late.example", 0.1, 0.05) == ()
    found = rising.risen("late.example", 0.2, 0.05)
    assert (found[0], found[-1], len(found)) == (f"{HOST}/299", f"{HOST}/101", 199)
    assert rising.risen("late.example", 0.25, 0.05) == ()
    assert rising.risen("late.example", 0.35, 0.05)


def test_a_host_that_fell_rises_from_there_again() -> None:
    rising = RisingHosts()
    rising.found([f"{HOST}/1"])
    assert rising.risen("late.example", 0.5, 0.1)
    assert rising.risen("late.example", 0.2, 0.1) == ()
    assert rising.risen("late.example", 0.32, 0.1) == [f"{HOST}/1"]


def test_hosts_long_unseen_are_forgotten() -> None:
    rising = RisingHosts()
    rising.found(f"http://h{place}.example/" for place in range(2_100))
    assert rising.risen("h0.example", 0.9, 0.0) == []
    assert rising.risen("h2099.example", 0.9, 0.0) == ["http://h2099.example/"]
