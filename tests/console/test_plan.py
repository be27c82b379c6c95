"""The plan on the page: jobs with their times, added, removed, put back, run now."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from console.frame.app_context import AppContext
from console.plan_keeper import keeping_plan
from console.queries import nodes
from crawler.scheduling.job_plan import read_plan
from testbed.servers import free_port, wait_until
from tests.console.conftest import MakeAppContext, browser, send
from tests.console.filling import ATTACK

PLAN = """timezone: Asia/Shanghai
nodes: [http://127.0.0.1:{port}]
jobs:
  news:
    spider: site
    cron: "0 */6 * * *"
    arguments: {{url: https://some.site/}}
    settings: {{FRONTIER_HOST_DELAY: 2, SECRET: xyzzy}}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "plan.yaml"
    made.write_text(PLAN.format(port=free_port()), encoding="utf-8")
    return made


@pytest.fixture
def app_context(make: MakeAppContext, path: Path) -> AppContext:
    return make(SCHEDULE_FILE=str(path))


def test_jobs_have_their_time_and_no_texts_of_settings(local: TestClient) -> None:
    (job,) = local.get("/api/runs/plan").json()["jobs"]
    assert (job["name"], job["spider"], job["cron"]) == ("news", "site", "0 */6 * * *")
    assert job["due"].endswith("+08:00")
    assert job["settings"] == {"FRONTIER_HOST_DELAY": "2", "SECRET": "…"}
    assert "xyzzy" not in local.get("/runs/plan").text
    assert "news</bdi></a>" in local.get("/runs").text


def test_a_job_is_added_removed_and_put_back(local: TestClient, path: Path) -> None:
    fields = {"name": "daily", "cron": "0 6 * * *", "spider": "site", "url": "https://a.example/", "max_pages": "50"}
    added = send(local, "/runs/plan/add", **fields)
    assert "下一次" in local.get(added.headers["location"]).text
    assert read_plan(path).jobs["daily"].arguments == {"url": "https://a.example/", "max_pages": "50"}
    removed = send(local, "/runs/plan/remove", name="daily")
    assert list(read_plan(path).jobs) == ["news"]
    key = removed.headers["location"].partition("done=")[2]
    assert send(local, f"/decisions/{key}/undo").status_code == 303
    assert list(read_plan(path).jobs) == ["news", "daily"]


@pytest.mark.parametrize(
    ("fields", "status", "said"),
    [({"cron": "0 99 * * *"}, 400, "未保存"), ({"name": "news"}, 409, "中已有任务 news"), ({"name": ATTACK}, 409, "不是有效的任务名称"),
     ({"url": "gopher://x/"}, 400, "http"), ({"url": "http://[::1"}, 400, "http"), ({"spider": "other"}, 400, "之一")],
)  # fmt: skip
def test_wrong_jobs_are_refused_and_the_file_stays(
    local: TestClient, path: Path, fields: dict[str, str], status: int, said: str
) -> None:
    good = {"name": "daily", "cron": "0 6 * * *", "spider": "site", "url": "https://a.example/"}
    before = path.read_bytes()
    answer = send(local, "/runs/plan/add", **{**good, **fields})
    assert (answer.status_code, said in answer.text) == (status, True), answer.text
    assert path.read_bytes() == before


def test_a_job_with_texts_in_its_settings_is_not_put_back_and_nobody_takes_it_now(local: TestClient) -> None:
    assert send(local, "/runs/plan/now", name="news").status_code == 409
    assert send(local, "/runs/plan/now", name="none").status_code == 404
    fields = {"name": "daily", "cron": "0 6 * * *", "spider": "site", "url": "https://a.example/"}
    send(local, "/runs/plan/add", **fields)
    removed = send(local, "/runs/plan/remove", name="news")
    key = removed.headers["location"].partition("done=")[2]
    assert send(local, f"/decisions/{key}/undo").status_code == 409
    assert "xyzzy" not in local.get("/decisions").text


def test_a_broken_plan_is_said_and_without_a_setting_the_page_says_what_to_do(
    local: TestClient, path: Path, make: MakeAppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_text("jobs: 1", encoding="utf-8")
    assert "plan.yaml" in local.get("/api/runs/plan").json()["fault"]
    assert local.get("/runs").status_code == 200
    monkeypatch.setenv("SCRAPYD_NODES", f"http://127.0.0.1:{free_port()}")
    assert "SCHEDULE_FILE" in browser(make()).get("/runs/plan?lang=en").text


def test_one_machine_needs_no_file_and_no_other_command(make: MakeAppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCRAPYD_NODES", raising=False)
    app_context = make()
    local = browser(app_context)
    assert "scrapy schedule run</code>" not in local.get("/runs/plan").text
    fields = {"name": "daily", "cron": "0 6 * * *", "spider": "site", "url": "https://a.example/"}
    assert send(local, "/runs/plan/add", **fields).status_code == 303
    state = Path(f"{nodes.plan_path(app_context.settings)}.state.json")
    with keeping_plan(app_context.settings):
        wait_until(state.exists, "the plan is kept")
    assert send(local, "/runs/plan/remove", name="daily").status_code == 303
    assert local.get("/api/runs/plan").json()["jobs"] == []


def test_how_a_job_ended_last_is_read_where_the_scheduler_keeps_it(
    make: MakeAppContext, path: Path, tmp_path: Path
) -> None:
    state = tmp_path / "volume" / "schedule.json"
    state.parent.mkdir()
    state.write_text('{"news": {"outcome": "done: 40 pages"}}', encoding="utf-8")
    page = browser(make(SCHEDULE_FILE=str(path), SCHEDULE_STATE=str(state))).get("/api/runs/plan").json()
    assert page["jobs"][0]["last"] == "done: 40 pages"


def test_a_job_and_a_report_get_another_time_and_keep_the_rest(local: TestClient, path: Path) -> None:
    path.write_text(
        path.read_text(encoding="utf-8")
        + "reports:\n  # weekly\n  week: {topic: tax, send: [boss], cron: '0 8 * * 1'}\n",
        encoding="utf-8",
    )
    before = read_plan(path)
    changed = send(local, "/runs/plan/retime", name="news", cron="30 5 * * *")
    assert send(local, "/runs/plan/retime", name="week", cron="0 9 * * 5").status_code == 303
    after = read_plan(path)
    assert after.jobs["news"] == before.jobs["news"].model_copy(update={"cron": "30 5 * * *"})
    assert after.reports["week"] == before.reports["week"].model_copy(update={"cron": "0 9 * * 5"})
    assert "# weekly" in path.read_text(encoding="utf-8")
    assert "xyzzy" not in local.get("/decisions").text
    key = changed.headers["location"].partition("done=")[2]
    assert send(local, f"/decisions/{key}/undo").status_code == 303
    assert read_plan(path).jobs["news"] == before.jobs["news"]
    for name, cron, status in (("news", "0 99 * * *", 400), ("news", ATTACK, 400), ("nobody", "0 1 * * *", 404)):
        assert send(local, "/runs/plan/retime", name=name, cron=cron).status_code == status
    assert read_plan(path) == after.__class__(before.jobs, after.nodes, after.timezone, after.reports)
