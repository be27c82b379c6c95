"""Hot lists in the console: ranks now and before, new and gone items, one story over lists, an item's curve, export."""

from datetime import timedelta

from starlette.testclient import TestClient

from extractors.feeds import FeedEntry
from pipelines.items import HotListItem
from pipelines.rankings import seen_row
from pipelines.stores.base import MutableRow, Store
from pipelines.stores.watch_tables import RANKINGS
from tests.console.conftest import filled
from tests.console.filling import NOW

QUAKE = "云南地震已致三人受伤 救援正在进行"
TITLES = {"q": QUAKE, "r": "多地发布暴雨预警", "s": "国足公布新一期集训名单", "t": "某明星宣布结婚"}
HTML = "<script>alert(1)</script>"


def _fill(store: Store) -> None:
    for source, visits in {"weibo": ("rst", "rqs", "qrs"), "zhihu": ("t", "tq", "tq")}.items():
        latest: dict[str, MutableRow] = {}
        for number, letters in enumerate(visits):
            titles = TITLES | ({"t": HTML} if source == "zhihu" else {})
            entries = tuple(
                FeedEntry(f"https://{source}.example/{each}", title=titles[each], heat=1000.0 * number)
                for each in letters
            )
            at = NOW - timedelta(hours=2 * (len(visits) - number))
            item = HotListItem(source, f"https://{source}.example/list.json", at, entries)
            store.upsert(RANKINGS, [seen_row(item, "watch", store, latest)]).result()


app_context = filled(_fill)


def test_ranks_are_compared_with_those_before(local: TestClient) -> None:
    found = local.get("/api/hot?hours=6").json()
    (weibo,) = [each for each in found["lists"] if each["source"] == "weibo"]
    assert [(row["title"], row["rank"], row["before"], row["risen"]) for row in weibo["rows"]] == [
        (QUAKE, 1, None, None),
        (TITLES["r"], 2, 1, -1),
        (TITLES["s"], 3, 2, -1),
    ]
    assert [row["title"] for row in weibo["gone"]] == [TITLES["t"]]
    risen = local.get("/api/hot?hours=1&source=weibo&sort=risen").json()["lists"][0]["rows"]
    assert [(row["title"], row["risen"]) for row in risen] == [(QUAKE, 1)]
    new = local.get("/api/hot?hours=6&source=zhihu&sort=new").json()["lists"][0]["rows"]
    assert [row["title"] for row in new] == [QUAKE]


def test_one_story_over_lists_has_its_curves(local: TestClient) -> None:
    found = local.get("/api/hot").json()
    (story,) = found["stories"]
    assert (story["title"], story["places"]) == (
        QUAKE,
        [{"source": "weibo", "rank": 1}, {"source": "zhihu", "rank": 2}],
    )
    curve = local.get(f"/api/hot?item={story['item']}").json()["curve"]
    assert {line["source"]: [point["rank"] for point in line["points"]] for line in curve["lines"]} == {
        "weibo": [2, 1],
        "zhihu": [2, 2],
    }
    for language in ("zh", "en"):
        page = local.get(f"/hot?item={story['item']}&lang={language}")
        assert page.status_code == 200
        assert "<svg" in page.text
        assert HTML not in page.text


def test_without_lists_it_says_what_to_do_and_unknown_items_are_no_fault(local: TestClient) -> None:
    assert local.get("/api/hot?item=nosuch").json()["curve"] is None
    assert "hot_list" in local.get("/hot?source=nosuch&lang=en").text


def test_what_is_shown_can_be_exported(local: TestClient) -> None:
    lines = local.get("/hot.csv?hours=6&source=weibo").text.strip().splitlines()
    assert len(lines) == 1 + 9
    assert QUAKE in lines[-3]
