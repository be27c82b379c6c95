"""Build the request context (person, language, time zone) from cookies and headers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import Response

from console.access.people import Person, Role
from console.access.sessions import new_secret
from console.config import ConsoleConfig, is_zone
from console.frame.app_context import AppContext
from console.frame.request_context import RequestContext
from console.frame.safety import is_direct_and_local, reader_address
from console.frame.word_catalogue import LANGUAGES, Language, Words, wished

SESSION, FORM, LANGUAGE, ZONE = "topicrawl_session", "topicrawl_form", "topicrawl_language", "topicrawl_zone"
NOBODY = Person("", Role.VIEWER, may_decide=False)
_LOCAL = Person("local", Role.ADMIN)
_YEAR = 365 * 86_400


@dataclass(frozen=True, slots=True)
class AuthResult:
    """A request context and the cookies to set on its response."""

    ctx: RequestContext
    cookies: Mapping[str, tuple[str, int | None]]
    """Value and age in seconds by name; no age: until the browser is closed."""

    @property
    def is_known(self) -> bool:
        return bool(self.ctx.person.name)


def authenticate(request: Request, app_context: AppContext) -> AuthResult:
    """The context of this request; its person is NOBODY if a login is required."""
    cookies: dict[str, tuple[str, int | None]] = {}
    language = _chosen(request, "lang", LANGUAGE, cookies)
    zone = _chosen(request, "zone", ZONE, cookies)
    session = request.cookies.get(SESSION, "")
    person, cookie = _person(request, app_context, session), session
    language, zone = language or person.language, person.zone or zone
    if person is NOBODY or person is _LOCAL:
        cookie = request.cookies.get(FORM, "")
        if not cookie:
            cookie = new_secret()
            cookies[FORM] = (cookie, None)
    accepted = request.headers.get("accept-language", "")
    ctx = RequestContext(
        app=app_context,
        person=person,
        words=Words(_language(language) or wished(accepted)),
        zone=ZoneInfo(zone if zone and is_zone(zone) else app_context.config.zone),
        now=app_context.now(),
        path=request.url.path,
        address=reader_address(request, app_context.config),
        cookie=cookie,
    )
    return AuthResult(ctx, cookies)


def _language(name: str) -> Language | None:
    return next((known for known in LANGUAGES if known == name), None)


def _person(request: Request, app_context: AppContext, session: str) -> Person:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return app_context.sessions.program(token.strip()) or NOBODY
    if session and (person := app_context.sessions.person(session)):
        return person
    if is_direct_and_local(request) and not app_context.people.any():
        return _LOCAL
    return NOBODY


def _chosen(request: Request, param: str, cookie: str, cookies: dict[str, tuple[str, int | None]]) -> str:
    """The value of a query parameter, remembered in a cookie, or that of the cookie."""
    given = request.query_params.get(param, "")[:60]
    if given and (given in LANGUAGES if param == "lang" else is_zone(given)):
        cookies[cookie] = (given, _YEAR)
        return given
    return request.cookies.get(cookie, "")[:60]


def with_cookies(
    response: Response, result: AuthResult, more: Mapping[str, tuple[str, int | None]] | None = None
) -> Response:
    for name, (value, age) in {**result.cookies, **(more or {})}.items():
        response.set_cookie(name, value, **cookie_options(result.ctx.app.config), max_age=age)
    return response


def cookie_options(config: ConsoleConfig) -> dict[str, Any]:
    return {"path": config.prefix or "/", "httponly": True, "samesite": "lax", "secure": config.is_tls}
