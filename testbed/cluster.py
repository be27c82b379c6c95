"""A crawl of several nodes as operators start it: the cluster's settings, Redis and MongoDB, each node on its own host."""

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from testbed.crawling import REPOSITORY
from testbed.hostile import Connection
from testbed.hostile.behaviours import article, links_to
from testbed.servers import Host


@dataclass
class ClusterNode:
    """One `scrapy crawl site` with SCRAPY_PROJECT=cluster.

    Attributes:
        folder: where its own data and its log go.
        host: on which it runs; this machine itself by default.
    """

    folder: Path
    redis: str
    store: str
    host: Host | None = None
    settings: dict[str, object] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)

    def start(self, seeds: Path) -> subprocess.Popen[bytes]:
        """From the URLs in a file."""
        self.folder.mkdir(parents=True, exist_ok=True)
        settings: dict[str, object] = {
            "DATA_DIR": self.folder,
            "REDIS_URL": self.redis,
            "STORE": self.store,
            "ALLOW_PRIVATE_ADDRESSES": True,
            "FRONTIER_HOST_DELAY": 0,
            "METRICS_PORT": 0,
            "TITLES_ENABLED": False,
        } | self.settings
        command = [sys.executable, "-m", "scrapy", "crawl", "site", "-a", f"urls={seeds}"]
        command += [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
        environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                self.host.command(command) if self.host else command,
                cwd=REPOSITORY,
                env=environment | {"SCRAPY_PROJECT": "cluster"} | self.environment,
                stdout=log,
                stderr=log,
            )

    def log(self) -> str:
        """What it has printed so far."""
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace")


def numbered_page(asked: Connection, pages: int) -> None:
    """Page n of a site with `pages` pages leads to 2n + 1 and 2n + 2; there is nothing else."""
    name = asked.path.strip("/")
    if not name.isdigit():
        asked.answer("not here", 404)
        return
    further = [child for child in (2 * int(name) + 1, 2 * int(name) + 2) if child < pages]
    asked.answer(article(f"第{name}篇", links_to(*(f"/{child}" for child in further))))
