"""The plan: which jobs run when; administrators add, remove and run them now."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from console.access.people import Role
from console.frame.page import Action, Outcome, Page, Param, RefusedError
from console.frame.visit import Visit
from console.pages.runs import CRAWL_FIELDS, crawl_arguments
from console.queries import nodes
from console.queries.topics import topic_files
from crawler.scheduling.plan import JobPlan, PlanError, SchedulePlan
from crawler.scheduling.plan_file import add_job, remove_job
from crawler.scheduling.starting import start
from pipelines.stores.base import Row


def _view(visit: Visit) -> Mapping[str, Any]:
    settings = visit.desk.settings
    path = nodes.plan_path(settings)
    plan, fault = nodes.plan_of(settings)
    return {
        "path": str(path or ""),
        "fault": fault,
        "zone": str(plan.timezone) if plan else visit.desk.config.zone,
        "jobs": nodes.planned(settings, plan) if plan else [],
        "topics": sorted(topic_files(settings)[0]),
    }


def _path(visit: Visit) -> Path:
    path = nodes.plan_path(visit.desk.settings)
    if path is None:
        raise RefusedError("plan.no_file")
    return path


def _plan(visit: Visit) -> SchedulePlan:
    _path(visit)
    plan, fault = nodes.plan_of(visit.desk.settings)
    if plan is None:
        raise RefusedError("plan.wrong", error=fault or "—")
    return plan


def _add(visit: Visit, form: Mapping[str, Any]) -> Outcome:
    arguments: dict[str, str | int | float] = dict(crawl_arguments(visit, form))
    try:
        job = JobPlan(spider=form["spider"], cron=form["cron"], arguments=arguments)
    except ValidationError as error:
        raise RefusedError("plan.wrong", 400, error=error.errors()[0]["msg"]) from None
    plan = _added(visit, form["name"], job)
    return Outcome(form["name"], {"due": _due(plan, form["name"]), "cron": job.cron})


def _due(plan: SchedulePlan, name: str) -> str:
    found: datetime | None = plan.trigger(name).get_next_fire_time(None, datetime.now(UTC))
    return f"{found:%Y-%m-%d %H:%M %Z}" if found else "—"


def _added(visit: Visit, name: str, job: JobPlan) -> SchedulePlan:
    try:
        return add_job(_path(visit), name, job, visit.desk.config.zone)
    except PlanError as error:
        raise RefusedError("plan.wrong", error=str(error)) from None


def _remove(visit: Visit, form: Mapping[str, Any]) -> Outcome:
    plan, name = _plan(visit), form["name"]
    if name not in plan.jobs:
        raise RefusedError("plan.unknown", 404, name=name)
    job = plan.jobs[name]
    _removed(visit, name)
    has_texts = any(isinstance(value, str) for value in job.settings.values())  # they may be secrets
    return Outcome(name, {"job": None if has_texts else job.model_dump(exclude_defaults=True)})


def _removed(visit: Visit, name: str) -> None:
    try:
        remove_job(_path(visit), name)
    except PlanError as error:
        raise RefusedError("plan.wrong", error=str(error)) from None


def _now(visit: Visit, form: Mapping[str, Any]) -> Outcome:
    plan, name = _plan(visit), form["name"]
    if name not in plan.jobs:
        raise RefusedError("plan.unknown", 404, name=name)
    known = nodes.nodes_of(visit.desk.settings, nodes.START_SECONDS)
    here = nodes.loads_of(visit.desk.settings)
    if job := here.under_way(name):
        raise RefusedError("plan.under_way", name=name, node=job.node)
    found = start(known, name, plan.jobs[name], here)
    if not found.jobs:
        raise RefusedError("runs.nobody", reasons="; ".join(found.faults) or "—")
    return Outcome(name, {"node": ", ".join(node for _, node in found.jobs), "n": len(found.jobs)})


def _undo_add(visit: Visit, row: Row) -> None:
    _removed(visit, row["subject"])


def _undo_remove(visit: Visit, row: Row) -> None:
    if row["facts"]["job"] is None:
        raise RefusedError("plan.not_back", name=row["subject"])
    _added(visit, row["subject"], JobPlan(**row["facts"]["job"]))


_NAME = (Param("name", required=True, says="of the job"),)
PAGE = Page(
    name="plan",
    path="/runs/plan",
    view=_view,
    actions=(
        Action(
            "add",
            _add,
            Role.ADMIN,
            (
                *_NAME,
                Param("cron", required=True, says="minute, hour, day of month, month, day of week"),
                *CRAWL_FIELDS,
            ),
            _undo_add,
        ),
        Action("remove", _remove, Role.ADMIN, _NAME, _undo_remove),
        Action("now", _now, Role.ADMIN, _NAME),
    ),
)
