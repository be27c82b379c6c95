"""The web of real sites that crawls are measured on: unpacked, served on loopback as an HTTP proxy, its log read."""

import json
import os
import subprocess
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from testbed.shared_data import SHARED

REPOSITORY = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class ServedWeb:
    """A running server.

    Attributes:
        address: the proxy's URL.
        log: the file in which each request is a line.
        pages: all pages of the web by URL.
        hosts: what is known of each host.
        root: the folder of the unpacked web.
        process: the server's number.
    """

    address: str
    log: Path
    pages: dict[str, dict[str, object]]
    hosts: dict[str, dict[str, object]]
    root: Path
    process: int

    def seeds(self, web: str = "zh") -> list[str]:
        """Home pages of the hosts of a part of the web ("zh", "en", "all")."""
        return [f"http://{host}/" for host, known in self.hosts.items() if web in (known["web"], "all")]

    def fetched(self) -> list[str]:
        """Pages that were answered with 200, in order, with repetitions."""
        lines = (json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines())
        return [url for _, _, url, status, *_ in lines if status == 200 and url in self.pages]


def add_arguments(parser: ArgumentParser) -> None:
    """Where the web and its server are."""
    parser.add_argument(
        "--server", type=Path, default=SHARED / "tools/serve_web.py", help="program that serves the web"
    )
    parser.add_argument("--packed", type=Path, default=SHARED / "data/web/web-dev.tar.zst", help="the web, packed")
    parser.add_argument("--web", type=Path, help="the folder of the web if it is unpacked already")
    parser.add_argument("--split", default="dev", help="part of the web that is served (default: dev)")


@contextmanager
def served(options: Namespace, work: Path) -> Iterator[ServedWeb]:
    """Unpack the web under `work` if need be, and serve it on a free port."""
    root = unpacked(options, work)
    log = work / f"access-{time.monotonic_ns()}.jsonl"
    log.touch()
    command = [sys.executable, options.server, "--root", root, "--split", options.split, "--port", "0", "--log", log]
    port = free_port()
    command[command.index("0")] = str(port)
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        if process.stdout is None or "pages" not in process.stdout.readline():
            raise SystemExit(f"{options.server} did not start on the web in {root}")
        pages, hosts = _pages(root, options.split), _hosts(root, options.split)
        yield ServedWeb(f"http://127.0.0.1:{port}", log, pages, hosts, root, process.pid)
    finally:
        process.terminate()
        process.wait()


def unpacked(options: Namespace, work: Path) -> Path:
    """The folder of the web, unpacked under `work` unless it is named."""
    return options.web or _unpacked(options.packed, work)


def _unpacked(packed: Path, work: Path) -> Path:
    root = work / "web"
    if not root.exists():
        if not packed.exists():
            raise SystemExit(f"There is no {packed}; name the web by --packed or --web.")
        root.mkdir(parents=True)
        subprocess.run(["tar", "--zstd", "-xf", str(packed), "-C", str(root)], check=True)
    inner = root / "web"
    return inner if inner.is_dir() else root


def free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _pages(root: Path, split: str) -> dict[str, dict[str, object]]:
    lines = (root / f"pages-{split}.jsonl").read_text(encoding="utf-8").splitlines()
    return {page["url"]: page for page in map(json.loads, lines)}


def _hosts(root: Path, split: str) -> dict[str, dict[str, object]]:
    return dict(json.loads((root / f"hosts-{split}.json").read_text(encoding="utf-8")))


@dataclass(slots=True)
class Measured:
    """A finished process: CPU seconds (own and system), wall seconds, and resident memory in bytes over time."""

    cpu: float
    wall: float
    peak: int
    memory: list[tuple[float, int]]
    exit_code: int


def run_measured(command: list[str], folder: Path, proxy: str, log: Path, cwd: Path) -> Measured:
    """Run to the end and measure."""
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    started = time.monotonic()
    memory: list[tuple[float, int]] = []
    with log.open("ab") as output:
        process = subprocess.Popen(
            command, cwd=cwd, env=environment | {"http_proxy": proxy}, stdout=output, stderr=output
        )
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        memory.append((time.monotonic() - started, _resident(process.pid)))
        time.sleep(0.5)
    process.returncode = os.waitstatus_to_exitcode(status)
    cpu = usage.ru_utime + usage.ru_stime
    return Measured(cpu, time.monotonic() - started, usage.ru_maxrss * 1024, memory, process.returncode)


def _resident(pid: int) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def crawl_command(folder: Path, seeds: list[str], **settings: object) -> list[str]:
    """The `scrapy crawl site` that is measured: all of the frontier and store, no pause between requests, one process."""
    folder.mkdir(parents=True, exist_ok=True)
    listed = folder / "seeds.txt"
    listed.write_text("\n".join(seeds), encoding="utf-8")
    chosen: dict[str, object] = {
        "DATA_DIR": folder,
        "STORE": f"sqlite:///{folder / 'crawl.db'}",
        "FRONTIER_HOST_DELAY": 0,
        "FRONTIER_HOST_CONCURRENCY": 8,
        "CONCURRENT_REQUESTS": 16,
        "LOG_LEVEL": "WARNING",
    } | settings
    command = [sys.executable, "-m", "scrapy", "crawl", "site", "-a", f"urls={listed}", "-a", "workers=0"]
    return command + [part for name, value in chosen.items() for part in ("-s", f"{name}={value}")]
