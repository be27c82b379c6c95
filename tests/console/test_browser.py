"""Every page in a real browser, on a store of hostile content: nothing runs, nothing is loaded, nothing is wider than the screen."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from scrapy.settings import Settings

from console.config import read_config
from console.frame import live
from console.frame.desk import make_desk
from console.pages import PAGES
from crawler.rendering.options import NoBrowserError, find_browser
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import RUNS
from tests.console.alerting import fill_alerts
from tests.console.collecting import fill_collecting
from tests.console.conftest import settings_in
from tests.console.filling import NOW, at, fill, hostile_page, page
from tests.console.happenings import fill_events
from tests.console.serving import served
from tests.console.steering import fill_steering

EVIL = hostile_page()["key"]
PATHS = [
    *(each.path.replace("{key}", EVIL) for each in PAGES if "{" not in each.path.replace("{key}", "")),
    *(
        f"/articles/{page(5, 'host2.example')['key']}",
        f"/events/{page(5, 'host2.example')['key']}",
        "/titles?show=stories",
        "/alerts?key=20261102T000000-z",
        "/alerts?preview=quake",
        "/urls?host=evil.example",
        "/urls?state=fetched",
        "/runs?show=failed",
        "/runs/run013",
    ),
    "/nowhere",
]


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return settings_in(tmp_path_factory.mktemp("console"))


@pytest.fixture(scope="module")
def store(settings: Settings) -> Iterator[Store]:
    store = open_store(settings["STORE"])
    fill(store)
    fill_steering(store)
    fill_collecting(store)
    fill_events(store)
    fill_alerts(store)
    yield store
    store.close()


@pytest.fixture(scope="module")
def address(settings: Settings, store: Store) -> Iterator[str]:
    desk = make_desk(store, settings, read_config(settings), lambda: NOW)
    with pytest.MonkeyPatch.context() as patch, served(desk) as where:
        patch.setattr(live, "LOOK_SECONDS", 0.2)
        yield where


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    try:
        path = find_browser("")
    except NoBrowserError as error:
        pytest.skip(str(error))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path or None, args=["--no-sandbox"])
        yield browser
        browser.close()


def watched(context: BrowserContext, address: str, wrong: list[str]) -> Page:
    """A page of a browser that notes every fault, every report of the policy, and every request that leads elsewhere."""
    opened = context.new_page()
    opened.on("console", lambda said: None if "404" in said.text else wrong.append(f"console: {said.text}"))
    opened.on("pageerror", lambda error: wrong.append(f"error: {error}"))
    opened.on("request", lambda asked: None if asked.url.startswith(address) else wrong.append(f"request: {asked.url}"))
    return opened


@pytest.mark.parametrize(("language", "scheme", "width"), [("zh-CN", "light", 1280), ("en-US", "dark", 390)])
def test_hostile_content_runs_nothing_loads_nothing_and_fits(
    chromium: Browser, address: str, language: str, scheme: Any, width: int
) -> None:
    wrong: list[str] = []
    context = chromium.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme, locale=language)
    opened = watched(context, address, wrong)
    for path in PATHS:
        opened.goto(address + path)
        if opened.evaluate("window.ran"):
            wrong.append(f"{path}: a script of the content has run")
        if (needed := opened.evaluate("document.documentElement.scrollWidth")) > width:
            wrong.append(f"{path}: {needed} px wide")
        if opened.locator("html").get_attribute("lang") != language.split("-US")[0]:
            wrong.append(f"{path}: in another language")
    context.close()
    assert wrong == []


def test_the_page_as_fetched_is_inert(chromium: Browser, address: str) -> None:
    wrong: list[str] = []
    context = chromium.new_context()
    opened = watched(context, address, wrong)
    opened.goto(f"{address}/articles/{EVIL}/page")
    opened.wait_for_timeout(200)
    assert "原文" in opened.content()
    assert opened.url.endswith("/page")
    context.close()
    assert wrong == []


def test_the_next_part_of_a_list_replaces_it_with_and_without_script(chromium: Browser, address: str) -> None:
    shown = []
    for has_script in (True, False):
        wrong: list[str] = []
        context = chromium.new_context(java_script_enabled=has_script)
        opened = watched(context, address, wrong)
        opened.goto(f"{address}/articles")
        opened.click("a[rel=next]")
        opened.wait_for_url("**after=*")
        opened.locator("#list tbody tr").nth(5).wait_for()
        shown.append(opened.locator("#list tbody tr td.t").all_inner_texts())
        context.close()
        assert wrong == []
    assert shown[0] == shown[1]
    assert "首付比例下调 第1条" not in shown[0]


def test_a_decision_and_its_undo_by_keyboard_alone(chromium: Browser, address: str) -> None:
    context = chromium.new_context(locale="en-US")
    opened = context.new_page()
    opened.goto(f"{address}/urls?host=host0.example")
    opened.locator("button.risk").focus()
    opened.keyboard.press("Enter")
    opened.locator(".note.done").wait_for()
    assert "host0.example is excluded" in opened.locator(".note.done").inner_text()
    opened.locator(".note.done button").focus()
    opened.keyboard.press("Enter")
    opened.wait_for_url("**/urls?done=*")
    assert "Undone" in opened.locator(".note.done").inner_text()
    context.close()


def test_numbers_of_runs_change_while_one_looks(chromium: Browser, address: str, store: Store) -> None:
    wrong: list[str] = []
    context = chromium.new_context()
    opened = watched(context, address, wrong)
    opened.goto(f"{address}/runs")
    row = opened.locator("tr[data-run=run010]")
    assert row.locator("[data-live-number=pages]").inner_text() == "75"
    store.upsert(RUNS, [{"key": "run010", "pages": 1_234}]).result()
    row.locator("[data-live-number=pages]", has_text="1,234").wait_for()
    store.upsert(RUNS, [{"key": "run010", "finished": at(0), "exit_code": 0, "state": "done"}]).result()
    opened.locator("tr[data-run=run010][data-state=done]").wait_for()
    context.close()
    assert wrong == []
