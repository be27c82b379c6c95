"""A ban of an identity or a proxy is known to every node."""

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from crawler.bans.registry import BanRegistry
from crawler.bans.shared import SharedBans
from crawler.identities.base import IdentitiesUnavailableError

BOTH = ("some.example", "读者", "http://proxy:1")


def test_nodes_learn_of_each_others_bans_and_keep_those_of_their_own_address(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url) as client:
        nodes = [(BanRegistry(60, 600), SharedBans(client, "{bans}")) for _ in range(2)]
        for bans, shared in nodes:
            bans.on_ban = shared.add
        (ours, our_door), (theirs, their_door) = nodes
        ours.ban(BOTH)
        ours.ban(("some.example", "", ""))
        assert set(our_door.exchange()) == {BOTH}
        for visitor, left in their_door.exchange().items():
            theirs.merge(visitor, left)
        assert 55 < theirs.seconds_left(BOTH) <= 60
        assert theirs.seconds_left(("some.example", "", "")) == 0
        theirs.merge(BOTH, 1.0)
        assert theirs.seconds_left(BOTH) > 55
        assert list(theirs.active()) == [BOTH]
        our_door.add(BOTH, 0.0)
        assert set(their_door.exchange()) == {BOTH}


def test_what_could_not_be_sent_is_sent_later(redis_url: str) -> None:
    away = SharedBans(redis.Redis(port=9, retry=Retry(NoBackoff(), 0)), "{bans}")
    away.add(BOTH, 30.0)
    with pytest.raises(IdentitiesUnavailableError):
        away.exchange()
    with redis.Redis.from_url(redis_url) as client:
        back = SharedBans(client, "{bans}")
        back._pending = away._pending
        assert set(back.exchange()) == {BOTH}


def test_bans_run_out(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url) as client:
        shared = SharedBans(client, "{bans}")
        shared.add(BOTH, -1.0)
        shared.exchange()
        assert shared.exchange() == {}
