"""What shows that a page is asked for by nobody: addresses of log-ins, and pages that ask for a password."""

import re
from urllib.parse import parse_qsl, urlsplit

_IN = r"(?:user|member|account|admin|my)?[-_]?(?:log[-_]?in|sign[-_]?in|log[-_]?on|logging|denglu)"
_OUT = r"(?:user|member|account)?[-_]?(?:log[-_]?out|log[-_]?off|sign[-_]?out|sign[-_]?off|login[-_]?out|tuichu)"
_LOGIN_WORD = re.compile(_IN, re.I)
_SIGN_ON_WORD = re.compile(
    _IN + r"|sso|cas|passport|oauth2?|openid(?:-connect)?|authorize|authenticate|authn|saml2?|adfs|idp", re.I
)
_LEAVING_WORD = re.compile(_OUT + r"|delete|remove|unsubscribe|unfollow|deactivate", re.I)
_SIGN_ON_HOST = re.compile(r"(?:login|log-in|signin|sso|cas|passport|auth|oauth|id|idp|accounts?|uc|ids)\.", re.I)
_ACTIONS = frozenset(("action", "act", "do", "mod", "a", "m", "op", "ac", "cmd", "method"))
_MAYBE = re.compile(r"log|sign|denglu|tuichu|delete|remove|subscribe|follow|activate", re.I)
"""Nearly all addresses hold none of these, and need not be looked at further."""
_PASSWORD = re.compile(rb"<input\b[^>]{0,1000}?\btype\s{0,5}=\s{0,5}[\"']?password\b", re.I)
_SCRIPT_MOVE = re.compile(
    rb"location(?:\s{0,5}\.\s{0,5}(?:href|replace|assign))?\s{0,5}[=(]\s{0,5}([\"'])([^\"'<>\s]{1,2000})\1", re.I
)
_SCRIPT = re.compile(rb"<script\b[^>]{0,1000}>(.*?)</script", re.I | re.S)
_MARKUP = re.compile(rb"<[^>]{0,2000}>|\s+")
_SMALL_PAGE = 8_000
_LITTLE_TEXT = 300
"""Bytes; a page that only sends its reader elsewhere is smaller, and shows less text."""


def is_login_address(url: str) -> bool:
    """Whether it is the address of a page that only logs in: its last step, or an action in its query, says so."""
    return any(_LOGIN_WORD.fullmatch(word) for word in _last_words(url))


def leads_to_login(url: str) -> bool:
    """Whether a redirect there asks for a log-in: by any step of its path, an action in its query, or its host."""
    parts = urlsplit(url)
    words = [_bare(step) for step in parts.path.split("/")] + _actions(parts.query)
    return bool(_SIGN_ON_HOST.match(parts.netloc)) or any(_SIGN_ON_WORD.fullmatch(word) for word in words)


def ends_or_changes(url: str) -> bool:
    """Whether to ask for it could end the session or delete something of the account."""
    return any(_LEAVING_WORD.fullmatch(word) for word in _last_words(url))


def has_password_field(body: bytes) -> bool:
    """Whether the page has an input for a password; nearly free for pages without the word."""
    named = b"assword" in body or (b"<HEAD" in body[:2_000] and b"ASSWORD" in body)  # old pages shout
    return named and _PASSWORD.search(body) is not None


def moved_by_script(body: bytes) -> str:
    """Where the script of a page that shows next to nothing sends its reader, as written there; "" for other pages."""
    if len(body) > _SMALL_PAGE or b"location" not in body:
        return ""
    scripts = b" ".join(_SCRIPT.findall(body))
    found = _SCRIPT_MOVE.search(scripts)
    if not found or len(_MARKUP.sub(b"", _SCRIPT.sub(b"", body))) > _LITTLE_TEXT:
        return ""
    return found[2].decode("utf-8", "replace")


def _last_words(url: str) -> list[str]:
    if not _MAYBE.search(url):
        return []
    parts = urlsplit(url)
    return [_bare(parts.path.rstrip("/").rpartition("/")[2]), *_actions(parts.query)]


def _actions(query: str) -> list[str]:
    return [value for name, value in parse_qsl(query[:2_000]) if name.lower() in _ACTIONS] if query else []


def _bare(step: str) -> str:
    """Without its ending (login.php, login.do)."""
    name, dot, ending = step.partition(".")
    return name if not dot or ending.isalnum() else step
