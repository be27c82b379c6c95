"""What is lost when something dies: `python -m benchmarks.faults [kill both redis partition poison away]`.

Each row is a crawl of the made-up web by two nodes, disturbed when about 35 % of the pages were served. Lost are pages
of the web that no row was stored for; the store has one row a URL, written before an item leaves its pipeline.

kill       kill -9 of one of two nodes, with 16 and with 64 requests under way in each
both       kill -9 of both nodes; two others are started
cut        as if Redis's machine lost power: its append-only file loses what the last second wrote
redis      kill -9 of Redis (append-only file, written every second), started again after 2 s
partition  nothing passes between one node and Redis for 30 s (a relay between them swallows everything)
expiry     kill -9 of a node that looks as if it were on another machine: its leases must run out (120 s)
poison     each 250th page makes the callback raise each time
"""

import argparse
import socket
import threading
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from benchmarks.crawling_node import make_rows, stored_pages
from benchmarks.nodes import Bench, Node, bench, table, until
from benchmarks.web_of_pages import WebProcess

APPEND_ONLY = ("--appendonly", "yes", "--appendfsync", "everysec")


class Relay:
    """Passes bytes between clients and a server until it is switched to swallow them."""

    def __init__(self, address: str) -> None:
        self._target = (urlsplit(address).hostname or "", urlsplit(address).port or 0)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"redis://127.0.0.1:{self._listener.getsockname()[1]}/0"
        self.passes = threading.Event()
        self.passes.set()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            client, _ = self._listener.accept()
            server = socket.create_connection(self._target)
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                if self.passes.is_set():
                    sink.sendall(data)
        except OSError:
            pass
        finally:
            sink.close()


Disturbance = Callable[[Bench, WebProcess, list[Node], dict[str, Any]], None]


def _crawl(disturb: Disturbance, pages: int, concurrency: int, **options: Any) -> dict[str, Any]:
    """One disturbed crawl: what was lost, fetched twice, and how long it took."""
    with WebProcess(pages=pages) as web, bench(*APPEND_ONLY) as place:
        rows = str(place.folder / "rows.db")
        make_rows(rows)
        words = {"concurrency": concurrency, "rows": rows, "log": "INFO"} | options
        relay = Relay(place.redis.address) if options.get("redis") == "relay" else None
        if relay:
            words["redis"] = relay.address
        nodes = [place.node(web, "ours", **words)]
        words.pop("redis", None)
        nodes.append(place.node(web, "ours", **words))
        until(lambda: sum(web.ask("fetched").values()) >= pages * 0.35)
        began = time.monotonic()
        disturb(place, web, nodes, words | {"relay": relay})
        for node in place.nodes:
            if node.process.returncode is None:
                node.wait(400)
        fetched = web.ask("fetched")
        return {
            "lost": pages - len(fetched),
            "unstored": pages - stored_pages(rows) - place.accounts()["dead"],
            "twice": sum(fetched.values()) - len(fetched),
            "seconds": time.monotonic() - began,
            **place.accounts(),
            "pages": pages,
        }


def kill_one(place: Bench, web: WebProcess, nodes: list[Node], words: dict[str, Any]) -> None:
    """One of the two dies."""
    nodes[0].kill()


def kill_both(place: Bench, web: WebProcess, nodes: list[Node], words: dict[str, Any]) -> None:
    """Both die; two others take their place."""
    for node in nodes:
        node.kill()
    words.pop("relay")
    for _ in nodes:
        place.node(web, "ours", **words)


def kill_redis(place: Bench, web: WebProcess, nodes: list[Node], words: dict[str, Any]) -> None:
    """Redis dies and comes back."""
    place.redis.kill()
    time.sleep(2)
    place.redis.start()


def power_cut(place: Bench, web: WebProcess, nodes: list[Node], words: dict[str, Any]) -> None:
    """Redis comes back as it was a second before it died."""
    written = next((place.folder / "redis" / "appendonlydir").glob("*.incr.aof"))
    size = written.stat().st_size
    time.sleep(1.0)
    place.redis.kill()
    with written.open("r+b") as file:
        file.truncate(size)
    time.sleep(1.0)
    place.redis.start()


def partition(place: Bench, web: WebProcess, nodes: list[Node], words: dict[str, Any]) -> None:
    """One node and Redis do not hear each other for a while."""
    words["relay"].passes.clear()
    time.sleep(30)
    words["relay"].passes.set()


def nothing(place: Bench, web: WebProcess, nodes: list[Node], words: dict[str, Any]) -> None:
    """Only the pages are poison."""


SCENES: dict[str, list[tuple[str, Disturbance, int, dict[str, Any], int]]] = {
    "kill": [
        ("kill -9 of one of two nodes, 16 under way", kill_one, 16, {}, 5),
        ("the same, 64 under way", kill_one, 64, {}, 5),
    ],
    "both": [("kill -9 of both nodes, 16 under way", kill_both, 16, {}, 3)],
    "redis": [("kill -9 of Redis, 16 under way", kill_redis, 16, {}, 3)],
    "cut": [("Redis loses its last second, 16 under way", power_cut, 16, {}, 3)],
    "partition": [("30 s between one node and Redis", partition, 16, {"redis": "relay"}, 1)],
    "expiry": [("kill -9, node of another machine", kill_one, 16, {"elsewhere": 1, "lease": 120}, 1)],
    "poison": [("each 250th page is poison", nothing, 16, {"poison": 250}, 1)],
}


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", default=list(SCENES))
    parser.add_argument("--pages", type=int, default=4000)
    parser.add_argument("--repeats", type=int, default=0, help="runs of each row; 0: as many as it is worth")
    options = parser.parse_args()
    if unknown := set(options.scenes) - set(SCENES):
        parser.error(f"there is no scene {unknown.pop()!r}; there are {', '.join(SCENES)}")
    rows: list[list[object]] = []
    for name in options.scenes:
        for title, disturb, concurrency, given, worth in SCENES[name]:
            runs = [_crawl(disturb, options.pages, concurrency, **given) for _ in range(options.repeats or worth)]
            columns = [", ".join(f"{run[key]:.0f}" for run in runs) for key in ("lost", "unstored", "twice", "seconds")]
            ended = all(run["queued"] == run["leased"] == 0 for run in runs)
            dead = ", ".join(str(run["dead"]) for run in runs)
            rows.append([title, *columns, dead, "yes" if ended else "no"])
            print(f"{title}: lost {columns[0]}, not stored {columns[1]}, twice {columns[2]}", flush=True)
    print()
    table(["event", "never fetched", "never stored", "fetched twice", "seconds after it", "dead", "ended"], rows)


if __name__ == "__main__":
    main()
