"""Runs and nodes: running jobs, comparison with similar runs, logs; administrators start and stop runs."""

import shlex
import socket
from collections.abc import Mapping
from typing import Any

from console.access.people import Role
from console.frame.page import AFTER, Action, ActionOutcome, ActionRefusedError, ConsolePage, Param
from console.frame.paging import cursor_of
from console.frame.request_context import RequestContext
from console.frame.safety import scheme_of
from console.queries import nodes, runs
from console.queries.topic_overview import topic_files
from crawler.commands.crawl import check_spider
from crawler.scheduling import start
from crawler.scheduling.job_plan import Job
from crawler.scheduling.scrapyd import ANALYSIS, HERE, NodeError
from extractors.links.urls import host_of

SHOWN = ("recent", "failed", "running", "all")
SPIDERS = ("site", "metasearch", "watch")
_MAX_WAITING = 100
CRAWL_FIELDS = (
    Param("spider", "choice", SPIDERS, required=True),
    Param("topic", says="name of a file in settings/topics"),
    Param("url", says="start page; several with commas"),
    Param("max_pages", "count", says="end after this many pages read"),
)


def _view(ctx: RequestContext) -> Mapping[str, Any]:
    store, now, settings = ctx.app.store, ctx.now, ctx.app.settings
    show = ctx.params.get("show", "recent")
    after = cursor_of(ctx.params, 2)
    found = runs.runs(store, show, now, after)
    if show == "recent" and not found.rows:
        show, found = "all", runs.runs(store, "all", now)
    due, job = nodes.next_due(settings)
    starting, known = nodes.starting(settings, store), nodes.nodes_of(settings).addresses()
    return {
        "show": show,
        **found.shown(),
        "failed": runs.troubled(store, now, _MAX_WAITING),
        "running": runs.count_running(store, now),
        "starting": starting,
        "due": due,
        "due_job": job,
        "topics": sorted(topic_files(settings)[0]),
        "nodes": known if ctx.person.may(Role.ADMIN) else [],
        "may_analyse": HERE in known and not any(job["spider"] == ANALYSIS for job in starting),
    }


def _run(ctx: RequestContext) -> Mapping[str, Any] | None:
    row = runs.run(ctx.app.store, ctx.place["key"], ctx.now)
    if row is None:
        return None
    log = nodes.log_of(ctx.app.settings, row, ctx.params.get("before", 0), bool(ctx.params.get("errors")))
    return {"run": row, "log": log}


def _nodes(ctx: RequestContext) -> Mapping[str, Any]:
    here = nodes.loads_of(ctx.app.settings)
    found = [
        {"node": node, "jobs": [{"job": job.identity, "spider": job.spider, "state": job.state} for job in jobs]}
        for node, jobs in here.jobs.items()
    ]
    return {"nodes": found, "faults": list(here.faults)}


def crawl_arguments(ctx: RequestContext, form: Mapping[str, Any]) -> dict[str, str]:
    """The arguments of the form; RefusedError if the spider would refuse them."""
    given = {name: str(form[name]) for name in ("topic", "url", "max_pages") if form.get(name)}
    if "max_pages" in given and form["spider"] == "watch":
        del given["max_pages"]
    if any(scheme_of(url) not in ("http", "https", "") for url in given.get("url", "").split(",")):
        raise ActionRefusedError("runs.no_address", 400)
    return _checked(ctx, form["spider"], given)


def _checked(ctx: RequestContext, spider: str, given: dict[str, str]) -> dict[str, str]:
    try:
        check_spider(ctx.app.settings, spider, given)
    except ValueError as error:
        raise ActionRefusedError("runs.wrong", 400, error=str(error)) from None
    return given


def _start(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    outcome = _started(ctx, form["spider"], crawl_arguments(ctx, form), form.get("node", ""))
    if form.get("analyse"):
        _analyse_if_idle(ctx)
    return outcome


def _analyse(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    if not _analyse_if_idle(ctx):
        raise ActionRefusedError("runs.analysis.under_way")
    return ActionOutcome(socket.gethostname())


def _analyse_if_idle(ctx: RequestContext) -> bool:
    """Analyse pages as they arrive, on this machine, unless a job here does so."""
    here = nodes.loads_of(ctx.app.settings)
    if HERE not in here.jobs or any(job.spider == ANALYSIS for job in here.jobs[HERE]):
        return False
    return bool(start(nodes.nodes_of(ctx.app.settings), ANALYSIS, Job(spider=ANALYSIS), here, HERE).jobs)


def _again(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    row = runs.run(ctx.app.store, form["key"], ctx.now)
    if row is None:
        raise ActionRefusedError("runs.unknown", 404)
    if row["typed"] is None:
        raise ActionRefusedError("runs.not_again")
    return _started(ctx, row["spider"], _checked(ctx, row["spider"], row["typed"]), "")


def _started(ctx: RequestContext, spider: str, arguments: Mapping[str, str], node: str) -> ActionOutcome:
    known = nodes.nodes_of(ctx.app.settings, nodes.START_SECONDS)
    here = nodes.loads_of(ctx.app.settings)
    if node and node not in here.jobs:
        raise ActionRefusedError("runs.no_node", node=node)
    named = arguments.get("topic") or host_of(arguments.get("url", "").split(",")[0]) or "crawl"
    name = "".join(char if char.isalnum() else "-" for char in f"{spider}-{named}" if char.isascii())[:60]
    found = start(known, name, Job(spider=spider, arguments=dict(arguments)), here, node)
    if not found.jobs:
        raise ActionRefusedError("runs.nobody", reasons="; ".join(found.faults) or "—")
    (job, where), *_ = found.jobs
    command = shlex.join(runs.command_of(spider, arguments))
    place = socket.gethostname() if where == HERE else where
    return ActionOutcome(f"{spider} {named}", {"job": job, "node": place, "command": command})


def _stop(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    here = nodes.loads_of(ctx.app.settings)
    job = nodes.job_of(here, form["job"])
    if job is None:
        raise ActionRefusedError("runs.not_running", job=form["job"], faults="; ".join(here.faults))
    try:
        nodes.nodes_of(ctx.app.settings).stop(job)
    except NodeError as error:
        raise ActionRefusedError("runs.no_answer", 503, error=str(error)) from None
    return ActionOutcome(job.identity, {"node": job.node, "spider": job.spider})


PAGE = ConsolePage(
    name="runs",
    path="/runs",
    view=_view,
    group="collect",
    params=(Param("show", "choice", SHOWN), Param("topic", says="chosen in the form that starts a crawl"), AFTER),
    actions=(
        Action(
            "start",
            _start,
            Role.ADMIN,
            (
                *CRAWL_FIELDS,
                Param("node", says="address of a node, or local; default: the least loaded one"),
                Param("analyse", "flag", says="analyse new pages on this machine too, if nothing does"),
            ),
        ),
        Action("analyse", _analyse, Role.ADMIN),
        Action("again", _again, Role.ADMIN, (Param("key", required=True, says="of the run"),)),
        Action("stop", _stop, Role.ADMIN, (Param("job", required=True, says="name of the job"),)),
    ),
    waits=lambda app_context: runs.troubled(app_context.store, app_context.now(), _MAX_WAITING),
)
NODES = ConsolePage(name="nodes", path="/runs/nodes", view=_nodes)
RUN = ConsolePage(
    name="run",
    path="/runs/{key}",
    view=_run,
    params=(
        Param("before", "count", says="lines of the log before this byte"),
        Param("errors", "flag", says="only lines that decide"),
    ),
)
