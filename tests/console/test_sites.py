"""Proposed sites, sources of watches, and how sites treat the crawler."""

import time
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from console.frame.app_context import AppContext
from console.queries.sites import SOURCE_SORTS
from crawler.bans.health import Health, ProxyHealth, SiteHealth, write_health
from crawler.metasearch.site_proposals import SiteProposals
from pipelines.stores.people_tables import DECISIONS
from pipelines.stores.tables import SITES
from pipelines.stores.watch_tables import WATCH_SOURCES
from tests.console.conftest import MakeAppContext, all_parts, browser, send
from tests.console.filling import ATTACK, fill
from tests.console.steering import fill_steering, settings_folder, source


@pytest.fixture
def app_context(make: MakeAppContext, tmp_path: Path) -> AppContext:
    made = make(TOPICRAWL_SETTINGS_DIR=settings_folder(tmp_path))
    fill(made.store)
    fill_steering(made.store)
    return made


def decide(client: TestClient, action: str, host: str, was: str = "proposed", **more: str) -> Any:
    return send(client, f"/sites/{action}", "/sites", **{"crawl": "housing", "host": host, "was": was, **more})


def key_of(answer: Any) -> str:
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"].partition("done=")[2])


def state_of(app_context: AppContext, host: str) -> str:
    return str((app_context.store.get(SITES, "housing", host) or {}).get("state"))


@pytest.mark.parametrize(("sort", "column"), SOURCE_SORTS.items())
def test_sources_are_sorted_by_every_head(local: TestClient, app_context: AppContext, sort: str, column: str) -> None:
    odd = [
        source(80 + n, **{column: value})
        for n, value in enumerate((None, None, 4, 4))
        if column not in ("visited_at", "last_new_at")
    ]
    if odd:
        app_context.store.upsert(WATCH_SOURCES, odd).result()
    rows, part = all_parts(local, "/api/sites/watched", sort=sort)
    values = [row[column] for row in rows]
    known = [value for value in values if value is not None]
    assert len({(row["crawl"], row["key"]) for row in rows}) == len(rows) == 60 + len(odd)
    assert known == sorted(known, reverse=True)
    assert None not in values[: len(known)]
    assert part["sort"] == sort
    assert f"sort={sort}" in local.get("/sites/watched").text


def test_too_many_sources_stay_in_the_order_of_the_index(local: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.pages.watched.MAX_COUNTED", 10)
    assert local.get("/api/sites/watched?sort=visits").json()["sort"] == "yield"
    assert "sort=visits" not in local.get("/sites/watched").text


@pytest.mark.parametrize(("path", "name"), [("/api/sites", "host"), ("/api/sites/watched", "url")])
def test_parts_join_and_the_best_come_first(local: TestClient, path: str, name: str) -> None:
    seen, _ = all_parts(local, path)
    assert len({(row["crawl"], row[name]) for row in seen}) == len(seen) == 60
    counts = [row.get("relevant", row.get("items_first_seen_here")) for row in seen]
    assert counts == sorted(counts, reverse=True)


def test_a_site_has_samples_and_its_share(local: TestClient) -> None:
    html = local.get("/sites?lang=en").text
    rows = local.get("/api/sites?state=let_in").json()["rows"]
    assert [len(row["samples"]) for row in rows] == [3]
    assert "首付比例下调" in local.get("/sites?state=let_in").text
    assert "39 · 98%" in html


def test_a_site_that_is_let_in_reaches_a_running_crawl(app_context: AppContext, local: TestClient) -> None:
    now = [0.0]
    running = SiteProposals(app_context.store, "housing", needed=1, budget=0, clock=lambda: now[0])
    key_of(decide(local, "let_in", "host7.example"))
    now[0] = 21.0
    assert [row["host"] for row in running.newly_admitted()] == ["host7.example"]
    assert state_of(app_context, "host7.example") == "let_in"


def test_undo_and_who_was_slower(app_context: AppContext, local: TestClient) -> None:
    key = key_of(decide(local, "reject", "host7.example"))
    assert state_of(app_context, "host7.example") == "rejected"
    assert decide(local, "let_in", "host7.example").status_code == 409
    assert send(local, f"/decisions/{key}/undo", "/sites").status_code == 303
    assert state_of(app_context, "host7.example") == "proposed"
    (row,) = app_context.store.select(DECISIONS)
    assert (row["by"], row["action"], row["undone_by"]) == ("local", "sites.reject", "local")
    assert decide(local, "let_in", "nobody.example").status_code == 404


def test_a_site_is_added_once(app_context: AppContext, local: TestClient) -> None:
    answer = send(local, "/sites/add", "/sites", crawl="housing", home="http://new.example/start")
    key = key_of(answer)
    assert state_of(app_context, "new.example") == "let_in"
    assert send(local, "/sites/add", "/sites", crawl="housing", home="http://new.example/").status_code == 409
    assert send(local, "/sites/add", "/sites", crawl="housing", home="javascript:alert(1)").status_code == 400
    send(local, f"/decisions/{key}/undo", "/sites")
    assert app_context.store.get(SITES, "housing", "new.example") is None


def test_sources_are_pinned_and_dropped_as_the_command_does(app_context: AppContext, local: TestClient) -> None:
    which = {"crawl": "watch", "key": source(3)["key"]}

    def asked() -> str:
        return str((app_context.store.get(WATCH_SOURCES, "watch", which["key"]) or {})["asked"])

    key = key_of(send(local, "/sites/watched/pin", "/sites/watched", minutes="10", **which))
    assert asked() == "pin 600"
    send(local, f"/decisions/{key}/undo", "/sites/watched")
    assert asked() == "pin 0"
    key = key_of(send(local, "/sites/watched/drop", "/sites/watched", **which))
    assert asked() == "drop"
    send(local, f"/decisions/{key}/undo", "/sites/watched")
    assert asked() == "watch"
    for minutes in ("-1", "nan", "x", "1e9"):
        assert send(local, "/sites/watched/pin", "/sites/watched", minutes=minutes, **which).status_code == 400
    assert send(local, "/sites/watched/drop", "/sites/watched", crawl="watch", key="none").status_code == 404


def test_bans_proxies_and_files_are_shown_without_secrets(
    app_context: AppContext, local: TestClient, tmp_path: Path
) -> None:
    banned = [("host1.example", ATTACK, "http://user:secret@proxy.example", 600.0)]
    sites = {"host1.example": SiteHealth(answers=10, bans=9), ATTACK: SiteHealth(answers=1)}
    write_health(tmp_path, Health("c", time.time(), sites, {"proxy.example": ProxyHealth(3, 0)}, banned))
    folder = tmp_path / "settings" / "sites"
    folder.mkdir()
    (folder / "host2.example.yaml").write_text(
        'hours: ["22:00-06:30"]\nproxies: "http://user:secret@proxy.example:1"\nidentities: [anna]\nlogin: {}\n',
        encoding="utf-8",
    )
    html = local.get("/sites/access").text
    assert "user:secret" not in html
    assert "user:secret" not in local.get("/api/sites/access").text
    assert "22:00-06:30" in html
    assert "0 / 3" in html
    assert "<img" not in html


def test_hostile_sites_are_text(local: TestClient) -> None:
    for path in ("/sites", "/sites?state=let_in", "/sites?state=rejected&lang=en", "/sites/watched", "/sites/access"):
        html = local.get(path).text
        assert "<img" not in html, path
        assert "<script>" not in html, path
        assert 'href="javascript:' not in html, path
        assert 'evil.example"><b>' not in html, path


def test_an_empty_store_says_how_sites_come_here(make: MakeAppContext) -> None:
    client = browser(make())
    assert "scrapy crawl metasearch" in client.get("/sites").text
    assert "scrapy crawl watch" in client.get("/sites/watched").text
    assert client.get("/sites/access").status_code == 200


def test_both_stores_have_the_same_sites(make: MakeAppContext, mongo_uri: str) -> None:
    answers = []
    for given in ({}, {"STORE": mongo_uri}):
        app_context = make(**given)
        fill_steering(app_context.store)
        client = browser(app_context)
        part = client.get("/api/sites").json()
        watched = client.get("/api/sites/watched").json()
        answers.append([part, client.get("/api/sites", params={"after": part["after"]}).json(), watched])
        key_of(decide(client, "let_in", "host7.example"))
        assert decide(client, "let_in", "host7.example").status_code == 409
    assert answers[0] == answers[1]
