"""The search of Wikipedia, or of the MediaWiki at MEDIAWIKI_URL."""

from urllib.parse import quote, urljoin

from crawler.engines.protocol.engine import (
    About,
    Engine,
    EngineQuery,
    Keys,
    NoResultsError,
    QueryRequest,
    Reply,
    Result,
    query_url,
)
from crawler.engines.protocol.rules import parse_json
from extractors.feeds import text_at, value_at

ABOUT = About("mediawiki", "wikipedia.org", delay=2.0, backoff=180.0, pages=10)
_SIZE = 20


def request(query: EngineQuery, keys: Keys) -> QueryRequest:
    base = keys.get("MEDIAWIKI_URL") or f"https://{query.language}.wikipedia.org/w/api.php"
    return QueryRequest(
        query_url(
            base,
            action="query",
            list="search",
            srsearch=query.words,
            sroffset=_SIZE * (query.page - 1),
            srlimit=_SIZE,
            format="json",
        )
    )


def results(reply: Reply) -> list[Result]:
    """Articles by title; addresses are on the wiki that answered."""
    found = value_at(parse_json(reply), "query.search")
    titles = [(text_at(item, "title"), item) for item in found] if isinstance(found, list) else []
    if not titles:
        raise NoResultsError("an empty list")
    return [
        Result(
            urljoin(reply.url, f"/wiki/{quote(title.replace(' ', '_'))}"),
            title,
            text_at(item, "snippet"),
            text_at(item, "timestamp"),
            rank,
        )
        for rank, (title, item) in enumerate(titles, 1)
    ]


ENGINE = Engine(ABOUT, request, results, is_html=False)
