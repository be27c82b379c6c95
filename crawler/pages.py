"""Whoever looks at an answer's page looks at the same one: it is decoded and parsed once."""

from weakref import WeakKeyDictionary

from scrapy.http import Response

from extractors.page import Page

_pages: "WeakKeyDictionary[Response, Page]" = WeakKeyDictionary()


def page_of(response: Response) -> Page:
    """The answer's body as a page; kept as long as the answer is."""
    found = _pages.get(response)
    if found is None:
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1").lower()
        found = _pages[response] = Page(response.body, response.url, content_type=content_type)
    return found
