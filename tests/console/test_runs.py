"""Runs: states, comparison with those alike, logs, nodes; start, see and stop a crawl on this machine."""

import multiprocessing
import socket
from contextlib import closing
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import sync_playwright
from starlette.testclient import TestClient

from console.app import make_app
from console.config import read_config
from console.frame.app_context import AppContext, make_app_context, utc_now
from crawler.exit_status import result_of
from crawler.rendering.options import NoBrowserError, find_browser
from crawler.scheduling.scrapyd import NodeJob
from crawler.scheduling.starting import Loads
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES, RUNS
from testbed.hostile.server import HostileWeb
from testbed.servers import free_port, listens, wait_until
from testbed.servers.processes import HANGING_SECONDS
from tests.console.collecting import fill_collecting, run
from tests.console.conftest import LogIn, all_parts, browser, filled, send, settings_in
from tests.console.filling import at
from tests.pipelines.stores.test_store_away import PAGES_IN_ALL, site

app_context = filled(fill_collecting)


def test_failed_and_killed_runs_come_first_then_those_that_run(local: TestClient) -> None:
    found = local.get("/api/runs").json()
    states = [row["state"] for row in found["rows"]]
    assert states[:4] == ["killed", "failed", "failed", "running"]
    assert set(states[4:]) == {"done"}
    assert (found["failed"], found["running"]) == (3, 1)
    assert "采集：3 次运行失败" in local.get("/articles").text
    assert "database or disk is full" in local.get("/runs?lang=en").text


def test_failed_runs_of_the_day_are_listed_however_many_came_after_them(
    local: TestClient, app_context: AppContext
) -> None:
    rows = [run(1000 + n, 10 + n / 10) for n in range(150)] + [run(2000 + n, 1300 + n, "failed") for n in range(5)]
    app_context.store.upsert(RUNS, rows).result()
    found = local.get("/api/runs").json()
    assert found["failed"] == sum(row["state"] in ("failed", "killed") for row in found["rows"]) == 8
    assert len({row["key"] for row in found["rows"]}) == len(found["rows"])


@pytest.mark.parametrize(("show", "count"), [("failed", 33), ("all", 70), ("running", 1)])
def test_parts_join(local: TestClient, show: str, count: int) -> None:
    seen = [row["key"] for row in all_parts(local, "/api/runs", show=show)[0]]
    assert len(set(seen)) == len(seen) == count


def test_a_run_is_compared_with_the_five_before_it(local: TestClient) -> None:
    rows = {row["key"]: row for row in local.get("/api/runs").json()["rows"]}
    ended = rows["run001"]["compared"]
    assert (ended["measure"], ended["own"], ended["percent"]) == ("pages", 301, -1)
    assert ended["values"] == [302, 303, 304, 305, 306]
    going = rows["run010"]["compared"]
    assert going["measure"] == "rate"
    assert going["own"] == pytest.approx(75 / 300)
    assert rows["run013"]["compared"] is None


def test_rows_of_older_versions_have_a_state(local: TestClient, app_context: AppContext) -> None:
    old = {"spider": "site", "started": at(30), "arguments": {}}
    rows = [{"key": f"old{code}", "finished": at(20), "exit_code": code, **old} for code in (0, 3, 4, 1)]
    app_context.store.upsert(RUNS, [*rows, {"key": "oldx", **old}]).result()
    states = {row["key"]: row["state"] for row in local.get("/api/runs").json()["rows"]}
    found = {key: states[key] for key in ("old0", "old3", "old4", "old1", "oldx")}
    assert found == {"old0": "done", "old3": "done", "old4": "left", "old1": "failed", "oldx": "killed"}


def test_a_run_has_its_command_or_says_why_not(local: TestClient, app_context: AppContext) -> None:
    found = local.get("/api/runs/run001").json()["run"]
    typed = "-a url=http://host1.example/ -a max_pages=300 -a topic=housing -a crawl=site-x"
    assert found["command"] == f"scrapy crawl site {typed}"
    searched = {"topic": "tax", "terms": "/tmp/terms.txt", "crawl": "m"}
    app_context.store.upsert(RUNS, [run(50, 10, spider="metasearch", arguments=searched)]).result()
    assert local.get("/api/runs/run050").json()["run"]["typed"] is None
    assert send(local, "/runs/again", key="run050").status_code == 409
    assert local.get("/runs/nothing").status_code == 404


def test_a_run_of_many_start_pages_shows_the_first(local: TestClient, app_context: AppContext) -> None:
    urls = [f"http://host{n}.example/" for n in range(90)]
    app_context.store.upsert(
        RUNS, [run(51, 10, arguments={"urls": urls, "allow": ["a.example", "b.example"]})]
    ).result()
    found = local.get("/api/runs/run051").json()["run"]
    assert found["shown"] == [["url", "http://host0.example/ +89"], ["allow", "a.example,b.example"]]
    assert urls[-1] in found["command"]


def test_without_an_answering_node_nothing_starts_and_the_page_says_why(
    local: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRAPYD_NODES", f"http://127.0.0.1:{free_port()}")
    answer = send(local, "/runs/start", spider="site", url="http://some.site/")
    assert answer.status_code == 409
    assert "没有应答" in answer.text
    assert "没有应答" in local.get("/runs/nodes").text
    assert "没有应答" in local.get("/runs/run001").text


def test_what_a_node_starts_is_counted_and_listed_before_its_run_tells(
    local: TestClient, app_context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = app_context.store.get(RUNS, "run001") or {}
    jobs = [NodeJob("http://n:6800", "waits", "pending", "site"), NodeJob("http://n:6800", "begins", "running", "watch"),
            NodeJob("http://n:6800", row["job"], "running", "site")]  # fmt: skip
    monkeypatch.setattr("console.queries.nodes.loads", lambda nodes: Loads({"http://n:6800": jobs}, []))
    assert [job["job"] for job in local.get("/api/runs").json()["starting"]] == ["waits", "begins"]
    html = local.get("/runs?lang=en").text
    assert "1 running, 2 starting" in html
    assert "queued" in html


@pytest.mark.parametrize(
    ("fields", "said"),
    [({"url": "file:///etc/passwd"}, "http"), ({"topic": "no-such"}, "没有专题 no-such"), ({}, "请给出起始网址"),
     ({"url": "http://a.example/", "max_pages": "x"}, "应为数字")],
)  # fmt: skip
def test_wrong_arguments_are_refused_before_any_node_is_asked(
    local: TestClient, fields: dict[str, str], said: str
) -> None:
    answer = send(local, "/runs/start", spider="site", **fields)
    assert answer.status_code == 400
    assert said in answer.text


def test_only_administrators_start_and_stop(log_in: LogIn) -> None:
    analyst = log_in("analyst")
    html = analyst.get("/runs").text
    assert "/runs/stop" not in html
    assert "/runs/start" not in html
    for action in ("start", "stop", "again", "plan/add", "plan/remove", "plan/now"):
        assert send(analyst, f"/runs/{action}", "/articles", job="x").status_code == 403


SETTINGS = {"ALLOW_PRIVATE_ADDRESSES": True, "FRONTIER_HOST_DELAY": 0.2, "PROGRESS_SECONDS": 1.0}


def serve(folder: Path, port: int) -> None:
    """The console in a process of its own."""
    settings = settings_in(folder, **SETTINGS)
    app_context = make_app_context(open_store(settings["STORE"]), settings, read_config(settings))
    uvicorn.Server(uvicorn.Config(make_app(app_context), port=port, log_level="error")).run()


@pytest.mark.slow
def test_a_crawl_started_from_the_page_is_seen_outlives_the_console_and_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        chromium = find_browser("")
    except NoBrowserError as error:
        pytest.skip(str(error))
    monkeypatch.delenv("SCRAPYD_NODES", raising=False)
    settings = settings_in(tmp_path)
    store = open_store(settings["STORE"])
    port = free_port()
    console = multiprocessing.get_context("spawn").Process(target=serve, args=(tmp_path, port), daemon=True)
    console.start()
    wait_until(lambda: listens(port), "starting the console", 60)
    with closing(store), HostileWeb({"127.0.0.1": site}) as web:
        start_on_the_page(chromium, f"http://127.0.0.1:{port}", f"http://127.0.0.1:{web.port}/", store)
        console.kill()
        console.join()
        before = store.count(PAGES)
        wait_until(lambda: store.count(PAGES) >= before + 3, "pages after the end of the console")
        local = browser(make_app_context(store, settings, read_config(settings), utc_now))
        (row,) = local.get("/api/runs").json()["rows"]
        assert (row["state"], row["node"]) == ("running", socket.gethostname())
        stopped = send(local, "/runs/stop", job=row["job"])
        assert row["job"] in local.get(stopped.headers["location"]).text
        wait_until(lambda: (store.get(RUNS, row["key"]) or {})["finished"], "the end of the crawl", 60)
        check_stopped(local, row["key"])
        wait_until(lambda: send(local, "/runs/stop", job=row["job"]).status_code == 409, "its end on this machine")
        assert 3 <= store.count(PAGES) < PAGES_IN_ALL


def start_on_the_page(chromium: str, console: str, url: str, store: Store) -> None:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium or None, args=["--no-sandbox"]).new_page(
            locale="en-US"
        )
        opened.set_default_timeout(HANGING_SECONDS * 1_000)  # a node looks up its spiders before it starts one
        opened.goto(f"{console}/runs")
        opened.fill("input[name=url]", url)
        opened.uncheck("input[name=analyse]")
        opened.click("#start button >> nth=0")
        assert "Started site 127.0.0.1" in opened.locator("main").inner_text()
        wait_until(lambda: store.count(RUNS) == 1, "the run", 60)
        opened.goto(f"{console}/runs")
        assert opened.locator("tr[data-run] .st.run").count() == 1
        opened.click("tr[data-run] td.t a")
        assert "-a url=http://127.0.0.1:" in opened.locator("main dl.kv").inner_text()
        assert "Spider opened" in opened.locator("#log").inner_text()


def check_stopped(local: TestClient, key: str) -> None:
    found = local.get(f"/api/runs/{key}?errors=1").json()
    assert found["run"]["state"] == "left"
    assert "the same command continues" in found["run"]["sentence"]
    assert any("Ending: shutdown" in line for line, _ in found["log"]["lines"])
    whole = local.get(f"/api/runs/{key}").json()["log"]
    older = local.get(f"/api/runs/{key}?before={whole['end'] - 200}").json()["log"]
    assert older["end"] == whole["end"] - 200
    assert older["lines"][0] == whole["lines"][0]


def test_a_crawl_that_found_nothing_says_why_though_it_ended_well(local: TestClient, app_context: AppContext) -> None:
    sentence = result_of("finished", {"pages/answered": 1, "pages/starts": 1, "pages/unlinked": 1}).sentence
    app_context.store.upsert(RUNS, [run(900, 1, sentence=sentence)]).result()
    for path in ("/runs", "/runs/run900"):
        assert "lead to no other page" in local.get(path, params={"lang": "en"}).text
        assert "起始页未指向任何其他网页；可能由脚本生成" in local.get(path, params={"lang": "zh"}).text
