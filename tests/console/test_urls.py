"""URLs by state and host; requeue and exclude."""

import asyncio

import pytest
from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from starlette.testclient import TestClient

from console.frame.app_context import AppContext
from crawler.config.hours import Politeness
from crawler.frontier.base import MAX_ATTEMPTS
from crawler.frontier.local.opening import frontier_path
from crawler.frontier.local.sqlite import SqliteFrontier
from crawler.middlewares.exclusions import REFRESH_SECONDS, ExclusionMiddleware
from pipelines.stores.base import Store
from pipelines.stores.people_tables import DECISIONS, EXCLUSIONS
from pipelines.stores.tables import URLS
from tests.console.conftest import LogIn, all_parts, browser, send
from tests.console.filling import ATTACK, address
from tests.crawler.commands.test_frontier import entry


def test_hosts_have_their_numbers_by_state(local: TestClient) -> None:
    found = local.get("/api/urls").json()
    assert {row["host"]: row["states"] for row in found["hosts"]} == {
        "evil.example": {"failed": 1},
        "host0.example": {"fetched": 39},
        "host1.example": {"dead": 3, "fetched": 40},
        "host2.example": {"fetched": 40},
    }
    assert found["totals"]["fetched"] == 119
    html = local.get("/urls?lang=en").text
    assert 'href="/urls?host=host1.example&amp;state=dead">3</a>' in html


def test_many_hosts_are_paged(local: TestClient, app_context: AppContext) -> None:
    app_context.store.upsert(URLS, [address(f"http://site{n:03}.example/") for n in range(60)]).result()
    seen = [row["host"] for row in all_parts(local, "/api/urls", "hosts")[0]]
    assert seen == sorted(seen)
    assert len(seen) == len(set(seen)) == 64


def test_urls_of_a_host_come_by_state_and_their_parts_join(local: TestClient, app_context: AppContext) -> None:
    states = ("fetched", "dead", "failed")
    given = [address(f"http://many.example/{n}", state=states[n % 3]) for n in range(120)]
    app_context.store.upsert(URLS, given).result()
    seen = [(row["state"], row["key"]) for row in all_parts(local, "/api/urls", host="many.example")[0]]
    assert seen == sorted((row["state"], row["key"]) for row in given)


@pytest.mark.parametrize(
    ("query", "count"),
    [("host=host1.example", 43), ("state=dead", 3), ("host=host1.example&state=dead&q=/dead/1", 1), ("q=onerror", 1)],
)
def test_filters_hold(local: TestClient, query: str, count: int) -> None:
    assert len(local.get(f"/api/urls?{query}").json()["rows"]) == count
    assert len(local.get(f"/urls.jsonl?{query}").text.splitlines()) == count


def dead_request(folder: str) -> None:
    frontier = SqliteFrontier(frontier_path(folder, "a"), Politeness(0.0, 1), crawl="a")
    frontier.push([entry(1, "host1.example")])
    for _ in range(MAX_ATTEMPTS):
        frontier.fail(frontier.pop(1)[0].token, "HTTP 500")
    frontier.flush()
    frontier.close()


def test_dead_requests_of_a_host_are_queued_again(local: TestClient, app_context: AppContext) -> None:
    dead_request(app_context.settings["DATA_DIR"])
    assert local.get("/api/urls?host=host1.example").json()["queues"] == [
        {"crawl": "a", "queued": 0, "leased": 0, "dead": 1}
    ]
    answer = send(local, "/urls/requeue", host="host1.example", back="host=host1.example")
    assert "1 个请求重新入队" in local.get(answer.headers["location"]).text
    assert local.get("/api/urls?host=host1.example").json()["queues"][0]["queued"] == 1


def test_a_queue_that_a_crawl_uses_is_left_alone(local: TestClient, app_context: AppContext) -> None:
    dead_request(app_context.settings["DATA_DIR"])
    running = SqliteFrontier(frontier_path(app_context.settings["DATA_DIR"], "a"), Politeness(0.0, 1), crawl="a")
    try:
        assert send(local, "/urls/requeue", host="host1.example").status_code == 409
    finally:
        running.close()
    assert list(app_context.store.select(DECISIONS)) == []


def test_excluding_a_host_is_undone_by_its_button(app_context: AppContext, log_in: LogIn) -> None:
    client = log_in("analyst")
    answer = send(client, "/urls/exclude", host="Host1.example", back="host=host1.example")
    html = client.get(answer.headers["location"]).text
    assert "已排除 host1.example" in html
    assert send(client, "/urls/exclude", host="host1.example").status_code == 409
    (row,) = app_context.store.select(DECISIONS)
    send(client, f"/decisions/{row['key']}/undo")
    assert list(app_context.store.select(EXCLUSIONS)) == []
    assert "已撤销" in client.get(f"/urls?done={row['key']}").text


def test_viewers_see_no_buttons(log_in: LogIn) -> None:
    html = log_in("viewer").get("/urls?host=host1.example").text
    assert "/urls/exclude" not in html


class _Crawler:
    """As much of Scrapy's crawler as the middleware uses."""


def test_a_running_crawl_stops_asking_an_excluded_host_within_a_minute(
    app_context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    middleware = ExclusionMiddleware(_Crawler(), lambda: now[0])  # type: ignore[arg-type]

    class Services:
        store: Store = app_context.store

    monkeypatch.setattr("crawler.middlewares.exclusions.services_of", lambda crawler: Services)

    def ask(url: str) -> None:
        asyncio.run(middleware.process_request(Request(url)))

    ask("http://host1.example/1")
    send(browser(app_context), "/urls/exclude", host="host1.example")
    now[0] += REFRESH_SECONDS
    for host in ("host1.example", "sub.host1.example"):
        with pytest.raises(IgnoreRequest, match="excluded by local"):
            ask(f"http://{host}/1")
    ask("http://otherhost1.example/")
    send(browser(app_context), "/urls/include", host="host1.example")
    now[0] += REFRESH_SECONDS
    ask("http://host1.example/1")


def test_any_address_says_what_became_of_it(local: TestClient, app_context: AppContext) -> None:
    known = local.get("/api/urls/why", params={"url": "http://host1.example/1.html"}).json()
    assert (known["is_known"], known["facts"]["urls"]["state"]) == (True, "fetched")
    unknown = local.get("/api/urls/why", params={"url": "http://host1.example/unknown.html"}).json()
    assert unknown["is_known"] is False
    assert unknown["facts"]["nearest"][0].startswith("http://host1.example/")
    assert unknown["facts"]["host"]["robots"] == "obey"
    page = local.get("/urls/why", params={"url": "http://host1.example/unknown.html", "lang": "en"})
    assert "Nothing is known about this address" in page.text
    for wrong in ("javascript:alert(1)", "x", f"http://{ATTACK}", "a" * 5_000):
        answer = local.get("/urls/why", params={"url": wrong})
        assert answer.status_code == 200
        assert "<script>window" not in answer.text.partition("<main")[2]
    assert local.get("/urls/why").status_code == 200


def test_a_start_page_that_is_unreadable_is_seen(local: TestClient, app_context: AppContext) -> None:
    row = address("http://app.example/", "unreadable", reason="it is neither a page nor a list")
    app_context.store.upsert(URLS, [row]).result()
    assert local.get("/api/urls?state=unreadable").json()["rows"][0]["url"] == row["url"]
    assert "host=app.example&amp;state=unreadable" in local.get("/urls").text
