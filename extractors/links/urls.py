"""Canonical URLs, and their keys."""

import re
from functools import lru_cache
from hashlib import blake2b
from urllib.parse import quote, urlsplit

from w3lib.url import canonicalize_url, url_query_cleaner

from extractors.html.addresses import resolve

MAX_LENGTH = 2_000
_CACHED_LINKS = 20_000
"""Cached addresses of links, about 10 MB: most links of a page are also on earlier pages. Larger caches find few more."""
_CACHED_URLS = 4_000
"""Cached canonical forms and hosts of addresses, mostly of the page that is read. Larger caches find few more."""
_TRACKING = (
    "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "utm_id", "spm", "from_source", "fbclid",
    "gclid", "yclid", "msclkid", "share_token", "phpsessid", "jsessionid", "sessionid", "session_id", "sid", "aspsessionid",
    "cftoken", "cfid", "_ga", "_t", "timestamp",
)  # fmt: skip
_SEPARATORS = "/-_.+=&"
_ESCAPES = re.compile(r"%[0-9A-Fa-f]{2}(?:%[0-9A-Fa-f]{2})*")
_HOST = re.compile(r"[\w.:-]+")
_PATH_AND_QUERY = re.compile(r"https?://[^/?#]*([^?#]*)\??([^#]*)", re.I)
_PLAIN_HOST = re.compile(r"https?://([a-z0-9.-]+)(?:[/?#]|$)")
"""A host as it is, in lower case and without port or user: a quarter of the time of `urlsplit`."""
_CONTROL = re.compile(r"[\x00-\x20\x7f-\x9f]")
_PLAIN = re.compile(
    r"(https?://[a-z0-9-]{1,60}(?:\.[a-z0-9-]{1,60})+(?:/[A-Za-z0-9_~-][A-Za-z0-9_.~-]*)*/?)"
    r"(?:\?([A-Za-z0-9_.-]+=[A-Za-z0-9_.-]*(?:&[A-Za-z0-9_.-]+=[A-Za-z0-9_.-]*)*))?(?:#\S*)?"
)
"""An address that is canonical except for the order of its arguments."""
_DEFAULT_PORT = re.compile(r"(http://[^/?#@]*):(?:80)?(?=/)|(https://[^/?#@]*):(?:443)?(?=/)")
_PATH_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?#;]{0,100}", re.I)
_PATH_TRACKING = re.compile(rf"&(?:{'|'.join(_TRACKING)})=[^/?#&]{{0,200}}", re.I)
"""A tracking argument appended to a path without a question mark."""
_HAS_TRACKING = re.compile("|".join(re.escape(name) + "=" for name in _TRACKING))
"""Matches an address in lower case."""


@lru_cache(maxsize=_CACHED_URLS)
def canonical_url(url: str) -> str:
    """The URL without fragment, usual port, session and tracking arguments, its arguments sorted; "" if it is not an http address."""
    if not url.startswith(("http://", "https://", "HTTP", "Http")) or len(url) > MAX_LENGTH:
        return ""
    try:
        if ";" in url:
            url = _PATH_SESSION.sub("", url)
        if "&" in url and "?" not in url:
            url = _PATH_TRACKING.sub("", url)
        if "=" in url and _HAS_TRACKING.search(url.lower()):
            url = url_query_cleaner(url, _present(url), remove=True)
        if plain := _PLAIN.fullmatch(url):
            clean = _in_order(plain)
            return url if clean == url else clean  # share one string: many are cached
        clean = _DEFAULT_PORT.sub(r"\1\2", canonicalize_url(url), count=1)
        return clean if _HOST.fullmatch(urlsplit(clean).hostname or "") else ""
    except ValueError:
        return ""


def _in_order(plain: re.Match[str]) -> str:
    address = plain[1] if plain[1].count("/") > 2 else plain[1] + "/"
    return (
        f"{address}?{'&'.join(map('='.join, sorted(part.split('=') for part in plain[2].split('&'))))}"
        if plain[2]
        else address
    )


def _present(url: str) -> list[str]:
    """The tracking arguments of this URL, as written."""
    names = (part.partition("=")[0] for part in urlsplit(url).query.split("&"))
    return [name for name in names if name.lower() in _TRACKING]


@lru_cache(maxsize=_CACHED_LINKS)
def resolve_url(base: str, reference: str) -> str:
    """The canonical URL of a reference on a page, read as browsers do; "" if it does not lead to a page."""
    return canonical_url(resolve(base, reference))


def path_and_query(url: str) -> tuple[str, str]:
    """Two parts of an http address; both "" for others."""
    found = _PATH_AND_QUERY.match(url)
    return (found[1], found[2]) if found else ("", "")


def address_words(url: str) -> str:
    """The path and query of a URL as words."""
    words = " ".join(path_and_query(url))
    if "%" in words:
        words = _ESCAPES.sub(_unescaped, words)
    for separator in _SEPARATORS:  # five times as fast as `translate`
        words = words.replace(separator, " ")
    return words


def _unescaped(found: re.Match[str]) -> str:
    return bytes.fromhex(found[0].replace("%", "")).decode("utf-8", "replace")


def web_address(url: str) -> str:
    """The URL if it is an http address, else "": only http addresses are stored, since people may click on them.

    Control characters, which could control a terminal, are written as %XX.
    """
    return (
        _CONTROL.sub(lambda found: quote(found[0]), url) if url[:8].lower().startswith(("http://", "https://")) else ""
    )


def url_key(url: str) -> str:
    """80 bits of a hash of the canonical URL, as 20 hexadecimal digits."""
    return blake2b((canonical_url(url) or url).encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()


@lru_cache(maxsize=_CACHED_URLS)
def host_of(url: str) -> str:
    """The host's name in lower case, "" if there is none."""
    if plain := _PLAIN_HOST.match(url):
        return plain[1]
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""
