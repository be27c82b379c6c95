"""The same of every store of identities: one turn at a time, fences, rests, generations."""

import stat
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from crawler.identities import base
from crawler.identities.base import (
    Backoff,
    Busy,
    IdentitiesUnavailableError,
    IdentityError,
    IdentityStore,
    Key,
    NewerSession,
    Session,
    Turn,
)
from crawler.identities.redis_identities import RedisIdentities
from crawler.identities.sqlite_identities import SqliteIdentities

KEY = Key("some.example", "读者")
COOKIE = {
    "name": "sid",
    "value": "wért",
    "domain": ".some.example",
    "path": "/",
    "secure": True,
    "expires": 2_000_000_000,
}
Open = Callable[[], IdentityStore]


@pytest.fixture(params=["sqlite", "redis"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    stores: list[IdentityStore] = []

    def open_one() -> IdentityStore:
        if request.param == "sqlite":
            stores.append(SqliteIdentities(tmp_path / "data" / "identities.db"))
        else:
            client = redis.Redis.from_url(request.getfixturevalue("redis_url")) if not stores else stores[0]._client
            stores.append(RedisIdentities(client, "{test}"))
        return stores[-1]

    yield open_one
    for store in stores:
        store.close()


def _turn(store: IdentityStore, seen: int = 0) -> Turn:
    turn = store.take_turn(KEY, seen)
    assert isinstance(turn, Turn)
    return turn


def test_what_is_finished_is_the_next_generation_for_all(opened: Open) -> None:
    ours, theirs = opened(), opened()
    assert ours.session(KEY) == Session()
    session = Session(cookies=(COOKIE,), check="https://some.example/我", form_tells=False)
    assert ours.finish(KEY, _turn(ours), session) == 1
    found = theirs.session(KEY)
    assert (found.generation, found.cookies, found.check, found.form_tells) == (1, (COOKIE,), session.check, False)
    assert found.since > 1_700_000_000
    assert isinstance(theirs.take_turn(KEY, 0), NewerSession)
    assert isinstance(theirs.take_turn(KEY, 7), NewerSession)
    assert ours.finish(KEY, _turn(ours, 1), Session()) == 2


def test_a_turn_is_one_nodes_until_it_ends_or_runs_out(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = opened(), opened()
    first = _turn(ours)
    busy = theirs.take_turn(KEY, 0)
    assert isinstance(busy, Busy)
    assert 0 < busy.seconds <= base.TURN_SECONDS
    ours.release(KEY, first)
    for module in ("sqlite_identities", "redis_identities"):
        monkeypatch.setattr(f"crawler.identities.{module}.TURN_SECONDS", 0.0)
    slow = _turn(ours)
    quick = _turn(theirs)
    assert quick.fence > slow.fence > first.fence
    assert theirs.finish(KEY, quick, Session(check="quick")) == 1
    assert ours.finish(KEY, slow, Session(check="slow")) == 0
    ours.fail(KEY, slow, "late", 100.0)
    ours.release(KEY, slow)
    assert ours.session(KEY).check == "quick"
    assert not ours.session(KEY).failures


def test_a_failed_log_in_rests_for_all_and_the_next_success_forgets_it(opened: Open) -> None:
    ours, theirs = opened(), opened()
    ours.fail(KEY, _turn(ours), "密码错误", 100.0)
    resting = theirs.take_turn(KEY, 0)
    assert isinstance(resting, Backoff)
    assert resting.said == "密码错误"
    assert 90 < resting.seconds <= 100
    turn = theirs.take_turn(KEY, 0, at_once=True)
    assert isinstance(turn, Turn)
    assert theirs.session(KEY).failures == 1
    theirs.finish(KEY, turn, Session())
    assert (ours.session(KEY).failures, ours.session(KEY).said, ours.session(KEY).rests_until) == (0, "", 0.0)


def test_cookies_from_elsewhere_pass_by_a_log_in_under_way(opened: Open) -> None:
    ours, theirs = opened(), opened()
    turn = _turn(ours)
    assert theirs.put(KEY, (COOKIE,)) == 1
    assert ours.finish(KEY, turn, Session()) == 0
    assert ours.session(KEY).cookies == (COOKIE,)
    changed = COOKIE | {"value": "newer"}
    assert theirs.keep(KEY, 1, (changed,))
    assert not theirs.keep(KEY, 0, (COOKIE,))
    assert ours.session(KEY).cookies == (changed,)
    assert ours.keep(Key("", "new"), 0, (COOKIE,))
    assert ours.session(Key("", "new")).cookies == (COOKIE,)


def test_of_many_who_want_the_turn_one_gets_it(opened: Open) -> None:
    stores = [opened() for _ in range(4)]
    with ThreadPoolExecutor(16) as pool:
        got = list(pool.map(lambda number: stores[number % 4].take_turn(KEY, 0), range(64)))
    assert sum(isinstance(turn, Turn) for turn in got) == 1


def test_a_file_is_its_owners_and_a_newer_one_is_refused(tmp_path: Path) -> None:
    store = SqliteIdentities(tmp_path / "identities.db")
    store.put(KEY, (COOKIE,))
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}
    store._database.execute("PRAGMA user_version = 99")
    store.close()
    with pytest.raises(IdentityError, match="newer topicrawl"):
        SqliteIdentities(tmp_path / "identities.db")


def test_a_server_that_is_away_is_said_without_a_cookie() -> None:
    client = redis.Redis(port=9, retry=Retry(NoBackoff(), 0))
    with pytest.raises(IdentitiesUnavailableError, match="does not answer"):
        RedisIdentities(client, "{test}").put(KEY, (COOKIE,))


@pytest.mark.parametrize("days", [1 / 24, 30])
def test_a_clock_set_back_between_two_runs_locks_nobody_out_for_long(tmp_path: Path, days: float) -> None:
    now = 2_000_000_000.0
    path = tmp_path / "identities.db"
    failed, died = Key("some.example", "failed"), Key("some.example", "died")
    with closing(SqliteIdentities(path, 600.0, lambda: now)) as store:
        turn = store.take_turn(failed, 0)
        assert isinstance(turn, Turn)
        store.fail(failed, turn, "wrong password", 600.0)
        assert isinstance(store.take_turn(died, 0), Turn)
        assert isinstance(store.take_turn(failed, 0), Backoff)
        assert isinstance(store.take_turn(died, 0), Busy)
    now -= days * 86_400
    with closing(SqliteIdentities(path, 600.0, lambda: now)) as store:
        assert isinstance(store.take_turn(failed, 0), Turn)
        assert isinstance(store.take_turn(died, 0), Turn)
