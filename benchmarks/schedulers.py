"""The cost of queued addresses, and what a kill takes, in Scrapy's schedulers, scrapy-redis and the two frontiers.

python -m benchmarks.schedulers --urls 1000000

Each one gets the same requests on 2,000 hosts through Scrapy's own interface of schedulers, is killed with 16 requests under way, and is
started again. CPU is that of the crawling process without making the requests, and that of Redis beside it. A start is what making
and opening the scheduler takes then.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.nodes import Bench, bench, table
from benchmarks.scheduler_node import PEERS, UNDER_WAY


def main() -> None:
    """Print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=int, default=1_000_000, help="queued addresses (default: 1000000)")
    parser.add_argument("--only", choices=PEERS, action="append", help="this one alone; may be given several times")
    options = parser.parse_args()
    rows = []
    for name in options.only or PEERS:
        print(f"{name} …", file=sys.stderr, flush=True)
        with bench() as place:
            rows.append(_row(place, name, options.urls))
    print(f"{options.urls:,} requests on 2,000 hosts, {UNDER_WAY} of them under way when the process is killed\n")
    table(
        [
            "scheduler",
            "push: µs in the node, in Redis",
            "pop and done: µs in the node, in Redis",
            "B in memory, on disk, in Redis",
            "start after a kill: s of CPU",
            "lost by the kill",
        ],
        rows,
    )


def _row(place: Bench, name: str, urls: int) -> list[object]:
    empty = _redis_bytes(place)
    filled, filling = _node(place, name, fill=urls)
    stored = (_redis_bytes(place) - empty) / urls
    disk = sum(path.stat().st_size for path in _files(place)) / urls
    again, taking = _node(place, name, take=min(20_000, urls // 10))
    remote, files = "redis" in name.lower(), disk > 0
    return [
        name,
        f"{1e6 * filled['push']:.0f}, {_if(remote, 1e6 * filling / urls)}",
        f"{1e6 * again['pop']:.0f}, {_if(remote, 1e6 * taking / again['taken'])}"
        if again["taken"]
        else "nothing is left",
        f"{filled['resident']:.0f}, {_if(files, disk)}, {_if(remote, stored)}",
        f"{again['open']:.2f}",
        f"{urls - again['left']:,}",
    ]


def _if(used: bool, value: float) -> str:
    return f"{value:.0f}" if used else "–"


def _node(place: Bench, name: str, **options: int) -> tuple[dict[str, Any], float]:
    """What one process found, and the CPU seconds of Redis meanwhile."""
    words = [word for key, value in options.items() for word in (f"--{key}", str(value))]
    command = [sys.executable, "-m", "benchmarks.scheduler_node", "--scheduler", name, "--redis", place.redis.address]
    before = place.redis_cpu()
    ended = subprocess.run(
        [*command, "--data", str(_folder(place)), *words],
        env=os.environ,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    lines = ended.stdout.strip().splitlines()
    if not lines:
        raise SystemExit(f"{name} ended with {ended.returncode} and without a result")
    return json.loads(lines[-1]), place.redis_cpu() - before


def _folder(place: Bench) -> Path:
    return place.folder / "data"


def _files(place: Bench) -> list[Path]:
    return [path for path in _folder(place).rglob("*") if path.is_file()]


def _redis_bytes(place: Bench) -> int:
    """Without what waits to be written to the append-only file, which depends on the disk."""
    with place.client() as client:
        information: Any = client.info("memory")
    return int(information["used_memory"]) - int(information.get("mem_aof_buffer", 0))


if __name__ == "__main__":
    main()
