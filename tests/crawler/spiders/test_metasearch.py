"""The whole entry against a search engine on this machine."""

import os
import random
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from crawler.config.topics import read_topic
from crawler.exit_status import ExitCode
from crawler.terms.term_store import TermStore
from extractors.topic.library import TermState
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import ENGINE_BACKOFFS, PAGES, QUERIES, RESULTS, SITES, TERMS
from testbed.crawling import REPOSITORY
from tests.crawler.search_server import SearchServer, search_server

LAYOUTS = ("bing", "sogou", "duckduckgo")


def prepare(folder: Path, server: SearchServer, rest: float = 1.0, terms: str = "股票\nfinance\n") -> None:
    (folder / "conf" / "engines").mkdir(parents=True)
    for layout in LAYOUTS:
        text = server.declaration(layout, rest)
        (folder / "conf" / "engines" / f"my_{layout}.yaml").write_text(text, encoding="utf-8")
    (folder / "terms.txt").write_text(terms, encoding="utf-8")


def start(folder: Path, engines: str, *more: str, **settings: object) -> subprocess.Popen[bytes]:
    given = {
        "DATA_DIR": folder,
        "STORE": f"sqlite:///{folder}/crawl.db",
        "TOPICRAWL_SETTINGS_DIR": folder / "conf",
        "ALLOW_PRIVATE_ADDRESSES": True,
        "FRONTIER_HOST_DELAY": 0,
        "ROBOTSTXT_OBEY": False,
        **settings,
    }
    words = () if any(argument.startswith("topic=") for argument in more) else (f"terms={folder}/terms.txt",)
    command = [sys.executable, "-m", "scrapy", "crawl", "metasearch", "-a", f"engines={engines}"]
    more = (*words, *more) if any(argument.startswith("pages=") for argument in more) else (*words, *more, "pages=3")
    command += [part for argument in more for part in ("-a", argument)]
    command += [part for name, value in given.items() for part in ("-s", f"{name}={value}")]
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(command, cwd=REPOSITORY, env=environment, stdout=log, stderr=log)


def finish(folder: Path, process: subprocess.Popen[bytes], expected: int = 0) -> Store:
    try:
        code = process.wait(timeout=240)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        code = -1
    log = (folder / "log").read_text(encoding="utf-8")
    assert code == expected, log[-3_000:]
    assert "Traceback" not in log, log[-3_000:]
    return open_store(f"sqlite:///{folder}/crawl.db")


def test_engines_without_an_answer_are_named_at_once_and_their_queries_wait(tmp_path: Path) -> None:
    (tmp_path / "conf" / "engines").mkdir(parents=True)
    (tmp_path / "terms.txt").write_text("".join(f"word {number}\n" for number in range(20)), encoding="utf-8")
    declaration = "url: http://{}/find?q={{query}}\ndelay: 0\nhtml: li\nfields: {{url: 'a[href]'}}\n"
    for name, host in (("gone", "nowhere.invalid"), ("closed", "127.0.0.1:9")):
        (tmp_path / "conf" / "engines" / f"{name}.yaml").write_text(declaration.format(host), encoding="utf-8")
    started = time.monotonic()
    store = finish(tmp_path, start(tmp_path, "gone,closed", RETRY_DELAY=0.5), ExitCode.NOTHING)
    assert time.monotonic() - started < 60
    log = (tmp_path / "log").read_text(encoding="utf-8")
    for name in ("gone", "closed"):
        assert log.count(f"{name} does not answer (") == 1
    assert {row["state"] for row in store.select(QUERIES)} == {"waiting", "blocked"}
    assert {row["engine"] for row in store.select(ENGINE_BACKOFFS)} == {"gone", "closed"}
    store.close()


def test_three_layouts_with_paging_and_pages_crawled(tmp_path: Path) -> None:
    with search_server(hits=25) as server:
        prepare(tmp_path, server)
        store = finish(tmp_path, start(tmp_path, "my_bing,my_sogou,my_duckduckgo"))
        assert set(server.asked.values()) == {1}
        assert len(server.asked) == 3 * 2 * 3
        assert store.count(RESULTS) == 3 * 2 * 25
        assert {row["state"] for row in store.select(QUERIES)} == {"results"}
        assert store.count(PAGES) == 50
        assert "/page/deep-99" not in server.fetched  # nobody has let its host in
        assert set(server.fetched.values()) == {1}
        site = next(store.select(SITES))
        assert (site["state"], site["host"]) == ("proposed", "127.0.0.1")
        store.close()


def far_engine(folder: Path, server: SearchServer, layout: str) -> None:
    """The layout's engine under its real host, which the server answers for as a proxy."""
    (folder / "conf" / "proxies.txt").write_text(f"127.0.0.1:{server.port}\n", encoding="utf-8")
    text = server.declaration(layout, 1.0).replace(f"127.0.0.1:{server.port}", "www.sogou.com")
    text += "proxies: proxies.txt\nvisit_first: http://www.sogou.com/home\n"
    (folder / "conf" / "engines" / "far.yaml").write_text(text, encoding="utf-8")


def test_redirects_proxies_dead_links_old_results_and_cookies(tmp_path: Path) -> None:
    """An engine under another host, which only its proxy knows, whose redirects tell nothing; and a shy one."""
    with search_server(
        hits=4, dead=1, needs_cookie=True, snippets=("2026-11-20 - a", "b", "c", "2024年1月2日 - d")
    ) as server:
        prepare(tmp_path, server, terms="finance\n")
        far_engine(tmp_path, server, "opaque")
        store = finish(tmp_path, start(tmp_path, "far", "since=2026-11-01"))
        page = f"http://127.0.0.1:{server.port}/page/finance-"
        assert server.homes == 1
        assert [server.resolved[f"{page}{n}"] for n in range(1, 5)] == [1, 1, 0, 1]
        found = {(row["title"], row["target"], row["date"], row["state"]) for row in store.select(RESULTS)}
        assert found == {
            ("finance 1", f"{page}1", "", "dead"),
            ("finance 2", f"{page}2", "", "new"),
            ("finance 3", "", "2024-01-02", "old"),
            ("finance 4", f"{page}4", "2026-11-20", "new"),
        }
        assert store.count(PAGES) == 2
        store.close()
        server.needs_cookie = False
        store = finish(tmp_path, start(tmp_path, "far,my_bing"))
        assert set(server.resolved.values()) == {1}
        assert set(server.fetched.values()) == {1}  # also the dead one
        store.close()
        log = (tmp_path / "log").read_text(encoding="utf-8")
        assert "far finance (1): results, 4 results, 3 new" in log
        assert "  far: 2 queries  4 results  3 new  0 blocked  0 waiting" in log


TOPIC = """
terms:
  subject: [finance]
seeds: []
threshold: 0.2
"""


def test_a_topics_pages_propose_terms_and_accepted_ones_are_asked(tmp_path: Path) -> None:
    money = "About finance and stock exchanges, which dividends follow, said by people who know of finance. "
    with search_server(
        hits=20, texts=(money, "About gardens and the flowers that grow in them, said by people. ")
    ) as server:
        prepare(tmp_path, server)
        (tmp_path / "conf" / "topics").mkdir()
        path = tmp_path / "conf" / "topics" / "money.yaml"
        path.write_text(TOPIC, encoding="utf-8")
        start_topic = ("topic=money", "pages=1")
        store = finish(tmp_path, start(tmp_path, "my_bing", *start_topic))
        assert next(store.select(QUERIES))["relevant"] == 5
        assert "dividends" in {row["word"] for row in store.select(TERMS) if row["state"] == "candidate"}
        book = TermStore(store, read_topic(path))
        accepted = book.library().decide("dividends", TermState.ACCEPTED, by="me", now=datetime.now(UTC))
        book.save([accepted], decided=True)
        store.close()
        store = finish(tmp_path, start(tmp_path, "my_bing", *start_topic))
        assert {row["words"] for row in store.select(QUERIES)} == {"finance", "dividends"}
        store.close()


def test_a_blocking_engine_rests_and_loses_nothing(tmp_path: Path) -> None:
    with search_server(hits=25, most=4, ban=0.8) as server:
        prepare(tmp_path, server, rest=1.0)
        store = finish(tmp_path, start(tmp_path, "my_bing", BANS_ENABLED=True))
        assert server.refused == 1
        assert server.hammered == 0
        assert len(server.asked) == 6
        assert store.count(RESULTS) == 50
        assert [(row["engine"], row["blocks"]) for row in store.select(ENGINE_BACKOFFS)] == [
            ("my_bing", 0)
        ]  # it has rested
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
