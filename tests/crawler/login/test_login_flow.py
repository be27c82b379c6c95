"""One log-in against hosts that answer as sites do: forms in two steps, sign-on hosts, strangers, wrong passwords."""

import asyncio
from collections.abc import Callable
from urllib.parse import parse_qs

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, Response

from crawler.config.sites import Login
from crawler.identities.secrets import Credentials
from crawler.login.login_flow import LoginError, LoginResult, Navigator, log_in

FORM = "<form method=post action='{}'><input name=user><input type=password name=pw></form>"
Host = Callable[[Request, dict[str, str]], Response]


def _answer(request: Request, html: str = "", status: int = 200, **headers: str) -> Response:
    return HtmlResponse(request.url, status=status, body=f"<html><body>{html}</body></html>".encode(), headers=headers)


def _run(host: Host, login: Login, **given: object) -> tuple[LoginResult, list[Request]]:
    asked: list[Request] = []

    async def fetch(request: Request) -> Response:
        asked.append(request)
        return host(request, {name: values[0] for name, values in parse_qs(request.body.decode()).items()})

    known = {"wanted": "https://some.example/page"} | given
    made = log_in(Navigator(fetch), "some.example", login, lambda: Credentials("me", "secret"), **known)
    return asyncio.run(made), asked


def test_a_name_first_and_then_a_password() -> None:
    state: set[str] = set()

    def host(request: Request, form: dict[str, str]) -> Response:
        if form.get("pw") == "secret":
            state.add("in")
            return _answer(request, status=303, Location="/")
        if form.get("email") == "me":
            return _answer(request, FORM.format("/login/2"))
        if "/login" in request.url:
            return _answer(request, "<form method=post action=/login/1><input name=email></form>")
        return _answer(request, "welcome") if state else _answer(request, status=302, Location="/login")

    done, asked = _run(host, Login(page="https://some.example/login"))
    assert done.check == "https://some.example/page"
    assert [request.method for request in asked].count("POST") == 2


def test_a_sign_on_host_that_answers_with_a_form_sent_by_script() -> None:
    state: set[str] = set()

    def host(request: Request, form: dict[str, str]) -> Response:
        if request.url == "https://idp.campus.example/in" and form:
            hidden = (
                "<form method=post action=https://some.example/acs><input type=hidden name=SAMLResponse value=v></form>"
            )
            return _answer(request, hidden)
        if request.url.startswith("https://idp.campus.example"):
            return _answer(request, FORM.format("/in"))
        if form.get("SAMLResponse") == "v":
            state.add("in")
            return _answer(request, status=302, Location="/page")
        return (
            _answer(request, "text") if state else _answer(request, status=302, Location="https://idp.campus.example/x")
        )

    done, asked = _run(host, Login(hosts=["idp.campus.example"]))
    assert done.form_filled
    assert sum(b"secret" in request.body for request in asked) == 1
    done, asked = _run(host, Login(), known=True, check=done.check)
    assert (done.was_valid, len(asked)) == (True, 1)


def test_the_password_goes_to_no_host_that_was_not_named() -> None:
    sent: list[str] = []

    def host(request: Request, form: dict[str, str]) -> Response:
        sent.append(request.body.decode())
        return _answer(request, FORM.format("https://elsewhere.example/take"))

    with pytest.raises(LoginError, match=r"elsewhere\.example; if that is correct, add the host to login\.hosts"):
        _run(host, Login())
    assert not any("secret" in body for body in sent)


def test_a_form_that_comes_back_is_filled_once_only() -> None:
    posts: list[str] = []

    def host(request: Request, form: dict[str, str]) -> Response:
        posts.extend(form.get("pw", ""))
        return _answer(request, FORM.format("/login"))

    with pytest.raises(LoginError, match="was sent back") as raised:
        _run(host, Login(page="https://some.example/login"))
    assert len(posts) == len("secret")
    assert "secret" not in str(raised.value)


def test_what_was_filled_in_is_not_sent_on_to_another_host() -> None:
    def host(request: Request, form: dict[str, str]) -> Response:
        if form:
            return _answer(request, status=307, Location="https://elsewhere.example/")
        return _answer(request, FORM.format("/login"))

    with pytest.raises(LoginError, match=r"sent on to elsewhere\.example"):
        _run(host, Login(page="https://some.example/login"))


def test_a_page_with_a_form_for_everybody_is_known_by_the_words_of_those_who_are_in() -> None:
    state: set[str] = set()

    def host(request: Request, form: dict[str, str]) -> Response:
        if form:
            state.add("in")
        return _answer(request, ("<a>退出登录</a>" if state else "") + FORM.format("/login"))

    done, _ = _run(host, Login(page="https://some.example/login", check="https://some.example/me", holds="退出登录"))
    assert done.form_filled
    assert not done.form_tells


@pytest.mark.parametrize(
    ("html", "said"),
    [("<p>用户名或密码错误，请返回</p>", "密码错误"), ("<p>Sorry, login failed.</p>", "login failed")],
)
def test_a_complaint_without_a_form_is_a_failure(html: str, said: str) -> None:
    def host(request: Request, form: dict[str, str]) -> Response:
        return _answer(request, html if form else FORM.format("/login"))

    with pytest.raises(LoginError, match=said):
        _run(host, Login(page="https://some.example/login"), wanted="")


def test_a_page_that_asked_and_is_not_there_is_no_failed_log_in() -> None:
    state: set[str] = set()

    def host(request: Request, form: dict[str, str]) -> Response:
        if form:
            state.add("in")
        if "login" in request.url:
            return _answer(request, "" if form else FORM.format("/login"))
        return _answer(request, status=404) if state else _answer(request, status=302, Location="/login")

    done, _ = _run(host, Login(), wanted="https://some.example/sitemap.xml")
    assert done.form_filled
    state.clear()
    with pytest.raises(LoginError, match="name another page in"):
        _run(host, Login(check="https://some.example/gone"))


def test_endless_redirects_end() -> None:
    with pytest.raises(LoginError, match="more than 30 redirects"):
        _run(
            lambda request, form: _answer(request, status=302, Location="/round"), Login(page="https://some.example/in")
        )
