"""GDELT's list of news articles of the last three months."""

from collections.abc import Mapping
from datetime import date

from crawler.engines.asking import address
from crawler.engines.base import About, Asking, Engine, Query, Reply, Result
from crawler.engines.json_rules import JsonRules, read_json

ABOUT = About("gdelt", "api.gdeltproject.org", delay=6.0, rest=60.0, pages=1)
RULES = JsonRules("articles", date="seendate")


def request(query: Query, keys: Mapping[str, str]) -> Asking:
    """The request of a query's page."""
    span = f"{max(1, (date.today() - query.since).days)}d" if query.since else ""
    words = f"{query.words} domain:{query.site}" if query.site else query.words
    base = "https://api.gdeltproject.org/api/v2/doc/doc"
    return Asking(address(base, query=words, mode="ArtList", format="json", maxrecords=250, timespan=span))


def results(reply: Reply) -> list[Result]:
    """The results of an answer."""
    return read_json(RULES, reply)


ENGINE = Engine(ABOUT, request, results, is_html=False)
