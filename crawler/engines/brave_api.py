"""Brave's search API, by key."""

from datetime import date

from crawler.engines.protocol.engine import About, Engine, Keys, Query, QueryRequest, key_of, query_url
from crawler.engines.protocol.rules import JsonRules

ABOUT = About("brave_api", "api.search.brave.com", delay=1.1, backoff=180.0, pages=10, needs=("BRAVE_API_KEY",))
RULES = JsonRules(items="web.results", snippet="description", date="age")

_LANGUAGES = {"zh": "zh-hans", "ja": "jp"}


def request(query: Query, keys: Keys) -> QueryRequest:
    token = key_of(keys, "BRAVE_API_KEY")
    age = f"{query.since}to{date.today()}" if query.since else ""
    language = _LANGUAGES.get(query.language, query.language)
    base = "https://api.search.brave.com/res/v1/web/search"
    return QueryRequest(
        query_url(base, q=query.text, count=20, offset=query.page - 1 or "", freshness=age, search_lang=language),
        headers={"X-Subscription-Token": token, "Accept": "application/json"},
    )


ENGINE = Engine(ABOUT, request, RULES.read, is_html=False)
