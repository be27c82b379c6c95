"""Logging in and out."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from console.access.passwords import is_password
from console.access.sessions import is_form_token
from console.frame.app_context import AppContext
from console.frame.authentication import NOBODY, SESSION, AuthResult, authenticate, cookie_options, with_cookies
from console.frame.decisions import note_audit
from console.frame.html_rendering import TemplateRenderer
from console.frame.request_context import RequestContext
from console.frame.safety import is_same_origin, own_path, read_form
from console.frame.serving import TOKEN_FIELD, in_thread

_MAX_PASSWORD_CHARS = 200


def login_routes(app_context: AppContext, renderer: TemplateRenderer) -> list[Route]:
    def page(request: Request) -> Response:
        result = authenticate(request, app_context)
        return _form(renderer, result, request.query_params.get("next", ""))

    return [
        Route("/login", in_thread(page)),
        Route(
            "/login",
            _posted(app_context, lambda request, form: _log_in(app_context, renderer, request, form)),
            methods=["POST"],
        ),
        Route("/logout", _posted(app_context, lambda request, form: _log_out(app_context, request)), methods=["POST"]),
    ]


def _posted(
    app_context: AppContext, answer: Callable[[Request, Mapping[str, str]], Response]
) -> Callable[[Request], Any]:
    async def endpoint(request: Request) -> Response:
        form = await read_form(request)
        return await run_in_threadpool(checked, request, form)

    def checked(request: Request, form: Mapping[str, str]) -> Response:
        ctx = authenticate(request, app_context).ctx
        if not is_same_origin(request, app_context.config) or not is_form_token(form.get(TOKEN_FIELD, ""), ctx.cookie):
            raise HTTPException(403, ctx.words("frame.forged"))
        return answer(request, form)

    return endpoint


def _form(renderer: TemplateRenderer, result: AuthResult, then: str, problem: str = "", status: int = 200) -> Response:
    html = renderer.template(result.ctx, "login.html", then=own_path(then), problem=problem)
    return with_cookies(HTMLResponse(html, status), result)


def _log_in(app_context: AppContext, renderer: TemplateRenderer, request: Request, form: Mapping[str, str]) -> Response:
    result = authenticate(request, app_context)
    ctx, name = result.ctx, form.get("user", "").strip()[:60]
    if (wait := app_context.throttle.admit(name, ctx.address)) > 0:
        problem = ctx.words("frame.login.wait", minutes=math.ceil(wait / 60))
        return _form(renderer, result, form.get("next", ""), problem, 429)
    account = app_context.people.get(name)
    password = form.get("password", "")
    if len(password) > _MAX_PASSWORD_CHARS or not is_password(password, str(account["password"]) if account else ""):
        return _refuse(app_context, renderer, result, name, form.get("next", ""))
    app_context.throttle.succeeded(name, ctx.address)
    _audit(app_context, ctx, name, "logged_in")
    secret = app_context.sessions.open(name)
    answer = RedirectResponse(f"{app_context.config.prefix}{own_path(form.get('next', ''))}", 303)
    return with_cookies(answer, result, {SESSION: (secret, int(app_context.config.session_hours * 3600))})


def _refuse(app_context: AppContext, renderer: TemplateRenderer, result: AuthResult, name: str, then: str) -> Response:
    ctx = result.ctx
    left = app_context.throttle.tries_left(name, ctx.address)
    _audit(app_context, ctx, name, "refused")
    return _form(renderer, result, then, ctx.words("frame.login.wrong", n=left), 403)


def _audit(app_context: AppContext, ctx: RequestContext, name: str, action: str) -> None:
    note_audit(app_context.store, ctx.now, name, action, "", {"address": ctx.address})


def _log_out(app_context: AppContext, request: Request) -> Response:
    person = authenticate(request, app_context).ctx.person
    if person is not NOBODY:
        app_context.sessions.end(request.cookies.get(SESSION, ""))
    answer = RedirectResponse(f"{app_context.config.prefix}/login", 303)
    answer.delete_cookie(SESSION, **cookie_options(app_context.config))
    return answer
