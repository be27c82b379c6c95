"""The console as an ASGI application."""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from console.frame.desk import Desk
from console.frame.entering import enter
from console.frame.faults import handlers
from console.frame.live import live_route
from console.frame.login import login_routes
from console.frame.openapi import document
from console.frame.page import Page
from console.frame.rendering import Renderer, Waiting
from console.frame.safety import HostCheck, Safety
from console.frame.serving import Server, in_thread
from console.pages import PAGES
from console.queries.live import look

STATIC = Path(str(files("console"))) / "static"


def make_app(desk: Desk, pages: Sequence[Page] = PAGES) -> Starlette:
    """The application that serves these pages; who made the desk closes its store."""
    renderer = Renderer(pages, Waiting(pages))
    server = Server(desk, tuple(pages), renderer)

    def start(request: Request) -> Response:
        first = next(page for page in pages if page.group)
        return RedirectResponse(f"{desk.config.prefix}{first.path}", 303)

    def openapi(request: Request) -> Response:
        known = enter(request, desk).is_known
        return JSONResponse(document(pages, desk.config.prefix) if known else {"error": 401}, 200 if known else 401)

    routes = [
        Route("/", in_thread(start)),
        Route("/api/openapi.json", in_thread(openapi)),
        Mount("/static", StaticFiles(directory=STATIC)),
        *login_routes(desk, renderer),
        live_route(desk, look),
        *server.routes(),
    ]
    middleware = [Middleware(Safety, config=desk.config), Middleware(HostCheck, config=desk.config)]
    return Starlette(routes=routes, middleware=middleware, exception_handlers=handlers(desk, renderer))
