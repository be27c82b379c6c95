"""Cookie jars with the limits of browsers, so that no site can fill the memory, nor push out the cookies of another site."""

import http.cookiejar
from contextlib import suppress
from http.cookiejar import Cookie

from scrapy.http.cookies import CookieJar

from crawler.links.scope import registered_domain

MAX_COOKIE_BYTES = 4_096
"""Of name and value together."""
MAX_ATTRIBUTE_BYTES = 1_024
"""Of domain and path, each."""
MAX_DOMAIN_COOKIES = 180
"""Of one registered domain with all its subdomains."""
MAX_COOKIES = 3_000
_Key = tuple[str, str, str]


class BoundedCookieJar(CookieJar):
    """Scrapy's jar. Too large cookies are ignored; beyond the limits the cookie that was set first is removed."""

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, **options)  # type: ignore[arg-type]  # Scrapy's own
        bounded = _BoundedJar(self.policy)
        vars(bounded)["_cookies_lock"] = vars(self.jar)["_cookies_lock"]  # Scrapy's, which does nothing
        self.jar = bounded


class _BoundedJar(http.cookiejar.CookieJar):
    """Keeps the order in which cookies were set, for the whole jar and for each registered domain."""

    _cookies: dict[str, dict[str, dict[str, Cookie]]]
    """By domain, path and name; the standard library's own."""

    def __init__(self, policy: http.cookiejar.CookiePolicy | None = None) -> None:
        self._order: dict[_Key, str] = {}
        self._of_domain: dict[str, dict[_Key, None]] = {}
        super().__init__(policy)

    def set_cookie(self, cookie: Cookie) -> None:
        """Add or replace a cookie."""
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
        """Remove one cookie, those of a domain and a path, or all; KeyError if there is none."""
        prefix = tuple(part for part in (domain, path, name) if part is not None)
        for key in [(domain, path, name)] if len(prefix) == 3 else [*self._order]:
            if key[: len(prefix)] == prefix:
                self._forget(key)  # type: ignore[arg-type]  # three texts
        super().clear(domain, path, name)
        if domain and path and domain in self._cookies:  # no empty folders are left
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
