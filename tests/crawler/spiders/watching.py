"""`scrapy crawl watch` as a process over simulated sites, with a clock 360 times as fast."""

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from pipelines.stores.base import Table
from pipelines.stores.opening import open_store
from testbed.crawling import REPOSITORY
from testbed.hostile import HostileWeb

LIMITS = {
    "WATCH_REQUESTS_PER_HOUR": 100,
    "WATCH_HOST_REQUESTS_PER_HOUR": 100,
    "FRONTIER_HOST_DELAY": 0,
    "RETRY_DELAY": 0.1,
}


class Watches:
    """Processes with one store; what each says goes to a file with its name."""

    def __init__(self, folder: Path, hosts: tuple[str, ...], store: str = "") -> None:
        self._folder, self._address = folder, store or f"sqlite:///{folder / 'watch.db'}"
        self._store = open_store(self._address)
        self._running: list[subprocess.Popen[bytes]] = []
        (folder / "sites.txt").write_text("".join(f"http://{host}/\n" for host in hosts))

    def start(
        self, name: str, web: HostileWeb, settings: Mapping[str, object] | None = None
    ) -> "subprocess.Popen[bytes]":
        values = (
            LIMITS | {"DATA_DIR": self._folder, "STORE": self._address, "TITLES_ENABLED": False} | dict(settings or {})
        )
        command = [sys.executable, "-m", "tests.fast_clock", "360", "crawl", "watch"]
        command += ["-a", f"sites={self._folder / 'sites.txt'}"]
        command += [word for name_, value in values.items() for word in ("-s", f"{name_}={value}")]
        environment = os.environ | {"http_proxy": web.address, "no_proxy": "127.0.0.1"}
        with (self._folder / f"{name}.log").open("ab") as log:
            self._running.append(subprocess.Popen(command, cwd=REPOSITORY, env=environment, stdout=log, stderr=log))
        return self._running[-1]

    def log(self) -> str:
        return "".join(path.read_text(errors="replace") for path in sorted(self._folder.glob("*.log")))

    def wait_for(self, condition: Callable[[], object], seconds: float = 60.0) -> float:
        """Returns the seconds that it took."""
        begin = time.monotonic()
        while not condition():
            assert time.monotonic() - begin < seconds, self.log()[-5_000:]
            time.sleep(0.1)
        return time.monotonic() - begin

    def rows(self, table: Table) -> list[dict[str, Any]]:
        return list(self._store.select(table))

    def row(self, table: Table, url: str) -> dict[str, Any]:
        """The row of an address; without any value if there is none."""
        return next((row for row in self.rows(table) if row["url"] == url), {})

    def is_locked(self) -> bool:
        """Whether a process is in the middle of a write; of a store in SQLite."""
        with closing(sqlite3.connect(self._folder / "watch.db", timeout=0.5, isolation_level=None)) as connection:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                return True
            return False

    def end(self) -> None:
        for process in self._running:
            process.kill()
            process.wait()
        self._store.close()


@contextmanager
def watches(folder: Path, hosts: tuple[str, ...], store: str = "") -> Iterator[Watches]:
    """None of the processes survives, and none has raised."""
    made = Watches(folder, hosts, store)
    try:
        yield made
    finally:
        made.end()
    assert "Traceback" not in made.log()
