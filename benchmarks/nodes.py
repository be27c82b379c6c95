"""Nodes, a Redis and a web, each in a process of its own, for the measurements of frontiers."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import redis

from benchmarks.web_of_pages import WebProcess
from testbed.servers import ServerProcess, redis_server


@dataclass
class Node:
    """One crawling process; its result is what it prints last."""

    process: subprocess.Popen[str]
    log: Path

    def wait(self, seconds: float = 300.0) -> dict[str, Any]:
        """Its result; RuntimeError with its last words if there is none."""
        output, _ = self.process.communicate(timeout=seconds)
        lines = output.strip().splitlines()
        if not lines:
            raise RuntimeError(f"a node ended without a result: {self.log.read_text()[-2000:]}")
        found: dict[str, Any] = json.loads(lines[-1])
        return found

    def kill(self) -> None:
        """As a crash does."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """As Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)


@dataclass
class Bench:
    """A folder, a Redis and the nodes started in it."""

    folder: Path
    redis: ServerProcess
    nodes: list[Node] = field(default_factory=list)

    def client(self) -> "redis.Redis":
        """Of the Redis."""
        return redis.Redis.from_url(self.redis.address)

    def node(self, web: WebProcess, scheduler: str, **options: Any) -> Node:
        """A node at work on that web."""
        words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        log = self.folder / f"node{len(self.nodes)}.log"
        command = [sys.executable, "-m", "benchmarks.crawling_node", "--scheduler", scheduler]
        command += ["--redis", options.pop("redis", self.redis.address), "--data", str(self.folder), *words]
        with log.open("w") as errors:
            process = subprocess.Popen(
                command, env=os.environ | {"http_proxy": web.address}, stdout=subprocess.PIPE, stderr=errors, text=True
            )
        self.nodes.append(Node(process, log))
        return self.nodes[-1]

    def redis_cpu(self) -> float:
        """Seconds of processor time that the Redis has used."""
        with self.client() as client:
            used: Any = client.info("cpu")
        return float(used["used_cpu_user"] + used["used_cpu_sys"])

    def accounts(self) -> dict[str, int]:
        """What the frontier counts."""
        with self.client() as client:
            names = ("queued", "leased", "done", "dead")
            found: Any = client.hmget("{tree}:requests", names)
        return {name: int(number or 0) for name, number in zip(names, found, strict=True)}


@contextlib.contextmanager
def bench(*redis_options: str) -> Iterator[Bench]:
    """A fresh one; everything that was started ends with it."""
    with tempfile.TemporaryDirectory() as name:
        made = Bench(Path(name), redis_server(Path(name) / "redis", *redis_options))
        made.redis.start()
        try:
            yield made
        finally:
            for node in made.nodes:
                if node.process.poll() is None:
                    node.kill()
            made.redis.stop()


def until(reached: Callable[[], bool], seconds: float = 240.0) -> None:
    """Wait for it; TimeoutError."""
    deadline = time.monotonic() + seconds
    while not reached():
        if time.monotonic() > deadline:
            raise TimeoutError("what was waited for did not come")
        time.sleep(0.05)


def table(headings: list[str], rows: list[list[object]]) -> None:
    """Print it for people and for Markdown."""
    print("| " + " | ".join(headings) + " |")
    print("|" + "---|" * len(headings))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print(flush=True)
