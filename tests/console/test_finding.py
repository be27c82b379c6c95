"""Full-text search: what the index finds in pages and in posts, a page and an event once."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from analysis import running
from console.config import read_config
from console.frame.app_context import AppContext, make_app_context
from console.frame.paging import pack_cursor
from pipelines.stores.analysis_tables import ANALYSIS_QUEUE, EVENTS
from pipelines.stores.base import Condition
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES, PROPAGATION, RECORDS
from tests.console.conftest import MakeAppContext, all_parts, browser, settings_in
from tests.console.filling import ATTACK, NOW, page, record

WORDS = "地铁三号线今天开通试运行"


@pytest.fixture(scope="module")
def app_context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppContext]:
    """Three reports of one happening, a page that only a comment makes a hit, sixty others; analysed."""
    settings = settings_in(tmp_path_factory.mktemp("finding"))
    made = make_app_context(open_store(settings["STORE"]), settings, read_config(settings), lambda: NOW)
    told = [
        page(n, f"h{n}.example", title=f"成都{WORDS}", body=f"成都{WORDS}，市民排队。", topic="metro")
        for n in (1, 2, 3)
    ]
    other = page(4, "h4.example", title="长江水位上涨", body="汛期到了。", topic="river")
    attacked = page(5, "h5.example", title=ATTACK, body=f"{ATTACK} 暴雨", topic="rain")
    many = [page(100 + n, "many.example", title=f"第{n}块土地拍卖", body=f"底价{n}万元成交。") for n in range(60)]
    made.store.upsert(PAGES, [*told, other, attacked, *many]).result()
    made.store.upsert(RECORDS, [record(other["key"], n, text=f"{ATTACK}排队坐地铁") for n in (1, 2)]).result()
    running.run(made.store)
    yield made
    made.store.close()


def rows(client: TestClient, **query: str) -> list[dict[str, object]]:
    answer = client.get("/api/articles", params=query)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, object]] = answer.json()["rows"]
    return found


def test_an_event_has_one_row_and_all_its_pages_if_asked_for(local: TestClient, app_context: AppContext) -> None:
    assert [row["pages"] for row in app_context.store.select(EVENTS) if row["topic"] == "metro"] == [3]
    (row,) = rows(local, q="市民排队")
    assert (row["event"]["pages"], row["event"]["site_count"]) == (3, 3)  # type: ignore[index]
    assert "+2 pages" in local.get("/articles?q=市民排队&lang=en").text
    assert len(rows(local, q="市民排队", copies="1")) == 3
    assert [each["host"] for each in rows(local, topic="metro")] == ["h1.example"], "the latest stands for it"
    assert [each["host"] for each in rows(local, topic="metro", host="h3.example")] == ["h3.example"]


def test_a_search_without_hits_says_why(local: TestClient) -> None:
    zero = local.get("/api/articles", params={"q": "地铁 水位 -暴雨", "host": "h1.example"}).json()["zero"]
    assert {part["text"]: part["count"] > 0 for part in zero["alone"]} == {'"地铁"': True, '"水位"': True}
    assert zero["without"] == [], "without the host there is nothing either"
    zero = local.get("/api/articles", params={"q": "水位", "host": "h1.example"}).json()["zero"]
    assert zero["without"] == [{"text": 'host:"h1.example"', "count": 1}]
    zero = local.get("/api/articles", params={"q": "长江水位下降"}).json()["zero"]
    assert "长江" in [part["text"] for part in zero["alone"] + zero["near"]] or zero["alone"]
    html = local.get("/articles?q=水位&host=h1.example&lang=en").text
    assert "Without this condition:" in html
    assert local.get("/api/articles?q=地铁").json()["zero"] is None


@pytest.mark.parametrize("word", ["9" * 2_000, "水" * 2_000, "x" * 1_999])
def test_the_longest_query_says_that_it_finds_nothing(local: TestClient, word: str) -> None:
    for path in ("/articles", "/api/articles"):
        assert local.get(path, params={"q": word}).status_code == 200


def test_an_event_is_found_though_its_best_hit_is_a_copy(local: TestClient, app_context: AppContext) -> None:
    keys = {row["host"]: row["key"] for row in rows(local, q="市民排队", copies="1")}
    (best,) = rows(local, q="市民排队")
    before = list(app_context.store.select(PROPAGATION))
    copies = [{"page": page, "verdict": "repost", "matched": "elsewhere"} for page in keys.values()]
    app_context.store.upsert(PROPAGATION, [each for each in copies if each["page"] == best["key"]]).result()
    (row,) = rows(local, q="市民排队")
    assert row["key"] != best["key"]
    app_context.store.upsert(PROPAGATION, copies).result()
    assert len(rows(local, q="市民排队")) == 1, "all its hits are copies of a page without the words"
    app_context.store.remove(PROPAGATION, [Condition("page", "in", list(keys.values()))]).result()
    app_context.store.upsert(PROPAGATION, before).result()


def test_filters_exclude_with_and_without_words(local: TestClient) -> None:
    hosts = {each["host"] for each in rows(local, q="排队", copies="1")}
    assert {each["host"] for each in rows(local, q="排队", host="-h1.example", copies="1")} == hosts - {"h1.example"}
    assert {each["host"] for each in rows(local, q="排队 -site:h2.example", copies="1")} == hosts - {"h2.example"}
    assert {each["host"] for each in rows(local, q="排队", topic="-metro", copies="1")} == {"h4.example"}
    assert {each["host"] for each in rows(local, host="-many.example", topic="-metro")} == {"h4.example", "h5.example"}
    assert rows(local, kind="-article", copies="1") == []
    assert rows(local, language="-zh", copies="1") == []
    page = local.get("/articles?host=-h1.example&lang=en").text
    assert "not h1.example" in page
    assert '<option value="-list">' in page


def test_posts_are_found_with_their_page_and_marked(local: TestClient) -> None:
    found = {row["host"]: row for row in rows(local, q="排队 地铁", copies="1")}
    assert set(found) == {"h1.example", "h2.example", "h3.example", "h4.example"}
    thread = found["h4.example"]
    assert (thread["posts"], thread["title"]) == (2, "长江水位上涨")
    assert ["排队", True] in thread["passage"]  # type: ignore[operator]
    assert f"#r-{thread['record']}" in local.get("/articles?q=排队 地铁&lang=en").text
    assert "<mark>排队</mark>" in local.get("/articles?q=排队 地铁").text


@pytest.mark.parametrize(
    ("query", "hosts"),
    [({"q": 'title:"地铁"', "host": "h2.example"}, ["h2.example"]), ({"q": "水位 OR 暴雨", "topic": "river"}, ["h4.example"]),
     ({"q": "水位", "from": "2026-11-23"}, []), ({"q": "水位", "kind": "thread"}, []), ({"q": "暴雨"}, ["h5.example"])],
)  # fmt: skip
def test_filters_hold_in_a_search(local: TestClient, query: dict[str, str], hosts: list[str]) -> None:
    assert [row["host"] for row in rows(local, **query)] == hosts


@pytest.mark.parametrize("sort", ["best", "published", "new"])
def test_parts_of_a_search_join(local: TestClient, sort: str) -> None:
    found, part = all_parts(local, "/api/articles", q="成交", sort=sort, copies="1")
    seen = [row["key"] for row in found]
    assert len(seen) == len(set(seen)) == part["hits"]["count"] == 60
    assert len(local.get(f"/articles.csv?q=成交&copies=1&sort={sort}").text.splitlines()) == 61


def test_a_query_that_cannot_be_understood_says_why(local: TestClient) -> None:
    answer = local.get("/api/articles", params={"q": "地铁 OR"})
    assert answer.status_code == 400
    assert "OR" in answer.json()["error"]


@pytest.mark.parametrize("values", [("a", "b", ""), (float("inf"), "a", ""), (1, 2)])
def test_an_end_of_no_search_says_why(local: TestClient, values: tuple[object, ...]) -> None:
    answer = local.get("/api/articles", params={"q": "成交", "after": pack_cursor(values)})
    assert (answer.status_code, "after" in answer.json()["error"]) == (400, True)


def test_behind_a_document_that_is_gone_the_place_counts(local: TestClient) -> None:
    whole = rows(local, q="成交", copies="1")
    behind = rows(local, q="成交", copies="1", after=pack_cursor((9, "gone", "")))
    assert [row["key"] for row in behind][:26] == [row["key"] for row in whole][9:]
    moved = rows(local, q="成交", copies="1", after=pack_cursor((3, whole[9]["key"], "")))
    assert [row["key"] for row in moved][:25] == [row["key"] for row in whole][10:]


def test_hostile_passages_are_text(local: TestClient) -> None:
    for query in ("暴雨", "排队"):
        assert "<img" not in local.get("/articles", params={"q": query}).text


def test_a_new_analysis_is_found_by_the_same_console(local: TestClient, app_context: AppContext) -> None:
    assert rows(local, q="彗星") == []
    new = page(9, title="彗星今晚可见")
    app_context.store.write(
        [(PAGES, new), (ANALYSIS_QUEUE, {"page": new["key"], "token": "t", "queued_at": new["first_seen"]})]
    ).result()
    running.run(app_context.store)
    assert len(rows(local, q="彗星")) == 1


def test_without_an_index_titles_are_searched(make: MakeAppContext) -> None:
    made = make()
    made.store.upsert(PAGES, [page(1, title="地铁开通")]).result()
    assert len(rows(browser(made), q='title:"地铁"')) == 1
