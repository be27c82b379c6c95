"""The compose project: what differs from docker-compose.yml, and its commands."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from benchmarks.containers.engine import ROOT, Engine, wait
from benchmarks.containers.images import without_digest

NAME = "topicrawl-bench"
PAGES = 150
SITES = ("first", "second", "third", "fourth")
FIFTH = "fifth"
"""A site that no step but that of the Redis Cluster crawls."""
_PROFILES = ("single", "cluster", "search", "redis-cluster", "watch", "tools")
_PLAN = """nodes: [http://node:6800]
jobs:
"""
_JOB = """  {site}:
    spider: site
    cron: "0 3 * * *"
    arguments: {{url: "http://{site}.dns.podman:8000/", crawl: {site}}}
    nodes: all
    settings: {{ALLOW_PRIVATE_ADDRESSES: 1, FRONTIER_HOST_DELAY: 0.15, FRONTIER_LEASE_SECONDS: 120}}
"""


@dataclass(frozen=True, slots=True)
class Project:
    """docker-compose.yml with four small sites beside its services."""

    engine: Engine

    def compose(self, *words: str, check: bool = True) -> str:
        """A podman-compose command in the project."""
        work = self.engine.work
        files = ["-f", str(ROOT / "docker-compose.yml"), "-f", str(work / "override.yml")]
        files += [word for profile in _PROFILES for word in ("--profile", profile)]
        return self.engine.run(
            "podman-compose", "-p", NAME, "--env-file", str(work / "env"), *files, *words, check=check
        )

    def tools(self, *words: str, check: bool = True) -> str:
        """A command in the tools container."""
        return self.compose("run", "--rm", "-T", "tools", *words, check=check)

    def names(self, service: str) -> list[str]:
        """The running containers of a service, in order."""
        label = f"label=com.docker.compose.service={service}"
        return sorted(self.engine.podman("ps", "--format", "{{.Names}}", "--filter", label).split())

    def start(self, *services: str, scale: int = 1) -> None:
        """Start services of the compose file."""
        scaled = ["--scale", f"{services[0]}={scale}"] if scale > 1 else []
        self.compose("up", "-d", "--no-build", "--no-deps", *scaled, *services)

    def until_healthy(self, service: str, count: int = 1, seconds: float = 120) -> None:
        """Wait for this many healthy containers of a service."""

        def is_healthy() -> bool:
            names = self.names(service)
            return len(names) == count and all(map(self.engine.healthy, names))

        wait(is_healthy, seconds, f"{count} healthy containers of {service}, not {self.names(service)}")

    def build(self) -> str:
        """Build the project's own image; its size."""
        self.compose("build", "node")
        return self.engine.podman("images", "--format", "{{.Size}}", "localhost/topicrawl").split("\n")[0]

    def exported(self, *words: str) -> list[str]:
        """Rows of the store as JSON lines, by the export of the tools container."""
        text = self.tools("scrapy", "export", "--format", "jsonl", *words)
        return [line for line in text.splitlines() if line.startswith("{")]

    def stored(self, site: str) -> int:
        """Pages of a site in the store."""
        return len(self.exported("--where", f"host = {site}.dns.podman", "--columns", "url"))

    def remove(self) -> None:
        """Remove containers, volumes and networks; the images stay for the next run."""
        self.compose("down", "--volumes", check=False)
        label = f"label=io.podman.compose.project={NAME}"
        for kind, words in (("container", ("-aq",)), ("volume", ("-q",)), ("network", ("-q",))):
            found = self.engine.podman(kind, "ls", *words, "--filter", label).split()
            if found:
                self.engine.podman(kind, "rm", "-f", *found)
        # layers of older builds in this engine's own storage; those of today make the next build fast
        self.engine.podman("image", "prune", "--force", "--filter", "until=24h", check=False)


def make_project(engine: Engine) -> Project:
    """Write passwords, the schedule and the override file, and remove what an earlier run has left."""
    secrets = "\n".join(f"{name}=secret" for name in ("REDIS_PASSWORD", "MONGO_PASSWORD", "MONGO_ROOT_PASSWORD"))
    (engine.work / "env").write_text(f"{secrets}\nSCRAPYD_PASSWORD=secret\nREDIS_MEMORY=256mb\n")
    (engine.work / "plan.yaml").write_text(_PLAN + "".join(_JOB.format(site=site) for site in SITES))
    (engine.work / "Dockerfile").write_text(without_digest((ROOT / "Dockerfile").read_text()))
    (engine.work / "override.yml").write_text(yaml.safe_dump({"services": _override(engine.work)}))
    project = Project(engine)
    project.remove()
    return project


def _override(work: Path) -> dict[str, Any]:
    """The stand-ins' names, a store without users and rights, and the sites."""
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    store = {"environment": {"TOPICRAWL_STORE": "mongodb://mongo:27017/topicrawl"}}
    node = {**store, "build": {"context": str(ROOT), "dockerfile": str(work / "Dockerfile")}}
    tools = {**store, "volumes": [f"{work}/plan.yaml:/plan.yaml:ro"]}
    site: dict[str, Any] = {
        "image": "topicrawl",
        "command": ["python", "/site.py", str(PAGES)],
        "volumes": [f"{ROOT}/benchmarks/containers/site.py:/site.py:ro"],
        "labels": {"com.docker.compose.service": "site"},
    }
    images = {name: {"image": without_digest(services[name]["image"])} for name in ("redis", "mongo", "opensearch")}
    images |= {f"redis-{number}": images["redis"] for number in range(1, 7)} | {"redis-cluster": images["redis"]}
    stored = dict.fromkeys(("scheduler", "analysis", "console"), store)
    return {**images, **stored, "node": node, "tools": tools, **dict.fromkeys((*SITES, FIFTH), site)}
