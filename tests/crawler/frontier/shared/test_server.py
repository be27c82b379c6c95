"""The shared frontier over the kinds of Redis that people run."""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
import redis
from scrapy.settings import Settings

from crawler.frontier.base import FrontierError, QueueEntry
from crawler.frontier.shared.opening import check
from crawler.frontier.shared.server import RedisUnavailableError, connect
from testbed.servers import (
    Certificates,
    NoServerError,
    ServerProcess,
    free_port,
    make_certificates,
    redis_server,
    wait_until,
)
from tests.crawler.frontier.direct import DirectFrontier

Serve = Callable[..., ServerProcess]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    servers: list[ServerProcess] = []

    def begin(*options: str) -> ServerProcess:
        try:
            servers.append(redis_server(tmp_path / f"redis{len(servers)}", *options))
        except NoServerError as error:
            pytest.skip(str(error))
        return servers[-1].start()

    yield begin
    for server in servers:
        server.stop()


def settings(**values: object) -> Settings:
    return Settings(values)


def one_request_through(frontier: DirectFrontier) -> None:
    frontier.begin()
    assert frontier.push([QueueEntry(-5, "a", 1, b"x"), QueueEntry(7, "b", 1, b"y")]) == [True, True]
    leases = frontier.pop(9)
    assert sorted(lease.payload for lease in leases) == [b"x", b"y"]
    assert frontier.ack([leases[0].token]) == 1
    frontier.fail(leases[1].token, "no", delay=5.0)
    assert [host.host for host in frontier.hosts()] == [leases[1].host]
    assert frontier.accounts().done == 1
    frontier.purge()
    frontier.close()


def test_a_redis_cluster_holds_a_crawl_in_one_slot(serve: Serve) -> None:
    server = serve("--cluster-enabled", "yes")
    with redis.Redis.from_url(server.address) as client:
        client.execute_command("CLUSTER", "ADDSLOTS", *range(16_384))  # ADDSLOTSRANGE came with Redis 7
        wait_until(lambda: client.execute_command("CLUSTER INFO")["cluster_state"] == "ok", "the cluster")
    client = connect(settings(REDIS_URL=server.address, REDIS_PARAMS={"redis_cls": "redis.cluster.RedisCluster"}))
    one_request_through(DirectFrontier(client, "{site}:requests", "{site}:dupefilter"))


def sentinel_of(master: ServerProcess, folder: Path, *further: str, silence: int = 30_000) -> ServerProcess:
    """A sentinel that takes the master for lost after milliseconds of silence."""
    folder.mkdir()
    configuration = folder / "sentinel.conf"
    lines = [
        f"sentinel monitor mymaster 127.0.0.1 {master.port} 1",
        f"sentinel down-after-milliseconds mymaster {silence}",
    ]
    configuration.write_text("\n".join([*lines, "sentinel failover-timeout mymaster 2000", *further, ""]))
    sentinel = redis_server(folder)
    sentinel.command = [sentinel.command[0], str(configuration), "--sentinel", "--port", str(sentinel.port)]
    return sentinel


def test_the_master_is_asked_of_sentinels(serve: Serve, tmp_path: Path) -> None:
    sentinel = sentinel_of(
        serve("--requirepass", "sesame"), tmp_path / "sentinel", "sentinel auth-pass mymaster sesame"
    )
    sentinel.start()
    try:
        given = settings(
            REDIS_SENTINELS=[f"127.0.0.1:{sentinel.port}"],
            REDIS_URL="redis://nowhere:1/3",
            REDIS_PARAMS={"password": "sesame"},
        )
        client = connect(given)
        one_request_through(DirectFrontier(client, "{site}:requests", "{site}:dupefilter"))
        assert client.connection_pool.connection_kwargs["db"] == 3
    finally:
        sentinel.stop()


def test_the_name_of_the_master_at_the_sentinels(serve: Serve, tmp_path: Path) -> None:
    sentinel = sentinel_of(serve(), tmp_path / "sentinel").start()
    try:
        named = {"REDIS_SENTINELS": [f"127.0.0.1:{sentinel.port}"]}
        with pytest.raises(FrontierError, match="other"):
            check(settings(**named, REDIS_SENTINEL_MASTER="other"))
        check(settings(**named, REDIS_SENTINEL_MASTER="mymaster"))
    finally:
        sentinel.stop()


def test_what_waits_at_a_lost_master_waits_at_the_next(serve: Serve, tmp_path: Path) -> None:
    master = serve("--repl-diskless-sync-delay", "0")
    serve("--replicaof", "127.0.0.1", str(master.port), "--repl-diskless-load", "disabled")
    sentinel = sentinel_of(master, tmp_path / "sentinel", silence=1_000).start()
    try:
        client = connect(settings(REDIS_SENTINELS=[f"127.0.0.1:{sentinel.port}"]))
        frontier = DirectFrontier(client, "{site}:requests", "{site}:dupefilter")
        with redis.Redis.from_url(sentinel.address) as asked:
            wait_until(lambda: asked.sentinel_slaves("mymaster") != [], "finding the replica")
        frontier.push([QueueEntry(key, "a", 0, b"x") for key in range(20)])
        assert client.wait(1, 20_000) == 1
        master.kill()
        with pytest.raises(RedisUnavailableError, match="Redis is unavailable"):
            frontier.accounts()
        wait_until(lambda: answers(frontier), "the next master")
        assert frontier.accounts().queued == 20
        assert frontier.server_restarted()
        lease = frontier.pop(1)[0]
        assert frontier.ack([lease.token]) == 1
        frontier.close()
    finally:
        sentinel.stop()


def answers(frontier: DirectFrontier) -> bool:
    try:
        frontier.push([])
    except RedisUnavailableError:
        return False
    return True


@pytest.fixture
def certificates(tmp_path: Path) -> Certificates:
    return make_certificates(tmp_path / "certificates")


def with_tls(port: int, certificates: Certificates) -> tuple[str, ...]:
    files = ("--tls-cert-file", str(certificates.certificate), "--tls-key-file", str(certificates.key))
    return (
        "--tls-port",
        str(port),
        *files,
        "--tls-ca-cert-file",
        str(certificates.authority),
        "--tls-auth-clients",
        "no",
    )


def serve_with_tls(serve: Serve, *options: str) -> None:
    try:
        serve(*options)
    except RuntimeError as error:
        pytest.skip(f"this redis-server was built without TLS: {error}")


def test_tls_and_a_password(serve: Serve, certificates: Certificates) -> None:
    port = free_port()
    serve_with_tls(serve, *with_tls(port, certificates), "--requirepass", "sesame")
    given = settings(
        REDIS_URL=f"rediss://127.0.0.1:{port}/0?ssl_ca_certs={certificates.authority}",
        REDIS_PARAMS={"password": "sesame"},
    )
    one_request_through(DirectFrontier(connect(given), "ours:{site}:requests", "ours:{site}:dupefilter"))
    stranger = DirectFrontier(connect(settings(REDIS_URL=f"rediss://127.0.0.1:{port}/0")), "q", "s")
    with pytest.raises(RedisUnavailableError, match="Name its authority"):
        stranger.begin()


def test_sentinels_with_tls(serve: Serve, certificates: Certificates, tmp_path: Path) -> None:
    port = free_port()
    serve_with_tls(serve, *with_tls(port, certificates))
    sentinel_port = free_port()
    master = redis_server(tmp_path / "none")
    master.port = port
    tls = [f"{key[2:]} {value}" for key, value in pairs(with_tls(sentinel_port, certificates))]
    sentinel = sentinel_of(master, tmp_path / "sentinel", "tls-replication yes", *tls)
    sentinel.start()
    try:
        given = settings(
            REDIS_SENTINELS=[f"127.0.0.1:{sentinel_port}"],
            REDIS_URL=f"rediss://nowhere:1/0?ssl_ca_certs={certificates.authority}",
        )
        one_request_through(DirectFrontier(connect(given), "{site}:requests", "{site}:dupefilter"))
    finally:
        sentinel.stop()


def pairs(words: Sequence[str]) -> list[tuple[str, str]]:
    return list(zip(words[::2], words[1::2], strict=True))


def test_a_password_is_used_and_never_said(serve: Serve) -> None:
    server = serve("--requirepass", "sesame")
    given = settings(REDIS_URL=server.address, REDIS_PARAMS={"password": "sesame"})
    one_request_through(DirectFrontier(connect(given), "{site}:requests", "{site}:dupefilter"))
    for wrong in ({}, {"password": "open"}):
        frontier = DirectFrontier(connect(settings(REDIS_URL=server.address, REDIS_PARAMS=wrong)), "q", "s")
        with pytest.raises(FrontierError, match="refuses this user") as said:
            frontier.begin()
        assert "sesame" not in str(said.value)


def test_nobody_there_is_said_soon() -> None:
    frontier = DirectFrontier(connect(settings(REDIS_URL="redis://127.0.0.1:1/0")), "q", "s")
    began = time.monotonic()
    with pytest.raises(RedisUnavailableError, match="Redis is unavailable"):
        frontier.begin()
    assert time.monotonic() - began < 3


@pytest.mark.parametrize("url", ["http://127.0.0.1/", "127.0.0.1:6379", "redis://127.0.0.1:port/0"])
def test_a_url_that_makes_no_sense_gets_a_sentence(url: str) -> None:
    with pytest.raises(FrontierError, match="REDIS_URL looks like"):
        connect(settings(REDIS_URL=url))


def test_a_full_redis_takes_nothing_and_loses_nothing(serve: Serve) -> None:
    server = serve()
    with redis.Redis.from_url(server.address) as client:
        frontier = DirectFrontier(connect(settings(REDIS_URL=server.address)), "{q}", "{q}:seen")
        frontier.push([QueueEntry(key, "a", 0, b"x") for key in range(10)])
        lease = frontier.pop(1)[0]
        before = frontier.accounts()
        client.config_set("maxmemory", 1)
        for call in (lambda: frontier.push([QueueEntry(99, "a", 0, b"x")]), lambda: frontier.ack([lease.token])):
            with pytest.raises(RedisUnavailableError, match="maxmemory"):
                call()
        assert frontier.accounts() == before
        client.config_set("maxmemory", 0)
        assert frontier.push([QueueEntry(99, "a", 0, b"x")]) == [True]
        frontier.close()


def test_several_crawls_share_one_redis(redis_url: str) -> None:
    first, second = (
        DirectFrontier(redis.Redis.from_url(redis_url), f"ours:{{{name}}}:requests", f"ours:{{{name}}}:dupefilter")
        for name in ("first", "second")
    )
    assert first.push([QueueEntry(1, "a", 0, b"1")]) == [True]
    assert second.push([QueueEntry(1, "a", 0, b"1")]) == [True]
    assert first.purge() == 1
    assert second.accounts().queued == 1
    with redis.Redis.from_url(redis_url) as client:
        assert all(key.startswith(b"ours:") for key in client.scan_iter())
    for frontier in (first, second):
        frontier.close()
