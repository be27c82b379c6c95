"""Quark's mobile search; its results are JSON in the page's scripts."""

import json
from typing import Any

from crawler.engines.protocol.engine import (
    About,
    BlockedError,
    Engine,
    EngineQuery,
    Keys,
    QueryRequest,
    Reply,
    Result,
    query_url,
)
from extractors.feeds import text_at, value_at

ABOUT = About("quark", "quark.sm.cn", delay=8.0, backoff=900.0, pages=10, languages=("zh",))
_ADDRESSES = ("dest_url", "normal_url", "url", "sourceUrl")
_TITLES = ("title", "titleText")
_SNIPPETS = ("summary", "desc", "content", "abstract", "message")


def request(query: EngineQuery, keys: Keys) -> QueryRequest:
    age = query.age_code(("4", "3", "2", "1"))
    return QueryRequest(
        query_url("https://quark.sm.cn/s", q=query.text, layout="html", page=query.page, tl_request=age)
    )


def results(reply: Reply) -> list[Result]:
    """Results; raises BlockedError for a captcha in JSON."""
    if reply.body.lstrip().startswith(b"{") and b"captcha" in reply.body[:2_000]:
        raise BlockedError("action is captcha")
    found: dict[str, Result] = {}
    scripts: Any = reply.page.root.xpath("//script[starts-with(@id,'s-data-')]/text()")
    for script in scripts:
        data = _data(str(script))
        url, title = _first(data, _ADDRESSES), _first(data, _TITLES)
        if url.startswith(("http://", "https://")) and title and url not in found:
            found[url] = Result(url, title, _first(data, _SNIPPETS), _first(data, ("time",)), len(found) + 1)
    return list(found.values())


def _data(script: str) -> Any:
    try:
        return value_at(json.loads(script), "data.initialData")
    except (ValueError, RecursionError):
        return None


def _first(data: Any, names: tuple[str, ...]) -> str:
    """The first of these fields with a text, directly or under its key `content`."""
    return next((text for name in names for path in (name, f"{name}.content") if (text := text_at(data, path))), "")


ENGINE = Engine(ABOUT, request, results)
