"""`scrapy export --follow` while rows are written: the command and the receiver are killed in turns; are rows missing?

    python -m benchmarks.follow_killed [--to file webhook postgresql kafka] [--rows 20000] [--kills 10]

A kill is SIGKILL at a random moment; kfake, which writes the list of its topics when it ends, is stopped in order. The file and the
webhook are of this process, so with them only the command is killed. Needs PostgreSQL and kfake, see testbed/servers/pushing.py.
Prints for each receiver the rows, those missing, and those that came again. Exit code 1 if one is missing.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import psycopg
from confluent_kafka import Consumer, TopicPartition

from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from testbed.local_server import AnsweringHandler, serving
from testbed.servers import ServerProcess
from testbed.servers.processes import wait_until
from testbed.servers.pushing import kafka_server, postgresql_server

_PASSWORD = "secret"
_BATCH = 20
_SECONDS = 5.0
"""From kill to kill, on average."""


@dataclass(frozen=True, slots=True)
class Target:
    """An address, how often it has each key, and the server, if that can be killed."""

    address: str
    keys: Callable[[], Counter[str]]
    server: ServerProcess | None = None


@contextmanager
def file(folder: Path) -> Iterator[Target]:
    path = folder / "rows.jsonl"
    yield Target(str(path), lambda: Counter(json.loads(line)["key"] for line in path.read_bytes().splitlines()))


@contextmanager
def webhook(_: Path) -> Iterator[Target]:
    got: Counter[str] = Counter()

    class Receiver(AnsweringHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if len(body) == int(self.headers["Content-Length"]):
                got.update(row["key"] for row in json.loads(body)["rows"])
                self.answer()

    with serving(Receiver) as server:
        yield Target(f"http://127.0.0.1:{server.server_port}/", lambda: got)


@contextmanager
def postgresql(folder: Path) -> Iterator[Target]:
    server = postgresql_server(folder / "postgresql", _PASSWORD).start()

    def keys() -> Counter[str]:
        with psycopg.connect(server.address, password=_PASSWORD) as client:
            return Counter(key for (key,) in client.execute("SELECT key FROM pages"))

    try:
        yield Target(server.address, keys, server)
    finally:
        server.stop()


@contextmanager
def kafka(folder: Path) -> Iterator[Target]:
    server = kafka_server(folder / "kafka").start()

    def keys() -> Counter[str]:
        found: Counter[str] = Counter()
        settings = {"bootstrap.servers": f"127.0.0.1:{server.port}", "group.id": "count", "enable.partition.eof": True}
        with closing(Consumer(settings)) as consumer:
            consumer.assign([TopicPartition("pages", number, 0) for number in (0, 1)])
            ended = 0
            while ended < 2:
                message = consumer.poll(1.0)
                ended += message is not None and message.error() is not None
                if message is not None and message.error() is None:
                    found[message.key().decode()] += 1
        return found

    try:
        yield Target(f"{server.address}/pages", keys, server)
    finally:
        server.stop()


TARGETS = {each.__name__: each for each in (file, webhook, postgresql, kafka)}


def write(address: str, rows: int, pause: float) -> None:
    """The given number of pages, in batches."""
    with closing(open_store(address)) as store:
        for start in range(0, rows, _BATCH):
            at = datetime.now(UTC).isoformat()
            pages = [
                {"key": f"k{n}", "url": f"http://a.example/{n}", "body": "文" * 500, "fetched_at": at}
                for n in range(start, min(start + _BATCH, rows))
            ]
            store.upsert(PAGES, pages).result()
            time.sleep(pause)


def command(folder: Path, target: Target, *words: str) -> list[str]:
    given = ["-s", f"STORE=sqlite:///{folder}/a.db", "-s", f"DATA_DIR={folder}", "-s", "ALLOW_PRIVATE_ADDRESSES=1"]
    secret = [] if "kafka" in target.address or "://" not in target.address else ["--secret-from", "ROWS_SECRET"]
    return [sys.executable, "-m", "scrapy", "export", "--to", target.address, *secret, *words, *given]


def started_again(server: ServerProcess) -> None:
    """Children of a killed PostgreSQL hold its memory for a moment."""

    def starts() -> bool:
        try:
            server.start()
        except RuntimeError:
            return False
        return True

    wait_until(starts, f"starting {server.origin} again")


def killed(folder: Path, target: Target, kills: int, chance: random.Random) -> str:
    """Follow with this number of kills, then to the end; what was killed."""
    environment, what = {**os.environ, "ROWS_SECRET": _PASSWORD}, Counter[str]()
    process = None
    for number in range(kills):
        process = process or subprocess.Popen(
            command(folder, target, "--follow"), env=environment, stderr=subprocess.DEVNULL
        )
        time.sleep(chance.uniform(0.5 * _SECONDS, 1.5 * _SECONDS))
        if target.server and number % 2:
            if "kafka" in target.address:
                target.server.stop()
            else:
                target.server.kill()
            started_again(target.server)
            what["receiver"] += 1
        else:
            process.kill()
            process.wait()
            process = None
            what["command"] += 1
    if process:
        process.kill()
        process.wait()
    return ", ".join(f"{name} {count}" for name, count in what.items())


def measure(name: str, rows: int, kills: int, chance: random.Random) -> int:
    """Print the line of a receiver; the number of missing rows."""
    folder = Path(tempfile.mkdtemp(prefix="topicrawl-follow-"))
    folder.chmod(0o755)
    try:
        with TARGETS[name](folder) as target:
            open_store(f"sqlite:///{folder}/a.db").close()
            writer = threading.Thread(
                target=write, args=(f"sqlite:///{folder}/a.db", rows, kills * _SECONDS / (rows / _BATCH))
            )
            writer.start()
            what = killed(folder, target, kills, chance)
            writer.join()
            environment = {**os.environ, "ROWS_SECRET": _PASSWORD}
            subprocess.run(command(folder, target), env=environment, stderr=subprocess.DEVNULL, check=True)
            found = target.keys()
    finally:
        shutil.rmtree(folder)
    missing = rows - len(found)
    print(
        f"{name:12} {rows:8,} rows   killed: {what:24} missing {missing}   again {found.total() - len(found):,}",
        flush=True,
    )
    return missing


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--to", nargs="+", choices=TARGETS, default=list(TARGETS))
    ask.add_argument("--rows", type=int, default=20_000)
    ask.add_argument("--kills", type=int, default=10)
    ask.add_argument("--seed", type=int, default=1)
    given = ask.parse_args()
    chance = random.Random(given.seed)
    return int(sum(measure(name, given.rows, given.kills, chance) for name in given.to) > 0)


if __name__ == "__main__":
    sys.exit(main())
