"""What is lost when hosts of a cluster fail, by the spider as operators start it: `python -m benchmarks.hosts`.

Two nodes, Redis and a MongoDB server, each in a network namespace with an address of its own (needs root and iproute2), a
site on loopback; disturbed when 35 % of its pages were served. Lost are pages that the store has no row for.

partition  nothing that Redis answers reaches one node for 30 s
store      kill -9 of the MongoDB server, started again after 5 s
node       kill -9 of one node
"""

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen

from benchmarks.nodes import table
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from testbed.cluster import ClusterNode, numbered_page
from testbed.hostile.server import HostileWeb
from testbed.servers import Network, ServerProcess, can_make_hosts, mongo_server, on_host, redis_server, wait_until


@dataclass
class Cluster:
    """What can be disturbed."""

    network: Network
    store: ServerProcess
    processes: list[Popen[bytes]]


def partition(cluster: Cluster) -> None:
    """Between the first node and Redis, for 30 s."""
    first, _, redis_host, _ = cluster.network.hosts
    redis_host.cut_off(first)
    time.sleep(30)
    redis_host.heal(first)


def store(cluster: Cluster) -> None:
    """The database server dies and comes back."""
    cluster.store.kill()
    time.sleep(5)
    cluster.store.start()


def node(cluster: Cluster) -> None:
    """The first node dies."""
    cluster.processes[0].kill()


EVENTS: dict[str, tuple[Callable[[Cluster], None], int]] = {
    "partition": (partition, 1),
    "store": (store, 3),
    "node": (node, 3),
}


def _run(event: Callable[[Cluster], None], options: argparse.Namespace, folder: Path) -> list[object]:
    """Pages lost, rows twice, pages fetched twice, seconds."""
    with Network(4) as network:
        first, second, redis_host, store_host = network.hosts
        redis = on_host(redis_server(folder / "redis", "--protected-mode", "no"), redis_host)
        mongo = on_host(mongo_server(folder / "mongo"), store_host)
        redis.start()
        mongo.start()
        try:
            with HostileWeb(
                {network.address: lambda asked: numbered_page(asked, options.pages)}, bind=network.address
            ) as web:
                seeds = folder / "urls.txt"
                seeds.write_text(f"{web.address}/0\n", encoding="utf-8")
                pace: dict[str, object] = {"FRONTIER_HOST_CONCURRENCY": 64, "CONCURRENT_REQUESTS": options.concurrency}
                address = f"{mongo.address}crawl"
                nodes = [
                    ClusterNode(folder / host.name, redis.address, address, host, pace) for host in (first, second)
                ]
                began = time.monotonic()
                processes = [each.start(seeds) for each in nodes]
                wait_until(lambda: len(web.seen) > 0.35 * options.pages, "a third of the crawl", 600)
                event(Cluster(network, mongo, processes))
                for process in processes:
                    process.wait(900)
                seconds = time.monotonic() - began
                asked = Counter(seen.path for seen in web.seen if seen.path[1:].isdigit())
                opened = open_store(address)
                urls = [str(row["url"]) for row in opened.select(PAGES, columns=["url"])]
                opened.close()
        finally:
            redis.stop()
            mongo.stop()
    lost, copies = options.pages - len(set(urls)), len(urls) - len(set(urls))
    return [lost, copies, sum(asked.values()) - len(asked), f"{seconds:.0f}"]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("events", nargs="*", default=list(EVENTS))
    parser.add_argument("--pages", type=int, default=4_000)
    parser.add_argument("--runs", type=int, default=0, help="of each event; 0: as many as it is worth")
    parser.add_argument("--concurrency", type=int, default=16)
    options = parser.parse_args()
    if unknown := set(options.events) - set(EVENTS):
        parser.error(f"there is no event {unknown.pop()!r}; there are {', '.join(EVENTS)}")
    if not can_make_hosts():
        parser.error("network namespaces cannot be made: that needs root and iproute2")
    rows: list[list[object]] = []
    for name in options.events:
        event, worth = EVENTS[name]
        for run in range(options.runs or worth):
            with tempfile.TemporaryDirectory() as work:
                rows.append([name, run + 1, *_run(event, options, Path(work))])
            print(*rows[-1], flush=True)
    table(["event", "run", "pages lost", "rows twice", "fetched twice", "seconds"], rows)


if __name__ == "__main__":
    main()
