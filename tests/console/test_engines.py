"""Engines: terms by engine, what they earned, query pages, and asking again."""

import pytest
from starlette.testclient import TestClient

from console.frame.app_context import AppContext
from pipelines.stores.base import Condition
from pipelines.stores.tables import ENGINE_BACKOFFS, QUERIES, RUNS
from tests.console.collecting import fill_collecting
from tests.console.conftest import LogIn, MakeAppContext, all_parts, browser, filled, send
from tests.console.filling import at

CRAWL = "metasearch-housing"
app_context = filled(fill_collecting)


def test_every_term_is_shown_once_and_the_best_come_first(local: TestClient) -> None:
    seen, part = all_parts(local, "/api/engines", crawl=CRAWL)
    assert len({row["words"] for row in seen}) == len(seen) == part["terms"] == 60
    earned = [(row["relevant"], row["new"]) for row in seen]
    assert earned == sorted(earned, reverse=True)


def test_cells_show_the_worst_state_and_engines_their_sums(local: TestClient) -> None:
    found = local.get(f"/api/engines?crawl={CRAWL}&q=词058").json()
    assert {name: cell["state"] for name, cell in found["rows"][0]["cells"].items()} == {
        "baidu": "none", "bing": "layout_changed", "sogou": "blocked",
    }  # fmt: skip
    bing = next(each for each in found["engines"] if each["engine"] == "bing")
    assert bing["states"] == {"results": 57, "layout_changed": 2}
    assert (bing["new"], bing["relevant"]) == (59 * 4, sum(number % 5 for number in range(59)))
    sogou = next(each for each in found["engines"] if each["engine"] == "sogou")
    assert sogou["blocks"] == 3


@pytest.mark.parametrize(("query", "count"), [("state=layout_changed", 2), ("q=词00", 10), ("q=onerror", 1)])
def test_filters_hold(local: TestClient, query: str, count: int) -> None:
    assert len(local.get(f"/api/engines?crawl={CRAWL}&{query}").json()["rows"]) == count


def test_the_meta_search_that_ran_last_is_shown(local: TestClient, app_context: AppContext) -> None:
    runs = [
        {"key": name, "started": at(age), "arguments": {"crawl": name}} for name, age in ((CRAWL, 9), ("site-x", 1))
    ]
    app_context.store.upsert(RUNS, runs).result()
    assert local.get("/api/engines").json()["crawl"] == CRAWL
    assert "sogou" in local.get("/engines?lang=en").text


def test_a_cell_leads_to_its_queries_with_their_reason(local: TestClient) -> None:
    found = local.get("/api/engines/queries", params={"crawl": CRAWL, "engine": "sogou", "words": "词007"}).json()
    assert [(row["state"], row["reason"]) for row in found["rows"]] == [("blocked", "HTTP 403")]
    assert len(all_parts(local, "/api/engines/queries", crawl=CRAWL, state="blocked")[0]) == 59


def test_unread_queries_wait_again(local: TestClient, app_context: AppContext) -> None:
    answer = send(local, "/engines/again", crawl=CRAWL, engine="bing")
    assert "bing 的 2 次查询重新排队" in local.get(answer.headers["location"]).text
    assert app_context.store.count(QUERIES, [Condition("engine", "=", "bing"), Condition("state", "=", "waiting")]) == 2
    assert send(local, "/engines/again", crawl=CRAWL, engine="bing").status_code == 409


def test_viewers_see_no_button_and_blocked_engines_are_counted(log_in: LogIn, app_context: AppContext) -> None:
    viewer = log_in("viewer")
    html = viewer.get(f"/engines?crawl={CRAWL}").text
    assert "/engines/again" not in html
    assert '<span title="1 项待处理">1</span>' in html
    assert send(viewer, "/engines/again", "/articles", crawl=CRAWL, engine="bing").status_code == 403
    assert app_context.store.count(ENGINE_BACKOFFS) == 1


def test_without_queries_the_page_says_what_to_do(make: MakeAppContext) -> None:
    html = browser(make()).get("/engines?lang=en").text
    assert "No queries yet" in html
    assert "baidu" in html
