"""Redirects of engines, and what is known of results."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from scrapy.http import HtmlResponse, Request, Response

from crawler.config.arguments import search_arguments
from crawler.engines.catalog import read_catalog
from crawler.engines.protocol.engine import About, QueryRequest
from crawler.metasearch.queries import query_of
from crawler.metasearch.search_results import QueryRequests, SearchResults, target_of
from extractors.links.urls import url_key
from pipelines.stores.base import Store
from pipelines.stores.tables import REDIRECTS, RESULTS, URLS

LINK = "http://www.baidu.com/link?url=abc"
RESULT = {"query": "q", "key": "k", "rank": 3, "score": 0.5, "words": "水"}


def _callback() -> None:
    """Stands in for a method of the spider."""


def answer(status: int = 200, location: str = "", body: str = "", url: str = LINK) -> Response:
    headers = {"Location": location} if location else {}
    return HtmlResponse(url, status=status, headers=headers, body=body, encoding="utf-8", request=Request(url))


@pytest.mark.parametrize(
    ("response", "target"),
    [
        (answer(302, "https://a.example/p?x=1"), "https://a.example/p?x=1"),
        (answer(302, "//a.example/p"), "http://a.example/p"),
        (answer(body="<script>window.location.replace('https://a.example/p')</script>"), "https://a.example/p"),
        (answer(body="<meta http-equiv=refresh content=\"0;URL='https://a.example/p'\">"), "https://a.example/p"),
        (answer(302, "http://www.baidu.com/link?url=def"), ""),  # another redirect, and no page
        (answer(302, "javascript:alert(1)"), ""),
        (answer(200, body="<p>nothing</p>"), ""),
        (answer(404), ""),
    ],
)
def test_where_a_redirect_leads(response: Response, target: str) -> None:
    assert target_of(response) == target


def test_parse_target_keeps_it_and_fetches_what_is_new(store: Store) -> None:
    results = SearchResults(store, lambda rows: [0.0] * len(rows), 1_000, _callback, _callback)
    stored, request = results.of_target(answer(302, "https://a.example/p"), RESULT)
    rows = dict(stored.rows)
    assert rows[REDIRECTS]["target"] == rows[RESULTS]["target"] == "https://a.example/p"
    assert rows[RESULTS]["state"] == "new"
    assert (request.url, request.meta["result"], request.meta["words"]) == ("https://a.example/p", ["q", "k"], "水")
    (stored,) = results.of_target(answer(404), RESULT)
    assert stored.rows == [(RESULTS, {"query": "q", "key": "k", "state": "dead"})]
    (stored,) = results.of_target(answer(500), RESULT)
    assert stored.rows[0][1]["state"] == "failed"
    known = {"key": "", "url": "https://a.example/p", "state": "dead"}
    store.upsert(URLS, [known | {"key": url_key(known["url"])}]).result()
    (stored,) = results.of_target(answer(302, "https://a.example/p"), RESULT)
    assert dict(stored.rows)[RESULTS]["state"] == "dead"


def test_a_query_has_the_runs_language_and_day_before_the_engines_and_what_was_carried() -> None:
    row = {"words": "水", "page": 2, "site": "", "carried": {"vqd": "4-1"}}
    about = About("e", "e.example", language="en", time_range="week")
    query = query_of(row, about, search_arguments(topic="t"), "de")
    assert (query.language, query.since, query.carried) == ("en", date.today() - timedelta(days=7), {"vqd": "4-1"})
    asked = search_arguments(topic="t", language="fr", since="2026-11-01")
    query = query_of(row | {"carried": None}, about, asked)
    assert (query.language, query.since, query.carried) == ("fr", date(2026, 11, 1), {})
    assert query_of(row, About("e", "e.example"), search_arguments(topic="t"), "de").language == "de"


def test_duckduckgos_second_page_is_asked_with_what_the_first_gave() -> None:
    engines = {"duckduckgo": read_catalog(None).chosen(("duckduckgo",), [])["duckduckgo"]}
    requests = QueryRequests(engines, search_arguments(topic="t"), "zh", 1_000, _callback, _callback)
    row = {"engine": "duckduckgo", "words": "water", "page": 2, "site": "", "tries": 0, "carried": {"vqd": "4-1"}}
    assert requests.request(row).body == b"vqd=4-1"


def test_an_engines_first_page_goes_before_its_queries_until_its_cookies_are_known() -> None:
    """The engine of this test wants to be asked for its first page; its cookies go with the queries."""
    engine = replace(
        read_catalog(None).chosen(("duckduckgo",), [])["duckduckgo"], visit_first=QueryRequest("https://e.example/")
    )
    requests = QueryRequests({"e": engine}, search_arguments(topic="t"), "zh", 1_000, _callback, _callback)
    row = {"engine": "e", "words": "water", "page": 1, "site": "", "tries": 0}
    first = requests.request(row)
    assert (first.url, first.dont_filter) == ("https://e.example/", True)
    requests.keep_cookies("e", {"a": "b"})
    asked = requests.request(row)
    assert asked.url != first.url
    assert asked.cookies == {"a": "b"}
    requests.drop_cookies("e")
    assert requests.request(row).url == first.url
