"""Any search with a feed as answer: RSS_SEARCH_URL with {query} and optionally {page}, {language}, {since}."""

from dataclasses import replace
from typing import Any
from urllib.parse import quote

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
    key_of,
)
from crawler.links.sitemaps import is_feed, xml_root

ABOUT = About("rss", "", delay=3.0, backoff=180.0, pages=5, needs=("RSS_SEARCH_URL",))


def request(query: EngineQuery, keys: Keys) -> QueryRequest:
    template = key_of(keys, "RSS_SEARCH_URL")
    since = query.since.isoformat() if query.since else ""
    values = {"query": quote(query.text), "page": str(query.page), "language": query.language, "since": since}
    for name, value in values.items():
        template = template.replace(f"{{{name}}}", value)
    return QueryRequest(template)


def results(reply: Reply) -> list[Result]:
    """The feed's entries."""
    if not is_feed(reply.body, reply.headers.get("content-type", "")):
        raise BlockedError("the answer is not a feed")
    root = xml_root(reply.body)
    entries: Any = root.xpath("//*[local-name()='item' or local-name()='entry']") if root is not None else []
    found = [result for entry in entries if (result := _result(entry)).url.startswith(("http://", "https://"))]
    if not found:
        raise NoResultsError("an empty feed")
    return [replace(result, rank=rank) for rank, result in enumerate(found, 1)]


def _result(entry: Any) -> Result:
    values = {name: " ".join(entry.xpath(f"string(*[local-name()='{name}'])").split()) for name in _FIELDS}
    url = values["link"] or str(next(iter(entry.xpath("*[local-name()='link']/@href")), ""))
    day = values["pubDate"] or values["published"] or values["updated"]
    return Result(url, values["title"] or url, (values["description"] or values["summary"])[:500], day)


_FIELDS = ("link", "title", "description", "summary", "pubDate", "published", "updated")
ENGINE = Engine(ABOUT, request, results, is_html=False)
