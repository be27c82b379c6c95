"""The disk fills up for a while: the crawl waits, goes on by itself, and has every page.

As root, since it mounts small disks. `python -m benchmarks.attacks.disk_full --runs 10 --seconds 45 --way both` repeats it.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.attacks import SKIPPED, Trial
from testbed.crawling import Crawl
from testbed.hostile import Connection, HostileWeb
from testbed.hostile.behaviours import article, links_to

PAGES = 401
WAYS = {
    "both": ("data", "store", "reserve"),
    "both, no reserve": ("data", "store"),
    "frontier": ("frontier",),
    "store": ("store",),
    "frontier, watched": ("frontier", "reserve"),
    "log": ("data", "store", "log"),
}
"""What is on the small disk: DATA_DIR, or the folder of frontiers; the store; the log. With a
reserve the crawl pauses before a write fails; without it writes do fail."""
_DISK_BYTES = 24_000_000
_TRACEBACK = re.compile(r"^Traceback.*\n(?:[ ].*\n)+(.*)", re.M)


def attack(folder: Path, trial: Trial, seconds: float = 25.0) -> str:
    """All ways."""
    if os.geteuid() != 0:
        return f"{SKIPPED}: only root can mount the small disks"
    results = (run(folder / str(number), name, seconds) for number, name in enumerate(WAYS))
    return "; ".join(filter(None, results))


def run(folder: Path, way: str, seconds: float) -> str:
    """One crawl; "" if it has every page."""
    with _small_disk(folder / "disk") as disk, HostileWeb({"site.example": _tree}) as web:
        settings = _settings(folder, disk, WAYS[way])
        crawl = Crawl(folder, ["http://site.example/"], settings=settings, environment={"http_proxy": web.address})
        process = crawl.start()
        _wait_until(lambda: len(web.seen) > PAGES // 5, 60)
        _fill(disk / "ballast")
        time.sleep(seconds)
        before = len(web.seen)
        (disk / "ballast").unlink()
        crawl.wait(process, 180)
        pages = len(Crawl(Path(str(settings["STORE"]).removeprefix("sqlite:///")).parent, []).pages())
    if crawl.exit_code or pages != PAGES:
        return f"{way}: exit code {crawl.exit_code}, {pages} of {PAGES} pages ({before} requests before there was room)"
    if found := _TRACEBACK.search(crawl.log):
        return f"{way}: a traceback in the log: {found[1]}"
    return ""


def _settings(folder: Path, disk: Path, parts: tuple[str, ...]) -> dict[str, object]:
    data = disk if "data" in parts else folder / "data"
    data.mkdir(exist_ok=True)
    if "frontier" in parts:
        (disk / "frontier").mkdir(exist_ok=True)
        (data / "frontier").symlink_to(disk / "frontier")
    settings = {"DATA_DIR": data, "STORE": f"sqlite:///{disk if 'store' in parts else folder}/crawl.db"}
    settings |= {"FRONTIER_HOST_DELAY": 0, "FRONTIER_HOST_CONCURRENCY": 8, "RETRY_DELAY": 0.2}
    settings |= {} if "reserve" in parts else {"DISK_RESERVE": 0}
    return settings | ({"LOG_FILE": disk / "job.log", "LOG_LEVEL": "DEBUG"} if "log" in parts else {})


def _tree(asked: Connection) -> None:
    """Page n leads to 3n + 1, 3n + 2, 3n + 3."""
    time.sleep(0.02)
    if not asked.path[1:].isdigit() and asked.path != "/":
        asked.answer(status=404)
        return
    number = int(asked.path[1:] or 0)
    children = [f"/{child}" for child in range(3 * number + 1, 3 * number + 4) if child < PAGES]
    asked.answer(article(f"第{number}页", links_to(*children)))


@contextmanager
def _small_disk(folder: Path) -> Iterator[Path]:
    folder.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={_DISK_BYTES}", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def _fill(path: Path) -> None:
    """All room to the last byte."""
    with path.open("wb", buffering=0) as file:
        size = 1 << 20
        while size:
            try:
                if file.write(b"\0" * size) < size:
                    size //= 2
            except OSError:
                size //= 2


def _wait_until(reached: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not reached() and time.monotonic() < deadline:
        time.sleep(0.05)


def main() -> int:
    """Repeat one way or all, a line for each run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=25.0, help="how long the disk stays full")
    parser.add_argument("--way", choices=WAYS, action="append")
    asked, failed = parser.parse_args(), 0
    for way in asked.way or WAYS:
        for number in range(1, asked.runs + 1):
            with tempfile.TemporaryDirectory() as folder:
                result = run(Path(folder) / "run", way, asked.seconds)
            failed += bool(result)
            print(f"{'FAILS' if result else 'holds'}  {number:>2}  {way}  {result}".rstrip(), flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
