"""Crawls as users start them: a process, its database and its log."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES, URLS

REPOSITORY = Path(__file__).resolve().parent.parent
_ERROR = re.compile(r"^.*\b(?:ERROR|CRITICAL)\b.*$|^Traceback.*$", re.M)


@dataclass(slots=True)
class Crawl:
    """How a crawl is started, and what it left.

    Attributes:
        folder: where its data goes.
        log: what it wrote to standard error.
        peak_memory: bytes of resident memory at most.
    """

    folder: Path
    urls: Sequence[str]
    arguments: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    log: str = ""
    seconds: float = 0.0
    peak_memory: int = 0
    exit_code: int | None = None

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.folder / "crawl.db"

    @property
    def errors(self) -> list[str]:
        """Lines of the log that report an error."""
        return _ERROR.findall(self.log)

    def run(self, seconds: float = 120.0) -> "Crawl":
        """Start it and wait for its end."""
        process = self.start()
        return self.wait(process, seconds)

    def start(self) -> subprocess.Popen[bytes]:
        """Start it."""
        arguments, settings = self.given()
        command = [sys.executable, "-m", "scrapy", "crawl", "site"]
        command += [part for name, value in arguments.items() for part in ("-a", f"{name}={value}")]
        command += [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
        return self._start(command)

    def given(self) -> tuple[dict[str, str], dict[str, str]]:
        """The arguments of its spider, and its settings."""
        self.folder.mkdir(parents=True, exist_ok=True)
        seeds = self.folder / "urls.txt"
        seeds.write_text("\n".join(self.urls), encoding="utf-8")
        arguments = {"urls": str(seeds)} if self.urls else {}
        settings = {"DATA_DIR": self.folder, "STORE": f"sqlite:///{self.database}", "PROGRESS_SECONDS": 1}
        return arguments | dict(self.arguments), {
            name: str(value) for name, value in (settings | dict(self.settings)).items()
        }

    def _start(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        self._started = time.monotonic()
        with (self.folder / "crawl.log").open("ab") as log:
            return subprocess.Popen(
                command, cwd=REPOSITORY, env={**environment, **self.environment}, stdout=log, stderr=log
            )

    _started: float = 0.0

    def text(self) -> str:
        """What it has written to standard error so far."""
        return (self.folder / "crawl.log").read_text(encoding="utf-8", errors="replace")

    def wait(self, process: subprocess.Popen[bytes], seconds: float = 120.0) -> "Crawl":
        """Wait for its end; kills it and fails if that takes longer than `seconds`."""
        deadline = time.monotonic() + seconds
        while True:
            self.peak_memory = max(self.peak_memory, _peak(process.pid))
            pid, status, _ = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > deadline:
                process.kill()
            time.sleep(0.05)
        self.exit_code = process.returncode = os.waitstatus_to_exitcode(status)
        self.seconds = time.monotonic() - self._started
        self.log = self.text()
        return self

    @contextmanager
    def store(self) -> Iterator[Store]:
        """What it stored."""
        opened = open_store(f"sqlite:///{self.database}")
        try:
            yield opened
        finally:
            opened.close()

    def pages(self) -> dict[str, dict[str, Any]]:
        """Stored pages by URL."""
        with self.store() as store:
            return {row["url"]: row for row in store.select(PAGES)}

    def states(self) -> dict[str, str]:
        """The URL table's states by URL."""
        with self.store() as store:
            return {row["url"]: row["state"] for row in store.select(URLS, columns=("url", "state"))}


def run_together(crawls: Sequence[Crawl], seconds: float = 120.0) -> None:
    """Run several in one process, at the same time, in the environment of the first; all have its log and its exit code."""
    first = crawls[0]
    process = first._start([sys.executable, "-c", _TOGETHER, json.dumps([crawl.given() for crawl in crawls])])
    first.wait(process, seconds)
    for crawl in crawls:
        crawl.log, crawl.exit_code = first.log, first.exit_code


_TOGETHER = """
import json, sys
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.utils.project import get_project_settings

process = AsyncCrawlerProcess(get_project_settings())
for arguments, settings in json.loads(sys.argv[1]):
    crawler = process.create_crawler("site")
    crawler.settings.setdict(settings, "cmdline")
    process.crawl(crawler, **arguments)
process.start()
"""


def _peak(pid: int) -> int:
    """Bytes of resident memory at most since the program began; what wait4 tells includes the process that started it."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), 0)
