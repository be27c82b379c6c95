"""Starts jobs on nodes, the least loaded first."""

import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime

from crawler.scheduling.job_plan import Job
from crawler.scheduling.scrapyd import NodeError, NodeJob, Nodes

_WORKERS = 8


@dataclass(frozen=True, slots=True)
class Loads:
    """The jobs of each available node, and the errors of the others."""

    jobs: Mapping[str, Sequence[NodeJob]]
    faults: Sequence[str]

    def under_way(self, name: str) -> NodeJob | None:
        """A running or pending job that was started by this name."""
        mine = re.compile(rf"{re.escape(name)}-\d{{8}}T\d{{6}}-\d+")
        return next((job for job in self.all() if mine.fullmatch(job.identity)), None)

    def all(self) -> Iterator[NodeJob]:
        """Every job."""
        return (job for jobs in self.jobs.values() for job in jobs)


@dataclass(frozen=True, slots=True)
class Started:
    """(identity, node) of each started job, and the reasons for others."""

    jobs: Sequence[tuple[str, str]]
    wanted: int
    faults: Sequence[str]


def loads(nodes: Nodes) -> Loads:
    """The loads of all nodes, queried in parallel, so that unavailable ones cost only one timeout."""
    found: dict[str, Sequence[NodeJob]] = {}
    faults: list[str] = []
    with ThreadPoolExecutor(_WORKERS) as workers:
        asked = [(node, workers.submit(nodes.jobs, node)) for node in nodes.addresses()]
    for node, answer in asked:
        try:
            found[node] = answer.result()
        except NodeError as error:
            faults.append(str(error))
    return Loads(found, faults)


def start(nodes: Nodes, name: str, job: Job, here: Loads, only: str = "") -> Started:
    """Start a job on as many nodes as configured, or on the named one."""
    wanted = 1 if only else len(here.jobs) if job.nodes == "all" else job.nodes
    chosen = [only] if only else sorted(here.jobs, key=lambda node: len(here.jobs[node]))
    started: list[tuple[str, str]] = []
    faults = list(here.faults)
    for node in chosen:
        if len(started) == wanted:
            break
        try:
            started.append((nodes.start(node, fields_of(name, job, len(started))), node))
        except NodeError as error:
            faults.append(str(error))
    return Started(started, wanted, faults)


def fields_of(name: str, job: Job, place: int) -> list[tuple[str, str]]:
    """The fields for scrapyd's schedule.json."""
    identity = f"{name}-{datetime.now(UTC):%Y%m%dT%H%M%S}-{place + 1}"
    fields = [("project", job.project), ("spider", job.spider), ("jobid", identity)]
    fields += [(key, str(value)) for key, value in job.arguments.items()]
    return fields + [("setting", f"{key}={value}") for key, value in job.settings.items()]
