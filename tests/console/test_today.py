"""The morning view: events of 24 hours by sites and growth, what is new, alerts not seen, and the state of the collection."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient

from console.frame.app_context import AppContext
from console.queries.today import hours
from pipelines.stores.alert_tables import ALERTS
from pipelines.stores.analysis_tables import ANALYSIS_QUEUE, EVENTS, MEMBERS
from pipelines.stores.tables import PAGES, RUNS
from tests.console.collecting import alert, fill_collecting, run
from tests.console.conftest import LogIn, MakeAppContext, all_parts, browser, send
from tests.console.filling import NOW, at, page
from tests.console.happenings import event, fill_events, report


def on_sites(key: str, *ages: float, **more: Any) -> dict[str, Any]:
    """An event that came to a site at each of these ages, in hours."""
    sites = [{"site": f"host{number}.example", "at": at(60 * age)} for number, age in enumerate(ages)]
    times = sorted(each["at"] for each in sites)
    counts = {"site_count": len(sites), "pages": 2 * len(sites), "comments": len(sites)}
    return event(key, 0, name=key, sites=sites, first_at=times[0], last_at=times[-1], **counts, **more)


EVENTS_MADE = (
    on_sites("new", 1, 2, 3, 4),
    on_sites("going", 1, 2, 30),
    on_sites("fading", 2, 25, 26, 27, 28, 29, 30),
    on_sites("single", 1),
    on_sites("old", 30, 31, 32),
    on_sites("dropped", 1, 2, state="dropped"),
    on_sites("other", 1, 23, topic="tax"),
)


@pytest.fixture
def app_context(make: MakeAppContext) -> AppContext:
    made = make()
    made.store.upsert(EVENTS, EVENTS_MADE).result()
    return made


def names(client: TestClient, query: str = "") -> list[str]:
    return [row["name"] for row in client.get(f"/api/today?{query}").json()["rows"]]


@pytest.mark.parametrize(
    ("query", "found"),
    [("", ["new", "going", "other", "fading"]), ("state=new", ["new", "other"]), ("state=fading", ["fading"]),
     ("topic=tax", ["other"]), ("sort=growth", ["new", "other", "going", "fading"]), ("sort=pages", ["fading", "new", "going", "other"]),
     ("sort=first", ["new", "other", "fading", "going"]), ("to=2026-11-21", ["fading", "old", "going", "other"])],
)  # fmt: skip
def test_events_of_the_day_by_sites_what_fades_last(local: TestClient, query: str, found: list[str]) -> None:
    assert names(local, query) == found


def test_growth_is_against_the_day_before(local: TestClient) -> None:
    found = local.get("/api/today").json()
    assert found["counts"] == {"new": 2, "going": 1, "fading": 1}
    values = {row["name"]: (row["sites"], row["joined"], row["growth"]) for row in found["rows"]}
    assert values == {"new": (4, 4, 4), "going": (3, 2, 1), "fading": (7, 1, -5), "other": (2, 2, 2)}
    html = local.get("/today?lang=en").text
    assert "Today: 4 events, 2 new" in html
    assert "−5" in html


def test_events_of_one_site_are_shown_when_there_are_no_others(local: TestClient, app_context: AppContext) -> None:
    dropped = [{"event": row["event"], "state": "dropped"} for row in EVENTS_MADE if row["site_count"] > 1]
    app_context.store.upsert(EVENTS, dropped).result()
    found = local.get("/api/today").json()
    assert ([row["name"] for row in found["rows"]], found["least"]) == (["single"], 1)


def test_parts_join(local: TestClient, app_context: AppContext) -> None:
    app_context.store.upsert(EVENTS, [on_sites(f"e{number:02}", 1, 2 + number % 40) for number in range(60)]).result()
    seen = [row["event"] for row in all_parts(local, "/api/today", sort="growth")[0]]
    assert len(seen) == len(set(seen)) == 64


@pytest.mark.parametrize("reports", [40, 700])
def test_hours_count_every_report_however_many(app_context: AppContext, reports: int) -> None:
    rows = [report(page(number), "new", 60 * 2 + number % 50, page=f"p{number}") for number in range(reports)]
    app_context.store.upsert(MEMBERS, [*rows, report(page(1), "new", 60 * 50, page="older")]).result()
    counts = hours(app_context.store, [{"event": "new", "pages": reports}], NOW)["new"]
    assert (sum(counts), counts[45]) == (reports, reports - reports // 50 - (reports % 50 > 0))


def test_the_collection_says_what_is_missing(local: TestClient, app_context: AppContext) -> None:
    assert "未在采集" in local.get("/today").text
    app_context.store.upsert(RUNS, [run(1, 5, "running")]).result()
    assert "采集正常" in local.get("/today").text
    app_context.store.upsert(ANALYSIS_QUEUE, [{"page": "p", "token": "t", "queued_at": at(90)}]).result()
    app_context.store.upsert(RUNS, [run(2, 50, "failed")]).result()
    html = local.get("/today?lang=en").text
    assert "1 run failed within 24 hours" in html
    assert "1 page not analysed yet" in html


def test_alerts_are_seen_and_unseen(app_context: AppContext, log_in: LogIn) -> None:
    app_context.store.upsert(ALERTS, [alert(number) for number in range(5)]).result()
    client = log_in("analyst")
    html = client.get("/today").text
    assert "全部 5 条未读" in html
    assert 'href="/events/subject4"' in html
    answer = send(client, "/today/seen", alert="a4")
    assert "已读" in client.get(answer.headers["location"]).text
    assert client.get("/api/today").json()["unseen"] == 4
    assert send(client, "/today/seen", alert="a4").status_code == 409
    key = answer.headers["location"].partition("done=")[2]
    assert send(client, f"/decisions/{key}/undo").status_code == 303
    assert client.get("/api/today").json()["unseen"] == 5
    assert "/today/seen" not in log_in("viewer").get("/today").text


def test_empty_days_say_what_to_do(local: TestClient, app_context: AppContext) -> None:
    assert "最近 24 小时没有新事件" in local.get("/today?to=2020-01-01").text
    assert local.get("/today?to=0001-01-01").status_code == 400
    assert local.get("/today?to=9999-12-31").status_code in (200, 400)
    app_context.store.remove(EVENTS, []).result()
    page = local.get("/today?lang=en").text
    assert all(step in page for step in ("Describe a topic", "Choose sites", "Start the first crawl"))
    assert 'href="/terms/topic"' in page


def test_the_first_look_after_a_crawl_shows_what_came(local: TestClient, app_context: AppContext) -> None:
    app_context.store.remove(EVENTS, []).result()
    pages = [page(number) | {"title": f"旧闻 {number}", "fetched_at": at(number)} for number in range(40)]
    app_context.store.upsert(PAGES, pages).result()
    assert [row["title"] for row in local.get("/api/today").json()["came"]] == [
        f"旧闻 {number}" for number in range(25)
    ]
    html = local.get("/today").text
    assert f'href="/articles/{page(0)["key"]}"' in html
    assert "24 小时内没有新网页" not in html
    assert local.get("/api/today?to=2020-01-01").json()["came"] == []


def test_both_stores_answer_alike(make: MakeAppContext, mongo_uri: str) -> None:
    """Today, runs and engines."""
    search = "crawl=metasearch-housing"
    paths = ("today", "today?sort=growth", "runs", "runs?show=failed", "runs?show=all", f"engines?{search}")
    answers = []
    for given in ({}, {"STORE": mongo_uri}):
        made = make(**given)
        fill_collecting(made.store)
        fill_events(made.store)
        client = browser(made)
        answers.append(
            [client.get(f"/api/{path}").json() for path in (*paths, f"engines/queries?{search}&state=blocked")]
        )
    assert answers[0] == answers[1]
    assert all(each["rows"] for each in answers[0])


@pytest.mark.parametrize("query", ["", "to=2026-11-21", "to=2026-11-20&zone=Asia/Kolkata"])
def test_pages_of_the_day_are_those_of_exactly_24_hours(local: TestClient, app_context: AppContext, query: str) -> None:
    ages = [20 * number for number in range(300)]
    rows = [page(number, counted_at=at(age), published_at=at(age)) for number, age in enumerate(ages)]
    app_context.store.upsert(PAGES, rows).result()
    found = local.get(f"/api/today?{query}").json()
    since, until = (datetime.fromisoformat(found[name]) for name in ("since", "until"))
    assert until - since == timedelta(days=1)
    inside = [age for age in ages if since <= NOW - timedelta(minutes=age) < until]
    assert found["collection"]["pages"] == len(inside) > 60
