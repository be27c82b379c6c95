"""Brave's search API, by key."""

from collections.abc import Mapping
from datetime import date

from crawler.engines.answers.json_rules import JsonRules, read_json
from crawler.engines.asking import address
from crawler.engines.base import About, Asking, Engine, Query, Reply, Result, key_of

ABOUT = About("brave_api", "api.search.brave.com", delay=1.1, rest=180.0, pages=10, needs=("BRAVE_API_KEY",))
RULES = JsonRules("web.results", snippet="description", date="age")

_LANGUAGES = {"zh": "zh-hans", "ja": "jp"}


def request(query: Query, keys: Mapping[str, str]) -> Asking:
    """The request of a query's page; KeyMissingError without its key."""
    token = key_of(keys, "BRAVE_API_KEY")
    age = f"{query.since}to{date.today()}" if query.since else ""
    language = _LANGUAGES.get(query.language, query.language)
    base = "https://api.search.brave.com/res/v1/web/search"
    return Asking(
        address(base, q=query.text, count=20, offset=query.page - 1 or "", freshness=age, search_lang=language),
        headers={"X-Subscription-Token": token, "Accept": "application/json"},
    )


def results(reply: Reply) -> list[Result]:
    """The results of an answer."""
    return read_json(RULES, reply)


ENGINE = Engine(ABOUT, request, results, is_html=False)
