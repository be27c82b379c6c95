"""Cookies that an engine's first page sets."""

from http.cookies import CookieError, SimpleCookie

from scrapy.http import Response

from crawler.engines.base import Cookies


def cookies_of(response: Response) -> Cookies:
    """Names and values of its Set-Cookie headers; what cannot be read is left out."""
    cookies: dict[str | bytes, str | bytes | bool | float | int] = {}
    for line in response.headers.getlist("Set-Cookie"):
        try:
            parsed = SimpleCookie(line.decode("latin-1"))
        except CookieError:
            continue
        cookies.update({name: morsel.value for name, morsel in parsed.items()})
    return cookies
