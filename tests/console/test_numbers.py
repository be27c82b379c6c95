"""Every number that is a link is the number of rows of the list behind it."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest
from lxml import html
from starlette.testclient import TestClient

from analysis import running
from analysis.alerts.alert_rules import TermRule
from analysis.alerts.text_rules import term_look
from analysis.search import Searcher
from console.config import read_config
from console.frame.app_context import AppContext, make_app_context
from console.pages import PAGES as CONSOLE_PAGES
from pipelines.stores.analysis_tables import MEMBERS
from pipelines.stores.base import Condition
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES, RECORDS, URLS
from pipelines.waiting import waiting_rows
from tests.console.collecting import fill_collecting
from tests.console.conftest import all_parts, browser, settings_in
from tests.console.filling import NOW, address, at, fill, page, record
from tests.console.steering import fill_steering, settings_folder

LISTS = frozenset(
    (
        "/articles",
        "/urls",
        "/terms",
        "/sites",
        "/sites/watched",
        "/events",
        "/alerts",
        "/runs",
        "/titles",
        "/engines/queries",
        "/today",
    )
)
NUMBER = re.compile(r"(?<![\w.:/-])\d[\d,]*(?![a-z0-9.:/-])(?!\s?(?:小时|天|/))", re.A)
"""A count: no part of a name, a day or a span of time."""
KEYED = re.compile(r"/(articles|events|runs)/\w+$")
NAMES = ("一", "二", "三", "四", "五", "六", "七", "八")


@pytest.fixture(scope="module")
def app_context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppContext]:
    """What people steer and crawls noted; and pages, copies, posts, days without an hour, analysed as they come."""
    folder = tmp_path_factory.mktemp("numbers")
    settings = settings_in(folder, SETTINGS_DIR=settings_folder(folder))
    made = make_app_context(open_store(settings["STORE"]), settings, read_config(settings), lambda: NOW)
    for fill_store in (fill, fill_steering, fill_collecting):
        fill_store(made.store)
    told = [
        page(500 + n, f"news{n % 5}.example", title=f"成都地铁{name}号线基金获批", body=f"成都地铁{name}号线的基金获批，市民排队。" * 3,
             topic="metro", counted_at="", published_at=at(300 * n), published=at(300 * n))
        for n, name in enumerate(NAMES)
    ]  # fmt: skip
    days = [
        page(600 + n, "day.example", title=f"第{n}块土地拍卖与房地产", body="房地产基金。", topic="metro", published="2026-11-20",
             published_at="2026-11-19T16:00:00+00:00", published_precision="day", counted_at="")
        for n in range(4)
    ]  # fmt: skip
    made.store.write(
        [*((PAGES, row) for row in [*told, *days]), *waiting_rows([row["key"] for row in [*told, *days]])]
    ).result()
    made.store.upsert(RECORDS, [record(told[0]["key"], n, text=f"第{n}楼：买基金") for n in range(3)]).result()
    made.store.upsert(URLS, [address(row["url"]) for row in told]).result()
    running.run(made.store)
    yield made
    made.store.close()


@pytest.fixture(scope="module")
def client(app_context: AppContext) -> TestClient:
    return browser(app_context)


def numbered_links(text: str, base: str) -> Iterator[tuple[int, str]]:
    """Numbers that are links of the page's content, with their addresses."""
    (main,) = html.fromstring(text).xpath("//main")
    for link in main.xpath(".//a[@href][not(.//bdi)][not(@rel)]"):
        said = " ".join("".join(link.xpath(".//text()[not(ancestor::time)]")).split())
        if len(found := NUMBER.findall(said)) == 1:
            yield int(found[0].replace(",", "")), urljoin(base, link.get("href"))


def visited(client: TestClient) -> Iterator[tuple[str, str]]:
    """Pages of the console with their texts: all without a key, two of each kind with one, and one of each kind of numbered link."""
    waiting, kinds = [each.path for each in CONSOLE_PAGES if "{" not in each.path], Counter[str]()
    while waiting:
        path = urlsplit(waiting.pop(0))._replace(fragment="").geturl()
        kind = kind_of(path)
        answer = client.get(path) if kinds[kind] < 1 + ("KEY" in kind) else None
        if answer is None or answer.status_code != 200 or "text/html" not in answer.headers["content-type"]:
            continue
        kinds[kind] += 1
        yield path, answer.text
        links = html.fromstring(answer.text).xpath("//main//a/@href")
        waiting += [link for link in links if KEYED.match(link)]
        waiting += [link for _, link in numbered_links(answer.text, path)]


def kind_of(path: str) -> str:
    """The page and the filters of an address."""
    parts = urlsplit(path)
    return (
        KEYED.sub(r"/\1/KEY", parts.path)
        + "?"
        + " ".join(sorted(set(dict(parse_qsl(parts.query))) - {"sort", "after"}))
    )


def behind(client: TestClient, address: str) -> int | None:
    """The number of rows of a list; None if the address is of no list."""
    parts = urlsplit(address)
    asked, name = dict(parse_qsl(parts.query)), "records" if parts.fragment == "records" else "rows"
    count, after = 0, ""
    while True:
        answer = client.get(f"/api{parts.path}", params=asked | ({"after": after} if after else {}))
        data = answer.json() if answer.status_code == 200 else {}
        if (parts.path not in LISTS and name == "rows") or not isinstance(data.get(name), list):
            return None
        count, after = count + sum(map(size, data[name])), data.get("part", data)["after"]
        if not after:
            return count


def size(row: dict[str, Any]) -> int:
    """A row with the answers under it."""
    return 1 + sum(map(size, row.get("answers", ())))


def test_each_number_is_that_of_the_list_behind_it(client: TestClient) -> None:
    wrong, compared, known = [], 0, dict[str, int | None]()
    for path, text in visited(client):
        for number, address_ in numbered_links(text, path):
            if address_ not in known:
                known[address_] = behind(client, address_)
            if (count := known[address_]) is not None:
                compared += 1
                if count != number:
                    wrong.append((path, number, count, address_))
    assert wrong == []
    assert compared > 100, compared


@pytest.mark.parametrize(("word", "count"), [("基金", 12), ("房地产", 4), ("排队", 8)])
def test_trend_search_lists_and_the_index_agree_for_a_word(
    client: TestClient, app_context: AppContext, word: str, count: int
) -> None:
    (line,) = client.get("/api/trend", params={"of": word}).json()["lines"]
    rows, part = all_parts(client, "/api/articles", q=f'"{word}"', copies="1")
    assert line["total"] == sum(line["counts"]) == len(rows) == count
    rule = TermRule(kind="term", term=word, count=2, hours=24 * 14)
    (alert,) = term_look(
        app_context.store, rule, NOW - timedelta(days=14), NOW, Searcher(app_context.store)
    ).occurrences
    assert alert.facts["page_count"] == count
    pages = {match.page for match in Searcher(app_context.store).search(word)}
    assert len(pages) == part["hits"]["pages"] == count


@pytest.mark.parametrize(
    "filters",
    [{}, {"kind": "article"}, {"kind": "-article"}, {"relevance": "0.7"}, {"kind": "article", "relevance": "0.6"},
     {"topic": "metro", "relevance": "0.55"}, {"host": "-news0.example", "kind": "article"}],
)  # fmt: skip
@pytest.mark.parametrize("word", ["基金", "首付"])
def test_the_pages_of_a_search_are_those_that_every_filter_leaves(
    client: TestClient, word: str, filters: dict[str, str]
) -> None:
    rows, part = all_parts(client, "/api/articles", q=word, copies="1", **filters)
    assert part["hits"]["pages"] == len(rows)
    assert part["hits"]["is_whole"] is False


def test_too_many_hits_to_look_at_their_pages_say_so(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.pages.articles._MAX_FITTED", 3)
    hits = client.get("/api/articles", params={"q": "基金", "kind": "article"}).json()["hits"]
    assert (hits["pages"], hits["is_whole"]) == (None, True)
    assert "before the filters of kind and relevance" in client.get("/articles?q=基金&kind=article&lang=en").text


@pytest.mark.parametrize("zone", ["UTC", "Asia/Shanghai", "Asia/Kolkata", "America/New_York"])
@pytest.mark.parametrize("by", ["day", "week"])
def test_numbers_of_a_trend_are_those_of_its_links_in_any_zone(client: TestClient, by: str, zone: str) -> None:
    path = f"/trend?of=基金、topic:metro&by={by}&from=2026-11-21&to=2026-11-22&zone={zone}"
    links = [urljoin(path, each) for each in html.fromstring(client.get(path).text).xpath("//section//tbody//a/@href")]
    shown = [sum(filter(None, line["counts"])) for line in client.get(f"/api{path}").json()["lines"]]
    assert sum(behind(client, f"{each}&zone={zone}") or 0 for each in links) == sum(shown) > 10


def test_reports_and_posts_have_no_hour_where_only_the_day_is_known(
    client: TestClient, app_context: AppContext
) -> None:
    (member, *_) = app_context.store.select(MEMBERS, [Condition("site", "=", "day.example")], limit=1)
    assert '<time datetime="2026-11-20"' in client.get(f"/events/{member['event']}").text
    post = record(member["page"], 1, time="2026-11-20", time_at="2026-11-20T00:00:00+00:00", time_precision="day")
    app_context.store.upsert(RECORDS, [post]).result()
    (item,) = html.fromstring(client.get(f"/articles/{member['page']}").text).xpath("//li[@id='r-r1']//time/@datetime")
    assert item == "2026-11-20"
