"""Jobs put on nodes, those with the least work first."""

import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime

from crawler.scheduling.plan import Job
from crawler.scheduling.scrapyd import NodeError, NodeJob, Nodes

_WORKERS = 8


@dataclass(frozen=True, slots=True)
class Loads:
    """The jobs of each node that answers, and what is wrong with the others."""

    jobs: Mapping[str, Sequence[NodeJob]]
    faults: Sequence[str]

    def under_way(self, name: str) -> NodeJob | None:
        """A job that was started by this name and is running or pending."""
        mine = re.compile(rf"{re.escape(name)}-\d{{8}}T\d{{6}}-\d+")
        return next((job for job in self.all() if mine.fullmatch(job.identity)), None)

    def all(self) -> Iterator[NodeJob]:
        """Every job."""
        return (job for jobs in self.jobs.values() for job in jobs)


@dataclass(frozen=True, slots=True)
class Started:
    """Identity and node of each job that was started, and why others were not."""

    jobs: Sequence[tuple[str, str]]
    wanted: int
    faults: Sequence[str]


def loads(nodes: Nodes) -> Loads:
    """What every node says; several are asked at once, so that those that are away cost the time of one."""
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
    """Start a job on as many nodes as it wants, or on the one that is named."""
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
    """What scrapyd's schedule.json gets."""
    identity = f"{name}-{datetime.now(UTC):%Y%m%dT%H%M%S}-{place + 1}"
    fields = [("project", job.project), ("spider", job.spider), ("jobid", identity)]
    fields += [(key, str(value)) for key, value in job.arguments.items()]
    return fields + [("setting", f"{key}={value}") for key, value in job.settings.items()]
