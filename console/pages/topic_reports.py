"""Reports of topics: made now in the reader's language, or by plan into a folder or to channels."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from analysis.report import (
    PrintingError,
    Report,
    collect,
    report_excel,
    report_html,
    report_markdown,
    report_pdf,
    report_word,
)
from console.access.people import Role
from console.frame.page import Action, ActionOutcome, ActionRefusedError, ConsolePage, Param
from console.frame.request_context import RequestContext
from console.frame.safety import SANDBOX
from console.queries import nodes
from console.queries.alerts import read_rules
from console.queries.topic_overview import is_known, topic_files
from crawler.scheduling import add_job, remove_job
from crawler.scheduling.job_plan import PlanError, ReportPlan
from pipelines.stores.base import Row

SPANS = {"24h": timedelta(days=1), "7d": timedelta(days=7), "4w": timedelta(weeks=4)}
FORMATS = {"html": ".html", "markdown": ".md", "docx": ".docx", "xlsx": ".xlsx", "pdf": ".pdf"}
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".pdf": "application/pdf",
    ".md": "text/markdown; charset=utf-8",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_MAX_LISTED = 100
_LANGUAGES = ("zh", "en")


def _view(ctx: RequestContext) -> Mapping[str, Any]:
    settings = ctx.app.settings
    plan, fault = nodes.plan_of(settings)
    planned = plan.reports if plan else {}
    return {
        "topics": sorted(topic_files(settings)[0]),
        "made": _made(ctx),
        "fault": fault,
        "has_plan": nodes.plan_path(settings) is not None,
        "zone": str(plan.timezone if plan else ctx.zone),
        "channels": list(read_rules(ctx.app.store, settings)[0].channels),
        "planned": [
            {**each.model_dump(include={"topic", "since", "send", "format", "language", "cron"}), "name": name,
             "due": nodes.due(plan, name), "in_folder": bool(each.folder)}
            for name, each in planned.items() if plan
        ],
    }  # fmt: skip


def _folder(ctx: RequestContext) -> Path:
    return (Path(ctx.app.settings["DATA_DIR"] or "data") / "reports").resolve()


def _made(ctx: RequestContext) -> list[dict[str, Any]]:
    """Files of the folder, the newest first."""
    found = []
    for path in _folder(ctx).glob("*.*"):
        if path.suffix in _TYPES and path.is_file():
            at = datetime.fromtimestamp(path.stat().st_mtime, ctx.zone)
            found.append({"name": path.name, "at": at.isoformat(timespec="seconds"), "bytes": path.stat().st_size})
    return sorted(found, key=lambda each: str(each["at"]), reverse=True)[:_MAX_LISTED]


def _known(ctx: RequestContext, topic: str) -> str:
    if not is_known(ctx.app.store, ctx.app.settings, topic):
        raise ActionRefusedError("reports.no_topic", 404, topic=topic[:60])
    return topic


def _report(ctx: RequestContext) -> Report:
    topic = _known(ctx, ctx.params.get("topic", ""))
    since = ctx.now - SPANS[ctx.params.get("since", "7d")]
    language = ctx.params.get("language", ctx.words.language)
    return collect(ctx.app.store, topic, since, ctx.now, language=language, zone=ctx.zone)


def _answer(content: bytes, name: str) -> Response:
    """Shown (HTML, in a sandbox) or saved."""
    ending = Path(name).suffix
    kind = "inline" if ending == ".html" else "attachment"
    headers = {
        "Content-Disposition": f"{kind}; filename*=UTF-8''{quote(name, safe='')}",
        "Content-Security-Policy": SANDBOX,
    }
    return Response(content, media_type=_TYPES[ending], headers=headers)


def _name(report: Report, ending: str) -> str:
    return f"{report.topic or 'all'}-{report.until.astimezone(report.zone):%Y%m%d}{ending}"


def _html(ctx: RequestContext) -> Response:
    report = _report(ctx)
    return _answer(report_html(report).encode(), _name(report, ".html"))


def _markdown(ctx: RequestContext) -> Response:
    report = _report(ctx)
    return _answer(report_markdown(report).encode(), _name(report, ".md"))


def _word(ctx: RequestContext) -> Response:
    report = _report(ctx)
    return _answer(report_word(report), _name(report, ".docx"))


def _excel(ctx: RequestContext) -> Response:
    report = _report(ctx)
    return _answer(report_excel(report), _name(report, ".xlsx"))


def _pdf(ctx: RequestContext) -> Response:
    report = _report(ctx)
    try:
        return _answer(report_pdf(report, ctx.app.settings), _name(report, ".pdf"))
    except PrintingError as error:
        raise ActionRefusedError("reports.not_printed", 503, error=ctx.words.sentence(str(error))) from None


def _file(ctx: RequestContext) -> Response:
    """A report of the folder; only a name that the folder itself lists is read."""
    name = ctx.params.get("file", "")
    if name not in {each["name"] for each in _made(ctx)}:
        raise HTTPException(404)
    return _answer((_folder(ctx) / name).read_bytes(), name)


def _plan(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    hour = int(form.get("hour", 8))
    weekday = "1" if form["every"] == "weekly" else "*"
    known = read_rules(ctx.app.store, ctx.app.settings)[0].channels
    send = form.get("send", "").split()
    if hour > 23 or any(name not in known for name in send):
        raise ActionRefusedError(
            "reports.wrong", 400, error=ctx.words("reports.no_hour" if hour > 23 else "reports.no_channel")
        )
    try:
        report = ReportPlan(
            topic=_known(ctx, form.get("topic", "")), since=form.get("since", "24h"), send=send, folder=str(_folder(ctx)),
            format=form.get("format", "html"), language=form.get("language", ctx.words.language), cron=f"0 {hour} * * {weekday}",
        )  # fmt: skip
    except ValidationError as error:
        raise ActionRefusedError("reports.wrong", 400, error=error.errors()[0]["msg"]) from None
    plan = _changed(ctx, lambda path: add_job(path, form["name"], report, str(ctx.zone)))
    return ActionOutcome(form["name"], {"due": nodes.due(plan, form["name"])})


def _changed(ctx: RequestContext, change: Any) -> Any:
    path = nodes.plan_path(ctx.app.settings)
    if path is None:
        raise ActionRefusedError("plan.no_file")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return change(path)
    except (PlanError, OSError) as error:
        raise ActionRefusedError("reports.wrong", error=str(error)) from None


def _remove(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    plan, _ = nodes.plan_of(ctx.app.settings)
    if plan is None or form["name"] not in plan.reports:
        raise ActionRefusedError("reports.unknown", 404, name=form["name"])
    before = plan.reports[form["name"]].model_dump(exclude_defaults=True)
    has_texts = any(isinstance(value, str) for value in plan.reports[form["name"]].settings.values())
    _changed(ctx, lambda path: remove_job(path, form["name"]))
    return ActionOutcome(form["name"], {"before": None if has_texts else before})


def _undo_remove(ctx: RequestContext, row: Row) -> None:
    before = row["facts"]["before"]
    if before is None:
        raise ActionRefusedError("plan.not_back", name=row["subject"])
    _changed(ctx, lambda path: add_job(path, row["subject"], ReportPlan(**before), str(ctx.zone)))


PAGE = ConsolePage(
    name="reports",
    path="/reports",
    view=_view,
    group="look",
    params=(
        Param("topic", says="pages of this topic; without it, of all"),
        Param("since", "choice", tuple(SPANS)),
        Param("language", "choice", _LANGUAGES),
        Param("file", says="name of a report that was made by plan, for /reports/file"),
    ),
    actions=(
        Action(
            "plan",
            _plan,
            Role.ADMIN,
            (
                Param("name", required=True, says="of the planned report"),
                Param("every", "choice", ("daily", "weekly"), required=True),
                Param("hour", "count", says="of the day (8)"),
                Param("topic"),
                Param("since", "choice", tuple(SPANS)),
                Param("format", "choice", tuple(FORMATS)),
                Param("language", "choice", _LANGUAGES),
                Param("send", "words", says="names of channels with spaces between"),
            ),
            lambda ctx, row: _changed(ctx, lambda path: remove_job(path, row["subject"])),
        ),
        Action("remove", _remove, Role.ADMIN, (Param("name", required=True),), _undo_remove),
    ),
    files={
        "report.html": _html,
        "report.md": _markdown,
        "report.docx": _word,
        "report.xlsx": _excel,
        "report.pdf": _pdf,
        "file": _file,
    },
)
