"""The schedule of jobs; administrators add, remove and run them."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from console.access.people import Role
from console.frame.page import Action, ActionOutcome, ActionRefusedError, ConsolePage, Param
from console.frame.request_context import RequestContext
from console.pages.runs import CRAWL_FIELDS, crawl_arguments
from console.queries import nodes
from console.queries.topic_overview import topic_files
from crawler.scheduling import add_job, remove_job, retime_job, start
from crawler.scheduling.job_plan import JobPlan, PlanError, SchedulePlan
from crawler.scheduling.scrapyd import HERE
from pipelines.stores.base import Row


def _view(ctx: RequestContext) -> Mapping[str, Any]:
    settings = ctx.app.settings
    path = nodes.plan_path(settings)
    plan, fault = nodes.plan_of(settings)
    return {
        "path": str(path or ""),
        "fault": fault,
        "is_here": nodes.nodes_of(settings).addresses() == [HERE],
        "zone": str(plan.timezone) if plan else ctx.app.config.zone,
        "jobs": nodes.planned(settings, plan) if plan else [],
        "topics": sorted(topic_files(settings)[0]),
    }


def _path(ctx: RequestContext) -> Path:
    path = nodes.plan_path(ctx.app.settings)
    if path is None:
        raise ActionRefusedError("plan.no_file")
    return path


def _plan(ctx: RequestContext) -> SchedulePlan:
    _path(ctx)
    plan, fault = nodes.plan_of(ctx.app.settings)
    if plan is None:
        raise ActionRefusedError("plan.wrong", error=fault or "—")
    return plan


def _add(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    arguments: dict[str, str | int | float] = dict(crawl_arguments(ctx, form))
    try:
        job = JobPlan(spider=form["spider"], cron=form["cron"], arguments=arguments)
    except ValidationError as error:
        raise ActionRefusedError("plan.wrong", 400, error=error.errors()[0]["msg"]) from None
    plan = _added(ctx, form["name"], job)
    return ActionOutcome(form["name"], {"due": _due(plan, form["name"]), "cron": job.cron})


def _due(plan: SchedulePlan, name: str) -> str:
    found: datetime | None = plan.trigger(name).get_next_fire_time(None, datetime.now(UTC))
    return f"{found:%Y-%m-%d %H:%M %Z}" if found else "—"


def _added(ctx: RequestContext, name: str, job: JobPlan) -> SchedulePlan:
    try:
        return add_job(_path(ctx), name, job, ctx.app.config.zone)
    except PlanError as error:
        raise ActionRefusedError("plan.wrong", error=str(error)) from None


def _remove(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    plan, name = _plan(ctx), form["name"]
    if name not in plan.jobs:
        raise ActionRefusedError("plan.unknown", 404, name=name)
    job = plan.jobs[name]
    _removed(ctx, name)
    has_texts = any(isinstance(value, str) for value in job.settings.values())  # they may be secrets
    return ActionOutcome(name, {"job": None if has_texts else job.model_dump(exclude_defaults=True)})


def _removed(ctx: RequestContext, name: str) -> None:
    try:
        remove_job(_path(ctx), name)
    except PlanError as error:
        raise ActionRefusedError("plan.wrong", error=str(error)) from None


def _retime(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    """Another time for a job or a planned report; everything else of it stays."""
    name, before = form["name"], _plan(ctx).planned.get(form["name"])
    if before is None:
        raise ActionRefusedError("plan.unknown", 404, name=name)
    plan = _retimed(ctx, name, form["cron"])
    return ActionOutcome(name, {"before": before.cron, "cron": form["cron"], "due": _due(plan, name)})


def _retimed(ctx: RequestContext, name: str, cron: str) -> SchedulePlan:
    try:
        return retime_job(_path(ctx), name, cron)
    except ValidationError as error:
        raise ActionRefusedError("plan.wrong", 400, error=error.errors()[0]["msg"]) from None
    except PlanError as error:
        raise ActionRefusedError("plan.wrong", error=str(error)) from None


def _undo_retime(ctx: RequestContext, row: Row) -> None:
    _retimed(ctx, row["subject"], row["facts"]["before"])


def _now(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    plan, name = _plan(ctx), form["name"]
    if name not in plan.jobs:
        raise ActionRefusedError("plan.unknown", 404, name=name)
    known = nodes.nodes_of(ctx.app.settings, nodes.START_SECONDS)
    here = nodes.loads_of(ctx.app.settings)
    if job := here.under_way(name):
        raise ActionRefusedError("plan.under_way", name=name, node=job.node)
    found = start(known, name, plan.jobs[name], here)
    if not found.jobs:
        raise ActionRefusedError("runs.nobody", reasons="; ".join(found.faults) or "—")
    return ActionOutcome(name, {"node": ", ".join(node for _, node in found.jobs), "n": len(found.jobs)})


def _undo_remove(ctx: RequestContext, row: Row) -> None:
    if row["facts"]["job"] is None:
        raise ActionRefusedError("plan.not_back", name=row["subject"])
    _added(ctx, row["subject"], JobPlan(**row["facts"]["job"]))


_NAME = (Param("name", required=True, says="of the job"),)
_CRON = Param("cron", required=True, says="minute, hour, day of month, month, day of week")
PAGE = ConsolePage(
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
                _CRON,
                *CRAWL_FIELDS,
            ),
            lambda ctx, row: _removed(ctx, row["subject"]),
        ),
        Action("remove", _remove, Role.ADMIN, _NAME, _undo_remove),
        Action(
            "retime",
            _retime,
            Role.ADMIN,
            (Param("name", required=True, says="of the job or report"), _CRON),
            _undo_retime,
        ),
        Action("now", _now, Role.ADMIN, _NAME),
    ),
)
