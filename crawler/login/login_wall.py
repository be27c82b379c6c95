"""Log-in walls: answers that ask for a log-in instead of the page, and addresses that log in or out."""

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, urljoin, urlsplit

from scrapy.http import Response

from crawler.config.sites import Login
from crawler.login.forms import FormError, find_login_form

_MAX_SEARCHED_BYTES = 2_000_000
_LOGIN = r"(?:user|member|account|admin|my)?[-_]?(?:log[-_]?in|sign[-_]?in|log[-_]?on|logging|denglu)"
_LOGOUT = r"(?:user|member|account)?[-_]?(?:log[-_]?out|log[-_]?off|sign[-_]?out|sign[-_]?off|login[-_]?out|tuichu)"
_LOGIN_WORD = re.compile(_LOGIN, re.I)
_SIGN_ON_WORD = re.compile(
    _LOGIN + r"|sso|cas|passport|oauth2?|openid(?:-connect)?|authorize|authenticate|authn|saml2?|adfs|idp", re.I
)
_LOGOUT_OR_CHANGE_WORD = re.compile(_LOGOUT + r"|delete|remove|unsubscribe|unfollow|deactivate", re.I)
_SIGN_ON_HOST = re.compile(r"(?:login|log-in|signin|sso|cas|passport|auth|oauth|id|idp|accounts?|uc|ids)\.", re.I)
_ACTION_PARAMETERS = frozenset(("action", "act", "do", "mod", "a", "m", "op", "ac", "cmd", "method"))
_ANY_WORD = re.compile(r"log|sign|denglu|tuichu|delete|remove|subscribe|follow|activate", re.I)
"""A quick filter: most addresses have none of these."""
_PASSWORD_FIELD = re.compile(rb"<input\b[^>]{0,1000}?\btype\s{0,5}=\s{0,5}[\"']?password\b", re.I)
_SCRIPT_REDIRECT = re.compile(
    rb"location(?:\s{0,5}\.\s{0,5}(?:href|replace|assign))?\s{0,5}[=(]\s{0,5}([\"'])([^\"'<>\s]{1,2000})\1", re.I
)
_SCRIPT = re.compile(rb"<script\b[^>]{0,1000}>(.*?)</script", re.I | re.S)
_MARKUP = re.compile(rb"<[^>]{0,2000}>|\s+")
_MAX_REDIRECT_PAGE_BYTES = 8_000
_MAX_REDIRECT_TEXT_BYTES = 300
"""A page that only redirects is smaller than this and has less text."""


@dataclass(frozen=True, slots=True)
class LoginWall:
    """Detects answers of one site that ask for a log-in.

    Attributes:
        login: the site's `login`; its `lost` is a text that only such answers contain.
        form_tells: False if pages have a password field even for logged-in users.
    """

    login: Login
    form_tells: bool = True

    def detect(self, response: Response) -> str:
        """A short reason; "" for a page."""
        if 300 <= response.status < 400:
            location = (response.headers.get("Location") or b"").decode("latin-1")
            return self._detect_target(urljoin(response.url, location.strip()))
        if response.status == 401:
            return "HTTP 401"
        if response.status not in (200, 403):
            return ""
        if self.login.lost and contains(response, self.login.lost):
            return f"“{self.login.lost[:40]}”"
        if target := script_redirect(response.body):
            return self._detect_target(urljoin(response.url, target))
        return self.detect_form(response)

    def detect_form(self, response: Response) -> str:
        """A short reason by the log-in form alone; "" for a page."""
        if not self.form_tells or not has_password_field(response.body):
            return ""
        try:
            found = find_login_form(response, self.login.fields)
        except FormError:
            return "a log-in form"
        return "a log-in form" if found else ""

    def _detect_target(self, url: str) -> str:
        parts = urlsplit(url)
        page = urlsplit(self.login.page)
        is_page = bool(self.login.page) and (parts.netloc, parts.path) == (page.netloc, page.path)
        return f"sent to {parts.netloc}{parts.path[:60]}" if is_page or leads_to_login(url) else ""


def contains(response: Response, words: str) -> bool:
    """Whether the answer has the text, in UTF-8 or a Chinese charset."""
    body = response.body[:_MAX_SEARCHED_BYTES]
    return any(words.encode(charset, "replace") in body for charset in ("utf-8", "gb18030", "big5"))


def is_login_address(url: str) -> bool:
    """Whether the address is only for log-ins, by the last part of its path or an action in its query."""
    return any(_LOGIN_WORD.fullmatch(word) for word in _last_words(url))


def leads_to_login(url: str) -> bool:
    """Whether a redirect to the address means a log-in, by any part of its path, an action in its query, or its host."""
    parts = urlsplit(url)
    words = [_without_extension(step) for step in parts.path.split("/")] + _action_values(parts.query)
    return bool(_SIGN_ON_HOST.match(parts.netloc)) or any(_SIGN_ON_WORD.fullmatch(word) for word in words)


def ends_or_changes(url: str) -> bool:
    """Whether a request for the address could end the session or change the account."""
    return any(_LOGOUT_OR_CHANGE_WORD.fullmatch(word) for word in _last_words(url))


def has_password_field(body: bytes) -> bool:
    """Whether the page has a password field; fast for pages without the word."""
    named = b"assword" in body or (b"<HEAD" in body[:2_000] and b"ASSWORD" in body)  # old pages in upper case
    return named and _PASSWORD_FIELD.search(body) is not None


def script_redirect(body: bytes) -> str:
    """The target, as written, of a script redirect on a nearly empty page; "" for other pages."""
    if len(body) > _MAX_REDIRECT_PAGE_BYTES or b"location" not in body:
        return ""
    scripts = b" ".join(_SCRIPT.findall(body))
    found = _SCRIPT_REDIRECT.search(scripts)
    if not found or len(_MARKUP.sub(b"", _SCRIPT.sub(b"", body))) > _MAX_REDIRECT_TEXT_BYTES:
        return ""
    return found[2].decode("utf-8", "replace")


def _last_words(url: str) -> list[str]:
    if not _ANY_WORD.search(url):
        return []
    parts = urlsplit(url)
    return [_without_extension(parts.path.rstrip("/").rpartition("/")[2]), *_action_values(parts.query)]


def _action_values(query: str) -> list[str]:
    return [value for name, value in parse_qsl(query[:2_000]) if name.lower() in _ACTION_PARAMETERS] if query else []


def _without_extension(step: str) -> str:
    """The word without an extension (login.php, login.do)."""
    name, dot, ending = step.partition(".")
    return name if not dot or ending.isalnum() else step
