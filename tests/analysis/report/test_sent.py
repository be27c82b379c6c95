"""Reports as files and messages: in a real browser, as a workbook, by e-mail on schedule."""

import io
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from lxml import etree

from analysis.report import Report, collect, report_excel, report_html, report_markdown
from analysis.report.model import Prose
from crawler.rendering.options import NoBrowserError, find_browser
from crawler.scheduling.job_plan import read_plan
from crawler.scheduling.runner import Runner, last_outcome
from crawler.scheduling.scrapyd import Nodes
from pipelines.stores.opening import open_store
from tests.analysis.delivery.receivers import mail_server
from tests.analysis.report.test_report import HOSTILE, SINCE, UNTIL, page, put


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"sqlite:///{tmp_path_factory.mktemp('report')}/a.db"


@pytest.fixture(scope="module")
def hostile(address: str) -> Iterator[Report]:
    with closing(open_store(address)) as store:
        pages = [page(number, title=f"{HOSTILE} {number}", body=HOSTILE * 9) for number in range(20)]
        put(store, *pages, page(30, title="=cmd|' /C calc'!A0", url="javascript:alert(1)"))
        yield collect(store, "quake", SINCE, UNTIL)


def test_a_browser_shows_it_without_errors_or_requests(hostile: Report, tmp_path: Path) -> None:
    from playwright.sync_api import sync_playwright

    try:
        browser_path = find_browser("")
    except NoBrowserError as error:
        pytest.skip(str(error))
    path = tmp_path / "report.html"
    path.write_text(report_html(hostile), encoding="utf-8")
    said: list[str] = []
    asked: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path or None, args=["--no-sandbox"])
        for width in (1280, 390):
            view = browser.new_page(viewport={"width": width, "height": 800})
            view.on("console", lambda message: said.append(message.text))
            view.on("pageerror", lambda error: said.append(str(error)))
            view.on("dialog", lambda dialog: said.append("a dialog"))
            view.on("request", lambda request: asked.append(request.url))
            view.goto(path.as_uri())
            assert view.evaluate("document.documentElement.scrollWidth") <= width
        assert view.locator("#p1").count() == 1
        view.emulate_media(media="print")
        assert len(view.pdf()) > 10_000
        browser.close()
    assert said == []
    assert set(asked) == {path.as_uri()}


def test_what_a_machine_wrote_is_marked_and_cannot_become_markup(hostile: Report) -> None:
    found = replace(hostile, prose=Prose(((HOSTILE, (1, 2)),), 3, HOSTILE))
    text = report_html(found)
    assert "Written by a machine" in text
    assert '<a href="#p2">[2]</a>' in text
    assert "<script" not in text
    assert "In short" in report_markdown(found)
    assert "In short" not in report_html(replace(found, prose=Prose((), 3, "")))


def test_a_workbook_has_every_part_and_no_formula(hostile: Report) -> None:
    pytest.importorskip("xlsxwriter")
    with zipfile.ZipFile(io.BytesIO(report_excel(hostile))) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    sheets = {each.get("name") for each in etree.fromstring(parts["xl/workbook.xml"]).iter("{*}sheet")}
    assert sheets == {"Overview", "Events", "Hours", "Sites", "Words", "Mood", "Complaints", "Quotes", "Pages"}
    for name, content in parts.items():
        if name.startswith("xl/worksheets/sheet"):
            assert not list(etree.fromstring(content).iter("{*}f"))
    texts = etree.fromstring(parts["xl/sharedStrings.xml"])
    assert any((each.text or "").startswith("=cmd|") for each in texts.iter("{*}t"))
    assert b"javascript:" not in b"".join(content for name, content in parts.items() if name.endswith(".rels"))


def test_the_scheduler_sends_it_by_mail(
    hostile: Report, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOPICRAWL_LANG", "zh")  # what is stored is English nevertheless
    with mail_server() as server:
        mail = {
            "kind": "email",
            "host": "127.0.0.1",
            "port": server.port,
            "security": "none",
            "sender": "a@b.example",
            "to": ["c@d.example"],
        }
        (tmp_path / "alerts.yaml").write_text(yaml.safe_dump({"channels": {"boss": mail}}), encoding="utf-8")
        settings: dict[str, Any] = {
            "STORE": address,
            "TOPICRAWL_SETTINGS_DIR": str(tmp_path),
            "ALLOW_PRIVATE_ADDRESSES": True,
        }
        morning = {"topic": "quake", "since": "8w", "cron": "0 8 * * *", "send": ["boss"], "settings": settings}
        news = {"spider": "site", "cron": "0 3 * * *"}
        plan = tmp_path / "schedule.yaml"
        values = {"nodes": ["http://127.0.0.1:1"], "jobs": {"news": news}, "reports": {"morning": morning}}
        plan.write_text(yaml.safe_dump(values), encoding="utf-8")
        found, state, said = read_plan(plan), tmp_path / "state.json", list[str]()
        assert Runner(found, Nodes(found.nodes), state, said.append).fire("morning"), said
        assert last_outcome(state, "morning") == "report: 1 messages sent"
        (sent,) = server.mails
    (file,) = sent.iter_attachments()
    assert file.get_content_type() == "text/html"
    assert file.get_filename().startswith("quake-")
    assert "Report: quake" in sent["Subject"]
    assert "<script>" not in file.get_content()
