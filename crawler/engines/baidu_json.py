"""Baidu's web search as JSON: with real addresses instead of redirects."""

from crawler.engines.baidu import time_range
from crawler.engines.protocol.engine import (
    About,
    BlockedError,
    Engine,
    EngineQuery,
    Keys,
    QueryRequest,
    Reply,
    Result,
    query_url,
)
from crawler.engines.protocol.rules import JsonRules, parse_json

ABOUT = About("baidu_json", "www.baidu.com", delay=6.0, backoff=300.0, pages=20, languages=("zh",))
RULES = JsonRules(items="feed.entry", snippet="abs", date="time")


def request(query: EngineQuery, keys: Keys) -> QueryRequest:
    place = 10 * (query.page - 1)
    return QueryRequest(
        query_url("https://www.baidu.com/s", wd=query.text, rn=10, pn=place, tn="json", gpc=time_range(query))
    )


def results(reply: Reply) -> list[Result]:
    """Results; raises BlockedError for the flag of a refusal."""
    if isinstance(answer := parse_json(reply), dict) and answer.get("antiFlag") == 1:
        raise BlockedError("antiFlag is 1")
    return RULES.read(reply)


ENGINE = Engine(ABOUT, request, results, is_html=False)
