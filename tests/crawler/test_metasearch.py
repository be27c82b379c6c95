"""The whole entry against a search engine on this machine."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES, QUERIES, RESULTS, SITES
from tests.crawler.search_server import SearchServer, search_server
from tests.crawling import REPOSITORY

LAYOUTS = ("bing", "sogou", "duckduckgo")


def prepare(folder: Path, server: SearchServer, rest: float = 1.0, terms: str = "股票\nfinance\n") -> None:
    (folder / "conf" / "engines").mkdir(parents=True)
    for layout in LAYOUTS:
        text = server.declaration(layout, rest)
        (folder / "conf" / "engines" / f"my_{layout}.yaml").write_text(text, encoding="utf-8")
    (folder / "terms.txt").write_text(terms, encoding="utf-8")


def start(folder: Path, engines: str, **settings: object) -> subprocess.Popen[bytes]:
    given = {
        "DATA_DIR": folder,
        "STORE": f"sqlite:///{folder}/crawl.db",
        "TOPICRAWL_SETTINGS_DIR": folder / "conf",
        "ALLOW_PRIVATE_ADDRESSES": True,
        "FRONTIER_HOST_DELAY": 0,
        "ROBOTSTXT_OBEY": False,
        **settings,
    }
    command = [sys.executable, "-m", "scrapy", "crawl", "metasearch", "-a", f"terms={folder}/terms.txt"]
    command += ["-a", f"engines={engines}", "-a", "pages=3"]
    command += [part for name, value in given.items() for part in ("-s", f"{name}={value}")]
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(command, cwd=REPOSITORY, env=environment, stdout=log, stderr=log)


def finish(folder: Path, process: subprocess.Popen[bytes]) -> Store:
    try:
        code = process.wait(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        code = -1
    log = (folder / "log").read_text(encoding="utf-8")
    assert code == 0, log[-3_000:]
    assert "Traceback" not in log, log[-3_000:]
    return open_store(f"sqlite:///{folder}/crawl.db")


def test_three_layouts_with_paging_and_pages_crawled(tmp_path: Path) -> None:
    with search_server(hits=25) as server:
        prepare(tmp_path, server)
        store = finish(tmp_path, start(tmp_path, "my_bing,my_sogou,my_duckduckgo"))
        assert set(server.asked.values()) == {1}
        assert len(server.asked) == 3 * 2 * 3
        assert store.count(RESULTS) == 3 * 2 * 25
        assert {row["state"] for row in store.select(QUERIES)} == {"results"}
        assert store.count(PAGES) == 50
        assert set(server.fetched.values()) == {1}
        site = next(store.select(SITES))
        assert (site["state"], site["host"]) == ("proposed", "127.0.0.1")
        store.close()


def test_an_engine_is_asked_through_its_own_proxies(tmp_path: Path) -> None:
    with search_server(hits=2) as server:
        prepare(tmp_path, server)
        (tmp_path / "conf" / "proxies.txt").write_text(f"127.0.0.1:{server.port}\n", encoding="utf-8")
        text = server.declaration("bing", 1.0).replace(f"127.0.0.1:{server.port}", "no-such-host.example")
        (tmp_path / "conf" / "engines" / "far.yaml").write_text(f"{text}proxies: proxies.txt\n", encoding="utf-8")
        store = finish(tmp_path, start(tmp_path, "far"))
        assert len(server.asked) == 4
        assert store.count(PAGES) == 4
        store.close()


def test_a_blocking_engine_rests_and_loses_nothing(tmp_path: Path) -> None:
    with search_server(hits=25, most=4, ban=0.8) as server:
        prepare(tmp_path, server, rest=1.0)
        store = finish(tmp_path, start(tmp_path, "my_bing"))
        assert server.refused == 1
        assert server.hammered == 0
        assert len(server.asked) == 6
        assert store.count(RESULTS) == 50
        store.close()


def test_killed_at_random_moments(tmp_path: Path) -> None:
    chance = random.Random(7)
    with search_server(hits=25, delay=0.15) as server:
        prepare(tmp_path, server, terms="".join(f"finance{n}\n" for n in range(6)))
        for _ in range(5):
            process = start(tmp_path, "my_bing")
            time.sleep(chance.uniform(1.5, 2.8))
            process.kill()
            process.wait()
        store = finish(tmp_path, start(tmp_path, "my_bing"))
        assert len(server.asked) == 6 * 3
        assert sum(server.asked.values()) <= 6 * 3 + 10  # at each kill the one under way, and one not yet durable
        assert store.count(RESULTS) == 6 * 25
        assert store.count(PAGES) == 6 * 25
        store.close()
