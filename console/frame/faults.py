"""Error responses for people and programs: the status, the problem, and what to do."""

import logging
import secrets
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from console.frame.app_context import AppContext
from console.frame.authentication import authenticate, with_cookies
from console.frame.html_rendering import TemplateRenderer
from console.frame.page import ActionRefusedError
from console.frame.params import ParamError
from crawler.config.yaml_file import DeclarationError
from crawler.frontier.base import FrontierError
from crawler.identities.base import IdentitiesUnavailableError
from pipelines.stores.base import StoreError

logger = logging.getLogger(__name__)
_SAID = ("error", "fault", "faults", "reason", "reasons")
"""Values of a refusal that are sentences of other parts."""
_KNOWN = (400, 401, 403, 404, 405, 408, 409, 413, 415)
Handler = Callable[[Request, Any], Any]
_UNAVAILABLE = (StoreError, FrontierError, DeclarationError, IdentitiesUnavailableError, OSError)


def handlers(app_context: AppContext, renderer: TemplateRenderer) -> dict[Any, Handler]:
    """Starlette exception handlers by exception type."""

    async def http(request: Request, error: HTTPException) -> Response:
        if error.status_code == 401 and not _is_api(request):
            back = request.url.path + (f"?{request.url.query}" if request.url.query and request.method == "GET" else "")
            where = back if request.method == "GET" else "/"
            return _last(
                request, RedirectResponse(f"{app_context.config.prefix}/login?next={quote(where, safe='')}", 303)
            )
        return await _answer(app_context, renderer, request, error.status_code, _detail(error), error.headers)

    async def refused(request: Request, error: ActionRefusedError) -> Response:
        def sentence() -> str:
            words = authenticate(request, app_context).ctx.words
            said = {name: words.sentence(str(error.values[name])) for name in _SAID if name in error.values}
            return words(error.key, **{**error.values, **said})

        return await _answer(app_context, renderer, request, error.status, await run_in_threadpool(sentence))

    async def unread(request: Request, error: ParamError) -> Response:
        return await _answer(app_context, renderer, request, 400, str(error))

    async def away(request: Request, error: Exception) -> Response:
        logger.warning("%s failed: %s", request.url.path, error)
        return await _answer(app_context, renderer, request, 503, str(error))

    async def broken(request: Request, error: Exception) -> Response:
        number = f"e-{secrets.token_hex(3)}"
        logger.error("%s: %s %s failed", number, request.method, request.url.path, exc_info=error)
        return await _answer(app_context, renderer, request, 500, number)

    known: dict[Any, Handler] = {
        HTTPException: http,
        ActionRefusedError: refused,
        ParamError: unread,
        Exception: broken,
    }
    return known | dict.fromkeys(_UNAVAILABLE, away)


def _detail(error: HTTPException) -> str:
    """The detail of an error that its reader can act on, "" of any other."""
    said = error.detail if error.status_code in (400, 403, 408, 413, 415, 429) else ""
    return "" if said == "Forbidden" else said


def _is_api(request: Request) -> bool:
    return request.url.path.startswith("/api/")


async def _answer(
    app_context: AppContext, renderer: TemplateRenderer, request: Request, status: int, detail: str, headers: Any = None
) -> Response:
    if _is_api(request):
        return _last(request, JSONResponse({"error": detail or status, "status": status}, status, headers=headers))
    try:
        return _last(request, await run_in_threadpool(_page, app_context, renderer, request, status, detail))
    except Exception:
        logger.exception("The page for status %d could not be made", status)
        return _last(request, HTMLResponse(f"<!doctype html><title>{status}</title><p>{status}", status))


def _last(request: Request, answer: Response) -> Response:
    """Close the connection with the response, as a refused body may never end."""
    if request.method not in ("GET", "HEAD"):
        answer.headers["Connection"] = "close"
    return answer


def _page(app_context: AppContext, renderer: TemplateRenderer, request: Request, status: int, detail: str) -> Response:
    result = authenticate(request, app_context)
    kind = str(status) if status in _KNOWN else "503" if status == 503 else "500" if status == 500 else "other"
    html = renderer.template(
        result.ctx, "fault.html", status=status, kind=kind, detail=result.ctx.words.sentence(detail)
    )
    return with_cookies(HTMLResponse(html, status), result)
