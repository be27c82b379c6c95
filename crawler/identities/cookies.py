"""Cookies of identities: jars with limits, plain values for stores, merging, and files exported by a browser."""

import http.cookiejar
import json
import time
from collections.abc import Iterable
from contextlib import suppress
from http.cookiejar import Cookie
from pathlib import Path
from typing import cast

from scrapy.http.cookies import CookieJar

from crawler.identities.base import IdentityError, PlainCookie
from crawler.links.scope import registered_domain

MAX_COOKIE_BYTES = 4_096
"""Name and value together."""
MAX_ATTRIBUTE_BYTES = 1_024
"""Domain and path, each."""
MAX_DOMAIN_COOKIES = 180
"""Per registered domain, including its subdomains."""
MAX_COOKIES = 3_000
_Key = tuple[str, str, str]


class BoundedCookieJar(CookieJar):
    """Scrapy's jar with limits: too large cookies are ignored; beyond the limits the oldest cookie is removed."""

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, **options)  # type: ignore[arg-type]  # Scrapy's own
        self.jar = _BoundedJar(self.policy)


class _BoundedJar(http.cookiejar.CookieJar):
    """Keeps the order in which cookies were set, for the whole jar and per registered domain."""

    _cookies: dict[str, dict[str, dict[str, Cookie]]]
    """By domain, path and name; the standard library's own."""

    def __init__(self, policy: http.cookiejar.CookiePolicy | None = None) -> None:
        self._order: dict[_Key, str] = {}
        self._of_domain: dict[str, dict[_Key, None]] = {}
        super().__init__(policy)

    def set_cookie(self, cookie: Cookie) -> None:
        if _is_too_large(cookie):
            return
        key = (cookie.domain, cookie.path, cookie.name)
        self._forget(key)
        site = registered_domain(cookie.domain.lstrip("."))
        same_site = self._of_domain.setdefault(site, {})
        self._order[key] = site
        same_site[key] = None
        super().set_cookie(cookie)
        if len(same_site) > MAX_DOMAIN_COOKIES:
            self.clear(*next(iter(same_site)))
        if len(self._order) > MAX_COOKIES:
            self.clear(*next(iter(self._order)))

    def clear(self, domain: str | None = None, path: str | None = None, name: str | None = None) -> None:
        """Remove one cookie, those of a domain and a path, or all. Raises KeyError if there is none."""
        prefix = tuple(part for part in (domain, path, name) if part is not None)
        for key in [(domain, path, name)] if len(prefix) == 3 else [*self._order]:
            if key[: len(prefix)] == prefix:
                self._forget(key)  # type: ignore[arg-type]  # three texts
        super().clear(domain, path, name)
        if domain and path and domain in self._cookies:  # remove empty dictionaries
            if not self._cookies[domain].get(path, True):
                del self._cookies[domain][path]
            if not self._cookies[domain]:
                del self._cookies[domain]

    def _forget(self, key: _Key) -> None:
        site = self._order.pop(key, None)
        if site is not None:
            with suppress(KeyError):
                del self._of_domain[site][key]
            if not self._of_domain.get(site):
                self._of_domain.pop(site, None)


def _is_too_large(cookie: Cookie) -> bool:
    size = len(cookie.name.encode()) + len((cookie.value or "").encode())
    return size > MAX_COOKIE_BYTES or max(len(cookie.domain), len(cookie.path)) > MAX_ATTRIBUTE_BYTES


def plain(cookie: Cookie) -> PlainCookie:
    return cast(PlainCookie, {name: getattr(cookie, name) for name in PlainCookie.__annotations__})


def cookie_of(values: PlainCookie) -> Cookie:
    domain = values["domain"]
    return Cookie(
        version=0,
        name=values["name"],
        value=values["value"],
        port=None,
        port_specified=False,
        domain=domain,
        domain_specified=domain.startswith("."),
        domain_initial_dot=domain.startswith("."),
        path=values["path"],
        path_specified=True,
        secure=values["secure"],
        expires=values["expires"],
        discard=values["expires"] is None,
        comment=None,
        comment_url=None,
        rest={},
    )


def jar_of(cookies: Iterable[PlainCookie]) -> CookieJar:
    jar = BoundedCookieJar()
    for cookie in cookies:
        jar.set_cookie(cookie_of(cookie))
    return jar


def cookies_in(jar: CookieJar) -> list[PlainCookie]:
    """The cookies of a jar, ordered by domain, path and name."""
    found = [plain(cookie) for cookie in jar]
    return sorted(found, key=lambda cookie: (cookie["domain"], cookie["path"], cookie["name"]))


def merge_cookies(
    agreed: Iterable[PlainCookie], ours: Iterable[PlainCookie], theirs: Iterable[PlainCookie]
) -> list[PlainCookie]:
    """Their cookies with our additions, changes and deletions since `agreed`; our changes take precedence."""
    before, mine, result = _by_name(agreed), _by_name(ours), _by_name(theirs)
    for name in before.keys() - mine.keys():
        result.pop(name, None)
    result |= {name: cookie for name, cookie in mine.items() if cookie != before.get(name)}
    return [result[name] for name in sorted(result)]


def _by_name(cookies: Iterable[PlainCookie]) -> dict[tuple[str, str, str], PlainCookie]:
    return {(cookie["domain"], cookie["path"], cookie["name"]): cookie for cookie in cookies}


_MAX_BYTES = 10_000_000


def read_cookies(path: Path) -> list[PlainCookie]:
    """All cookies of a file. Raises IdentityError, which quotes nothing of the file, if it has neither format."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise IdentityError(f"{path} has more than {_MAX_BYTES:,} bytes: that is not a cookie file")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "is not UTF-8 text"
        raise IdentityError(f"{path} cannot be read: {reason}") from None
    return _json(text, path) if text.lstrip()[:1] in ("[", "{") else _netscape(text, path)


def cookies_for(cookies: Iterable[PlainCookie], domains: Iterable[str], now: float | None = None) -> list[PlainCookie]:
    """The cookies for hosts of these domains that have not expired. `now` is in seconds since the epoch."""
    wanted, moment = tuple(domains), time.time() if now is None else now
    return [
        cookie
        for cookie in cookies
        if any(_belongs(cookie["domain"].lstrip("."), domain) for domain in wanted)
        and (cookie["expires"] is None or cookie["expires"] > moment)
    ]


def _belongs(host: str, domain: str) -> bool:
    return host == domain or host.endswith(f".{domain}")


def _netscape(text: str, path: Path) -> list[PlainCookie]:
    """Seven tab-separated fields per line. The standard library's parser requires a header that some tools omit, and quotes
    lines in its errors."""
    found: list[PlainCookie] = []
    for number, line in enumerate(text.splitlines(), start=1):
        fields = line.removeprefix("#HttpOnly_").split("\t")
        if not line.strip() or (line.startswith("#") and not line.startswith("#HttpOnly_")):
            continue
        if len(fields) != 7 or not fields[0].strip(". ") or not fields[4].lstrip("-").isdecimal():
            raise IdentityError(
                f"{path}, line {number}: is not a cookie in the Netscape format, and the file is not JSON"
            )
        domain, below, folder, secure, expires, name, value = fields
        host = domain.strip().lstrip(".")
        found.append(
            {
                "name": name,
                "value": value,
                "domain": f".{host}" if below == "TRUE" else host,
                "path": folder or "/",
                "secure": secure == "TRUE",
                "expires": max(0, int(expires)) or None,  # 0: until the end of the session
            }
        )
    if not found:
        raise IdentityError(f"{path} has no cookies")
    return found


def _json(text: str, path: Path) -> list[PlainCookie]:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        raise IdentityError(f"{path} is not JSON") from None
    entries = given.get("cookies") if isinstance(given, dict) else given
    if not isinstance(entries, list) or not entries:
        raise IdentityError(f"{path} has no list of cookies")
    found = [_cookie(entry) for entry in entries]
    if bad := [number for number, cookie in enumerate(found, start=1) if cookie is None]:
        raise IdentityError(f"{path}: cookie {bad[0]} lacks name, value or domain")
    return [cookie for cookie in found if cookie is not None]


def _cookie(entry: object) -> PlainCookie | None:
    if not isinstance(entry, dict):
        return None
    name, value, domain = (entry.get(key) for key in ("name", "value", "domain"))
    if not (isinstance(name, str) and isinstance(value, str) and isinstance(domain, str) and name and domain):
        return None
    host_only = entry.get("hostOnly") is True
    expires = entry.get("expirationDate", entry.get("expires", entry.get("expiry")))
    path = entry.get("path")
    return {
        "name": name,
        "value": value,
        "domain": domain.lstrip(".") if host_only else domain,
        "path": path if isinstance(path, str) and path else "/",
        "secure": entry.get("secure") is True,
        "expires": int(expires) if isinstance(expires, int | float) and 0 < expires < 1e12 else None,
    }
