"""The list of articles and the page of one."""

import io
import json
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pytest
from starlette.testclient import TestClient

from console.frame.app_context import AppContext
from extractors.links.urls import url_key
from pipelines.stores.analysis_tables import EVENTS, MEMBERS
from pipelines.stores.people_tables import AUDIT
from pipelines.stores.tables import PAGES, PROPAGATION, RECORDS
from tests.console.conftest import LogIn, MakeAppContext, all_parts, browser
from tests.console.filling import ATTACK, FORMULA, NOW, fill, hostile_page, page, record, told
from tests.console.happenings import event, fill_events, report

EVENT = page(5, "host2.example")["key"]


def titles(client: TestClient, query: str = "") -> list[str]:
    found = client.get(f"/api/articles{query}")
    assert found.status_code == 200, found.text
    return [row["title"] for row in found.json()["rows"]]


def test_the_newest_come_first_and_a_copy_has_no_row_of_its_own(local: TestClient) -> None:
    found = titles(local)
    assert found[:3] == [ATTACK, "首付比例下调 第1条", "首付比例下调 第3条"]
    assert "首付比例下调 第2条" in titles(local, "?copies=1")


def test_pages_of_the_list_join_without_gap_or_repetition(local: TestClient) -> None:
    for sort in ("new", "published"):
        seen = [row["key"] for row in all_parts(local, "/api/articles", sort=sort, copies="1")[0]]
        assert len(seen) == len(set(seen)) == 120


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("q=第7", 11),
        ("host=host1.example", 40),
        ("relevance=0.98", 4),
        ("q=第11条 首付", 1),
        ("kind=thread", 0),
        ("topic=tax", 0),
    ],
)
def test_filters_hold(local: TestClient, query: str, count: int) -> None:
    rows = local.get(f"/api/articles?copies=1&{query}").json()["rows"]
    assert len(rows) == min(count, 50)


def test_days_begin_at_the_readers_midnight(local: TestClient) -> None:
    in_china = titles(local, "?from=2026-11-22&zone=Asia/Shanghai&sort=published&copies=1")
    in_new_york = titles(local, "?from=2026-11-22&zone=America/New_York&sort=published&copies=1")
    assert (len(in_china), len(in_new_york)) == (17, 4)


@pytest.mark.parametrize(
    "query", ["kind=x", "relevance=nan", "from=2026-13-01", "after=%00", "after=WzFd", "sort=body"]
)
def test_a_wrong_filter_is_named_and_no_fault(local: TestClient, query: str) -> None:
    answer = local.get(f"/api/articles?{query}")
    assert answer.status_code == 400
    assert query.partition("=")[0] in answer.json()["error"]
    assert local.get(f"/articles?{query}").status_code == 400


def test_the_export_has_what_the_filters_let_through_and_no_formula(make: MakeAppContext) -> None:
    app_context = make()
    app_context.store.upsert(PAGES, [page(1, title=FORMULA), page(2, "other.example")]).result()
    client = browser(app_context)
    text = client.get("/articles.csv?host=news.example").content.decode("utf-8-sig")
    assert len(text.splitlines()) == 3
    assert "\"'=HYPERLINK" in text
    lines = client.get("/articles.jsonl").text.splitlines()
    assert sorted(json.loads(line)["title"] for line in lines) == sorted([FORMULA, "首付比例下调 第2条"])
    assert [row["action"] for row in app_context.store.select(AUDIT)] == ["exported", "exported"]


def test_a_workbook_has_the_same_rows_and_every_text_is_a_text(make: MakeAppContext) -> None:
    pytest.importorskip("xlsxwriter")
    app_context = make()
    rows = [
        page(1, title=FORMULA, body="x" * 40_000),
        page(2, title="\x00http://evil.example/"),
        page(3, "other.example"),
    ]
    app_context.store.upsert(PAGES, rows).result()
    answer = browser(app_context).get("/articles.xlsx?host=news.example")
    with ZipFile(io.BytesIO(answer.content)) as parts:
        sheet = parts.read("xl/worksheets/sheet1.xml").decode()
        assert sorted(name for name in parts.namelist() if "sheets/" in name) == ["xl/worksheets/sheet1.xml"]
        assert '<sheet name="文章"' in parts.read("xl/workbook.xml").decode()
    assert sheet.count("<row ") == 3
    assert ">标题<" in sheet
    assert ">title<" not in sheet
    assert ' s="2"><v>46348.' in sheet, "times are times, in the reader's zone"
    assert "=HYPERLINK(&quot;http" in sheet or '=HYPERLINK("http' in sheet
    assert "<f>" not in sheet
    assert "<hyperlink" not in sheet
    assert "x" * 32_767 in sheet
    assert answer.headers["content-disposition"].endswith('.xlsx"')


def test_an_empty_store_says_what_to_do(make: MakeAppContext) -> None:
    client = browser(make())
    assert "尚未采集网页" in client.get("/articles").text
    assert "No pages collected yet" in client.get("/articles?lang=en").text


def test_an_article_shows_text_terms_comments_and_its_story(local: TestClient, app_context: AppContext) -> None:
    key = page(5, "host2.example")["key"]
    html = local.get(f"/articles/{key}").text
    assert "<mark>首付</mark>比例" in html
    assert html.count('<li id="r-') == 100
    part = local.get(f"/api/articles/{key}").json()
    rest = local.get(f"/api/articles/{key}", params={"after": part["part"]["after"]}).json()
    assert part["records"][0]["answers"][0]["answers"]
    assert len(rest["records"])
    assert not rest["part"]["after"]
    assert {row["verdict"] for row in part["story"]["pages"]} == {"new", "repost"}


def test_a_copy_says_of_what_and_why(local: TestClient) -> None:
    html = local.get(f"/articles/{url_key('http://host2.example/2.html')}?lang=en").text
    assert "Why a copy" in html
    assert "0.950" in html


def test_why_says_what_the_command_says(local: TestClient) -> None:
    facts = local.get("/api/urls/why?url=http://host1.example/1.html").json()["facts"]
    assert facts["urls"]["state"] == "fetched"
    assert facts["host"]["robots"] == "obey"


def test_names_are_masked_and_who_looks_is_noted(app_context: AppContext, log_in: LogIn) -> None:
    key = page(5, "host2.example")["key"]
    analyst = log_in("analyst")
    assert "网友1" not in analyst.get(f"/articles/{key}").text
    assert "网友1" in analyst.get(f"/articles/{key}?names=1").text
    assert [row["by"] for row in app_context.store.select(AUDIT) if row["action"] == "saw_names"] == ["a-analyst"]


def test_the_author_of_a_thread_is_a_person(app_context: AppContext, log_in: LogIn) -> None:
    thread = {"key": "t1", "url": "http://forum.example/1", "host": "forum.example", "kind": "thread", "title": "帖"}
    app_context.store.upsert(
        PAGES, [thread | {"author": "张三丰", "body": "x", "fetched_at": NOW.isoformat()}]
    ).result()
    viewer, analyst = log_in("viewer"), log_in("analyst")
    for path in (
        "/articles?host=forum.example",
        "/api/articles/t1",
        "/articles/t1",
        "/articles.csv?host=forum.example",
    ):
        assert "张三丰" not in viewer.get(path).text, path
    assert "张三丰" not in analyst.get("/articles/t1").text
    assert "张三丰" in analyst.get("/articles/t1?names=1").text
    assert "张三丰" in analyst.get("/articles.csv?host=forum.example").text
    noted = [(row["action"], row["by"]) for row in app_context.store.select(AUDIT) if row["by"] == "a-analyst"]
    assert {("saw_names", "a-analyst"), ("exported", "a-analyst")} <= set(noted)


def test_the_page_as_fetched_names_people_so_it_is_for_analysts_and_noted(
    app_context: AppContext, log_in: LogIn
) -> None:
    key = hostile_page()["key"]
    viewer, analyst = log_in("viewer"), log_in("analyst")
    for name in ("page", "source"):
        assert viewer.get(f"/articles/{key}/{name}").status_code == 403
        assert analyst.get(f"/articles/{key}/{name}").status_code == 200
    assert f"/articles/{key}/page" not in viewer.get(f"/articles/{key}").text
    assert [row["by"] for row in app_context.store.select(AUDIT) if row["action"] == "saw_names"] == ["a-analyst"] * 2


def test_a_page_is_dated_no_more_exactly_than_it_is_known(make: MakeAppContext) -> None:
    app_context = make()
    known = (("2026-11-20", "day", "head"), ("2026-11-21T09+08:00", "hour", "seen"), ("", "", ""))
    rows = [
        page(
            n,
            published=text,
            published_precision=precision,
            published_by=evidence,
            published_at=NOW.isoformat() if text else "",
        )
        for n, (text, precision, evidence) in enumerate(known)
    ]
    app_context.store.upsert(PAGES, rows).result()
    client = browser(app_context)
    day, hour, none = (client.get(f"/articles/{row['key']}?lang=en").text for row in rows)
    assert '<time datetime="2026-11-20">2026-11-20</time> · shown near the title' in day
    assert "2026-11-21 09 h +0800</time> · first shown by a watched source" in hour
    assert 'Published</dt><dd><span class="dim">not found' in none
    assert "20 Nov 2026</time>" in client.get("/articles?lang=en").text


def test_a_thread_shows_each_post_once(app_context: AppContext, log_in: LogIn) -> None:
    thread = {"key": "t1", "url": "http://forum.example/1", "host": "forum.example", "kind": "thread", "title": "帖"}
    posts = [record("t1", number) | {"text": f"第{number}楼的话"} for number in range(3)]
    body = "\n".join(post["text"] for post in posts)
    app_context.store.upsert(PAGES, [thread | {"body": body, "fetched_at": NOW.isoformat()}]).result()
    viewer = log_in("viewer")
    assert viewer.get("/articles/t1").text.count("第1楼的话") == 1
    app_context.store.upsert(RECORDS, posts).result()
    assert viewer.get("/articles/t1").text.count("第1楼的话") == 1


def test_masks_of_names_need_the_secret_of_the_store(make: MakeAppContext, tmp_path: Path) -> None:
    here, again = make(), make()
    elsewhere = make(STORE=f"sqlite:///{tmp_path}/other.db")
    assert here.names.of("网友1") == again.names.of("网友1") != elsewhere.names.of("网友1")
    assert here.names.of("网友1") != sha256("网友1".encode()).hexdigest()[:4]


def test_viewers_never_see_names(app_context: AppContext, log_in: LogIn) -> None:
    key = page(5, "host2.example")["key"]
    assert "网友1" not in log_in("viewer").get(f"/api/articles/{key}?names=1").text


def test_the_page_as_fetched_loads_nothing_and_runs_nothing(local: TestClient) -> None:
    key = hostile_page()["key"]
    answer = local.get(f"/articles/{key}/page")
    assert "原文" in answer.text
    assert "evil.example" not in answer.text
    assert "ran=1" not in answer.text
    assert answer.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    download = local.get(f"/articles/{key}/source")
    assert download.headers["content-type"] == "application/octet-stream"
    assert download.headers["content-disposition"].startswith("attachment")


def test_what_is_not_there_is_404(local: TestClient) -> None:
    for path in ("/articles/none", "/api/articles/none", "/articles/none/page", "/nowhere"):
        assert local.get(path).status_code == 404, path


def test_hostile_text_is_text(local: TestClient) -> None:
    for path in ("/articles", f"/articles/{hostile_page()['key']}", f"/articles/{page(3, 'host0.example')['key']}"):
        html = local.get(path).text
        assert "<img" not in html, path
        assert "<script>window" not in html
        assert 'href="javascript:' not in html
        assert "49" not in html.partition("{{7*7}}")[0][-5:]


@pytest.mark.parametrize("size", [3, 60])
def test_of_an_event_the_latest_page_that_is_let_through_has_a_row(make: MakeAppContext, size: int) -> None:
    store = (app_context := make()).store
    pages = [page(number, title="x" if number < 3 else "首付") for number in range(size)]
    store.upsert(PAGES, pages).result()
    store.upsert(PROPAGATION, [told(pages[3 % size], "repost" if size > 3 else "new")]).result()
    store.upsert(EVENTS, [event("e", 0, pages=size)]).result()
    store.upsert(MEMBERS, [report(row, "e", number) for number, row in enumerate(pages)]).result()
    client = browser(app_context)
    assert titles(client) == ["x"]
    assert [row["key"] for row in client.get("/api/articles?q=首付").json()["rows"]] == [
        row["key"] for row in pages[4:5]
    ]
    assert len(client.get("/api/articles?event=e").json()["rows"]) == min(size, 50)
    assert len(titles(client, "?copies=1")) == min(size, 50)


def test_comments_are_counted_up_to_a_thousand(make: MakeAppContext) -> None:
    store = (app_context := make()).store
    numbers = {1: 1_200, 2: 4_000, 3: 7, 4: 0}
    pages = {number: page(number) for number in numbers}
    store.upsert(PAGES, list(pages.values())).result()
    rows = [record(pages[number]["key"], each) for number, most in numbers.items() for each in range(most)]
    store.upsert(RECORDS, rows).result()
    shown = {row["key"]: row["comments"] for row in browser(app_context).get("/api/articles").json()["rows"]}
    assert shown == {pages[number]["key"]: min(most, 1_000) for number, most in numbers.items()}


def test_both_stores_answer_alike(make: MakeAppContext, mongo_uri: str) -> None:
    answers = []
    for given in ({}, {"STORE": mongo_uri}):
        app_context = make(**given)
        fill(app_context.store)
        fill_events(app_context.store)
        client = browser(app_context)
        answers.append([client.get(path).json() for path in ("/api/articles", "/api/articles?event=" + EVENT)])
        part = client.get("/api/articles?sort=published&q=条").json()
        answers.append([part, client.get("/api/articles", params={"sort": "published", "after": part["after"]}).json()])
        assert client.get("/articles").status_code == 200
    assert answers[:2] == answers[2:]
    assert len(answers[0][1]["rows"]) == 3
