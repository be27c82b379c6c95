"""A SearXNG instance, as JSON; its setting `search.formats` must contain `json`."""

from crawler.engines.protocol.engine import About, Engine, EngineQuery, Keys, QueryRequest, query_url
from crawler.engines.protocol.rules import JsonRules
from crawler.sources.templates import key_of

ABOUT = About("searxng", "", delay=2.0, backoff=180.0, pages=10, needs=("SEARXNG_URL",))
RULES = JsonRules(items="results", snippet="content", date="publishedDate")


def request(query: EngineQuery, keys: Keys) -> QueryRequest:
    age = query.age_code(("day", "week", "month", "year"))
    base = key_of(keys, "SEARXNG_URL").rstrip("/")
    return QueryRequest(
        query_url(
            f"{base}/search",
            q=query.text,
            format="json",
            language=query.language,
            pageno=query.page,
            time_range=age,
        )
    )


ENGINE = Engine(ABOUT, request, RULES.read, is_html=False)
