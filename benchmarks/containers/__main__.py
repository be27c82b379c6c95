"""docker-compose.yml run for real with podman: build, two nodes, a crawl, a third node, kills, stop, export, and each profile to an
analysed page in its console.

    python -m benchmarks.containers [--install] [--work /var/tmp/topicrawl-containers] [--keep]

Needs root on Debian, Go, and the packages podman, runc, debootstrap and catatonit; --install installs these. No registry of
images is used: the base image is made by debootstrap, without the digests that the project's files pin. MongoDB is
replaced by FerretDB without authentication (testbed/servers/ferretdb), so users and rights in MongoDB are not tested;
OpenSearch is its core from Maven Central, which needs a JDK of version 17 and Maven.
Containers, volumes and networks are removed at the end; the images stay in --work, so that the next run is faster.
"""

import argparse
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.containers import profiles, steps
from benchmarks.containers.engine import StepError, open_engine
from benchmarks.containers.images import base_images
from benchmarks.containers.project import Project, make_project

_PACKAGES = ("podman", "runc", "debootstrap", "catatonit")


def _missing() -> list[str]:
    """Programs that are not there."""
    places = ("/usr/sbin", "/usr/libexec/podman", "/usr/bin")
    return [
        name
        for name in (*_PACKAGES, "go")
        if not shutil.which(name) and not any(Path(place, name).exists() for place in places)
    ]


def _try(step: Callable[[], str], name: str) -> bool:
    """Run a step and print its line."""
    started = time.monotonic()
    try:
        seen, holds = step(), True
    except (StepError, subprocess.TimeoutExpired) as error:
        seen, holds = str(error), False
    print(f"{name:14} {time.monotonic() - started:7.0f} s  {'ok' if holds else 'FAILED':6}  {seen}", flush=True)
    return holds


def _run(project: Project) -> int:
    """All steps; those that the others need end the run when they fail. The number of failures."""
    needed: list[tuple[str, Callable[[], str]]] = [
        ("base_images", partial(base_images, project.engine)),
        ("image", project.build),
        ("databases", partial(steps.databases, project)),
        ("two_nodes", partial(steps.two_nodes, project)),
    ]
    tried = (steps.doctor, steps.schedule, steps.crawl, steps.node_killed, steps.redis_killed, steps.stop, steps.export)
    walks = (profiles.cluster, profiles.redis_cluster, profiles.search, profiles.single)
    if not all(_try(step, name) for name, step in needed):
        print("the other steps need this one and were not tried")
        return 1
    return sum(not _try(partial(step, project), step.__name__) for step in (*tried, *walks))


def main() -> int:
    """Print a line for each step; exit code 1 if one fails, 2 if the machine lacks a program."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--install", action="store_true", help="install missing Debian packages first")
    ask.add_argument("--work", type=Path, default=Path("/var/tmp/topicrawl-containers"))
    ask.add_argument("--keep", action="store_true", help="leave the containers running")
    options = ask.parse_args()
    packages = [name for name in _missing() if name in _PACKAGES]
    if options.install and packages:
        subprocess.run(("apt-get", "update", "-qq"), check=True)
        subprocess.run(("apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages), check=True)
    if missing := _missing():
        print(f"not installed: {', '.join(missing)}; --install installs Debian's packages", file=sys.stderr)
        return 2
    project, started = make_project(open_engine(options.work.resolve())), time.monotonic()
    try:
        failed = _run(project)
    finally:
        if not options.keep:
            project.remove()
    print(f"{f'{failed} failed' if failed else 'every step ok'}, {time.monotonic() - started:.0f} s in all")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
