"""Common Crawl's index: the known pages of a site, without a request to the site."""

import json
from typing import Any

from crawler.engines.protocol.engine import (
    About,
    BlockedError,
    Engine,
    EngineQuery,
    Keys,
    NoResultsError,
    QueryRequest,
    Reply,
    Result,
    query_url,
)
from crawler.sources.templates import key_of

ABOUT = About("commoncrawl", "index.commoncrawl.org", delay=3.0, backoff=120.0, pages=5, needs=("COMMONCRAWL_INDEX",))


def request(query: EngineQuery, keys: Keys) -> QueryRequest:
    """The request of one page of a site's index. The index has addresses only, so the words have no effect."""
    index = key_of(keys, "COMMONCRAWL_INDEX")
    base = f"https://index.commoncrawl.org/{index}-index"
    pattern = f"{query.site or query.words}/*"
    since = {"from": query.since.strftime("%Y%m%d")} if query.since else {}
    return QueryRequest(query_url(base, url=pattern, output="json", page=query.page - 1, filter="=status:200", **since))


def results(reply: Reply) -> list[Result]:
    """One result per line; the address is also the title."""
    if reply.body.lstrip().startswith(b"<"):
        raise BlockedError("the answer is not JSON lines")
    found: dict[str, Result] = {}
    for line in reply.body.decode("utf-8", "replace").splitlines():
        entry = _entry(line)
        url = str(entry.get("url", ""))
        if url.startswith(("http://", "https://")) and url not in found:
            found[url] = Result(url, url, date=str(entry.get("timestamp", "")), rank=len(found) + 1)
    if not found:
        raise NoResultsError("no captures")
    return list(found.values())


def _entry(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


ENGINE = Engine(ABOUT, request, results, is_html=False)
