"""From a topic's sites to its words and to why a page is relevant, as processes on a small web."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipelines.stores.tables import RUNS
from testbed.crawling import REPOSITORY, Crawl
from testbed.hostile import Connection, HostileWeb
from testbed.hostile.behaviours import article, links_to

TOPIC = """terms:
  professional: [增值税, 印花税]
sites: [http://tax.example/]
"""
Run = Callable[..., subprocess.CompletedProcess[str]]


def _tax(asked: Connection) -> None:
    paths = [f"/2026/11/{number}.html" for number in range(5)]
    body = (
        links_to(*paths) if asked.path == "/" else "<p>企业申报增值税，印花税的减免照常办理，出口退税按月办理。</p>" * 8
    )
    asked.answer(article(f"增值税公告 {asked.path}", body))


def _cook(asked: Connection) -> None:
    paths = [f"/{number}.html" for number in range(30)]
    text = f"<p>把鸡蛋打散，加入少许盐，用小火慢慢煎成金黄。{asked.path}</p>" * 8
    asked.answer(article(f"菜谱 {asked.path}", text + (links_to(*paths) if asked.path == "/" else "")))


@pytest.fixture(scope="module")
def web() -> Iterator[HostileWeb]:
    with HostileWeb({"tax.example": _tax, "new.example": _tax, "cook.example": _cook}) as served:
        yield served


@pytest.fixture
def topic(web: HostileWeb, tmp_path: Path) -> Run:
    (tmp_path / "topics").mkdir()
    (tmp_path / "topics" / "tax.yaml").write_text(TOPIC, encoding="utf-8")
    settings = {
        "DATA_DIR": tmp_path,
        "STORE": f"sqlite:///{tmp_path}/a.db",
        "TOPICRAWL_SETTINGS_DIR": tmp_path,
        "ALLOW_PRIVATE_ADDRESSES": True,
        "FRONTIER_HOST_DELAY": 0,
    }
    given = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "scrapy", "topic", *words, *given],
            cwd=REPOSITORY,
            env=environment | {"http_proxy": web.address},
            capture_output=True,
            text=True,
            timeout=120,
        )

    return run


def test_corpus_words_and_why(topic: Run) -> None:
    corpus = topic("corpus", "tax")
    assert corpus.returncode == 0
    assert "Traceback" not in corpus.stderr
    words = topic("words", "tax", "--limit", "20")
    assert words.returncode == 0
    assert "申报" in words.stdout
    assert "of 5 pages" in words.stderr or "of 6 pages" in words.stderr
    stored = topic("why", "tax", "http://tax.example/2026/11/1.html")
    assert "strongly relevant: its content is kept" in stored.stdout
    assert "title" in stored.stdout
    fetched = topic("why", "tax", "http://new.example/2026/11/1.html")
    assert "印花税" in fetched.stdout
    missing = topic("why", "tax", "http://nowhere.example/")
    assert missing.returncode == 1
    assert "was not fetched" in missing.stderr
    assert "Traceback" not in missing.stderr


def test_a_topic_that_keeps_few_pages_is_reported(topic: Run, web: HostileWeb, tmp_path: Path) -> None:
    settings = {"TOPICRAWL_SETTINGS_DIR": tmp_path, "LINK_STRATEGY": "breadth_first", "FRONTIER_HOST_DELAY": 0.2}
    crawl = Crawl(
        tmp_path / "crawl",
        ["http://cook.example/"],
        {"topic": "tax", "max_pages": "25"},
        settings,
        {"http_proxy": web.address},
    ).run()
    assert crawl.exit_code == 3
    assert "max_pages, which counts pages read" in crawl.log
    found = re.search(r"The topic kept 0 of (\d+) pages read", crawl.log)
    assert found is not None
    read = int(found[1])
    assert 25 <= read <= 30, "pages under way are still read"
    assert f"{read} pages read  0 kept (0% harvest)  {read} off topic" in crawl.log
    assert crawl.log.count("http://cook.example/", crawl.log.index("The nearest misses")) == 3
    assert "煎成" in crawl.log.partition("Their words that the topic lacks:")[2]
    assert "Too few judged pages are marked (0)" in crawl.log
    with crawl.store() as store:
        (row,) = store.select(RUNS)
    assert (row["pages"], row["off_topic"]) == (0, read)
