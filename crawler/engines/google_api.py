"""Google's programmable search as JSON, by key."""

from crawler.engines.protocol.engine import About, Engine, Keys, Query, QueryRequest, key_of, query_url
from crawler.engines.protocol.rules import JsonRules

ABOUT = About(
    "google_api", "www.googleapis.com", delay=1.0, backoff=600.0, pages=10, needs=("GOOGLE_API_KEY", "GOOGLE_CX")
)
RULES = JsonRules(items="items", url="link", snippet="snippet")

_LANGUAGES = {"zh": "zh-CN"}


def request(query: Query, keys: Keys) -> QueryRequest:
    return QueryRequest(
        query_url(
            "https://www.googleapis.com/customsearch/v1",
            key=key_of(keys, "GOOGLE_API_KEY"),
            cx=key_of(keys, "GOOGLE_CX"),
            q=query.text,
            start=10 * (query.page - 1) + 1,
            dateRestrict=f"d{query.days()}" if query.since else "",
            lr=f"lang_{_LANGUAGES.get(query.language, query.language)}",
        )
    )


ENGINE = Engine(ABOUT, request, RULES.read, is_html=False)
