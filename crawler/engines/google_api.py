"""Google's programmable search as JSON, by key."""

from collections.abc import Mapping

from crawler.engines.answers.json_rules import JsonRules, read_json
from crawler.engines.asking import address
from crawler.engines.base import About, Asking, Engine, Query, Reply, Result, key_of

ABOUT = About(
    "google_api", "www.googleapis.com", delay=1.0, rest=600.0, pages=10, needs=("GOOGLE_API_KEY", "GOOGLE_CX")
)
RULES = JsonRules("items", url="link", snippet="snippet")

_LANGUAGES = {"zh": "zh-CN"}


def request(query: Query, keys: Mapping[str, str]) -> Asking:
    """The request of a query's page; KeyMissingError without its key."""
    return Asking(
        address(
            "https://www.googleapis.com/customsearch/v1",
            key=key_of(keys, "GOOGLE_API_KEY"),
            cx=key_of(keys, "GOOGLE_CX"),
            q=query.text,
            start=10 * (query.page - 1) + 1,
            dateRestrict=f"d{query.days()}" if query.since else "",
            lr=f"lang_{_LANGUAGES.get(query.language, query.language)}",
        )
    )


def results(reply: Reply) -> list[Result]:
    """The results of an answer."""
    return read_json(RULES, reply)


ENGINE = Engine(ABOUT, request, results, is_html=False)
