"""What every frontier must do."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from crawler.config.hours import Politeness
from crawler.frontier.base import MAX_ATTEMPTS, MAX_LOST_LEASES, Frontier, FrontierError, QueueEntry, RequestLease
from crawler.frontier.local.sqlite import SqliteFrontier
from tests.crawler.frontier.direct import DirectFrontier


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


Make = Callable[..., Frontier]


@pytest.fixture
def clock() -> Clock:
    return Clock()


Build = Callable[[str, Politeness, Callable[[], float]], Frontier]


@pytest.fixture(params=["sqlite", "redis"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def open_frontier(kind: str, request: pytest.FixtureRequest) -> Build:
    """Opens a frontier of a name, the same one for the same name."""
    if kind == "redis":
        url = request.getfixturevalue("redis_url")

        def build(name: str, pace: Politeness, clock: Callable[[], float]) -> Frontier:
            client = redis.Redis.from_url(url)
            frontier = DirectFrontier(
                client, f"{{{name}}}:requests", f"{{{name}}}:seen", pace, clock=clock, lease_seconds=120
            )
            frontier.begin()
            return frontier
    else:
        folder = request.getfixturevalue("tmp_path")

        def build(name: str, pace: Politeness, clock: Callable[[], float]) -> Frontier:
            return SqliteFrontier(folder / f"{name}.db", pace, clock=clock, lease_seconds=120)

    return build


@pytest.fixture
def make(open_frontier: Build, clock: Clock) -> Iterator[Make]:
    opened: list[Frontier] = []

    def build(delay: float = 0.0, concurrency: int = 100, name: str = "f") -> Frontier:
        frontier = open_frontier(name, Politeness(delay, concurrency), clock)
        opened.append(frontier)
        return frontier

    yield build
    for frontier in opened:
        frontier.close()


def entry(key: int, host: str = "a", priority: int = 0, again: bool = False) -> QueueEntry:
    return QueueEntry(key, host, priority, f"{host}/{key}".encode(), again)


def payloads(leases: list[RequestLease]) -> list[str]:
    return [lease.payload.decode() for lease in leases]


def test_a_key_is_let_in_once(make: Make) -> None:
    frontier = make()
    assert frontier.push([entry(1), entry(2), entry(1)]) == [True, True, False]
    assert frontier.push([entry(2), entry(2, again=True)]) == [False, True]


def test_an_entry_without_a_request_only_marks_its_key(make: Make) -> None:
    frontier = make()
    assert frontier.push([QueueEntry(1, "a", 0, b""), entry(1), entry(2)]) == [False, False, True]
    assert frontier.accounts().enqueued == 1


def test_best_first_within_a_host_and_hosts_in_turn(make: Make) -> None:
    frontier = make()
    frontier.push([entry(1, "a", 5), entry(2, "a", 9), entry(3, "b", 1), entry(4, "b", 7), entry(5, "a", 5)])
    assert payloads(frontier.pop(9)) == ["a/2", "b/4", "a/1", "b/3", "a/5"]


def test_a_host_in_a_higher_band_goes_first(make: Make) -> None:
    frontier = make()
    frontier.push([entry(1, "a", 10), entry(2, "a", 11), entry(3, "b", 500), entry(4, "b", 510)])
    assert payloads(frontier.pop(9)) == ["b/4", "b/3", "a/2", "a/1"]


@pytest.fixture
def movable(make: Make) -> Frontier:
    """Three requests of two hosts that may be moved up."""
    frontier = make()
    frontier.push(
        [
            QueueEntry(1, "a", 500, b"1", movable=True),
            QueueEntry(2, "a", 300, b"2", movable=True),
            QueueEntry(3, "b", 400, b"3"),
        ]
    )
    return frontier


def test_a_promoted_request_comes_before_others_of_its_host_and_of_other_hosts(movable: Frontier) -> None:
    before = movable.accounts()
    assert movable.promote(2, "a", 900)
    assert movable.accounts() == before
    assert payloads(movable.pop(3)) == ["2", "1", "3"]


def test_what_is_worse_gone_or_unknown_is_not_promoted(movable: Frontier) -> None:
    (first,) = movable.pop(1)
    assert not movable.promote(1, "a", 900)
    movable.ack([first.token])
    assert not movable.promote(1, "a", 900)
    assert not movable.promote(2, "a", 200)
    assert not movable.promote(99, "a", 900)


def test_a_push_of_what_waits_promotes_it(movable: Frontier) -> None:
    better = QueueEntry(2, "a", 900, b"2", movable=True)
    assert movable.push([better, QueueEntry(1, "a", 100, b"1", movable=True)]) == [False, False]
    assert payloads(movable.pop(3)) == ["2", "1", "3"]
    assert movable.push([better]) == [False]
    assert movable.accounts().queued == 0


def test_promotions_again_and_again(movable: Frontier) -> None:
    assert movable.promote(2, "a", 600)
    assert movable.promote(1, "a", 700)
    assert movable.promote(2, "a", 800)
    assert not movable.promote(2, "a", 800)
    assert payloads(movable.pop(3)) == ["2", "1", "3"]
    assert movable.accounts().enqueued == 3


def test_delay_and_concurrency_of_a_host(make: Make, clock: Clock) -> None:
    frontier = make(delay=2.0, concurrency=2)
    frontier.push([entry(key) for key in range(4)])
    first = frontier.pop(9)
    assert len(first) == 1
    assert frontier.wait_seconds() == pytest.approx(2.0)
    clock.now += 2.1
    assert len(frontier.pop(9)) == 1
    clock.now += 2.1
    assert frontier.pop(9) == []
    assert frontier.wait_seconds() is None
    frontier.ack([first[0].token])
    assert len(frontier.pop(9)) == 1


def test_an_acknowledged_request_is_done_and_a_late_token_is_refused(make: Make, clock: Clock) -> None:
    frontier = make()
    frontier.push([entry(1)])
    late = frontier.pop(1)[0]
    clock.now += 500
    again = frontier.pop(1)[0]
    assert frontier.ack([late.token]) == 0
    assert again.attempt == 2
    assert frontier.ack([again.token, again.token]) == 1
    assert frontier.accounts().done == 1
    assert not frontier.pending()


def test_a_heartbeat_prolongs_leases(make: Make, clock: Clock) -> None:
    frontier = make()
    frontier.push([entry(1)])
    lease = frontier.pop(1)[0]
    for _ in range(5):
        clock.now += 100
        frontier.heartbeat()
    assert frontier.pop(1) == []
    assert frontier.ack([lease.token]) == 1


def test_given_back_is_no_attempt(make: Make) -> None:
    frontier = make()
    frontier.push([entry(1)])
    for _ in range(3):
        lease = frontier.pop(1)[0]
        assert lease.attempt == 1
        frontier.give_back([lease.token])


def test_five_failures_are_death_and_the_dead_can_be_queued_again(make: Make, clock: Clock) -> None:
    frontier = make()
    frontier.push([entry(1), entry(2, "b")])
    for _ in range(2 * MAX_ATTEMPTS):
        for lease in frontier.pop(2):
            frontier.fail(lease.token, "no good", delay=10)
        clock.now += 11
    assert frontier.accounts().dead == 2
    assert [(dead.host, dead.attempts, dead.reason) for dead in frontier.dead()] == [
        ("a", 5, "no good"),
        ("b", 5, "no good"),
    ]
    assert not frontier.pending()
    assert frontier.requeue("b") == 1
    assert payloads(frontier.pop(5)) == ["b/2"]


def test_a_failed_request_waits_for_its_delay(make: Make, clock: Clock) -> None:
    frontier = make()
    frontier.push([entry(1)])
    frontier.fail(frontier.pop(1)[0].token, "busy", delay=30)
    assert frontier.pop(1) == []
    assert frontier.pending()
    assert frontier.wait_seconds() == pytest.approx(30)
    clock.now += 31
    assert frontier.pop(1)[0].attempt == 2


def test_what_is_under_way_comes_back_with_the_next_run(make: Make) -> None:
    frontier = make()
    frontier.push([entry(key) for key in range(5)])
    frontier.ack([frontier.pop(2)[0].token])
    frontier.close()
    again = make()
    assert (again.accounts().queued, again.accounts().done) == (4, 1)
    assert again.push([entry(key) for key in range(6)]) == [False] * 5 + [True]
    assert len(again.pop(9)) == 5


def test_two_processes_are_kept_apart_where_one_file_cannot_be_shared(tmp_path: Path) -> None:
    first = SqliteFrontier(tmp_path / "f.db")
    with pytest.raises(FrontierError, match="Another process"):
        SqliteFrontier(tmp_path / "f.db")
    first.close()


def test_a_finished_crawl_begins_again_and_an_unfinished_one_goes_on(make: Make) -> None:
    frontier = make()
    frontier.push([entry(1), entry(2)])
    frontier.ack([frontier.pop(1)[0].token])
    frontier.close()
    again = make()
    again.begin()
    assert again.push([entry(1), entry(2)]) == [False, False]
    again.ack([again.pop(1)[0].token])
    again.close()
    again = make()
    again.begin()
    assert again.accounts().enqueued == 0
    assert again.push([entry(1), entry(2)]) == [True, True]


def test_a_host_can_have_its_own_pace(make: Make) -> None:
    frontier = make(delay=0.0)
    frontier.set_pace("slow", Politeness(5.0, 1))
    frontier.push([entry(1, "slow"), entry(2, "slow"), entry(3, "quick"), entry(4, "quick")])
    assert sorted(payloads(frontier.pop(9))) == ["quick/3", "quick/4", "slow/1"]


def test_what_each_of_its_holders_died_of_is_given_up(make: Make, clock: Clock) -> None:
    frontier = make()
    frontier.push([entry(1)])
    for attempt in range(1, MAX_LOST_LEASES + 1):
        assert frontier.pop(1)[0].attempt == attempt
        clock.now += 500
    frontier.pop(1)
    assert [dead.attempts for dead in frontier.dead()] == [MAX_LOST_LEASES]
    assert not frontier.pending()


def test_purge_forgets_everything(make: Make) -> None:
    frontier = make()
    frontier.push([entry(1), entry(2)])
    frontier.pop(1)
    assert frontier.purge() == 2
    assert frontier.accounts().enqueued == 0
    assert frontier.push([entry(1)]) == [True]
    assert len(frontier.pop(2)) == 1


def test_views_for_the_operator(make: Make) -> None:
    frontier = make()
    frontier.push([entry(1, "a"), entry(2, "a"), entry(3, "b")])
    frontier.pop(2)
    assert {(host.host, host.queued, host.leased) for host in frontier.hosts()} == {("a", 1, 1), ("b", 0, 1)}
    assert {(lease.host, lease.since) for lease in frontier.leased()} == {("a", 1000.0), ("b", 1000.0)}


def test_a_damaged_file_is_said(tmp_path: Path) -> None:
    path = tmp_path / "f.db"
    path.write_bytes(b"this is no database at all" * 200)
    with pytest.raises(FrontierError, match=r"is damaged.*frontier rebuild"):
        SqliteFrontier(path)


def test_any_order_of_calls_keeps_the_accounts(open_frontier: Build, kind: str) -> None:
    counter = iter(range(1_000_000))

    class Machine(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.clock = Clock()
            self.name = f"crawl{next(counter)}"
            self.frontier = self.open()
            self.keys: set[int] = set()
            self.pushed = 0
            self.tokens: list[str] = []

        def open(self) -> Frontier:
            return open_frontier(self.name, Politeness(0.5, 3), self.clock)

        @rule(
            keys=st.lists(st.tuples(st.integers(0, 30), st.sampled_from("abc"), st.integers(-300, 300), st.booleans()))
        )
        def push(self, keys: list[tuple[int, str, int, bool]]) -> None:
            accepted = self.frontier.push([entry(*key) for key in keys])
            for (key, _, _, again), let_in in zip(keys, accepted, strict=True):
                assert let_in == (again or key not in self.keys)
                self.keys.add(key)
            self.pushed += sum(accepted)

        @rule(count=st.integers(1, 5))
        def pop(self, count: int) -> None:
            leases = self.frontier.pop(count)
            assert len(leases) <= count
            self.tokens += [lease.token for lease in leases]

        @rule(
            place=st.integers(0, 50),
            what=st.sampled_from(["ack", "fail", "give_back"]),
            delay=st.sampled_from([0.0, 5.0]),
        )
        def answer(self, place: int, what: str, delay: float) -> None:
            if self.tokens:
                token = self.tokens[place % len(self.tokens)]
                if what == "fail":
                    self.frontier.fail(token, "x", delay)
                else:
                    getattr(self.frontier, what)([token])

        @rule(seconds=st.sampled_from([0.1, 1.0, 40.0]))
        def pass_time(self, seconds: float) -> None:
            self.clock.now += seconds

        @rule()
        def requeue(self) -> None:
            self.frontier.requeue()

        @rule()
        def restart(self) -> None:
            if not self.frontier.accounts().queued + self.frontier.accounts().leased:
                return  # a finished crawl would begin again
            self.frontier.close()
            self.frontier = self.open()

        @invariant()
        def balanced(self) -> None:
            accounts = self.frontier.accounts()
            assert accounts.enqueued == self.pushed
            assert self.frontier.pending() == (accounts.queued + (accounts.leased if kind == "redis" else 0) > 0)
            assert all(host.leased <= 3 for host in self.frontier.hosts())

        def teardown(self) -> None:
            """Everything that is queued comes out in the end."""
            self.frontier.give_back(self.tokens)
            for _ in range(400):
                if not self.frontier.pending():
                    break
                self.frontier.ack([lease.token for lease in self.frontier.pop(50)])
                self.clock.now += 100
            assert not self.frontier.pending()
            self.frontier.close()

    run_state_machine_as_test(  # type: ignore[no-untyped-call]  # hypothesis leaves it untyped
        Machine,
        settings=settings(
            max_examples=40, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
