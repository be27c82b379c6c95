"""Nodes and the schedule: scrapyd jobs, run logs, and due times."""

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from scrapy.settings import BaseSettings

from crawler.scheduling import Loads, last_outcome, loads
from crawler.scheduling.job_plan import NODES_VARIABLE, PlanError, SchedulePlan, named_nodes, read_plan
from crawler.scheduling.scrapyd import HERE, LocalJobs, LogPart, NodeError, NodeJob, Nodes
from pipelines.stores.base import Condition, Store
from pipelines.stores.tables import RUNS

_TIMEOUT_SECONDS = 5.0
_LOOK_SECONDS = 1.0
"""A list of runs does not wait longer for a node."""
START_SECONDS = 60.0
"""A node looks up its spiders before it starts one."""
_PROJECT = "topicrawl"
_LOG_BYTES = 16_000
_ERROR_BYTES = 500_000
_PLAIN = (int, float, bool)


def plan_path(settings: BaseSettings) -> Path | None:
    """The file of the plan; on one machine there is always one, with nodes only if it is named."""
    if settings["SCHEDULE_FILE"]:
        return Path(settings["SCHEDULE_FILE"])
    return None if named_nodes() else Path(settings["DATA_DIR"] or "data") / "schedule.yaml"


def state_path(settings: BaseSettings) -> Path:
    """Where it is kept how jobs of the plan ended."""
    return Path(settings["SCHEDULE_STATE"] or f"{plan_path(settings)}.state.json")


def plan_of(settings: BaseSettings) -> tuple[SchedulePlan | None, str]:
    """The plan and its problem; neither if no plan file is configured or written yet."""
    path = plan_path(settings)
    if path is None or not path.exists():
        return None, ""
    try:
        return _read(path, path.stat().st_mtime_ns, os.environ.get(NODES_VARIABLE, "")), ""
    except (PlanError, OSError) as error:
        return None, str(error)


@lru_cache(maxsize=4)
def _read(path: Path, changed: int, nodes: str) -> SchedulePlan:
    """Cached until the file changes."""
    return read_plan(path)


def nodes_of(settings: BaseSettings, seconds: float = _TIMEOUT_SECONDS) -> Nodes:
    """The nodes of the plan, else those of SCRAPYD_NODES, else this machine; each with a request timeout."""
    plan, _ = plan_of(settings)
    return Nodes(plan.nodes if plan else named_nodes() or (HERE,), seconds, LocalJobs(settings))


def loads_of(settings: BaseSettings) -> Loads:
    return loads(nodes_of(settings))


def planned(settings: BaseSettings, plan: SchedulePlan) -> list[dict[str, Any]]:
    """Every job with its next due time and last outcome."""
    state = state_path(settings)
    return [
        {
            "name": name,
            "spider": job.spider,
            "cron": job.cron,
            "arguments": {key: str(value) for key, value in job.arguments.items()},
            "settings": {key: str(value) if isinstance(value, _PLAIN) else "…" for key, value in job.settings.items()},
            "nodes": str(job.nodes),
            "missed": job.missed,
            "due": due(plan, name),
            "last": last_outcome(state, name) if state.exists() else "",
        }
        for name, job in plan.jobs.items()
    ]


def due(plan: SchedulePlan, name: str) -> str:
    """The instant of the next run; "" if there is none."""
    found: datetime | None = plan.trigger(name).get_next_fire_time(None, datetime.now(UTC))
    return found.isoformat(timespec="seconds") if found else ""


def next_due(settings: BaseSettings) -> tuple[str, str]:
    """When the next job of the plan is due, and its name; empty without a plan."""
    plan, _ = plan_of(settings)
    times = ((due(plan, name), name) for name in plan.jobs) if plan else ()
    return min(
        ((datetime.fromisoformat(at).astimezone(UTC).isoformat(), name) for at, name in times if at), default=("", "")
    )


def starting(settings: BaseSettings, store: Store) -> list[dict[str, str]]:
    """Jobs on nodes without a row in the table of runs: pending ones, those whose process has just begun, and the analysis."""
    jobs = list(loads(nodes_of(settings, _LOOK_SECONDS)).all())
    of_jobs = Condition("job", "in", [job.identity for job in jobs])
    known = {row["job"] for row in store.select(RUNS, [of_jobs], columns=["job"])} if jobs else set()
    return [
        {"job": job.identity, "spider": job.spider, "node": job.node, "state": job.state}
        for job in jobs
        if job.identity not in known
    ]


def job_of(here: Loads, identity: str) -> NodeJob | None:
    """The job of this name where it runs or waits."""
    return next((job for job in here.all() if job.identity == identity), None)


def log_of(settings: BaseSettings, row: Mapping[str, Any], until: int, only_errors: bool) -> dict[str, Any]:
    """Lines of a run's log, from the node that has it: `lines`, each with whether it decides; `begin`, `end`, `size`; `fault`."""
    nodes, faults = nodes_of(settings), []
    most = _ERROR_BYTES if only_errors else _LOG_BYTES
    for node in nodes.addresses() if row["job"] else ():
        try:
            found = nodes.log(node, _PROJECT, row["spider"] or "", row["job"], until, most)
        except NodeError as error:
            faults.append(str(error))
            continue
        if found is not None:
            return _lines(found, only_errors) | {"node": node, "fault": ""}
    return {"lines": [], "begin": 0, "end": 0, "size": 0, "node": "", "fault": "; ".join(faults)}


def _lines(found: LogPart, only_errors: bool) -> dict[str, Any]:
    lines = [[line, _decides(line)] for line in found.text.splitlines()]
    if only_errors:
        lines = [line for line in lines if line[1]][-200:]
    return {"lines": lines, "begin": found.begin, "end": found.end, "size": found.size}


def _decides(line: str) -> bool:
    return any(word in line for word in ("ERROR", "CRITICAL", "Traceback")) or (
        "Ending: " in line and "(exit code 0)" not in line and "(exit code 3)" not in line
    )
