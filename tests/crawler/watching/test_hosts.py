"""Hosts are asked as often as they bear, and left alone when they refuse or fail."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from crawler.watching.budget import Budget
from crawler.watching.hosts import WINDOW_SECONDS, Hosts
from crawler.watching.validators import TRUST_SECONDS, Validators


@given(st.lists(st.sampled_from(("answer", "fail", "refuse")), max_size=200), st.integers(6, 200))
def test_a_host_gets_no_more_than_its_most(answers: list[str], per_hour: int) -> None:
    hosts, sent, now = Hosts(per_hour, 2 * per_hour), list[float](), 0.0
    for answer in answers:
        while not hosts.is_ready("a", now):
            now += 5.0
        hosts.send("a", now)
        sent.append(now)
        {"answer": hosts.answered, "fail": hosts.failed}.get(answer, lambda name, at: hosts.refused(name, at, 0))(
            "a", now
        )
        assert sum(at > now - WINDOW_SECONDS for at in sent) <= max(1, 2 * per_hour * WINDOW_SECONDS / 3_600)


def test_a_refusal_lowers_the_cap_for_a_day_and_retry_after_is_kept() -> None:
    hosts, now = Hosts(600, 600), 0.0
    for _ in range(15):
        hosts.send("a", now)
        hosts.answered("a", now)
        now += 1
    hosts.send("a", now)
    hosts.refused("a", now, 120.0)
    assert not hosts.is_ready("a", now + 119)
    assert not hosts.is_ready("a", now + 121)
    assert hosts.is_ready("a", now + WINDOW_SECONDS + 1)
    assert hosts.of("a").cap <= 11.2


def test_an_outage_is_waited_for_longer_each_time_but_never_long() -> None:
    hosts, now, asked = Hosts(600, 600), 0.0, list[float]()
    while now < 7_200:
        if hosts.is_ready("a", now):
            hosts.send("a", now)
            hosts.failed("a", now)
            asked.append(now)
        now += 1
    assert len(asked) < 25
    assert max(after - before for before, after in pairwise(asked)) <= 601
    hosts.send("a", now)
    hosts.answered("a", now)
    assert hosts.is_ready("a", now)


@given(st.floats(10, 5_000), st.lists(st.tuples(st.floats(0, 60), st.booleans()), max_size=300))
def test_a_budget_is_never_exceeded_and_a_share_neither(per_hour: float, steps: list[tuple[float, bool]]) -> None:
    budget, now, all_taken, of_share = Budget(per_hour, {"recheck": 0.2}), 0.0, 0, 0
    for elapsed, recheck in steps:
        now += elapsed
        budget.flow(now)
        purpose = "recheck" if recheck else "list"
        if budget.has(purpose):
            budget.take(purpose)
            all_taken += 1
            of_share += recheck
    assert all_taken <= 2 + max(2.0, per_hour / 60) + now * per_hour / 3_600
    assert of_share <= 2 + 0.2 * all_taken


def test_validators_are_sent_as_they_came_checked_each_hour_and_dropped_when_they_lie() -> None:
    found = Validators()
    found.see(('W/"x"', "Mon, 01 Jan 2026 00:00:00 GMT"), 0.0, changed=False)
    assert found.headers(10.0) == {"If-None-Match": 'W/"x"', "If-Modified-Since": "Mon, 01 Jan 2026 00:00:00 GMT"}
    assert not found.headers(TRUST_SECONDS)
    found.see(('W/"y"', ""), 10.0, changed=True)
    assert found.headers(20.0) == {"If-None-Match": 'W/"y"'}
    found.see(('W/"y"', ""), 30.0, changed=True)
    assert found.lied
    assert not found.headers(40.0)


def test_a_host_that_may_hardly_be_asked_is_asked_still() -> None:
    hosts = Hosts(0.0, 0.0)
    hosts.send("a.example", 0.0)
    hosts.answered("a.example", 700.0)
    assert hosts.is_ready("a.example", 700.0)
    hosts.send("a.example", 700.0)
    hosts.answered("a.example", 701.0)
    assert not hosts.is_ready("a.example", 1_200.0)
    assert hosts.is_ready("a.example", 1_300.0)
