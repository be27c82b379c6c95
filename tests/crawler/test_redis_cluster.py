"""What nodes share besides the frontier, in a Redis Cluster of which one master is dead."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from redis import ConnectionPool
from redis.exceptions import ClusterError
from scrapy.settings import Settings

from crawler.bans.shared import open_bans
from crawler.checks.servers import redis as check_redis
from crawler.frontier.shared.start_urls import StartUrlsKey
from crawler.identities.base import Turn
from crawler.identities.redis_identities import RedisIdentities
from pipelines.redis_client import connect
from testbed.servers import RedisClusterServers, ServerProcess, slot_of

pytestmark = pytest.mark.slow
Killed = Callable[[str], ServerProcess]


def settings(cluster: RedisClusterServers) -> Settings:
    return Settings({"REDIS_URL": cluster.address, "REDIS_CLUSTER": "1", "BANS_KEY": "{bans}"})


@pytest.fixture
def killed(redis_cluster: RedisClusterServers) -> Iterator[Killed]:
    """Kills a master, with its replica, that has none of the slots of a key; scripts are nowhere loaded."""

    def kill(key: str) -> ServerProcess:
        dead = next(server for server in redis_cluster.masters() if server is not redis_cluster.owner(slot_of(key)))
        redis_cluster.replica_of(dead).kill()
        for server in redis_cluster.masters():
            redis_cluster.ask(server, "SCRIPT", "FLUSH")
        dead.kill()
        return dead

    yield kill
    redis_cluster.restore()


@pytest.mark.parametrize("key", ["%(name)s:start_urls", "ours:{%(name)s}:start_urls"])
def test_start_urls_are_taken_and_confirmed(redis_cluster: RedisClusterServers, killed: Killed, key: str) -> None:
    own: dict[str, Any] = dict(settings(redis_cluster)) | {"REDIS_START_URLS_KEY": key}
    client = connect(Settings(own))
    name = key % {"name": "site"}
    client.rpush(name, "http://a.example/", "http://b.example/")
    start_urls = StartUrlsKey(client, Settings(own), "site", "me")
    killed(name)
    assert start_urls.take(1) == [b"http://a.example/"]
    start_urls.confirm()
    assert client.lrange(name, 0, -1) == [b"http://b.example/"]
    client.close()


def test_bans_and_identities_are_shared(redis_cluster: RedisClusterServers, killed: Killed) -> None:
    bans, identities = open_bans(settings(redis_cluster)), RedisIdentities(connect(settings(redis_cluster)), "{bans}:i")
    killed("{bans}")
    bans.add(("a.example", "me", ""), 60.0)
    assert list(bans.exchange()) == [("a.example", "me", "")]
    assert isinstance(identities.take_turn(("a.example", "me"), 0), Turn)
    identities.close()
    bans._client.close()


def test_a_connection_is_returned_once_when_a_slot_moves_to_an_unknown_server(
    redis_cluster: RedisClusterServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Returned twice, it would serve two threads at a time, which read each other's replies."""
    client, slot = connect(settings(redis_cluster)), slot_of("moving")
    source, target = redis_cluster.owner(slot), redis_cluster.add()
    redis_cluster.ask(source, "CLUSTER", "SETSLOT", slot, "MIGRATING", redis_cluster.id_of(target))
    events: list[str] = []
    for name in ("get_connection", "release"):
        monkeypatch.setattr(ConnectionPool, name, noting(events, getattr(ConnectionPool, name)))
    with pytest.raises(ClusterError):
        client.get("moving")
    assert events
    assert events == ["get_connection", "release"] * (len(events) // 2)
    redis_cluster.ask(source, "CLUSTER", "SETSLOT", slot, "STABLE")
    redis_cluster.remove(target)
    client.close()


def noting(events: list[str], call: Callable[..., Any]) -> Callable[..., Any]:
    def noted(*given: Any, **named: Any) -> Any:
        events.append(call.__name__)
        return call(*given, **named)

    return noted


def test_the_doctor_looks_at_every_master(redis_cluster: RedisClusterServers, killed: Killed) -> None:
    redis_cluster.ask(redis_cluster.masters()[0], "CONFIG", "SET", "cluster-require-full-coverage", "yes")
    found = check_redis(settings(redis_cluster))
    redis_cluster.ask(redis_cluster.masters()[0], "CONFIG", "SET", "cluster-require-full-coverage", "no")
    assert [finding.subject for finding in found].count("Redis persistence") == 3
    assert [finding.subject for finding in found if finding.state != "ok"] == ["Redis Cluster"]
    dead = killed("any")
    (fault,) = [finding for finding in check_redis(settings(redis_cluster)) if finding.state == "fault"]
    assert str(dead.port) in fault.message
