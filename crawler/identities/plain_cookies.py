"""Cookies as plain values: for stores, for files, and for merging what two have changed."""

from collections.abc import Iterable
from http.cookiejar import Cookie
from typing import TypedDict

from scrapy.http.cookies import CookieJar

from crawler.identities.cookie_jar import BoundedCookieJar


class PlainCookie(TypedDict):
    """What a server sees of a cookie. `domain` starts with a dot if subdomains get it too; `expires` is in seconds since
    the epoch, None for the end of the session."""

    name: str
    value: str | None
    domain: str
    path: str
    secure: bool
    expires: int | None


def plain(cookie: Cookie) -> PlainCookie:
    """The plain values of a cookie."""
    return {
        "name": cookie.name,
        "value": cookie.value,
        "domain": cookie.domain,
        "path": cookie.path,
        "secure": cookie.secure,
        "expires": cookie.expires,
    }


def cookie_of(values: PlainCookie) -> Cookie:
    """The cookie with these values."""
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
    """A jar with these cookies."""
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
    """Their cookies with our additions, changes and deletions since both were equal to `agreed`; our changes win."""
    before, mine, result = _by_name(agreed), _by_name(ours), _by_name(theirs)
    for name in before.keys() - mine.keys():
        result.pop(name, None)
    result |= {name: cookie for name, cookie in mine.items() if cookie != before.get(name)}
    return [result[name] for name in sorted(result)]


def _by_name(cookies: Iterable[PlainCookie]) -> dict[tuple[str, str, str], PlainCookie]:
    return {(cookie["domain"], cookie["path"], cookie["name"]): cookie for cookie in cookies}
