"""Log-in forms as sites write them: the right one is found, filled and sent, or it is said why not."""

from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.http import HtmlResponse

from crawler.config.sites import LoginFields
from crawler.login.forms import FormError, find_login_form, self_sent
from crawler.login.login_wall import ends_or_changes, is_login_address, leads_to_login, script_redirect

URL = "https://some.example/member/login"
SEARCH = "<form action=/s><input name=keyword><button>搜索</button></form>"
REGISTER = (
    "<form method=post action=/reg><input name=mail><input type=password name=a><input type=password name=b></form>"
)
FORMS = {
    "plain": ("<form method=post><input name=user><input type=password name=pass></form>", "user", "pass"),
    "by hint": (
        "<form method=post action=/do><input name=f1 placeholder=手机号/邮箱><input type=PASSWORD name=f2></form>",
        "f1",
        "f2",
    ),
    "email between": (
        "<form method=post><input name=realm value=x type=hidden><input type=email name=e><input name=pw type=password></form>",
        "e",
        "pw",
    ),
    "department before": (
        "<form method=post><input name=dept><input name=username id=u><input name=pwd type=password></form>",
        "username",
        "pwd",
    ),
    "newsletter beside": (
        "<form method=post class=signin><input name=uid><input name=pwd type=password></form>"
        "<form method=post action=/subscribe><input name=email><input name=code type=password></form>",
        "uid",
        "pwd",
    ),
}


def _page(html: str, **given: object) -> HtmlResponse:
    return HtmlResponse(URL, body=f"<html><body>{html}</body></html>".encode(), **given)


@pytest.mark.parametrize("name", FORMS)
def test_the_log_in_form_and_its_fields_are_found_among_others(name: str) -> None:
    html, username, password = FORMS[name]
    for page in (SEARCH + html + REGISTER, REGISTER + SEARCH + html):
        form = find_login_form(_page(page), LoginFields())
        assert form is not None
        assert (form.username, form.password) == (username, password)


def test_hidden_fields_and_the_button_go_along_and_empty_boxes_do_not() -> None:
    html = (
        "<form method=post action='/enter?step=1'><input type=hidden name=csrf value='a&b'><input name=user value=old>"
        "<input type=password name=pw><input type=checkbox name=keep value=1><button name=go value=yes>登录</button></form>"
    )
    form = find_login_form(_page(html), LoginFields())
    assert form is not None
    request = form.filled("ich", "p&=ß", {"keep": "1"})
    sent = parse_qs(request.body.decode())
    assert sent == {"csrf": ["a&b"], "user": ["ich"], "pw": ["p&=ß"], "keep": ["1"], "go": ["yes"]}
    assert request.url == "https://some.example/enter?step=1"
    assert request.headers["Referer"] == URL.encode()


def test_a_name_goes_out_in_the_charset_of_the_page() -> None:
    html = "<meta charset=gbk><p>欢迎登录本站，请输入用户名</p><form method=post><input name=user><input type=password name=pw></form>"
    response = HtmlResponse(URL, body=html.encode("gbk"), headers={"Content-Type": "text/html; charset=gbk"})
    form = find_login_form(response, LoginFields())
    assert form is not None
    assert parse_qs(form.filled("读者", "x", {}).body.decode(), encoding="gbk")["user"] == ["读者"]


def _filled(html: str) -> None:
    form = find_login_form(_page(html), LoginFields(), at_login=True)
    assert form is not None
    form.filled("me", "secret", {})


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ("<form><input name=user><input type=password name=pw></form>", "method GET"),
        (
            "<form method=post action=http://some.example/><input name=u><input type=password name=p></form>",
            "encryption",
        ),
        (
            "<form method=post><input name=u><input type=password name=p><input name=captcha></form>",
            "a captcha or code",
        ),
        ("<form method=post><input type=password name=p></form>", "login.fields.username"),
        ("<div><input name=u><input type=password name=p></div>", "a script creates its form"),
    ],
)
def test_what_cannot_or_must_not_be_sent_is_said(html: str, said: str) -> None:
    with pytest.raises(FormError, match=said):
        _filled(html)


def test_the_file_of_the_site_overrides_what_is_found() -> None:
    html = "<form id=x method=post><input name=a><input name=b><input type=password name=p><input type=password name=pin></form>"
    form = find_login_form(_page(html), LoginFields(form="#x", username="a", password="pin"))
    assert form is not None
    assert (form.username, form.password) == ("a", "pin")
    with pytest.raises(FormError, match="no field 'nobody'"):
        find_login_form(_page(html), LoginFields(form="#x", username="nobody"))
    with pytest.raises(FormError, match="not a CSS selector"):
        find_login_form(_page(html), LoginFields(form="#x["))


def test_a_form_that_a_script_sends_is_sent_and_one_that_waits_is_not() -> None:
    saml = "<body onload='document.forms[0].submit()'><form method=post action=https://t.example/acs>{}</form>"
    hidden = "<input type=hidden name=SAMLResponse value=abc><input type=hidden name=RelayState value=r>"
    request = self_sent(_page(saml.format(hidden)))
    assert request is not None
    assert (request.url, request.method) == ("https://t.example/acs", "POST")
    assert parse_qs(request.body.decode()) == {"SAMLResponse": ["abc"], "RelayState": ["r"]}
    assert self_sent(_page(saml.format(hidden + "<input name=user>"))) is None
    assert (
        self_sent(_page("<form method=post><input type=hidden name=vote value=1><button>Vote</button></form>")) is None
    )


def test_addresses_of_log_ins_are_told_from_pages_about_them() -> None:
    log_in = ["/login", "/user/Login.aspx", "/member.php?mod=logging&action=login", "/sign-in/", "/u/signin.do?back=/a"]
    pages = ["/", "/news/login-security-2024.html", "/topic/passport-renewal", "/a?action=view", "/cas-no-50-00-0"]
    for path in log_in:
        assert is_login_address(f"https://some.example{path}")
        assert leads_to_login(f"https://some.example{path}")
    for path in pages:
        assert not is_login_address(f"https://some.example{path}")
        assert not leads_to_login(f"https://some.example{path}")
        assert not ends_or_changes(f"https://some.example{path}")
    assert leads_to_login("https://sso.campus.example/x")
    assert leads_to_login("https://some.example/cas/oauth2/authorize?client=1")
    for path in ["/logout", "/member.php?mod=logging&action=logout", "/post/7/delete", "/signOut.do"]:
        assert ends_or_changes(f"https://some.example{path}")


def test_only_a_page_that_shows_nothing_is_moved_by_its_script() -> None:
    assert script_redirect(b"<script>alert('x');location.href='/login?b=1';</script>") == "/login?b=1"
    assert script_redirect(b'<script>window.location.replace("/in")</script>') == "/in"
    assert script_redirect(b"<button onclick=\"location.href='/login'\">x</button>") == ""
    assert script_redirect(b"<script>location='/login'</script>" + b"<p>Words of a page.</p>" * 40) == ""


@given(st.text(alphabet='<>"= /forminputypaswdbe', max_size=400))
def test_any_page_is_read_without_an_error(text: str) -> None:
    for html in (text, f"<form method=post>{text}<input type=password name=p></form>"):
        try:
            find_login_form(_page(html), LoginFields(), at_login=True)
            self_sent(_page(html))
        except FormError:
            pass
        script_redirect(html.encode())
