"""One log-in: checks whether the session is still valid, else fills in the form or uses the sign-on host, and checks again.
Pages are opened like in a browser, over several hosts: redirects, refreshes, and forms submitted by scripts."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from scrapy import Request
from scrapy.http import Response

from crawler.config.sites import Login
from crawler.identities.secrets import Credentials
from crawler.links.page_head import refresh_of_page
from crawler.links.scope import registered_domain
from crawler.login.forms import FormError, LoginForm, find_login_form, self_sent
from crawler.login.login_wall import LoginWall, contains, script_redirect
from extractors.links.urls import host_of
from extractors.page import Page

Fetch = Callable[[Request], Awaitable[Response]]
_MAX_REQUESTS = 30
_MAX_REDIRECT_PAGE_BYTES = 100_000


class NavigationError(Exception):
    """The redirects do not end, or lead to a forbidden target; the message has the reason."""


class Navigator:
    """Opens pages one at a time, with at most 30 requests in total.

    Args:
        fetch: returns the answer to a request without following redirects.
        pause: seconds between two requests.
    """

    def __init__(self, fetch: Fetch, pause: float = 0.0) -> None:
        self._fetch, self._pause = fetch, pause
        self._requests = 0

    async def open(self, request: Request, until: Callable[[Response], bool] = lambda response: False) -> Response:
        """The page after all redirects, or the first answer for which `until` is true.

        Raises NavigationError, and FormError for an intermediate form that must not be sent.
        """
        while True:
            response = await self._request(request)
            if until(response) or (following := next_request(request, response)) is None:
                return response
            request = following

    async def _request(self, request: Request) -> Response:
        self._requests += 1
        if self._requests > _MAX_REQUESTS:
            raise NavigationError(f"more than {_MAX_REQUESTS} redirects, the last to {urlsplit(request.url).netloc}")
        if self._requests > 1 and self._pause:
            await asyncio.sleep(self._pause)
        return await self._fetch(request)


def next_request(request: Request, response: Response) -> Request | None:
    """The request that a browser would send next by itself; None if there is none."""
    if 300 <= response.status < 400 and (location := response.headers.get("Location")):
        return _redirected(request, response.status, urljoin(request.url, location.decode("latin-1").strip()))
    if response.status != 200 or len(response.body) > _MAX_REDIRECT_PAGE_BYTES:
        return None
    if (sent := self_sent(response)) is not None:
        return sent
    target = refresh_of_page(Page(response.body, response.url)) or script_redirect(response.body)
    return _get(urljoin(response.url, target)) if target else None


def _redirected(request: Request, status: int, url: str) -> Request:
    if status not in (307, 308) or request.method == "GET":
        return _get(url)
    if urlsplit(url)[:2] != urlsplit(request.url)[:2]:
        raise NavigationError(f"a filled-in form would be sent on to {urlsplit(url).netloc}")
    return request.replace(url=url)


def _get(url: str) -> Request:
    if urlsplit(url).scheme not in ("http", "https"):
        raise NavigationError(f"a redirect to {urlsplit(url).scheme}: is not followed")
    try:
        return Request(url)
    except ValueError:
        raise NavigationError("a redirect to no address") from None


_NO_FORM = "no log-in form was found: name its page in login.page, or its fields in login.fields"
_COMPLAINTS = (
    "密码错误", "密码不正确", "密码有误", "登录失败", "登陆失败", "用户不存在", "账号不存在", "帐号不存在",
    "incorrect password", "wrong password", "invalid password", "invalid username", "invalid credentials", "login failed",
)  # fmt: skip
"""Words on pages without a form that follow a refused log-in."""


class LoginError(Exception):
    """The log-in failed; the message has the reason without secrets. `permanent`: an early retry would fail too."""

    def __init__(self, said: str, *, permanent: bool = True) -> None:
        super().__init__(said)
        self.permanent = permanent


@dataclass(frozen=True, slots=True)
class LoginResult:
    """The result of a log-in.

    Attributes:
        was_valid: the session was valid, so that nothing was done.
        check: a page that shows whether the identity is logged in; "" if unknown.
        form_tells: whether a password field means that the session is not logged in.
        form_filled: whether name and password were sent.
    """

    was_valid: bool = False
    check: str = ""
    form_tells: bool = True
    form_filled: bool = False


@dataclass(slots=True)
class LoginFlow:
    """One log-in under way; arguments as in `log_in`."""

    navigator: Navigator
    site: str
    login: Login
    credentials: Callable[[], Credentials | None]
    form_tells: bool = True
    sent: list[str] = field(default_factory=list)
    """The fields sent so far, "name" and "password"."""

    @property
    def wall(self) -> LoginWall:
        return LoginWall(self.login, self.form_tells)

    def asks(self, response: Response) -> bool:
        return bool(self.wall.detect(response))

    async def is_valid(self, check: str) -> bool:
        response = await self.navigator.open(Request(check), self.asks)
        return self.is_logged_in(response)

    def is_logged_in(self, response: Response) -> bool:
        """Whether the answer is a page for logged-in users."""
        if self.login.holds:
            return response.status == 200 and contains(response, self.login.holds)
        # a page that required a log-in may turn out to be missing
        refused = self.login.check and response.status >= 400
        return not refused and not self.asks(response)

    async def enter(self, page: str, *, at_login: bool) -> Response:
        """Open a page, and fill in each form that asks for a name or a password once."""
        response = await self.navigator.open(Request(page))
        for _ in range(3):
            form = find_login_form(response, self.login.fields, at_login=at_login or "name" in self.sent)
            if form is None or (self.is_logged_in(response) and self.login.holds):
                return response
            response = await self.navigator.open(self._filled(form))
        return response

    def _filled(self, form: LoginForm) -> Request:
        half = "password" if form.password else "name"
        if half in self.sent:
            raise LoginError("its form was sent back: the name or the password is wrong, or it needs more than these")
        given = self.credentials()
        if given is None:
            raise LoginError("there are no credentials: set them, or import cookies")
        request = form.filled(given.username, given.password, self.login.extra if form.password else {})
        self._check_target(host_of(request.url))
        self.sent.append(half)
        return request

    def _check_target(self, host: str) -> None:
        """Raises LoginError for a host to which the operator has not allowed sending credentials."""
        named = {self.site, *map(host_of, filter(None, (self.login.page, self.login.check))), *self.login.hosts}
        if registered_domain(host) not in {registered_domain(name) for name in named}:
            raise LoginError(f"its form sends the password to {host}; if that is correct, add the host to login.hosts")


async def log_in(
    navigator: Navigator,
    site: str,
    login: Login,
    credentials: Callable[[], Credentials | None],
    *,
    check: str = "",
    wanted: str = "",
    form_tells: bool = True,
    known: bool = False,
) -> LoginResult:
    """Make sure that the identity is logged in, with as few requests as possible.

    Args:
        navigator: opens pages with the cookies of the identity.
        site: the name of the site's file.
        credentials: called only when a form is filled in.
        check: a page found earlier that only logged-in users see; login.check takes precedence.
        wanted: the page that asked for a log-in; "" if there is none.
        known: whether there is a session, which is then checked first.

    Raises:
        LoginError: the log-in failed.
    """
    flow = LoginFlow(navigator, site, login, credentials, form_tells)
    try:
        return await _log_in(flow, login.check or check, wanted, known)
    except (FormError, NavigationError) as error:
        raise LoginError(str(error)) from None


async def _log_in(flow: LoginFlow, check: str, wanted: str, known: bool) -> LoginResult:
    login = flow.login
    if known and check and await flow.is_valid(check):
        return LoginResult(was_valid=True, check=check, form_tells=flow.form_tells)
    response = await flow.enter(login.page, at_login=True) if login.page else None
    if target := check or wanted:
        return await _checked(flow, target)
    if response is None or (not flow.sent and _same_page(response.url, login.page)):
        raise LoginError(_NO_FORM)
    if said := next((words for words in _COMPLAINTS if contains(response, words)), ""):
        raise LoginError(f"the next page says “{said}”")
    return LoginResult(form_filled=bool(flow.sent), form_tells=flow.form_tells)


async def _checked(flow: LoginFlow, target: str) -> LoginResult:
    """Open the page, through a sign-on host if it redirects there, and check that it does not ask for a log-in."""
    response = await flow.enter(target, at_login=False)
    if flow.sent and response.url != target:  # the form led to another page
        response = await flow.navigator.open(Request(target))
    arrived = registered_domain(host_of(response.url)) == registered_domain(host_of(target))
    if arrived and flow.is_logged_in(response):
        tells = flow.form_tells and not flow.wall.detect_form(response)
        return LoginResult(check=target, form_tells=tells, form_filled=bool(flow.sent))
    if not flow.sent and not flow.login.page:
        raise LoginError(_NO_FORM)
    raise LoginError(
        f"{urlsplit(target).path or '/'} at {host_of(target)} still asks for a log-in; if only this page does, "
        "name another page in login.check"
    )


def _same_page(url: str, other: str) -> bool:
    return urlsplit(url)[:3] == urlsplit(other)[:3]
