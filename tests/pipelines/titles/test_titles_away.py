"""The store dies in the middle of a crawl: no news item is accepted twice, and no page is lost."""

from pathlib import Path

import pytest

from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES, PROPAGATION
from testbed.crawling import Crawl
from testbed.hostile.server import HostileWeb
from testbed.servers import ServerProcess, wait_until
from tests.pipelines.story_site import story_site

STORIES = 24
WORDS = "地震 台风 股市 高考 芯片 火箭 医院 学校 港口 铁路 森林 河流 机场 体育 电影 音乐 税收 粮食 能源 海关".split()


def headline(story: int) -> str:
    return "".join(WORDS[(story * step + step * step) % len(WORDS)] for step in range(1, 8)) + f"第{story}号通报全文"


site = story_site(2 * STORIES, lambda number: headline(number % STORIES))
"""Pages n and n + STORIES tell the same story."""


def stored(store: Store) -> int:
    return store.count(PROPAGATION)


@pytest.mark.slow
def test_each_story_is_accepted_once(own_mongo: ServerProcess, tmp_path: Path) -> None:
    address = f"{own_mongo.address}crawl"
    settings = {
        "STORE": f"{address}?serverSelectionTimeoutMS=300&connectTimeoutMS=300",
        "STORE_MAX_WAIT": 0.5,
        "ALLOW_PRIVATE_ADDRESSES": True,
        "FRONTIER_HOST_DELAY": 0.05,
    }
    with HostileWeb({"127.0.0.1": site}) as web:
        crawl = Crawl(tmp_path / "crawl", [f"http://127.0.0.1:{web.port}/"], settings=settings)
        process = crawl.start()
        watching = open_store(address)
        wait_until(lambda: stored(watching) >= 8, "the first stories")
        own_mongo.kill()
        wait_until(lambda: "cannot be stored" in crawl.text(), "giving back")
        own_mongo.start()
        crawl.wait(process)
        rows = list(watching.select(PROPAGATION))
        pages = watching.count(PAGES)
        watching.close()
    assert crawl.exit_code == 0, crawl.log[-3000:]
    assert pages == len(rows) == 2 * STORIES, "no page is lost"
    stories: dict[str, set[str]] = {}
    for row in rows:
        stories.setdefault(row["story"], set()).add(row["title"])
    assert len(stories) == STORIES, "no story is accepted twice"
    assert all(len(titles) == 1 for titles in stories.values())
    assert sorted(row["verdict"] for row in rows) == ["original"] * STORIES + ["repost"] * STORIES
