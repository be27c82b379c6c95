"""Hosts are asked in their hours only, by the clock on their wall, and a sleeping host holds up nobody."""

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import Request
from scrapy.settings import Settings

from crawler.commands.frontier import _opening
from crawler.config.hours import Hours, Politeness
from crawler.config.sites import read_sites
from crawler.frontier.base import QueueEntry
from crawler.middlewares.failures import NoAnswerError
from crawler.middlewares.request_filters import HoursMiddleware
from tests.crawler.frontier.test_contract import (  # noqa: F401  # the contract's fixtures
    Build,
    Clock,
    clock,
    kind,
    make,
    open_frontier,
)

HOSTS = {
    "shanghai": Hours(((22 * 60, 6 * 60 + 30),), "Asia/Shanghai"),
    "new-york": Hours(((9 * 60, 12 * 60), (13 * 60, 17 * 60)), "America/New_York"),
    "london": Hours(((0, 3 * 60), (23 * 60, 1440)), "Europe/London"),
}
ZONES = ["Asia/Shanghai", "America/New_York", "Europe/London", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"]


def is_inside(hours: Hours, moment: float) -> bool:
    """What the clock on the wall says, minute by minute."""
    shown = datetime.fromtimestamp(moment, ZoneInfo(hours.zone))
    minute = shown.hour * 60 + shown.minute
    return any(
        first <= minute < last if first < last else (minute >= first or minute < last) for first, last in hours.minutes
    )


@given(
    spans=st.lists(st.tuples(st.integers(0, 1439), st.integers(0, 1440)), min_size=1, max_size=3),
    zone=st.sampled_from(ZONES),
    moment=st.integers(1_767_225_600, 1_861_920_000),
)
def test_what_opens_is_inside_and_nothing_inside_is_missed(
    spans: list[tuple[int, int]], zone: str, moment: int
) -> None:
    hours = Hours(tuple(spans), zone)
    opens = hours.opens(moment)
    assert is_inside(hours, opens)
    minutes = range(moment, int(min(opens, moment + 86_400)), 60)
    missed = sum(is_inside(hours, minute) for minute in minutes if not _near_a_change(minute, zone))
    assert missed == 0


def _near_a_change(moment: float, zone: str) -> bool:
    """Whether the clock is put forward or back on that day."""
    offsets = {datetime.fromtimestamp(moment + hours * 3600, ZoneInfo(zone)).utcoffset() for hours in range(-30, 31, 6)}
    return len(offsets) > 1


@pytest.mark.parametrize("first", [datetime(2026, 10, 30, 12, tzinfo=UTC), datetime(2027, 3, 12, 12, tzinfo=UTC)])
def test_no_request_outside_its_hours_over_three_zones(
    open_frontier: Build,  # noqa: F811
    clock: Clock,  # noqa: F811
    first: datetime,
) -> None:
    """Four days around the nights in which New York's clock is put back and forward, in steps of seven minutes."""
    clock.now = first.timestamp()
    frontier = open_frontier("hours", Politeness(60.0, 4), clock)
    for host, hours in HOSTS.items():
        frontier.set_pace(host, Politeness(60.0, 4, hours))
    hosts = [*HOSTS, "always"]
    frontier.push([QueueEntry(number, hosts[number % 4], 0, b"x") for number in range(4000)])
    asked, due = Counter[str](), Counter[str]()
    for _ in range(4 * 24 * 60 // 7):
        clock.now += 7 * 60
        due.update(host for host in hosts if host == "always" or is_inside(HOSTS[host], clock.now))
        for lease in frontier.pop(10):
            asked[lease.host] += 1
            assert lease.host == "always" or is_inside(HOSTS[lease.host], clock.now), lease.host
            frontier.ack([lease.token])
    assert asked == due  # each at every step at which it may be: nobody is held up
    assert all(count > 100 for count in asked.values())
    frontier.close()


def test_who_sleeps_and_for_how_long(open_frontier: Build, clock: Clock) -> None:  # noqa: F811
    clock.now = datetime(2026, 11, 21, 12, 0, tzinfo=UTC).timestamp()  # 20:00 in Shanghai
    frontier = open_frontier("asleep", Politeness(0.0, 4), clock)
    frontier.set_pace("shanghai", Politeness(0.0, 4, HOSTS["shanghai"]))
    assert frontier.seconds_until_open() is None
    frontier.push([QueueEntry(1, "shanghai", 900, b"x"), QueueEntry(2, "always", 0, b"y")])
    assert frontier.seconds_until_open() == pytest.approx(7200)
    leases = frontier.pop(5)
    assert [lease.host for lease in leases] == ["always"]
    frontier.ack([leases[0].token])
    assert frontier.wait_seconds() == pytest.approx(7200)
    assert frontier.pending()
    clock.now += 7200
    assert frontier.seconds_until_open() is None or frontier.wait_seconds() == 0
    assert [lease.host for lease in frontier.pop(5)] == ["shanghai"]
    assert frontier.seconds_until_open() is None
    frontier.close()


def test_a_resumed_crawl_keeps_to_hours_that_were_changed(open_frontier: Build, clock: Clock) -> None:  # noqa: F811
    clock.now = datetime(2026, 11, 21, 12, 0, tzinfo=UTC).timestamp()
    first = open_frontier("resumed", Politeness(0.0, 4), clock)
    first.push([QueueEntry(number, "shanghai", 0, b"x") for number in range(3)])
    first.close()
    second = open_frontier("resumed", Politeness(0.0, 4), clock)
    second.set_pace("shanghai", Politeness(0.0, 4, HOSTS["shanghai"]))
    assert second.pop(5) == []
    second.close()
    third = open_frontier("resumed", Politeness(0.0, 4), clock)  # the file was taken away
    clock.now += 86_400
    assert len(third.pop(5)) == 3
    third.close()


def test_a_sites_delay_and_concurrency_act(open_frontier: Build, clock: Clock) -> None:  # noqa: F811
    frontier = open_frontier("pace", Politeness(0.0, 100), clock)
    frontier.set_pace("narrow", Politeness(0.0, 2))
    frontier.set_pace("slow", Politeness(10.0, 100))
    frontier.push([QueueEntry(number, ("narrow", "slow", "free")[number % 3], 0, b"x") for number in range(60)])
    leases = frontier.pop(60)
    assert Counter(lease.host for lease in leases) == {"narrow": 2, "slow": 1, "free": 20}
    narrow = [lease.token for lease in leases if lease.host == "narrow"]
    clock.now += 9.9
    assert frontier.pop(60) == []
    frontier.ack(narrow[:1])
    clock.now += 0.2
    assert Counter(lease.host for lease in frontier.pop(60)) == {"narrow": 1, "slow": 1}
    frontier.close()


def test_the_last_look_before_a_request_goes_out(tmp_path: Path) -> None:
    (tmp_path / "sites").mkdir()
    (tmp_path / "sites" / "night.example.yaml").write_text('hours: ["22:00-06:30"]\nzone: Asia/Shanghai')
    sites = read_sites(Settings({"TOPICRAWL_SETTINGS_DIR": str(tmp_path)}))
    clock = Clock()  # noqa: F811
    clock.now = datetime(2026, 11, 21, 14, 0, tzinfo=UTC).timestamp()
    middleware = HoursMiddleware(sites, clock)
    middleware.process_request(Request("http://night.example/"))
    clock.now = datetime(2026, 11, 21, 22, 30, tzinfo=UTC).timestamp()
    late = Request("http://night.example/")
    with pytest.raises(NoAnswerError, match="outside its hours"):
        middleware.process_request(late)
    assert late.meta["frontier_give_back"]
    redirected = Request("http://night.example/", meta={"redirect_urls": ["http://a.example/"]})
    with pytest.raises(NoAnswerError):
        middleware.process_request(redirected)
    assert redirected.meta["frontier_failure"][1] == pytest.approx(15.5 * 3600)
    middleware.process_request(Request("http://day.example/"))
    assert _opening(sites, "day.example") == "always"
