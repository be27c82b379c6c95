"""`scrapy frontier` on both frontiers, as people run it."""

import argparse
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from redis import Redis
from scrapy import Request, Spider
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from crawler.commands.frontier import Command
from crawler.config.arguments import site_arguments
from crawler.config.hours import Politeness
from crawler.frontier.base import MAX_ATTEMPTS, Frontier, QueueEntry
from crawler.frontier.local.opening import frontier_path
from crawler.frontier.local.sqlite import SqliteFrontier
from crawler.frontier.requests import dump_request, request_key, stored_url
from pipelines.stores.opening import open_store
from pipelines.stores.tables import LET_IN, LINKS, SITES, URLS
from tests.crawler.frontier.direct import DirectFrontier

ROOT = Path(__file__).parents[3]
Run = Callable[..., tuple[int, str, str]]
NAME = site_arguments(url="http://a.example/").crawl


@pytest.fixture(params=["sqlite", "redis"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def open_it(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Frontier]:
    if kind == "sqlite":
        return lambda: SqliteFrontier(frontier_path(str(tmp_path), NAME))
    url = request.getfixturevalue("redis_url")
    return lambda: DirectFrontier(Redis.from_url(url), f"{{{NAME}}}:requests", f"{{{NAME}}}:dupefilter")


@pytest.fixture
def run(kind: str, request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command in this process: exit code, output, and what it said to the person."""
    settings = Settings()
    settings.setmodule("settings.cluster" if kind == "redis" else "settings.base", "project")
    settings.set("DATA_DIR", str(tmp_path), "cmdline")
    settings.set("STORE", f"sqlite:///{tmp_path}/store.db", "cmdline")
    if kind == "redis":
        settings.set("REDIS_URL", request.getfixturevalue("redis_url"), "cmdline")

    return runner(Command, settings, capsys)


def runner(kind: type[ScrapyCommand], settings: Settings, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process: exit code, output, and what it said to the person."""

    def call(*words: str) -> tuple[int, str, str]:
        command = kind()
        command.settings = settings
        parser = argparse.ArgumentParser()
        command.add_options(parser)
        options, rest = parser.parse_known_args(list(words))
        command.run(rest, options)
        said = capsys.readouterr()
        return command.exitcode, said.out, said.err

    return call


def entry(number: int, host: str) -> QueueEntry:
    spider = Spider("site")
    request = Request(f"http://{host}/{number}", priority=number)
    return QueueEntry(request_key(request), host, number, dump_request(request, spider))


def fill(frontier: Frontier) -> None:
    """Three queued, one done, one dead of a.example; one queued of b.example."""
    frontier.push([entry(9, "a.example")])
    for _ in range(MAX_ATTEMPTS):
        frontier.fail(frontier.pop(1)[0].token, "HTTP 500\nno good")
    frontier.push([entry(8, "a.example")])
    frontier.ack([frontier.pop(1)[0].token])
    frontier.push([*(entry(number, "a.example") for number in range(3)), entry(1, "b.example")])


def test_accounts_the_dead_and_a_purge(run: Run, open_it: Callable[[], Frontier]) -> None:
    frontier = open_it()
    frontier.set_pace("a.example", Politeness(0.0, 10))
    fill(frontier)
    frontier.close()

    assert f"{NAME}: 6 enqueued = 4 queued + 0 under way + 1 done + 1 dead" in run("status", NAME)[1]
    assert run("status")[1].split()[-6:] == [NAME, "6", "4", "0", "1", "1"]
    assert run("dead", NAME)[1] == "http://a.example/9\ta.example\t5\tHTTP 500 no good\n"
    assert run("requeue", NAME, "--host", "b.example")[1] == "0 requests queued again\n"
    assert run("requeue", NAME)[1] == "1 requests queued again\n"
    code, _, said = run("purge", NAME)
    assert code == 1
    assert "--yes" in said
    assert run("purge", NAME, "--yes")[1].startswith("5 requests and all seen URLs deleted")


def test_what_is_under_way_and_who_holds_it(run: Run, open_it: Callable[[], Frontier]) -> None:
    frontier = open_it()
    frontier.push([entry(1, "a.example")])
    frontier.pop(1)
    frontier.flush()
    shown = run("status", NAME)[1]
    assert "0 queued + 1 under way" in shown
    assert "holder" in shown
    frontier.close()


def test_wrong_words_get_a_sentence(run: Run) -> None:
    assert "There is none yet" in run("dead", "nothing")[2]
    with pytest.raises(UsageError, match="Use one of"):
        run("frobnicate")


def test_a_crawl_at_work_is_not_changed_under_its_feet(tmp_path: Path) -> None:
    frontier = SqliteFrontier(frontier_path(str(tmp_path), NAME))
    command = [sys.executable, "-m", "scrapy", "frontier", "purge", NAME, "--yes", "-s", f"DATA_DIR={tmp_path}"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    frontier.close()
    assert answer.returncode == 1
    assert "Another process is crawling" in answer.stderr


def test_a_lost_frontier_is_rebuilt_from_the_store(run: Run, open_it: Callable[[], Frontier], tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/store.db")
    for key, host in (("1", "a.example"), ("2", "new.example"), ("3", "other.example")):
        store.upsert(URLS, [{"key": key, "url": f"http://{host}/", "host": host, "state": "fetched"}])
    store.upsert(
        SITES,
        [
            {"crawl": NAME, "host": "new.example", "state": LET_IN},
            {"crawl": "x", "host": "other.example", "state": LET_IN},
        ],
    )
    links = [["http://a.example/", "home"], ["http://a.example/news/1.html", "one"], ["http://other.example/", "out"]]
    store.upsert(LINKS, [{"page": "1", "links": links}])
    store.close()
    assert run("rebuild", "-a", "url=http://a.example/")[1] == f"{NAME}: 2 visited pages marked, 1 links queued\n"
    frontier = open_it()
    lease = frontier.pop(5)[0]
    assert stored_url(lease.payload, lease.host) == "http://a.example/news/1.html"
    known = {
        host: frontier.find(request_key(Request(f"http://{host}/")), host) for host in ("new.example", "other.example")
    }
    assert known["new.example"] is not None
    assert known["other.example"] is None, "a page of another crawl"
    frontier.close()


def test_a_topics_crawl_is_rebuilt_from_its_seeds(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "topics").mkdir()
    topic = "seeds: [http://a.example/]\nterms: {subject: [税]}\n"
    (tmp_path / "topics" / "tax.yaml").write_text(topic, encoding="utf-8")
    store = open_store(f"sqlite:///{tmp_path}/store.db")
    for key, host in (("1", "a.example"), ("2", "other.example")):
        store.upsert(URLS, [{"key": key, "url": f"http://{host}/", "host": host, "state": "fetched"}])
    store.close()
    monkeypatch.setattr("crawler.commands.frontier.settings_folder", lambda settings: tmp_path)
    assert "1 visited pages marked, 0 links queued" in run("rebuild", "-a", "topic=tax")[1]
