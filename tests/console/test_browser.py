"""Every page in a real browser, on a store of hostile content: nothing runs, nothing is loaded, nothing is wider than the screen."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Literal
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from scrapy.settings import Settings

from console.config import read_config
from console.frame import live
from console.frame.app_context import make_app_context
from console.pages import PAGES
from console.pages.events import SPLIT_PREVIEW
from crawler.checks.address import facts_of
from crawler.rendering.options import NoBrowserError, find_browser
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import RUNS, URLS
from testbed.console_server import served
from tests.console.alerting import fill_alerts
from tests.console.asking import Question, note_questions, unanswered
from tests.console.collecting import fill_collecting
from tests.console.conftest import settings_in
from tests.console.filling import NOW, at, fill, hostile_page, page
from tests.console.filling import address as filled_address
from tests.console.happenings import fill_events
from tests.console.steering import fill_steering

EVIL = hostile_page()["key"]
GOOD, COPY = page(5, "host2.example")["key"], page(2, "host2.example")["key"]
PATHS = [
    *(each.path.replace("{key}", EVIL) for each in PAGES if each is not SPLIT_PREVIEW),
    *(
        f"/articles/{GOOD}",
        f"/events/{GOOD}",
        f"/events/{GOOD}/halves?pages={COPY}",
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
OTHER_ORDERS = (
    *("/articles?sort=published", "/articles?host=host0.example", "/articles?host=host0.example&sort=published"),
    *(
        "/events?sort=sites",
        "/events?sort=growth&topic=housing",
        "/events?topic=t",
        "/decisions?by=anna",
        "/audit?by=anna",
    ),
    *("/alerts?rule=quake", "/alerts?state=open", "/sites?state=let_in", "/sites/watched?state=new", "/runs?show=all"),
    "/urls?host=evil.example&state=fetched",
)
FORMS: Mapping[str, tuple[tuple[int, Literal["light", "dark"]], ...]] = {
    "zh-CN": ((1280, "light"), (390, "dark")),
    "en-US": ((1280, "dark"), (390, "light")),
}
STOPS = """
const stops = [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")]
  .filter(each => each.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true}) && !each.disabled && each.tabIndex >= 0);
const shows = (one) => {  // of a date, a browser marks the part
  const style = getComputedStyle(one);
  return one.type === "date" || style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0 || style.boxShadow !== "none";
};
const named = (one) => one.outerHTML.slice(0, 120);
"""
"""What a keyboard is to reach, and whether it shows that it has the focus."""
FOCUSING = f"""() => {{ {STOPS}
  const wrong = document.activeElement.matches("a.skip") ? [] : [`the first stop is ${{named(document.activeElement)}}`];
  for (const each of document.querySelectorAll("[tabindex]")) if (each.tabIndex > 0) wrong.push(`out of order: ${{named(each)}}`);
  for (const each of stops) {{
    each.focus();
    if (document.activeElement !== each) wrong.push(`without focus: ${{named(each)}}`);
    else if (!shows(each)) wrong.push(`hides the focus: ${{named(each)}}`);
  }}
  return wrong;
}}"""
"""With the focus where the first Tab leads: what is wrong. The last stop has the focus afterwards."""
FOLLOWING = f"""() => {{ {STOPS}
  window.reached = new Set();
  window.hidden = [];
  addEventListener("focusin", () => {{
    window.reached.add(stops.indexOf(document.activeElement));
    if (!shows(document.activeElement)) window.hidden.push(named(document.activeElement));
  }});
  return stops.length;
}}"""
"""From now on it is noted where the focus goes."""
LIGHT_GROUND = "rgb(255, 255, 255)"


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return settings_in(tmp_path_factory.mktemp("console"))


@pytest.fixture(scope="module")
def store(settings: Settings) -> Iterator[Store]:
    with closing(open_store(settings["STORE"])) as store:
        fill_all(store)
        yield store


def fill_all(store: Store) -> None:
    for each in (fill, fill_steering, fill_collecting, fill_events, fill_alerts):
        each(store)


@pytest.fixture(scope="module")
def asked() -> set[Question]:
    """What pages have asked of the store in the tests before."""
    return set()


@pytest.fixture(scope="module")
def address(settings: Settings, store: Store, asked: set[Question]) -> Iterator[str]:
    app_context = make_app_context(store, settings, read_config(settings), lambda: NOW)
    with pytest.MonkeyPatch.context() as patch, served(app_context) as where:
        note_questions(store, patch, asked)
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


def faults(
    chromium: Browser, address: str, language: str, has_keyboard: bool = False, paths: Sequence[str] = PATHS
) -> list[str]:
    """What is wrong with these pages, each looked at wide and narrow; both languages together show it light and dark in each width."""
    wrong: list[str] = []
    context = chromium.new_context(locale=language)
    opened = watched(context, address, wrong)
    for path in paths:
        opened.goto(address + path)
        if opened.locator("html").get_attribute("lang") != language.split("-US")[0]:
            wrong.append(f"{path}: in another language")
        for width, scheme in FORMS[language]:
            opened.set_viewport_size({"width": width, "height": 800})
            opened.emulate_media(color_scheme=scheme)
            ran, needed, ground = opened.evaluate(
                "[window.ran, document.documentElement.scrollWidth, getComputedStyle(document.documentElement).backgroundColor]"
            )
            wrong += [f"{path}: a script of the content has run"] if ran else []
            wrong += [f"{path}: {needed} px wide at {width}"] if needed > width else []
            wrong += [f"{path}: {ground} in the {scheme}"] if (ground == LIGHT_GROUND) != (scheme == "light") else []
            wrong += [f"{path}: {each}" for each in keyboard_faults(opened)] if has_keyboard and width > 1000 else []
    context.close()
    return wrong


@pytest.mark.parametrize("language", ["zh-CN", "en-US"])
def test_hostile_content_runs_nothing_loads_nothing_and_fits(chromium: Browser, address: str, language: str) -> None:
    assert faults(chromium, address, language, has_keyboard=language == "en-US") == []


def test_hostile_content_from_a_mongodb_is_as_harmless(
    chromium: Browser, settings: Settings, mongo_uri: str, tmp_path: Path
) -> None:
    both = settings_in(tmp_path, STORE=mongo_uri)
    with closing(open_store(mongo_uri)) as store:
        fill_all(store)
        with served(make_app_context(store, both, read_config(both), lambda: NOW)) as address:
            assert faults(chromium, address, "zh-CN", paths=PATHS[::3]) == []


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


def test_the_tabulator_reaches_everything_and_shows_where_it_is(chromium: Browser, address: str) -> None:
    """By its key, where there is most; `keyboard_faults` looks at the other pages."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    opened = context.new_page()
    for path in ("/today", "/articles", f"/events/{GOOD}", "/terms"):
        opened.goto(address + path)
        wanted = opened.evaluate(FOLLOWING)
        for _ in range(wanted + 10):  # a date has three parts
            opened.keyboard.press("Tab")
        assert opened.evaluate("window.hidden") == [], path
        assert set(opened.evaluate("[...window.reached]")) >= set(range(wanted)), path
    context.close()


def keyboard_faults(opened: Page) -> list[str]:
    """Of the page: the first Tab does not lead to the link over the list of pages, something cannot have the focus or does not show
    that it has it, or the focus cannot leave the last stop."""
    opened.keyboard.press("Tab")
    wrong: list[str] = opened.evaluate(FOCUSING)
    opened.evaluate("window.last = document.activeElement")
    opened.keyboard.press("Tab")
    return wrong + (["the last stop is a trap"] if opened.evaluate("window.last === document.activeElement") else [])


def test_on_paper_there_is_content_and_no_navigation(chromium: Browser, address: str) -> None:
    context = chromium.new_context(color_scheme="dark", viewport={"width": 1280, "height": 800})
    opened = context.new_page()
    for path in ("/today", "/articles", f"/articles/{GOOD}", f"/events/{GOOD}"):
        opened.goto(address + path)
        assert opened.locator("nav a").first.is_visible()
        opened.emulate_media(media="print")
        assert opened.locator("nav a:visible, button:visible, form.filters:visible").count() == 0, path
        assert opened.locator("main h1").is_visible()
        ground = opened.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        assert ground == LIGHT_GROUND, path
        opened.emulate_media(media="screen")
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


def test_an_index_answers_each_question_in_its_order(
    chromium: Browser, address: str, asked: set[Question], store: Store, settings: Settings
) -> None:
    if not asked:  # this test runs alone
        faults(chromium, address, "zh-CN")
    for path in OTHER_ORDERS:
        urlopen(address + path).close()
    moved = filled_address("http://moved.example/1")
    store.upsert(URLS, [moved]).result()
    assert "urls" in facts_of(settings, moved["url"], store), "an address whose page is stored under another one"
    assert {("pages", "canonical"), ("results", "key")} <= {(each.table, name) for each in asked for name in each.equal}
    assert list(unanswered(asked)) == []


def test_the_label_of_a_time_takes_no_click_from_the_link_below_it(chromium: Browser, address: str) -> None:
    context = chromium.new_context(locale="en-US")
    opened = context.new_page()
    opened.goto(f"{address}/runs?show=all")
    opened.locator("main tbody tr a").first.focus()
    label = "getComputedStyle(document.querySelector('tr:focus-within time[title]'), '::after')"
    assert opened.evaluate(f"[{label}.position, {label}.pointerEvents]") == ["absolute", "none"]
    context.close()
