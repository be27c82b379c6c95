"""Every address at which the console shows something: pages with each choice of their filters, JSON twins, exports, files."""

import json
from collections.abc import Callable, Iterator
from urllib.parse import quote, urlencode

from console.frame.exporting import FORMATS
from console.frame.page import ConsolePage
from console.pages import PAGES as CONSOLE_PAGES
from pipelines.stores.analysis_tables import EVENTS
from pipelines.stores.base import Store, Table
from pipelines.stores.tables import PAGES, RUNS

_MAX_KEY, _MAX_AFTER = 500, 20_000
"""Characters; longer addresses are no concern of the pages."""
_KEYS: dict[str, Table] = {"/articles/": PAGES, "/events/": EVENTS, "/runs/": RUNS}


def views(store: Store, most: int = 100) -> Iterator[str]:
    """Paths with queries; of pages about one thing, those of the `most` last keys."""
    for page in CONSOLE_PAGES:
        paths = [page.path]
        if "{key}" in page.path:
            table = next(table for start, table in _KEYS.items() if page.path.startswith(start))
            name = table.key[0]
            found = (str(row[name]) for row in store.select(table, columns=(name,)))
            keys = sorted((key for key in found if 0 < len(key) < _MAX_KEY), key=len, reverse=True)[:most]
            paths = [page.path.replace("{key}", quote(key, safe="")) for key in keys]
        for path in paths:
            yield from _views_of(page, path)


def _views_of(page: ConsolePage, path: str) -> Iterator[str]:
    given = [{}, *({param.name: choice} for param in page.params for choice in param.choices)]
    given += [{param.name: "1"} for param in page.params if param.kind == "flag"]
    for query in given:
        for start in ("", "/api"):
            yield f"{start}{path}?{urlencode(query)}" if query else f"{start}{path}"
    yield f"{path}?lang=zh"
    yield from (f"{path}/{name}" for name in page.files)
    if page.export:
        yield from (f"{path}.{kind}" for kind in FORMATS)


def later_parts(path: str, body: str, get: Callable[[str], str]) -> Iterator[str]:
    """The addresses of a list's further parts, from the JSON answer of its first; `get` returns the body of an answer."""
    while path.startswith("/api/") and (after := _after(body)):
        path = f"{path.partition('?')[0]}?{urlencode({'after': after})}"
        yield path
        body = get(path)


def _after(body: str) -> str:
    try:
        after = str(json.loads(body).get("after") or "")
    except ValueError:
        return ""
    return after if len(after) < _MAX_AFTER else ""
