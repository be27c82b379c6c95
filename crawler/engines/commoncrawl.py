"""Common Crawl's index: pages of a site that are known there, without touching the site."""

import json
from collections.abc import Mapping
from typing import Any

from crawler.engines.asking import address
from crawler.engines.base import About, Asking, BlockedError, Engine, NoResultsError, Query, Reply, Result, key_of

ABOUT = About("commoncrawl", "index.commoncrawl.org", delay=3.0, rest=120.0, pages=5, needs=("COMMONCRAWL_INDEX",))


def request(query: Query, keys: Mapping[str, str]) -> Asking:
    """The request of one page of a site's index; it knows addresses only, so the words play no part."""
    index = key_of(keys, "COMMONCRAWL_INDEX")
    base = f"https://index.commoncrawl.org/{index}-index"
    pattern = f"{query.site or query.words}/*"
    since = {"from": query.since.strftime("%Y%m%d")} if query.since else {}
    return Asking(address(base, url=pattern, output="json", page=query.page - 1, filter="=status:200", **since))


def results(reply: Reply) -> list[Result]:
    """One result a line; the address stands for the title."""
    if reply.body.lstrip().startswith(b"<"):
        raise BlockedError("a page came instead of JSON lines")
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
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


ENGINE = Engine(ABOUT, request, results, is_html=False)
