"""docker-compose.yml run for real with podman: build, two nodes, a crawl, a third node, kills, stop, export.

    python -m benchmarks.containers [--work /var/tmp/topicrawl-containers] [--keep]

Needs root on Debian and: apt-get install podman runc debootstrap catatonit; pip install podman-compose; Go. No registry is used:
the base image is made by debootstrap and bears the names of the images in the Dockerfile and the compose file. MongoDB is
replaced by FerretDB without authentication (tests/servers/ferretdb), so users and rights in MongoDB are not tested.
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
_PROJECT = "topicrawl-bench"
_PAGES = 150
_SITES = ("first", "second", "third", "fourth")
_PROGRAMS = ("podman", "runc", "debootstrap", "catatonit", "podman-compose", "go")
_PLAN = """nodes: [http://node:6800]
jobs:
  first: &job
    {spider: site, cron: "0 3 * * *", arguments: {url: "http://first.dns.podman:8000/", crawl: first}, nodes: all,
     settings: {ALLOW_PRIVATE_ADDRESSES: 1, FRONTIER_HOST_DELAY: 0.15, FRONTIER_LEASE_SECONDS: 120}}
  second:
    <<: *job
    arguments: {url: "http://second.dns.podman:8000/", crawl: second}
  third:
    <<: *job
    arguments: {url: "http://third.dns.podman:8000/", crawl: third}
  fourth:
    <<: *job
    arguments: {url: "http://fourth.dns.podman:8000/", crawl: fourth}
"""


class StepError(Exception):
    """A step did not hold; the message says what was seen."""


class Containers:
    """Images, the compose project and its state."""

    def __init__(self, work: Path) -> None:
        self.work = work
        work.mkdir(parents=True, exist_ok=True)
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        (work / "containers.conf").write_text(
            f'[containers]\ndefault_ulimits = ["nofile={limit}:{limit}", "nproc=20000:20000"]\n[engine]\nruntime = "runc"\n'
        )
        self.environment = {**os.environ, "CONTAINERS_CONF": str(work / "containers.conf")}
        self.compose_file = yaml.safe_load((ROOT / "docker-compose.yml").read_text())

    # -- commands ---------------------------------------------------------------------------------------------------------

    def run(self, *words: str, text: str = "", check: bool = True, seconds: float = 1_200) -> str:
        """Standard output and error of a command; raises StepError if it fails."""
        done = subprocess.run(
            words,
            cwd=ROOT,
            env=self.environment,
            input=text,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
        if check and done.returncode:
            raise StepError(f"{' '.join(words[:6])}: exit code {done.returncode}: {(done.stdout + done.stderr)[-600:]}")
        return done.stdout + done.stderr

    def podman(self, *words: str, **more: Any) -> str:
        """A podman command."""
        return self.run("podman", *words, **more)

    def compose(self, *words: str, **more: Any) -> str:
        """A podman-compose command in the project."""
        files = ["-f", str(ROOT / "docker-compose.yml"), "-f", str(self.work / "override.yml")]
        return self.run("podman-compose", "-p", _PROJECT, "--env-file", str(self.work / "env"), *files, *words, **more)

    def tools(self, *words: str, **more: Any) -> str:
        """A command in the tools container."""
        return self.compose("--profile", "tools", "run", "--rm", "-T", "tools", *words, **more)

    def names(self, service: str) -> list[str]:
        """The running containers of a service, in order."""
        found = self.podman("ps", "--format", "{{.Names}}", "--filter", f"label=com.docker.compose.service={service}")
        return sorted(found.split())

    # -- images -------------------------------------------------------------------------------------------------------------

    def base_images(self) -> str:
        """Stand-ins for the images that no registry gives here."""
        base = self.work / "base"
        if not (self.work / "base.done").exists():
            shutil.rmtree(base, ignore_errors=True)
            packages = "python3,python3-dev,python3-venv,python3-pip,ca-certificates"
            mirror = ("bookworm", str(base), "http://deb.debian.org/debian")
            self.run("debootstrap", "--variant=minbase", f"--include={packages}", *mirror)
            (base / "usr/bin/python").symlink_to("python3")
            shutil.copy("/etc/ssl/certs/ca-certificates.crt", base / "etc/ssl/certs/ca-certificates.crt")
            (self.work / "base.done").touch()
        python = next(
            line.split()[1] for line in (ROOT / "Dockerfile").read_text().splitlines() if line.startswith("FROM")
        )
        if self.podman("images", "-q", f"docker.io/library/{python}").strip() == "":
            self.run("tar", "-C", str(base), "-cf", str(self.work / "base.tar"), ".")
            changes = ["--change", "ENV PIP_CERT=/etc/ssl/certs/ca-certificates.crt"]
            self.podman("import", *changes, str(self.work / "base.tar"), f"docker.io/library/{python}")
            (self.work / "base.tar").unlink()
        services = self.compose_file["services"]
        self._build(services["redis"]["image"], python, _REDIS)
        self.run("go", "build", "-C", str(ROOT / "tests/servers/ferretdb"), "-o", str(self.work / "ferretdb"), ".")
        self._build(services["mongo"]["image"], python, _MONGO)
        return "base, Redis, MongoDB's stand-in"

    def _build(self, name: str, python: str, text: str) -> None:
        (self.work / "Containerfile").write_text(f"FROM docker.io/library/{python}\n{text}")
        self.podman(
            "build", "-q", "-t", f"docker.io/library/{name}", "-f", str(self.work / "Containerfile"), str(self.work)
        )

    def image(self) -> str:
        """The project's own image."""
        self.prepare()
        self.compose("build", "node")
        return self.podman("images", "--format", "{{.Size}}", "localhost/topicrawl").split("\n")[0]

    # -- the project --------------------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Passwords, the schedule, and what differs from the compose file: the store's address, and three sites."""
        secrets = "\n".join(f"{name}=secret" for name in ("REDIS_PASSWORD", "MONGO_PASSWORD", "MONGO_ROOT_PASSWORD"))
        (self.work / "env").write_text(f"{secrets}\nSCRAPYD_PASSWORD=secret\nREDIS_MEMORY=256mb\n")
        (self.work / "plan.yaml").write_text(_PLAN)
        store = {"environment": {"TOPICRAWL_STORE": "mongodb://mongo:27017/topicrawl"}}
        site = {
            "image": "topicrawl",
            "command": ["python", "/site.py", str(_PAGES)],
            "volumes": [f"{ROOT}/benchmarks/container_site.py:/site.py:ro"],
            "labels": {"com.docker.compose.service": "site"},
        }
        sites: dict[str, Any] = dict.fromkeys(_SITES, site)
        tools = {**store, "volumes": [f"{self.work}/plan.yaml:/plan.yaml:ro"]}
        services = {"node": store, "scheduler": store, "tools": tools, **sites}
        (self.work / "override.yml").write_text(yaml.safe_dump({"services": services}))
        self.down()

    def down(self) -> None:
        """Remove containers and volumes of the project."""
        self.compose("--profile", "tools", "down", check=False)
        label = f"label=io.podman.compose.project={_PROJECT}"
        for kind, words in (("container", ("-aq",)), ("volume", ("-q",))):
            found = self.podman(kind, "ls", *words, "--filter", label).split()
            if found:
                self.podman(kind, "rm", "-f", *found)

    def healthy(self, service: str, count: int = 1, seconds: float = 90) -> None:
        """Wait until the service's own health check succeeds in this many containers; there is no systemd to run it."""

        def is_healthy() -> bool:
            names = self.names(service)
            return len(names) == count and all(
                subprocess.run(
                    ("podman", "healthcheck", "run", name), env=self.environment, capture_output=True, check=False
                ).returncode
                == 0
                for name in names
            )

        wait(is_healthy, seconds, f"{count} healthy containers of {service}, not {self.names(service)}")

    def start(self, *services: str, scale: int = 1) -> None:
        """Start services of the compose file."""
        scaled = ["--scale", f"{services[0]}={scale}"] if scale > 1 else []
        self.compose("up", "-d", "--no-build", "--no-deps", *scaled, *services)

    def stored(self, host: str) -> int:
        """Pages of a site in the store, by the export of the tools container."""
        words = ("scrapy", "export", "--format", "jsonl", "--where", f"host = {host}.dns.podman", "--columns", "url")
        return sum(line.startswith("{") for line in self.tools(*words, check=False).splitlines())


def wait(condition: Callable[[], bool], seconds: float, what: str) -> None:
    """Wait for a condition; raises StepError after `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise StepError(f"after {seconds:.0f} s: {what}")
        time.sleep(1)


_REDIS = """RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends redis-server \\
 && groupadd -o -g 1000 redisdata && mkdir /data && chown 999:1000 /data
WORKDIR /data
"""
_MONGO = """COPY ferretdb /usr/local/bin/ferretdb
RUN printf '#!/bin/sh\\nexec python3 -c "import socket; socket.create_connection((\\\\"127.0.0.1\\\\", 27017), 3); print(1)"\\n' \\
 > /usr/local/bin/mongosh && chmod +x /usr/local/bin/mongosh && mkdir -p /data/db && chown 999:999 /data/db
ENV FERRETDB_LISTEN_ADDR=0.0.0.0:27017 FERRETDB_SQLITE_URL=file:/data/db/
CMD ["ferretdb"]
"""


class Steps:
    """What is tried, in order; each returns what was seen, or raises StepError."""

    def __init__(self, containers: Containers) -> None:
        self.containers = containers

    def databases(self) -> str:
        """Redis and the stand-in start as users without rights and are healthy."""
        self.containers.start("redis", "mongo", *_SITES)
        for service in ("redis", "mongo"):
            self.containers.healthy(service)
        return self._users("redis", "mongo")

    def two_nodes(self) -> str:
        """Two nodes and the scheduler."""
        self.containers.start("node", scale=2)
        self.containers.healthy("node", 2)
        self.containers.start("scheduler")
        time.sleep(3)
        if not self.containers.names("scheduler"):
            raise StepError("the scheduler has ended")
        return self._users("node", "scheduler")

    def _users(self, *services: str) -> str:
        seen = []
        for service in services:
            for name in self.containers.names(service):
                status = self.containers.podman("exec", name, "cat", "/proc/1/status")
                fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
                root = self.containers.podman("exec", name, "sh", "-c", "touch /usr/x 2>&1 || true")
                user, rights = fields["Uid"].split()[0], int(fields["CapEff"], 16)
                if user == "0" or rights or fields["NoNewPrivs"].strip() != "1" or "Read-only" not in root:
                    raise StepError(f"{name}: user {user}, capabilities {rights:x}, {root}")
                seen.append(f"{service} {user}")
        return ", ".join(dict.fromkeys(seen)) + "; no capabilities, read-only"

    def doctor(self) -> str:
        """No fault but the names of hosts outside, which a network of containers may not resolve; no advice to compile."""
        text = self.containers.tools("scrapy", "doctor", check=False)
        faults = [line for line in text.splitlines() if line.startswith("FAULT") and not line.startswith("FAULT   DNS")]
        if faults or "C compiler" in text or "Traceback" in text:
            raise StepError("; ".join(faults) or text[-500:])
        return f"{sum(line.startswith('ok') for line in text.splitlines())} checks ok"

    def schedule(self) -> str:
        """The schedule is valid and sees both nodes."""
        self.containers.tools("scrapy", "schedule", "check", "/plan.yaml")
        idle = self.containers.tools("scrapy", "schedule", "nodes", "/plan.yaml").count("idle")
        if idle != 2:
            raise StepError(f"{idle} idle nodes")
        return "2 idle nodes"

    def crawl(self) -> str:
        """A job on both nodes stores every page."""
        self._job("first")
        return self._complete("first", 180)

    def third_node_and_kill(self) -> str:
        """A third node joins; one of three is killed in the middle of a crawl."""
        self.containers.start("node", scale=3)
        self.containers.healthy("node", 3)
        self._job("second")
        wait(lambda: self.containers.stored("second") > 30, 90, "30 pages before the kill")
        self.containers.podman("kill", self.containers.names("node")[-1])
        return self._complete("second", 420) + " after the kill of one node"

    def redis_killed(self) -> str:
        """Redis is killed in the middle of a crawl and started again."""
        self._job("third")
        wait(lambda: self.containers.stored("third") > 30, 90, "30 pages before the kill")
        self.containers.podman("kill", *self.containers.names("redis"))
        time.sleep(5)
        self.containers.podman("start", f"{_PROJECT}_redis_1")
        self.containers.healthy("redis")
        return self._complete("third", 300) + " after the kill of Redis"

    def stop(self) -> str:
        """Stopping the nodes during a crawl ends its jobs in order; nodes started again finish it."""
        names = self.containers.names("node")
        self._job("fourth")
        wait(lambda: self.containers.stored("fourth") > 10, 90, "10 pages before the stop")
        started = time.monotonic()
        self.containers.compose("stop", "node")
        self.containers.podman("stop", "-t", "90", *names)  # podman-compose stops one container of a scaled service
        seconds, before = time.monotonic() - started, self.containers.stored("fourth")
        logs = [self.containers.podman("logs", name) for name in names]
        if not all("all jobs have ended" in log for log in logs) or before > _PAGES:
            raise StepError(f"{before} pages; {logs[0][-300:]}")
        self.containers.podman("start", *names)
        self.containers.healthy("node", len(names))
        self._job("fourth")
        return self._complete("fourth", 300) + f"; {len(names)} nodes ended in {seconds:.0f} s at {before}"

    def _job(self, name: str) -> None:
        self.containers.tools("scrapy", "schedule", "now", "/plan.yaml", name)

    def _complete(self, host: str, seconds: float) -> str:
        wait(lambda: self.containers.stored(host) > _PAGES, seconds, f"{self.containers.stored(host)} pages")
        if (stored := self.containers.stored(host)) != _PAGES + 1:
            raise StepError(f"{stored} rows for {_PAGES + 1} pages")
        return f"{stored} of {_PAGES + 1} pages, each once"


def main() -> int:
    """Run all steps and print a table; exit code 1 if one fails, 2 if the machine lacks a program."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--work", type=Path, default=Path("/var/tmp/topicrawl-containers"))
    ask.add_argument("--keep", action="store_true", help="leave the containers running")
    options = ask.parse_args()
    if missing := [
        name for name in _PROGRAMS if not shutil.which(name) and not Path(f"/usr/libexec/podman/{name}").exists()
    ]:
        print(f"not installed: {', '.join(missing)}", file=sys.stderr)
        return 2
    containers = Containers(options.work)
    steps = Steps(containers)
    failed = 0
    print(f"{'step':24} {'seconds':>8}  result")
    for step in (
        containers.base_images, containers.image, steps.databases, steps.two_nodes, steps.doctor, steps.schedule,
        steps.crawl, steps.third_node_and_kill, steps.redis_killed, steps.stop,
    ):  # fmt: skip
        started = time.monotonic()
        try:
            seen = f"holds: {step()}"
        except (StepError, subprocess.TimeoutExpired) as error:
            seen, failed = f"FAILS: {error}", failed + 1
        print(f"{step.__name__:24} {time.monotonic() - started:8.0f}  {seen}", flush=True)
    if not options.keep:
        containers.down()
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
