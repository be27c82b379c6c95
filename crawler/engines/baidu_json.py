"""Baidu's web search as JSON: real addresses, no redirects."""

from collections.abc import Mapping

from crawler.engines.answers.json_rules import JsonRules, parsed, read_json
from crawler.engines.asking import address
from crawler.engines.baidu import time_range
from crawler.engines.base import About, Asking, BlockedError, Engine, Query, Reply, Result

ABOUT = About("baidu_json", "www.baidu.com", delay=6.0, rest=300.0, pages=20, languages=("zh",))
RULES = JsonRules("feed.entry", snippet="abs", date="time")


def request(query: Query, keys: Mapping[str, str]) -> Asking:
    """The request of a query's page."""
    place = 10 * (query.page - 1)
    return Asking(address("https://www.baidu.com/s", wd=query.text, rn=10, pn=place, tn="json", gpc=time_range(query)))


def results(reply: Reply) -> list[Result]:
    """The results of an answer."""
    if isinstance(answer := parsed(reply), dict) and answer.get("antiFlag") == 1:
        raise BlockedError("antiFlag is 1")
    return read_json(RULES, reply)


ENGINE = Engine(ABOUT, request, results, is_html=False)
