"""Routes from declared pages: HTML, its twin in JSON, decisions, exports, downloads."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from console.access.people import Role
from console.access.sessions import is_form_token
from console.frame import _feeds
from console.frame.app_context import AppContext
from console.frame.authentication import SESSION, AuthResult, authenticate, with_cookies
from console.frame.decisions import carry_out, decision, note_audit, note_undo
from console.frame.exporting import FORMATS, exported
from console.frame.html_rendering import TemplateRenderer
from console.frame.page import Action, ActionRefusedError, ConsolePage
from console.frame.params import ParamError, read_params
from console.frame.request_context import RequestContext
from console.frame.safety import is_from_other_site, is_same_origin, own_path, read_form
from console.frame.spreadsheet import Headings
from console.frame.view_limit import ViewLimit
from pipelines.stores.base import Row
from pipelines.stores.checked import noting_malformed

logger = logging.getLogger(__name__)
TOKEN_FIELD = "form_token"
TOKEN_HEADER = "x-form-token"


@dataclass(frozen=True, slots=True)
class Server:
    """Request handlers of pages."""

    app_context: AppContext
    pages: tuple[ConsolePage, ...]
    renderer: TemplateRenderer
    limit: ViewLimit = field(default_factory=ViewLimit)

    def routes(self) -> list[Route]:
        found = [Route("/decisions/{key}/undo", self._undo(False), methods=["POST"])]
        throttle = _feeds.feed_throttle(self.app_context)
        feed = partial(_feeds.answer, app_context=self.app_context, pages=self.pages, throttle=throttle)
        found.append(Route("/feeds/{name}", self._limited(feed)))
        found += [Route("/api/decisions/{key}/undo", self._undo(True), methods=["POST"])]
        for page in self.pages:
            found += self._routes_of(page)
        return found

    def _routes_of(self, page: ConsolePage) -> list[Route]:
        made = []
        for action in page.actions:
            for is_api in (False, True):
                path = f"{'/api' if is_api else ''}{page.path}/{action.name}"
                made.append(Route(path, self._change(page, action, is_api), methods=["POST"]))
        if page.export:
            made += [Route(f"{page.path}.{kind}", self._download(page, kind)) for kind in FORMATS]
        made += [Route(f"{page.path}/{name}", self._file(page, make)) for name, make in page.files.items()]
        made.append(Route(f"/api{page.path}", self._read(page, True)))
        made.append(Route(page.path, self._read(page, False)))
        return made

    # -- reading -------------------------------------------------------------------------------------------------------

    def _read(self, page: ConsolePage, is_api: bool) -> Callable[[Request], Any]:
        def answer(request: Request) -> Response:
            result = self._entered(request, page, page.role, is_api)
            ctx = result.ctx
            with noting_malformed() as malformed:
                data = page.view(ctx)
                if data is None:
                    raise HTTPException(404)
                if is_api:
                    return JSONResponse({**data, "malformed": malformed} if malformed else dict(data))
                note = self._note(ctx, request.query_params)
                html = self.renderer.page(ctx, page, data, note=note, malformed=malformed)
            return with_cookies(HTMLResponse(html), result)

        return self._limited(answer) if page.is_costly else in_thread(answer)

    def _download(self, page: ConsolePage, kind: str) -> Callable[[Request], Any]:
        def answer(request: Request) -> Response:
            ctx = self._entered_here(request, page).ctx
            if page.export is None:
                raise HTTPException(404)
            facts = {name: str(value) for name, value in ctx.params.items()}
            note_audit(self.app_context.store, ctx.now, ctx.person.name, "exported", page.name, facts)
            rows = partial(page.export.rows, ctx)
            names = {each.name: ctx.words.maybe(f"columns.{each.name}", each.name) for each in page.export.columns}
            headings = Headings(ctx.words(f"{page.name}.nav"), names, ctx.zone)
            return exported(page.name, kind, page.export.columns, rows, self.limit.place(_client(request)), headings)

        return in_thread(answer)

    def _file(self, page: ConsolePage, make: Callable[[RequestContext], Response]) -> Callable[[Request], Any]:
        def answer(request: Request) -> Response:
            return make(self._entered_here(request, page).ctx)

        return self._limited(answer)

    def _limited(self, answer: Callable[[Request], Response]) -> Callable[[Request], Any]:
        async def endpoint(request: Request) -> Response:
            async with self.limit.place(_client(request)):
                return await run_in_threadpool(answer, request)

        return endpoint

    def _note(self, ctx: RequestContext, given: Mapping[str, str]) -> Mapping[str, Any] | None:
        """The outcome of the last decision, for the person who made it."""
        row = decision(self.app_context.store, given.get("done", ""))
        if row is None or row["by"] != ctx.person.name:
            return None
        name, _, action = row["action"].partition(".")
        sentence = ctx.words(f"{name}.done.{action}", **{"subject": row["subject"], **row["facts"]})
        can_undo = any(each.undo for each in self._actions(row["action"])) and not row["undone_at"]
        return {"key": row["key"], "sentence": sentence, "can_undo": can_undo, "is_undone": bool(row["undone_at"])}

    # -- changing ------------------------------------------------------------------------------------------------------

    def _change(self, page: ConsolePage, action: Action, is_api: bool) -> Callable[[Request], Any]:
        async def answer(request: Request) -> Response:
            form = await read_form(request)
            return await run_in_threadpool(self._changed, request, page, action, form, is_api)

        return answer

    def _changed(
        self, request: Request, page: ConsolePage, action: Action, form: Mapping[str, str], is_api: bool
    ) -> Response:
        result = self._entered(request, page, action.role, is_api)
        ctx = result.ctx
        self._allow_change(request, ctx, form)
        outcome, key = carry_out(ctx, page, action, _read(action.fields, form))
        if action.is_view:
            if is_api:
                return JSONResponse(dict(outcome.shown))
            return with_cookies(HTMLResponse(self.renderer.page(ctx, page, outcome.shown)), result)
        if is_api:
            secret = {"secret": outcome.secret} if outcome.secret else {}
            return JSONResponse({"decision": key, "subject": outcome.subject, "facts": dict(outcome.facts)} | secret)
        if outcome.secret:
            data = page.view(ctx) or {}
            return with_cookies(HTMLResponse(self.renderer.page(ctx, page, data, secret=outcome.secret)), result)
        return _back(ctx, outcome.back or _place(page, ctx), form, done=key)

    def _undo(self, is_api: bool) -> Callable[[Request], Any]:
        async def answer(request: Request) -> Response:
            form = await read_form(request)
            return await run_in_threadpool(self._undone, request, form, is_api)

        return answer

    def _undone(self, request: Request, form: Mapping[str, str], is_api: bool) -> Response:
        ctx = self._entered(request, None, Role.ANALYST, is_api).ctx
        self._allow_change(request, ctx, form)
        row = decision(self.app_context.store, request.path_params["key"])
        action = next(iter(self._actions(row["action"])), None) if row else None
        if row is None or action is None or action.undo is None:
            raise HTTPException(404)
        if not ctx.person.may(action.role):
            raise HTTPException(403)
        self._take_back(ctx, action, row)
        if is_api:
            return JSONResponse({"undone": row["key"]})
        page = next((each for each in self.pages if row["action"].startswith(f"{each.name}.")), None)
        where = page.path if page and "{" not in page.path else own_path(form.get("where", ""), "/decisions")
        return _back(ctx, where, form, done=row["key"])

    def _take_back(self, ctx: RequestContext, action: Action, row: Row) -> None:
        if row["undone_at"]:
            raise ActionRefusedError("frame.undone_before", by=row["undone_by"])
        if action.undo is not None:
            action.undo(ctx, row)
        note_undo(ctx, row["key"])

    def _actions(self, name: str) -> list[Action]:
        pages = (page for page in self.pages if name.startswith(f"{page.name}."))
        return [action for page in pages for action in page.actions if f"{page.name}.{action.name}" == name]

    def _allow_change(self, request: Request, ctx: RequestContext, form: Mapping[str, str]) -> None:
        """403 unless a form of this console sent by this browser asks for it, or a program with a token that may decide."""
        if ctx.person.is_program:
            if not ctx.person.may_decide:
                raise HTTPException(403, "this token may only read")
            return
        given = form.get(TOKEN_FIELD) or request.headers.get(TOKEN_HEADER, "")
        if not is_same_origin(request, self.app_context.config) or not is_form_token(given, ctx.cookie):
            logger.warning("A change at %s from %s did not come from a form of the console", ctx.path, ctx.address)
            raise HTTPException(403, ctx.words("frame.forged"))

    # -- authorization - -----------------------------------------------------------------------------------------------------

    def _entered(self, request: Request, page: ConsolePage | None, role: Role, is_api: bool) -> AuthResult:
        """Raises 401 without a login (browsers are redirected to the log-in), 403 without the role, 400 for invalid filters."""
        result = authenticate(request, self.app_context)
        if not result.is_known:
            raise HTTPException(401, headers={"WWW-Authenticate": "Bearer"} if is_api else None)
        if result.ctx.person.is_program and not is_api and request.method != "GET":
            raise HTTPException(403)
        if not result.ctx.person.may(role):
            raise HTTPException(403)
        if page is None:
            return result
        place = request.path_params
        params = _read(page.params, request.query_params)
        path = _place(page, None, place)
        return replace(result, ctx=replace(result.ctx, params=params, place=place, path=path))

    def _entered_here(self, request: Request, page: ConsolePage) -> AuthResult:
        """`_entered` for a download, which no page of another site may start."""
        if is_from_other_site(request.headers):
            raise HTTPException(403, "another site asked for this file; open it from the console")
        return self._entered(request, page, page.role, False)


def in_thread(answer: Callable[[Request], Response]) -> Callable[[Request], Any]:
    """Run store access in a thread, so that other requests are not blocked."""

    async def endpoint(request: Request) -> Response:
        return await run_in_threadpool(answer, request)

    return endpoint


def _client(request: Request) -> str:
    """The key of the requester, before the store is queried for a name."""
    peer = request.client.host if request.client else ""
    return request.cookies.get(SESSION) or request.headers.get("authorization") or peer


def _read(declared: Any, given: Mapping[str, str]) -> dict[str, Any]:
    try:
        return read_params(declared, given)
    except ParamError as error:
        raise HTTPException(400, str(error)) from None


def _place(page: ConsolePage, ctx: RequestContext | None, place: Mapping[str, str] | None = None) -> str:
    path = page.path
    for name, value in (ctx.place if ctx else place or {}).items():
        path = path.replace(f"{{{name}}}", value)
    return path


def _back(ctx: RequestContext, path: str, form: Mapping[str, str], **params: str) -> Response:
    """To the page with the form, with the filters that it had."""
    given = form.get("back", "")
    query = [pair.partition("=") for pair in given.split("&")] if given else []
    kept = [f"{name}={value}" for name, _, value in query if name.isidentifier() and name != "done"]
    begin = "&" if "?" in path else "?"
    address = f"{ctx.app.config.prefix}{path}{begin}{'&'.join([*kept, urlencode(params)])}"
    return RedirectResponse(address, status_code=303)
