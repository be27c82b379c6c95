"""One log-in: is the session still good, else form or sign-on host, then the check that it holds."""

from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.http import Response

from crawler.config.sites import Login
from crawler.identities.secrets import Credentials
from crawler.links.scope import registered_domain
from crawler.login.asking import AskingSigns, contains
from crawler.login.forms import FormError, LoginForm, find_login_form
from crawler.login.walking import Walk, WalkError
from extractors.links.urls import host_of

_NO_FORM = "no log-in form is found: name its page in login.page, or its fields in login.fields"
_COMPLAINTS = (
    "密码错误", "密码不正确", "密码有误", "登录失败", "登陆失败", "用户不存在", "账号不存在", "帐号不存在",
    "incorrect password", "wrong password", "invalid password", "invalid username", "invalid credentials", "login failed",
)  # fmt: skip
"""What pages say that follow a log-in which failed and have no form themselves."""


class LoginError(Exception):
    """It failed; the message says why and holds no secret. `lasting`: trying again soon would change nothing."""

    def __init__(self, said: str, *, lasting: bool = True) -> None:
        super().__init__(said)
        self.lasting = lasting


@dataclass(frozen=True, slots=True)
class LoggedIn:
    """How it went.

    Attributes:
        held: the session was good; nothing was done.
        check: the page that showed it; "" if none is known to show it.
        form_tells: whether a field for a password shows that somebody is not logged in.
        filled: whether name and password were sent.
    """

    held: bool = False
    check: str = ""
    form_tells: bool = True
    filled: bool = False


@dataclass(slots=True)
class LoggingIn:
    """Args as in `log_in`; keeps what was sent already."""

    walk: Walk
    site: str
    login: Login
    credentials: Callable[[], Credentials | None]
    form_tells: bool = True
    sent: list[str] = field(default_factory=list)
    """Which halves: "name", "password"."""

    @property
    def signs(self) -> AskingSigns:
        """What shows that nobody is logged in."""
        return AskingSigns(self.login, self.form_tells)

    def asks(self, response: Response) -> bool:
        """Whether the answer asks for a log-in."""
        return bool(self.signs.of(response))

    async def still_holds(self, check: str) -> bool:
        """Whether the page comes without any log-in on the way."""
        response = await self.walk.to(Request(check), self.asks)
        return self.shows(response)

    def shows(self, response: Response) -> bool:
        """Whether the answer is a page for those who are logged in."""
        if self.login.holds:
            return response.status == 200 and contains(response, self.login.holds)
        refused = self.login.check and response.status >= 400  # what just asked may well turn out not to be there
        return not refused and not self.asks(response)

    async def enter(self, page: str, *, at_login: bool) -> Response:
        """Walk there, and fill in each form that asks for name or password, once."""
        response = await self.walk.to(Request(page))
        for _ in range(3):
            form = find_login_form(response, self.login.fields, at_login=at_login or "name" in self.sent)
            if form is None or (self.shows(response) and self.login.holds):
                return response
            response = await self.walk.to(self._filled(form))
        return response

    def _filled(self, form: LoginForm) -> Request:
        half = "password" if form.password else "name"
        if half in self.sent:
            raise LoginError("its form came back: is the name or the password wrong, or does it want more than these?")
        given = self.credentials()
        if given is None:
            raise LoginError("there are no credentials: set them, or import cookies")
        request = form.filled(given.username, given.password, self.login.extra if form.password else {})
        self._refuse_stranger(host_of(request.url))
        self.sent.append(half)
        return request

    def _refuse_stranger(self, host: str) -> None:
        """Name and password go to hosts only that the operator has named."""
        named = {self.site, *map(host_of, filter(None, (self.login.page, self.login.check))), *self.login.hosts}
        if registered_domain(host) not in {registered_domain(name) for name in named}:
            raise LoginError(f"its form sends the password to {host}: if that is right, add it to login.hosts")


async def log_in(
    walk: Walk,
    site: str,
    login: Login,
    credentials: Callable[[], Credentials | None],
    *,
    check: str = "",
    wanted: str = "",
    form_tells: bool = True,
    known: bool = False,
) -> LoggedIn:
    """See that the identity is logged in, with as little as that takes.

    Args:
        walk: asks for pages with the identity's cookies.
        site: the host that the site's file is named after.
        credentials: asked for only when a form is to be filled.
        check: a page learned earlier that only those who are logged in see; the site's own comes before it.
        wanted: a page that has just asked for a log-in; "" if none has.
        known: there is a session, so it is first seen whether it still holds.

    Raises:
        LoginError: it failed.
    """
    task = LoggingIn(walk, site, login, credentials, form_tells)
    try:
        return await _log_in(task, login.check or check, wanted, known)
    except (FormError, WalkError) as error:
        raise LoginError(str(error)) from None


async def _log_in(task: LoggingIn, check: str, wanted: str, known: bool) -> LoggedIn:
    login = task.login
    if known and check and await task.still_holds(check):
        return LoggedIn(held=True, check=check, form_tells=task.form_tells)
    response = await task.enter(login.page, at_login=True) if login.page else None
    if target := check or wanted:
        return await _checked(task, target)
    if response is None or (not task.sent and _same_page(response.url, login.page)):
        raise LoginError(_NO_FORM)
    if said := next((words for words in _COMPLAINTS if contains(response, words)), ""):
        raise LoginError(f"the page after it says “{said}”")
    return LoggedIn(filled=bool(task.sent), form_tells=task.form_tells)


async def _checked(task: LoggingIn, target: str) -> LoggedIn:
    """Ask for the page, by way of a sign-on host if it leads there; it must come without a word of logging in."""
    response = await task.enter(target, at_login=False)
    if task.sent and response.url != target:  # the form has led elsewhere
        response = await task.walk.to(Request(target))
    arrived = registered_domain(host_of(response.url)) == registered_domain(host_of(target))
    if arrived and task.shows(response):
        tells = task.form_tells and not task.signs.of_form(response)
        return LoggedIn(check=target, form_tells=tells, filled=bool(task.sent))
    if not task.sent and not task.login.page:
        raise LoginError(_NO_FORM)
    raise LoginError(
        f"{urlsplit(target).path or '/'} at {host_of(target)} asks for a log-in even then; if that is because of this page, "
        "name another in login.check"
    )


def _same_page(url: str, other: str) -> bool:
    return urlsplit(url)[:3] == urlsplit(other)[:3]
