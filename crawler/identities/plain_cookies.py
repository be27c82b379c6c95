"""Cookies as plain values, for storing and for reading in."""

from collections.abc import Iterable
from http.cookiejar import Cookie
from typing import Any

from scrapy.http.cookies import CookieJar

PlainCookie = dict[str, Any]
"""name, value, domain (with a dot in front where hosts below it get it too), path, secure, expires (seconds or None)."""


def plain(cookie: Cookie) -> PlainCookie:
    """Everything of it that a server can see."""
    return {
        "name": cookie.name,
        "value": cookie.value,
        "domain": cookie.domain,
        "path": cookie.path,
        "secure": cookie.secure,
        "expires": cookie.expires,
    }


def made(values: PlainCookie) -> Cookie:
    """The cookie again."""
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
    """A jar that holds them."""
    jar = CookieJar()
    for cookie in cookies:
        jar.set_cookie(made(cookie))
    return jar


def cookies_in(jar: CookieJar) -> list[PlainCookie]:
    """Those of the jar, in an order that does not depend on when they came."""
    found = [plain(cookie) for cookie in jar]
    return sorted(found, key=lambda cookie: (cookie["domain"], cookie["path"], cookie["name"]))


def merge_cookies(
    agreed: Iterable[PlainCookie], ours: Iterable[PlainCookie], theirs: Iterable[PlainCookie]
) -> list[PlainCookie]:
    """Theirs with what we have added, changed and dropped since we agreed; of what both have changed, ours."""
    before, mine, result = _by_name(agreed), _by_name(ours), _by_name(theirs)
    for name in before.keys() - mine.keys():
        result.pop(name, None)
    result |= {name: cookie for name, cookie in mine.items() if cookie != before.get(name)}
    return [result[name] for name in sorted(result)]


def _by_name(cookies: Iterable[PlainCookie]) -> dict[tuple[str, str, str], PlainCookie]:
    return {(cookie["domain"], cookie["path"], cookie["name"]): cookie for cookie in cookies}
