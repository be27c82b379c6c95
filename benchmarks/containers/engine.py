"""podman and podman-compose, with images, networks and limits in a folder of their own."""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_CONTAINERS = """[containers]
default_ulimits = ["nofile={files}:{files}", "nproc=20000:20000"]
[engine]
runtime = "runc"
[network]
network_config_dir = "{work}/networks"
"""
_STORAGE = """[storage]
driver = "overlay"
graphroot = "{work}/storage"
runroot = "{work}/run"
"""


class StepError(Exception):
    """A step failed; the message says what was seen."""


@dataclass(frozen=True, slots=True)
class Engine:
    """The commands; `work` has all that they keep."""

    work: Path
    environment: dict[str, str]

    def run(self, *words: str, check: bool = True, seconds: float = 1_200) -> str:
        """Standard output and error of a command; raises StepError if it fails."""
        done = subprocess.run(
            words,
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
        if check and done.returncode:
            raise StepError(f"{' '.join(words[:6])}: exit code {done.returncode}: {(done.stdout + done.stderr)[-600:]}")
        return done.stdout + done.stderr

    def podman(self, *words: str, check: bool = True) -> str:
        """A podman command."""
        return self.run("podman", *words, check=check)

    def healthy(self, container: str) -> bool:
        """Whether the container's own health check succeeds; without systemd nothing runs it at intervals."""
        command = ("podman", "healthcheck", "run", container)
        return subprocess.run(command, env=self.environment, capture_output=True, check=False).returncode == 0


def open_engine(work: Path) -> Engine:
    """Write the configuration, and install podman-compose into the folder if it is not there."""
    work.mkdir(parents=True, exist_ok=True)
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    (work / "containers.conf").write_text(_CONTAINERS.format(files=files, work=work))
    (work / "storage.conf").write_text(_STORAGE.format(work=work))
    compose = work / "compose"
    engine = Engine(
        work,
        {
            **os.environ,
            "PATH": f"{compose}/bin:{os.environ['PATH']}",
            "CONTAINERS_CONF": str(work / "containers.conf"),
            "CONTAINERS_STORAGE_CONF": str(work / "storage.conf"),
        },
    )
    if not (compose / "bin" / "podman-compose").exists():
        engine.run(sys.executable, "-m", "venv", str(compose))
        engine.run(str(compose / "bin" / "pip"), "install", "--quiet", "podman-compose>=1.3,<2")
    return engine


def wait(condition: Callable[[], bool], seconds: float, what: str) -> None:
    """Wait for a condition; raises StepError after `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise StepError(f"after {seconds:.0f} s: {what}")
        time.sleep(1)
