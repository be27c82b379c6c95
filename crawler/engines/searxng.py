"""A SearXNG instance's JSON; `json` must be among its `search.formats`."""

from collections.abc import Mapping

from crawler.engines.answers.json_rules import JsonRules, read_json
from crawler.engines.asking import address
from crawler.engines.base import About, Asking, Engine, Query, Reply, Result, key_of

ABOUT = About("searxng", "", delay=2.0, rest=180.0, pages=10, needs=("SEARXNG_URL",))
RULES = JsonRules("results", snippet="content", date="publishedDate")


def request(query: Query, keys: Mapping[str, str]) -> Asking:
    """The request of a query's page; KeyMissingError without its key."""
    age = query.age_code(("day", "week", "month", "year"))
    base = key_of(keys, "SEARXNG_URL").rstrip("/")
    return Asking(
        address(
            f"{base}/search",
            q=query.text,
            format="json",
            language=query.language,
            pageno=query.page,
            time_range=age,
        )
    )


def results(reply: Reply) -> list[Result]:
    """The results of an answer."""
    return read_json(RULES, reply)


ENGINE = Engine(ABOUT, request, results, is_html=False)
