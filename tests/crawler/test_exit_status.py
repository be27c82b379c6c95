"""Each ending of a crawl: what the exit code, the log, the summary and the table of runs say, by real processes."""

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from crawler.exit_status import CrawlResult, ExitCode, last_result, result_of
from pipelines.stores.tables import PAGES, RUNS
from testbed.crawling import REPOSITORY, Crawl
from testbed.hostile.server import Connection, HostileWeb
from testbed.servers import free_port, wait_until

TEXT = "The council has met and spoken about the budget of the next year. " * 15
SETTINGS = {"ALLOW_PRIVATE_ADDRESSES": True, "FRONTIER_HOST_DELAY": 0.02, "TITLES_ENABLED": False, "RETRY_DELAY": 0.1}


def site(asked: Connection) -> None:
    """Sixty pages, page n links to the next three; every link has a dead twin before it."""
    name = asked.path.strip("/") or "0"
    if not name.isdigit():
        asked.answer("not here", 404)
        return
    places = range(int(name) + 1, min(int(name) + 4, 60))
    links = "".join(f'<a href="/gone-{n}">Gone {n}</a> <a href="/{n}">Report number {n}</a>' for n in places)
    asked.answer(f"<title>Report {name}</title><h1>Report {name}</h1><p>{TEXT}</p>{links}")


@pytest.fixture
def web() -> Iterator[str]:
    with HostileWeb({"127.0.0.1": site}) as served:
        yield f"http://127.0.0.1:{served.port}/"


def crawl(folder: Path, url: str, arguments: dict[str, str] | None = None, **settings: object) -> Crawl:
    return Crawl(folder, [url], arguments or {}, {**SETTINGS, **settings})


def told(ended: Crawl) -> CrawlResult:
    """What log and summary say; the same as the exit code."""
    assert "Traceback" not in ended.log or "StoreBrokenError" in ended.log, ended.log[-3000:]
    ending = last_result(ended.log)
    assert ending is not None, ended.log[-3000:]
    assert ended.exit_code == ending.code
    assert f"{ending.sentence.rstrip('.')}: " in ended.log
    return ending


def run_row(ended: Crawl) -> dict[str, Any]:
    """The row of the latest run."""
    with ended.store() as store:
        return max(store.select(RUNS), key=lambda row: row["finished"] or "")


def test_a_finished_crawl_is_done(tmp_path: Path, web: str) -> None:
    ended = crawl(tmp_path, web).run()
    assert told(ended) == CrawlResult(ExitCode.DONE, "finished", "Finished")
    row = run_row(ended)
    assert (row["spider"], row["reason"], row["exit_code"], row["pages"]) == ("site", "finished", 0, 60)


def test_a_limit_counts_pages_that_were_read_and_has_a_code_of_its_own(tmp_path: Path, web: str) -> None:
    ended = crawl(tmp_path, web, {"max_pages": "9"}).run()
    assert told(ended).code == ExitCode.LIMIT
    with ended.store() as store:
        assert 9 <= store.count(PAGES) <= 9 + 4
    assert run_row(ended)["exit_code"] == ExitCode.LIMIT
    ending = told(crawl(tmp_path, web, {}, ALLOW_PRIVATE_ADDRESSES=False).run())
    assert ending.code == ExitCode.NOTHING, "what waited was not sent"
    assert "is a private address" in ending.sentence


def test_a_frontier_in_use_is_refused_without_a_traceback_and_who_is_stopped_is_incomplete(
    tmp_path: Path, web: str
) -> None:
    first = crawl(tmp_path, web, FRONTIER_HOST_DELAY=0.5)
    process = first.start()
    wait_until(lambda: "Spider opened" in first.text(), "the first run")
    second = crawl(tmp_path, web, DATA_DIR=tmp_path)
    log = tmp_path / "crawl.log"
    before = len(log.read_text())
    second.run()
    second.log = second.log[before:]
    assert told(second).code == ExitCode.IN_USE
    assert "Another process is crawling" in told(second).sentence
    process.send_signal(signal.SIGTERM)
    first.wait(process)
    assert told(first).code == ExitCode.INCOMPLETE
    with first.store() as store:
        codes = sorted(row["exit_code"] for row in store.select(RUNS))
    assert codes == [ExitCode.INCOMPLETE, ExitCode.IN_USE]


def test_a_frontier_of_a_newer_version_is_unusable(tmp_path: Path, web: str) -> None:
    (tmp_path / "frontier").mkdir()
    with sqlite3.connect(tmp_path / "frontier" / "mine.db") as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    ended = crawl(tmp_path, web, {"crawl": "mine"}).run()
    assert (told(ended).code, told(ended).reason) == (ExitCode.UNUSABLE, "frontier_unusable")
    assert "newer topicrawl" in run_row(ended)["sentence"]


def test_a_store_that_breaks_for_good_ends_the_crawl_and_fails_no_page(tmp_path: Path, web: str) -> None:
    going = crawl(tmp_path, web, FRONTIER_HOST_DELAY=0.1)
    process = going.start()
    wait_until(lambda: going.database.exists() and len(going.pages()) > 3, "the first pages")
    with sqlite3.connect(going.database, timeout=120) as database:
        database.execute("DROP TABLE urls")
    database.close()
    going.wait(process)
    assert (told(going).code, told(going).reason) == (ExitCode.UNUSABLE, "store_unusable")
    assert "no such table" in told(going).sentence
    assert "Given up" not in going.log
    again = crawl(tmp_path, web).run()
    assert len(again.pages()) == 60


def test_a_store_that_cannot_be_opened_is_unusable(tmp_path: Path, web: str) -> None:
    tmp_path.joinpath("crawl.db").write_text("This is not a database. " * 100)
    ended = crawl(tmp_path, web).run()
    assert ended.exit_code == ExitCode.UNUSABLE
    assert "The store cannot be used" in ended.log
    assert "Traceback" not in ended.log


@pytest.mark.parametrize("path", ["gone", ""], ids=["404", "unreachable"])
def test_a_start_page_that_cannot_be_fetched_is_no_success(tmp_path: Path, web: str, path: str) -> None:
    url = f"{web}{path}" if path else f"http://127.0.0.1:{free_port()}/"
    ended = crawl(tmp_path, url).run()
    ending = told(ended)
    assert (ending.code, ending.reason) == (ExitCode.NOTHING, "nothing_fetched")
    assert ("HTTP 404" if path else "refused") in ending.sentence
    assert run_row(ended)["exit_code"] == ExitCode.NOTHING


def test_lost_data_of_redis_is_no_success(tmp_path: Path, web: str, redis_url: str) -> None:
    going = crawl(tmp_path, web, {"crawl": "mine"}, FRONTIER="shared", REDIS_URL=redis_url, FRONTIER_HOST_DELAY=0.1)
    process = going.start()
    wait_until(lambda: going.database.exists() and len(going.pages()) > 3, "the first pages")
    with redis.Redis.from_url(redis_url) as client:
        client.flushdb()
    going.wait(process)
    assert (told(going).code, told(going).reason) == (ExitCode.INCOMPLETE, "frontier_lost")
    assert "scrapy frontier rebuild" in told(going).sentence


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-a", "depth=deep"], "depth must be"),
        (["-s", "FRONTIER_MAX_WAIT=long"], "FRONTIER_MAX_WAIT must be"),
        (["-s", "ITEM_PIPELINES={bad"], "ITEM_PIPELINES must be"),
    ],
)
def test_a_job_with_wrong_arguments_says_so_in_its_log_and_in_the_table_of_runs(
    tmp_path: Path, words: list[str], said: str
) -> None:
    """As scrapyd starts it."""
    log = tmp_path / "job.log"
    command = [sys.executable, "-m", "scrapy", "crawl", "site", "-a", "url=http://a.example/", "-a", "_job=job-1"]
    ended = Crawl(tmp_path, [])
    command += [
        "-s",
        f"LOG_FILE={log}",
        "-s",
        f"STORE=sqlite:///{ended.database}",
        "-s",
        f"DATA_DIR={tmp_path}",
        *words,
    ]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, timeout=120, check=False)
    assert done.returncode == ExitCode.WRONG_ARGUMENTS
    ending = last_result(log.read_text())
    assert ending is not None
    assert ending.code == ExitCode.WRONG_ARGUMENTS
    assert said in ending.sentence
    row = run_row(ended)
    assert (row["job"], row["exit_code"]) == ("job-1", ExitCode.WRONG_ARGUMENTS)
    assert said in row["sentence"]
    if words[0] == "-a":
        assert row["arguments"]["depth"] == "deep"


def test_an_address_without_a_scheme_is_asked_for_by_http_where_https_is_not_served(tmp_path: Path, web: str) -> None:
    ended = crawl(tmp_path, web.removeprefix("http://"), DOWNLOAD_TIMEOUT=2).run()
    assert told(ended).code == ExitCode.DONE
    assert len(ended.pages()) == 60


@pytest.mark.parametrize(
    ("reason", "stats", "lost", "code"),
    [
        ("finished", {}, "", ExitCode.DONE),  # a node for which others left nothing
        ("finished", {"pages/answered": 3, "frontier/queued": 2}, "", ExitCode.INCOMPLETE),
        ("finished", {"pages/answered": 3, "pages/refused": 9, "frontier/dead": 1}, "", ExitCode.DONE),
        ("finished", {"frontier/queued": 2}, "", ExitCode.NOTHING),
        ("finished", {"pages/answered": 3}, "flushed", ExitCode.INCOMPLETE),
        ("finished", {"pages/answered": 3, "search/left": 2}, "", ExitCode.INCOMPLETE),
        ("finished", {"search/left": 2}, "", ExitCode.NOTHING),
        ("shutdown", {"pages/answered": 3}, "", ExitCode.INCOMPLETE),
        ("no_proxy", {}, "", ExitCode.INCOMPLETE),
        ("closespider_timeout", {}, "", ExitCode.LIMIT),
        ("start_error", {}, "", ExitCode.FAILED),
    ],
)
def test_reasons_and_counts_have_their_codes(reason: str, stats: dict[str, int], lost: str, code: ExitCode) -> None:
    ending = result_of(reason, stats, "", lost)
    assert ending.code == code
    assert last_result(f"INFO: {ending}\n") == ending


def test_start_pages_that_lead_nowhere_are_said() -> None:
    ended = result_of("finished", {"pages/answered": 2, "pages/starts": 2, "pages/unlinked": 2})
    assert (ended.code, ended.sentence.partition(";")[0]) == (
        ExitCode.DONE,
        "Finished, but the start pages lead to no other page",
    )
    assert result_of("finished", {"pages/answered": 3, "pages/starts": 2, "pages/unlinked": 2}).sentence == "Finished"


def test_a_crawl_of_a_start_page_without_links_says_so(tmp_path: Path, web: str) -> None:
    ending = told(crawl(tmp_path, f"{web}59").run())
    assert (ending.code, "lead to no other page" in ending.sentence) == (ExitCode.DONE, True)


def test_the_documents_name_every_code() -> None:
    text = (REPOSITORY / "docs" / "crawling.md").read_text(encoding="utf-8")
    for code in ExitCode:
        assert f"| `{code.value}` |" in text


def test_a_crawl_that_understood_nothing_says_so() -> None:
    said = {"pages/last_unreadable": "http://a.example/ cannot be read as a list: why"}
    ended = result_of("finished", {"pages/answered": 9, "pages/starts": 1, "pages/unreadable": 1} | said)
    assert (ended.code, ended.reason, ended.sentence) == (ExitCode.NOTHING, "unreadable", said["pages/last_unreadable"])
    assert result_of("unreadable", said).code == ExitCode.NOTHING
    others = result_of("finished", {"pages/answered": 9, "pages/starts": 2, "pages/unreadable": 1} | said)
    assert (others.code, others.sentence) == (ExitCode.DONE, f"Finished, but {said['pages/last_unreadable']}")
