"""Reports on the page: in both languages wholly, safe to open, and by plan into a folder."""

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from console.frame.app_context import AppContext
from crawler.rendering.options import NoBrowserError, find_browser
from crawler.scheduling.job_plan import read_plan
from crawler.scheduling.reports import command_of
from pipelines.stores.analysis_tables import COUNTS
from tests.console.conftest import LogIn, MakeAppContext, send
from tests.console.filling import fill
from tests.console.steering import TOPIC

PLANNED = {"name": "morning", "every": "daily", "hour": "7", "since": "24h", "language": "zh"}
_TAG, _STYLE = re.compile(r"<[^>]+>"), re.compile(r"<(style|title)[^>]*>.*?</\1>", re.DOTALL)


@pytest.fixture
def app_context(make: MakeAppContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppContext:
    monkeypatch.delenv("SCRAPYD_NODES", raising=False)
    (tmp_path / "settings" / "topics").mkdir(parents=True)
    (tmp_path / "settings" / "topics" / "housing.yaml").write_text(TOPIC, encoding="utf-8")
    made = make(TOPICRAWL_SETTINGS_DIR=str(tmp_path / "settings"))
    fill(made.store)
    return made


def own_words(html: str) -> str:
    """The text without what comes from pages: tables of them, quotes, names of events and their summaries."""
    html = re.sub(r'<h2 id="pages">.*', "", _STYLE.sub("", html), flags=re.DOTALL)
    html = re.sub(
        r"<blockquote>.*?</blockquote>|<h3>.*?</h3>|<ul>.*?</ul>|<span style.*?</span>", "", html, flags=re.DOTALL
    )
    html = re.sub(r"</small><br>.*?<br><small>", "", html, flags=re.DOTALL)
    return _TAG.sub(" ", re.sub(r"<td>[^<]*</td>", "", html))


def test_a_report_is_in_the_language_of_its_reader(local: TestClient) -> None:
    chinese = local.get("/reports/report.html?topic=housing&since=4w&language=zh")
    assert chinese.headers["content-security-policy"].startswith("sandbox")
    assert not re.findall(r"[A-Za-z]{4,}", own_words(chinese.text).replace("housing", ""))
    english = local.get("/reports/report.html?topic=housing&since=4w&language=en").text
    assert not re.findall(r"[\u4e00-\u9fff]", own_words(english).replace("housing", ""))
    for ending in ("docx", "xlsx", "md"):
        answer = local.get(f"/reports/report.{ending}?since=24h")
        assert answer.status_code == 200
        assert "attachment" in answer.headers["content-disposition"]


def test_a_report_is_planned_into_the_folder_and_taken_back(
    local: TestClient, app_context: AppContext, tmp_path: Path
) -> None:
    made = send(local, "/reports/plan", **PLANNED)
    assert "morning" in local.get(made.headers["location"]).text
    plan = read_plan(tmp_path / "schedule.yaml")
    report = plan.reports["morning"]
    assert (report.cron, report.language, report.folder) == ("0 7 * * *", "zh", str(tmp_path / "reports"))
    assert command_of(report, plan.timezone, ["STORE=x"])[-10:] == [
        "--folder", str(tmp_path / "reports"), "--format", "html", "--language", "zh", "-s", "STORE=x",
        "-s", f"TIME_ZONE={plan.timezone}"]  # fmt: skip
    removed = send(local, "/reports/remove", name="morning")
    assert local.get("/api/reports").json()["planned"] == []
    assert send(local, f"/decisions/{removed.headers['location'].rpartition('done=')[2]}/undo").status_code == 303
    assert local.get("/api/reports").json()["planned"][0]["name"] == "morning"


@pytest.mark.parametrize("fields", [{"hour": "24"}, {"name": "../x"}, {"send": "nobody"}, {"every": "never"}])
def test_what_is_wrong_is_refused(local: TestClient, tmp_path: Path, fields: dict[str, str]) -> None:
    assert send(local, "/reports/plan", **{**PLANNED, **fields}).status_code in (400, 409)
    assert local.get("/api/reports").json()["planned"] == []


def test_only_reports_of_the_folder_are_opened(local: TestClient, tmp_path: Path) -> None:
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "a 简报.html").write_text("<p>made</p>", encoding="utf-8")
    (tmp_path / "secret.html").write_text("x", encoding="utf-8")
    assert [each["name"] for each in local.get("/api/reports").json()["made"]] == ["a 简报.html"]
    assert local.get("/reports/file", params={"file": "a 简报.html"}).text == "<p>made</p>"
    for name in ("../secret.html", "/etc/passwd", "schedule.yaml", ""):
        assert local.get("/reports/file", params={"file": name}).status_code == 404


def test_only_administrators_plan(log_in: LogIn) -> None:
    analyst = log_in("analyst")
    assert analyst.get("/reports").status_code == 200
    assert send(analyst, "/reports/plan", "/articles", **PLANNED).status_code == 403


def test_a_report_is_printed_by_the_browser_that_is_there_or_says_what_is_missing(
    app_context: AppContext, local: TestClient
) -> None:
    answer = local.get("/reports/report.pdf?language=zh&lang=en")
    try:
        find_browser("")
    except NoBrowserError:
        assert answer.status_code == 503
    else:
        assert (answer.status_code, answer.headers["content-type"], answer.content[:5]) == (
            200,
            "application/pdf",
            b"%PDF-",
        )
    app_context.settings.set("RENDER_BROWSER", "no-such-browser", "cmdline")
    refused = local.get("/reports/report.pdf?lang=en")
    assert refused.status_code == 503
    assert "no-such-browser" in refused.text


@pytest.mark.parametrize("ending", ["html", "md", "docx", "xlsx"])
def test_a_misspelt_topic_has_no_report_of_nothing(local: TestClient, tmp_path: Path, ending: str) -> None:
    answer = local.get(f"/reports/report.{ending}?topic=huosing")
    assert answer.status_code == 404
    assert "huosing" in answer.text
    assert send(local, "/reports/plan", **PLANNED, topic="huosing").status_code == 404
    assert not (tmp_path / "schedule.yaml").exists()


def test_a_name_of_a_file_has_no_path(local: TestClient, app_context: AppContext) -> None:
    app_context.store.upsert(
        COUNTS, [{"topic": "../../a b", "dimension": "all", "value": "", "day": "2026-11-01"}]
    ).result()
    disposition = local.get("/reports/report.html?topic=../../a b").headers["content-disposition"]
    assert "/" not in disposition
