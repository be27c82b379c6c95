"""One crawl by nodes on hosts of their own, with Redis and the store on others; one node and Redis stop hearing each other."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from testbed.cluster import ClusterNode, numbered_page
from testbed.hostile import Connection, HostileWeb
from testbed.servers import Network, can_make_hosts, mongo_server, on_host, redis_server, wait_until

_PAGES = 150
_APART = 9.0

pytestmark = pytest.mark.skipif(
    not can_make_hosts(), reason="this user may not make network namespaces (root, iproute2)"
)


def _site(asked: Connection) -> None:
    time.sleep(0.05)
    numbered_page(asked, _PAGES)


@pytest.fixture
def network() -> Iterator[Network]:
    with Network(4) as made:
        yield made


def test_a_partition_costs_nothing(network: Network, tmp_path: Path) -> None:
    first, second, redis_host, store_host = network.hosts
    redis = on_host(redis_server(tmp_path / "redis", "--protected-mode", "no"), redis_host)
    mongo = on_host(mongo_server(tmp_path / "mongo"), store_host)
    seeds = tmp_path / "urls.txt"
    pace = {"FRONTIER_HOST_CONCURRENCY": 8, "CONCURRENT_REQUESTS": 4}
    try:
        redis.start()
        mongo.start()
        store = f"{mongo.address}crawl"
        nodes = [ClusterNode(tmp_path / host.name, redis.address, store, host, dict(pace)) for host in (first, second)]
        with HostileWeb({network.address: _site}, bind=network.address) as web:
            seeds.write_text(f"{web.address}/0\n", encoding="utf-8")
            processes = [node.start(seeds) for node in nodes]
            wait_until(lambda: len(web.asked(network.address)) > _PAGES / 4, "a quarter of the crawl")
            redis_host.cut_off(first)
            time.sleep(_APART)
            redis_host.heal(first)
            codes = [process.wait(120) for process in processes]
            asked = [seen.path for seen in web.asked(network.address) if seen.path[1:].isdigit()]
        opened = open_store(store)
        stored = [row["url"] for row in opened.select(PAGES, columns=("url",))]
        opened.close()
    finally:
        redis.stop()
        mongo.stop()
    assert codes == [0, 0], nodes[0].log()[-2000:] + nodes[1].log()[-2000:]
    assert len(stored) == len(set(stored)) == _PAGES
    assert len(asked) - len(set(asked)) <= 8
    assert "Traceback" not in nodes[0].log() + nodes[1].log()
    assert nodes[0].log().count("WARNING: Redis is unavailable") == 1
    assert "Redis is unavailable" not in nodes[1].log()
