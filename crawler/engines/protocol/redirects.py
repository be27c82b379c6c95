"""Extracts the targets of an engine's redirects from their addresses."""

import base64
import binascii
import re
from urllib.parse import SplitResult, parse_qs, parse_qsl, unquote, urljoin, urlsplit

from crawler.links.scope import registered_domain
from extractors.links.urls import host_of

_IN_PATH = re.compile(r"/RU=(https?(?:%3a|:)[^/]+)/", re.I)
"""Used by Yahoo and the portals that it serves."""
_PARAMETERS = ("uddg", "u", "q", "url", "target", "dest_url", "imgrefurl")
_REDIRECT_PATHS = re.compile(r"^/(?:url|ck/a|l/|link|aclick|redirect|r/|goto|jump|out)\b|^/l/$", re.I)
_JUMPS = re.compile(
    r"/(?:jump|redirect|redir|rd|link|url|go|goto|out|click|clk|visit|track|target)(?:\.\w{2,4})?/?$", re.I
)
_OPAQUE = re.compile(r"(?:baidu\.com|sogou\.com|so\.com|bing\.com|chinaso\.com|toutiao\.com)$")


def unwrap(href: str, base: str = "") -> str:
    """The absolute target of a result's link; the redirect itself if it does not contain its target."""
    try:
        address = urljoin(base, href.strip())
        parts = urlsplit(address)
        if found := _IN_PATH.search(parts.path):
            return unquote(found[1])
        return _from_parameter(parts.path, parts.query) or _from_own_redirect(parts, base) or address
    except ValueError:
        return ""


def is_redirect(href: str, base: str = "") -> bool:
    try:
        parts = urlsplit(urljoin(base, href.strip()))
    except ValueError:
        return False
    return bool(_REDIRECT_PATHS.match(parts.path) and parts.query) or "/RU=" in parts.path


def needs_resolving(url: str) -> bool:
    """Whether only a request finds the target, as with redirects of Baidu, Sogou and 360."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return bool(
        parts.path in ("/link", "/baidu.php") and parts.query and _OPAQUE.search((parts.hostname or "").lower())
    )


def _from_own_redirect(parts: SplitResult, base: str) -> str:
    """Another site's address in any parameter of the engine's own address."""
    own = registered_domain(host_of(base)) if parts.query and _JUMPS.search(parts.path) else ""
    if not own or registered_domain((parts.hostname or "").lower()) != own:
        return ""
    targets = (_decoded(value) for _, value in parse_qsl(parts.query, max_num_fields=30))
    return next((found for found in targets if found and registered_domain(host_of(found)) not in ("", own)), "")


def _from_parameter(path: str, query: str) -> str:
    if not query or not _REDIRECT_PATHS.match(path):
        return ""
    given = parse_qs(query)
    for name in _PARAMETERS:
        target = _decoded(given.get(name, [""])[0])
        if target:
            return target
    return ""


def _decoded(value: str) -> str:
    if value.startswith(("http://", "https://")):
        return value
    if value.startswith("//"):
        return f"https:{value}"
    if not value.startswith("a1"):
        return ""
    try:
        text = base64.urlsafe_b64decode(value[2:] + "=" * (-len(value[2:]) % 4)).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""
    return text if text.startswith(("http://", "https://")) else ""
