"""Any search with a feed as answer: RSS_SEARCH_URL with {query} and optionally {page}, {language}, {since}."""

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
)
from crawler.sources.templates import key_of
from extractors.feeds import is_feed, read_feed

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
    feed = read_feed(reply.body, reply.url, with_texts=True)
    found = [entry for entry in feed.entries if entry.url] if feed is not None else []
    if not found:
        raise NoResultsError("an empty feed")
    return [
        Result(entry.url, entry.title or entry.url, entry.summary, entry.published or entry.changed, rank)
        for rank, entry in enumerate(found, 1)
    ]


ENGINE = Engine(ABOUT, request, results, is_html=False)
