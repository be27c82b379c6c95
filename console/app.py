"""The console as an ASGI application."""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from console.frame.app_context import AppContext
from console.frame.authentication import authenticate
from console.frame.faults import handlers
from console.frame.html_rendering import DecisionBacklog, TemplateRenderer
from console.frame.live import live_route
from console.frame.login import login_routes
from console.frame.openapi import document
from console.frame.page import ConsolePage
from console.frame.safety import HostCheck, Safety
from console.frame.serving import Server, in_thread
from console.pages import PAGES
from console.queries.live import look

STATIC = Path(str(files("console"))) / "static"


def make_app(app_context: AppContext, pages: Sequence[ConsolePage] = PAGES) -> ASGIApp:
    """The application that serves `pages`; the caller closes the store."""
    renderer = TemplateRenderer(pages, DecisionBacklog(pages))
    server = Server(app_context, tuple(pages), renderer)

    def start(request: Request) -> Response:
        first = next(page for page in pages if page.group)
        return RedirectResponse(f"{app_context.config.prefix}{first.path}", 303)

    def openapi(request: Request) -> Response:
        known = authenticate(request, app_context).is_known
        return JSONResponse(
            document(pages, app_context.config.prefix) if known else {"error": 401}, 200 if known else 401
        )

    routes = [
        Route("/", in_thread(start)),
        Route("/api/openapi.json", in_thread(openapi)),
        Mount("/static", StaticFiles(directory=STATIC)),
        *login_routes(app_context, renderer),
        live_route(app_context, look),
        *server.routes(),
    ]
    app = Starlette(routes=routes, exception_handlers=handlers(app_context, renderer))
    return Safety(HostCheck(app, app_context.config), app_context.config)  # around Starlette's own answers 500 too
