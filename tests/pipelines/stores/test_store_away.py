"""The database server dies in the middle of a crawl: no page is lost, and the crawl goes on by itself."""

from pathlib import Path

import pytest

from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from testbed.crawling import Crawl
from testbed.hostile.server import HostileWeb
from testbed.servers import ServerProcess, wait_until
from tests.pipelines.story_site import story_site

PAGES_IN_ALL = 60
site = story_site(PAGES_IN_ALL, "第{}篇报道".format)


def stored(store: Store) -> int:
    return store.count(PAGES)


@pytest.mark.slow
@pytest.mark.parametrize("patience", [60.0, 0.5], ids=["pages wait", "pages are given back"])
def test_no_page_is_lost_while_the_store_is_away(own_mongo: ServerProcess, tmp_path: Path, patience: float) -> None:
    address = f"{own_mongo.address}crawl?serverSelectionTimeoutMS=300&connectTimeoutMS=300"
    settings = {
        "STORE": address,
        "STORE_MAX_WAIT": patience,
        "ALLOW_PRIVATE_ADDRESSES": True,
        "FRONTIER_HOST_DELAY": 0.05,
    }
    with HostileWeb({"127.0.0.1": site}) as web:
        crawl = Crawl(tmp_path / "crawl", [f"http://127.0.0.1:{web.port}/"], settings=settings)
        process = crawl.start()
        watching = open_store(address)
        wait_until(lambda: stored(watching) >= 10, "the first pages")
        own_mongo.kill()
        said = (
            ("pages cannot be stored",)
            if patience < 1
            else ("pages cannot be stored", "Writes wait until it is available")
        )
        wait_until(lambda: process.poll() is not None or any(words in crawl.text() for words in said), "noticing")
        asked = len(web.seen)
        own_mongo.start()
        crawl.wait(process)
        watching.close()
        reading = open_store(own_mongo.address + "crawl")
        titles = {row["title"] for row in reading.select(PAGES)}
        reading.close()
    assert crawl.exit_code == 0, crawl.log[-3000:]
    assert titles == {f"第{n}篇报道" for n in range(PAGES_IN_ALL)}
    assert asked < PAGES_IN_ALL
    assert "Given up" not in crawl.log
