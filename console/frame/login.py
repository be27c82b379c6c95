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
from console.frame.decisions import note_audit
from console.frame.desk import Desk
from console.frame.entering import NOBODY, SESSION, Entry, cookie_options, enter, with_cookies
from console.frame.rendering import Renderer
from console.frame.safety import is_same_origin, own_path, read_form
from console.frame.serving import TOKEN_FIELD, in_thread
from console.frame.visit import Visit

_MAX_PASSWORD_CHARS = 200


def login_routes(desk: Desk, renderer: Renderer) -> list[Route]:
    def page(request: Request) -> Response:
        entry = enter(request, desk)
        return _form(renderer, entry, request.query_params.get("next", ""))

    return [
        Route("/login", in_thread(page)),
        Route("/login", _posted(desk, lambda request, form: _log_in(desk, renderer, request, form)), methods=["POST"]),
        Route("/logout", _posted(desk, lambda request, form: _log_out(desk, request)), methods=["POST"]),
    ]


def _posted(desk: Desk, answer: Callable[[Request, Mapping[str, str]], Response]) -> Callable[[Request], Any]:
    async def endpoint(request: Request) -> Response:
        form = await read_form(request)
        return await run_in_threadpool(checked, request, form)

    def checked(request: Request, form: Mapping[str, str]) -> Response:
        visit = enter(request, desk).visit
        if not is_same_origin(request, desk.config) or not is_form_token(form.get(TOKEN_FIELD, ""), visit.cookie):
            raise HTTPException(403, visit.words("frame.forged"))
        return answer(request, form)

    return endpoint


def _form(renderer: Renderer, entry: Entry, then: str, problem: str = "", status: int = 200) -> Response:
    html = renderer.template(entry.visit, "login.html", then=own_path(then), problem=problem)
    return with_cookies(HTMLResponse(html, status), entry)


def _log_in(desk: Desk, renderer: Renderer, request: Request, form: Mapping[str, str]) -> Response:
    entry = enter(request, desk)
    visit, name = entry.visit, form.get("user", "").strip()[:60]
    if (wait := desk.throttle.seconds_to_wait(name, visit.address)) > 0:
        problem = visit.words("frame.login.wait", minutes=math.ceil(wait / 60))
        return _form(renderer, entry, form.get("next", ""), problem, 429)
    account = desk.people.get(name)
    password = form.get("password", "")
    if len(password) > _MAX_PASSWORD_CHARS or not is_password(password, str(account["password"]) if account else ""):
        return _refuse(desk, renderer, entry, name, form.get("next", ""))
    desk.throttle.succeeded(name, visit.address)
    _audit(desk, visit, name, "logged_in")
    secret = desk.sessions.open(name)
    answer = RedirectResponse(f"{desk.config.prefix}{own_path(form.get('next', ''))}", 303)
    return with_cookies(answer, entry, {SESSION: (secret, int(desk.config.session_hours * 3600))})


def _refuse(desk: Desk, renderer: Renderer, entry: Entry, name: str, then: str) -> Response:
    visit = entry.visit
    left = desk.throttle.failed(name, visit.address)
    _audit(desk, visit, name, "refused")
    return _form(renderer, entry, then, visit.words("frame.login.wrong", n=left), 403)


def _audit(desk: Desk, visit: Visit, name: str, action: str) -> None:
    note_audit(desk.store, visit.now, name, action, "", {"address": visit.address})


def _log_out(desk: Desk, request: Request) -> Response:
    person = enter(request, desk).visit.person
    if person is not NOBODY:
        desk.sessions.end(request.cookies.get(SESSION, ""))
    answer = RedirectResponse(f"{desk.config.prefix}/login", 303)
    answer.delete_cookie(SESSION, **cookie_options(desk.config))
    return answer
