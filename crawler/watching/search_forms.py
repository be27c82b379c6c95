"""A site's own search, from the form on its pages."""

from urllib.parse import quote, urlencode

import numpy as np

from extractors.html.document import Document
from extractors.links.urls import host_of, resolve_url

QUERY = "{query}"
_NAMES = frozenset(
    "q query keyword keywords key kw wd word words s search searchword searchtext search_text keyboard srchtxt text title".split()
)
_MAX_FORMS, _MAX_FIELDS = 20, 40


def search_template(page: Document) -> str:
    """The address of the site's search with the placeholder `QUERY`; "" if the page has no such form.

    The form must use GET on the page's host, and have a single text field whose name or type marks a search.
    """
    columns = page.columns
    forms = np.flatnonzero(columns.tagged("form")).tolist()[:_MAX_FORMS]
    inputs = np.flatnonzero(columns.tagged("input"))
    for form in forms:
        asked = columns.elements[form]
        if (asked.get("method") or "get").lower() != "get":
            continue
        inside = inputs[(inputs > form) & (inputs < columns.end[form])].tolist()[:_MAX_FIELDS]
        target = resolve_url(page.base_url, asked.get("action") or page.url)
        if found := _template(page, target, inside):
            return found
    return ""


def _template(page: Document, target: str, inputs: list[int]) -> str:
    if not target or host_of(target) != host_of(page.url):
        return ""
    columns, asked, given = page.columns, list[str](), list[tuple[str, str]]()
    for place in inputs:
        field = columns.elements[place]
        name, kind = field.get("name") or "", (field.get("type") or "text").lower()
        if not name or kind in ("submit", "button", "image", "reset", "checkbox", "radio"):
            continue
        if kind == "hidden":
            given.append((name, field.get("value") or ""))
        elif kind in ("text", "search") and (kind == "search" or name.lower() in _NAMES):
            asked.append(name)
        else:
            return ""
    if len(asked) != 1:
        return ""
    fixed = urlencode(given, errors="replace", encoding=page.charset)
    return f"{target.partition('?')[0]}?{quote(asked[0])}={QUERY}{'&' if fixed else ''}{fixed}"
