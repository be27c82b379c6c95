"""The disk fills up for a while: the crawl waits, goes on by itself, and has every page (as root; else it is skipped)."""

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.crawling import Crawl
from tests.hostile import Connection, HostileWeb
from tests.hostile.behaviours import article, links_to

PAGES = 401
_DISK_BYTES = 24_000_000
_SETTINGS = {"FRONTIER_HOST_DELAY": 0, "FRONTIER_HOST_CONCURRENCY": 8, "RETRY_DELAY": 0.2}


def attack(folder: Path, seconds: float = 25.0) -> str:
    """Frontier and store on one disk, each alone, and with no reserve, so that writes do fail."""
    if os.geteuid() != 0:
        return ""
    ways: list[tuple[str, Callable[[Path, Path], dict[str, object]]]] = [
        ("both", lambda disk, rest: {"DATA_DIR": disk, "STORE": f"sqlite:///{disk}/crawl.db"}),
        (
            "both, no reserve",
            lambda disk, rest: {"DATA_DIR": disk, "STORE": f"sqlite:///{disk}/crawl.db", **_NO_RESERVE},
        ),
        (
            "frontier and titles",
            lambda disk, rest: {"DATA_DIR": disk, "STORE": f"sqlite:///{rest}/crawl.db", **_NO_RESERVE},
        ),
        ("store", lambda disk, rest: {"DATA_DIR": rest, "STORE": f"sqlite:///{disk}/crawl.db", **_NO_RESERVE}),
    ]
    results = (_run(folder / str(number), name, choose, seconds) for number, (name, choose) in enumerate(ways))
    return "; ".join(filter(None, results))


_NO_RESERVE: dict[str, object] = {"DISK_RESERVE": 0}


def _run(folder: Path, name: str, choose: Callable[[Path, Path], dict[str, object]], seconds: float) -> str:
    with _small_disk(folder / "disk") as disk, HostileWeb({"site.example": _tree}) as web:
        crawl = Crawl(
            folder,
            ["http://site.example/"],
            settings={**_SETTINGS, **choose(disk, folder)},
            environment={"http_proxy": web.address},
        )
        process = crawl.start()
        _wait_until(lambda: len(web.seen) > PAGES // 5, 60)
        _fill(disk / "ballast")
        time.sleep(seconds)
        before = len(web.seen)
        (disk / "ballast").unlink()
        crawl.wait(process, 180)
        database = (
            disk / "crawl.db" if "STORE" in choose(disk, folder) and (disk / "crawl.db").exists() else crawl.database
        )
        pages = _stored(database)
        if crawl.exit_code or pages != PAGES:
            return f"{name}: exit code {crawl.exit_code}, {pages} of {PAGES} pages ({before} requests before there was room)"
    return ""


def _tree(asked: Connection) -> None:
    """Page n leads to 3n + 1, 3n + 2, 3n + 3."""
    time.sleep(0.02)
    if not asked.path[1:].isdigit() and asked.path != "/":
        asked.answer(status=404)
        return
    number = int(asked.path[1:] or 0)
    children = [f"/{child}" for child in range(3 * number + 1, 3 * number + 4) if child < PAGES]
    asked.answer(article(f"第{number}页", links_to(*children)))


def _stored(database: Path) -> int:
    crawl = Crawl(database.parent, [])
    return len(crawl.pages())


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
