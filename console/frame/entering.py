"""Who asks, in which language and zone: from cookies and headers to a visit."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import Response

from console.access.people import Person, Role
from console.access.sessions import new_secret
from console.config import ConsoleConfig, is_zone
from console.frame.desk import Desk
from console.frame.safety import is_direct_and_local, reader_address
from console.frame.visit import Visit
from console.frame.words import LANGUAGES, Language, Words, wished

SESSION, FORM, LANGUAGE, ZONE = "topicrawl_session", "topicrawl_form", "topicrawl_language", "topicrawl_zone"
NOBODY = Person("", Role.VIEWER, may_decide=False)
_LOCAL = Person("local", Role.ADMIN)
_YEAR = 365 * 86_400


@dataclass(frozen=True, slots=True)
class Entry:
    """A visit, and the cookies that its answer sets."""

    visit: Visit
    cookies: Mapping[str, tuple[str, int | None]]
    """Value and age in seconds by name; no age: until the browser is closed."""

    @property
    def is_known(self) -> bool:
        return bool(self.visit.person.name)


def enter(request: Request, desk: Desk) -> Entry:
    """The visit of this request; its person is NOBODY if somebody has to log in first."""
    cookies: dict[str, tuple[str, int | None]] = {}
    language = _chosen(request, "lang", LANGUAGE, cookies)
    zone = _chosen(request, "zone", ZONE, cookies)
    session = request.cookies.get(SESSION, "")
    person, cookie = _person(request, desk, session), session
    if person is NOBODY or person is _LOCAL:
        cookie = request.cookies.get(FORM, "")
        if not cookie:
            cookie = new_secret()
            cookies[FORM] = (cookie, None)
    accepted = request.headers.get("accept-language", "")
    visit = Visit(
        desk=desk,
        person=person,
        words=Words(_language(language) or wished(accepted)),
        zone=ZoneInfo(zone if zone and is_zone(zone) else desk.config.zone),
        now=desk.now(),
        path=request.url.path,
        address=reader_address(request, desk.config),
        cookie=cookie,
    )
    return Entry(visit, cookies)


def _language(name: str) -> Language | None:
    return next((known for known in LANGUAGES if known == name), None)


def _person(request: Request, desk: Desk, session: str) -> Person:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return desk.sessions.program(token.strip()) or NOBODY
    if session and (person := desk.sessions.person(session)):
        return person
    if is_direct_and_local(request) and not desk.people.any():
        return _LOCAL
    return NOBODY


def _chosen(request: Request, param: str, cookie: str, cookies: dict[str, tuple[str, int | None]]) -> str:
    """A choice in the address is remembered."""
    given = request.query_params.get(param, "")[:60]
    if given and (given in LANGUAGES if param == "lang" else is_zone(given)):
        cookies[cookie] = (given, _YEAR)
        return given
    return request.cookies.get(cookie, "")[:60]


def with_cookies(
    response: Response, entry: Entry, more: Mapping[str, tuple[str, int | None]] | None = None
) -> Response:
    for name, (value, age) in {**entry.cookies, **(more or {})}.items():
        response.set_cookie(name, value, **cookie_options(entry.visit.desk.config), max_age=age)
    return response


def cookie_options(config: ConsoleConfig) -> dict[str, Any]:
    return {"path": config.prefix or "/", "httponly": True, "samesite": "lax", "secure": config.is_tls}
