"""Log-in forms: finds the form of a page and its fields for name and password, and fills it in."""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from cssselect import SelectorError
from form2request import form2request
from parsel import Selector
from scrapy import Request
from scrapy.http import Response

from crawler.config.sites import LoginFields
from extractors.html.encoding import decode

_MAX_PAGE_BYTES = 1_000_000
_NAME_WORDS = re.compile(
    r"user|login|log_?name|e?-?mail|account|acct|phone|mobile|uid|member|nick|name|账号|帐号|用户|手机|邮箱", re.I
)
_CAPTCHA_WORDS = re.compile(
    r"captcha|verif|valid(?:ate)?_?code|check_?code|auth_?code|seccode|vcode|yzm|验证码|otp|totp", re.I
)
_LOGIN_WORDS = re.compile(r"log-?_?in|sign-?_?in|logon|登录|登陆|auth|session|cas|sso", re.I)
_OTHER_WORDS = re.compile(r"regist|sign-?_?up|join|search|subscribe|forgot|reset|注册|搜索|找回", re.I)
_TYPED = frozenset(("text", "email", "tel", "number", ""))
_SENT_BY_SCRIPT = re.compile(r"\.submit\s{0,5}\(")
_SIGN_ON_FIELDS = frozenset(("samlresponse", "samlrequest", "wresult", "id_token", "relaystate"))


class FormError(Exception):
    """The form of the page cannot be filled in; the message has the reason and the remedy."""


@dataclass(frozen=True, slots=True)
class LoginForm:
    """A form with the names of its two fields; `password` is "" if the form asks only for the name."""

    element: Any
    username: str
    password: str
    url: str
    charset: str

    def filled(self, username: str, password: str, extra: dict[str, str]) -> Request:
        """The request that a browser would send, with Referer and Origin. Raises FormError if it must not be sent."""
        values = {self.username: username} | ({self.password: password} if self.password else {}) | extra
        return _sent(self.element, self.url, {name: value.encode(self.charset) for name, value in values.items()})


def find_login_form(response: Response, chosen: LoginFields, *, at_login: bool = False) -> LoginForm | None:
    """The log-in form of the page; None if it has none.

    Args:
        chosen: the form and the fields that the site's file names.
        at_login: whether the page is a log-in page, so that a form with only a name field counts.

    Raises:
        FormError: the form needs a person, or lacks the fields that the site's file names.
    """
    page, charset = _selector(response)
    forms = _named(page, chosen.form) if chosen.form else [form.root for form in page.css("form")]
    found = [form for form in forms if len(_passwords(form)) == 1 or (chosen.form and _passwords(form))]
    if not found and (at_login or chosen.form):
        found = [form for form in forms if not _passwords(form) and _name_field(form, "", only=True)]
    if not found:
        if at_login and page.css("input[type=password]"):
            raise FormError("a script creates its form: log in with a browser and import its cookies")
        return None
    form = max(found, key=_likeness)
    return _read(form, chosen, response.url, charset)


def self_sent(response: Response) -> Request | None:
    """The request of a form that a script submits at once, as on sign-on hosts; None for other pages."""
    if b"<form" not in response.body[:200_000].lower():
        return None
    page, _ = _selector(response)
    forms = page.css("form")
    if len(forms) != 1:
        return None
    fields = [field for field in forms[0].root.iter("input", "select", "textarea") if field.get("name")]
    hidden = [field for field in fields if field.get("type", "").lower() == "hidden"]
    if not hidden or any(field.get("type", "").lower() not in ("hidden", "submit", "image") for field in fields):
        return None
    scripts = " ".join(page.css("script::text, body::attr(onload)").getall())
    names = {str(field.get("name")).lower() for field in hidden}
    if not names & _SIGN_ON_FIELDS and not _SENT_BY_SCRIPT.search(scripts):
        return None
    return _sent(forms[0].root, response.url, {})


def _selector(response: Response) -> tuple[Selector, str]:
    content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
    decoded = decode(response.body[:_MAX_PAGE_BYTES], content_type)
    return Selector(
        text=decoded.text or "<html/>", type="html", base_url=response.url, huge_tree=False
    ), decoded.charset


def _named(page: Selector, css: str) -> list[Any]:
    try:
        return [found.root for found in page.css(css) if found.root.tag == "form"]
    except (SelectorError, ValueError):
        raise FormError(f"login.fields.form is not a CSS selector: {css}") from None


def _passwords(form: Any) -> list[Any]:
    return [field for field in form.iter("input") if field.get("type", "").lower() == "password" and field.get("name")]


def _typed(form: Any) -> list[Any]:
    return [field for field in form.iter("input") if field.get("type", "").lower() in _TYPED and field.get("name")]


def _about(field: Any) -> str:
    return " ".join(field.get(name, "") for name in ("name", "id", "autocomplete", "placeholder", "aria-label"))


def _name_field(form: Any, chosen: str, *, only: bool = False) -> str:
    """The name field: as configured, else by the words in its attributes, else the last one before the password."""
    if chosen:
        return chosen
    typed = [field for field in _typed(form) if not _CAPTCHA_WORDS.search(_about(field))]
    named = [field for field in typed if _NAME_WORDS.search(_about(field))]
    if only:
        return (
            str(named[0].get("name")) if len(typed) == len(named) == 1 and not _OTHER_WORDS.search(_words(form)) else ""
        )
    order = list(form.iter("input"))
    place = order.index(_passwords(form)[0])
    before = [field for field in typed if order.index(field) < place]
    best = next((field for field in reversed(before) if field in named), None)
    if best is None:
        best = (before or named or typed or [None])[-1]
    return str(best.get("name")) if best is not None else ""


def _words(form: Any) -> str:
    buttons = [*form.iter("button"), *(field for field in form.iter("input") if field.get("type") == "submit")]
    said = [form.get(name, "") for name in ("id", "class", "name", "action")]
    said += [button.get("value", "") + "".join(button.itertext())[:50] for button in buttons]
    return " ".join(said)


def _likeness(form: Any) -> int:
    said = _words(form)
    return bool(_passwords(form)) * 4 + bool(_LOGIN_WORDS.search(said)) * 2 - bool(_OTHER_WORDS.search(said))


def _read(form: Any, chosen: LoginFields, url: str, charset: str) -> LoginForm:
    passwords = _passwords(form)
    password = chosen.password or (str(passwords[0].get("name")) if passwords else "")
    username = _name_field(form, chosen.username, only=not passwords)
    names = {field.get("name") for field in form.iter("input")}
    for key, name in (("username", chosen.username), ("password", chosen.password if passwords else "")):
        if name and name not in names:
            raise FormError(f"its form has no field {name!r}, which login.fields.{key} names")
    for field in _typed(form):
        if field.get("name") not in (username, password) and _CAPTCHA_WORDS.search(_about(field)):
            raise FormError(
                f"its form asks for a captcha or code (field {field.get('name')!r}): log in with a browser and "
                "import its cookies"
            )
    if not username:
        raise FormError("no field for the name was found: name it in login.fields.username")
    return LoginForm(form, username, password, url, charset)


def _sent(form: Any, url: str, values: dict[str, bytes]) -> Request:
    if (form.get("enctype") or "").lower() == "multipart/form-data":
        form.set("enctype", "application/x-www-form-urlencoded")
    try:
        made = form2request(form, values)
    except (ValueError, NotImplementedError) as error:
        raise FormError(f"its form cannot be sent: {type(error).__name__}") from None
    if made.method != "POST" and values:
        raise FormError("its form would put the password into an address (method GET); it was not sent")
    if urlsplit(url).scheme == "https" and urlsplit(made.url).scheme != "https":
        raise FormError("its form would be sent without encryption though its page is https")
    origin = urlsplit(url)
    headers = {**dict(made.headers), "Referer": url, "Origin": f"{origin.scheme}://{origin.netloc}"}
    return Request(made.url, method=made.method, headers=headers, body=made.body)
