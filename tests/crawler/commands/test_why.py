"""`scrapy why` after real crawls, and on both frontiers."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis import Redis
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from crawler.bans.health import Health, write_health
from crawler.checks.corrections import changed_part
from crawler.commands.why import Command
from crawler.config.hours import Politeness
from crawler.frontier.base import MAX_ATTEMPTS, ManagedFrontier
from crawler.frontier.local.opening import frontier_path
from crawler.frontier.local.sqlite import SqliteFrontier
from extractors.links.urls import url_key
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from pipelines.stores.watch_tables import VERSIONS
from testbed.crawling import Crawl
from testbed.hostile import Connection, HostileWeb
from testbed.hostile.behaviours import article, links_to
from tests.crawler.commands.test_frontier import Run, entry, runner
from tests.crawler.frontier.direct import DirectFrontier

_MOVED = {
    "/moved": "http://why.example/story",
    "/hidden": "http://why.example/private/other",
    "/away": "http://elsewhere.example/story",
}
TITLE = "昨夜河水上涨两米，下城居民被送往高处的学校"


def _site(asked: Connection) -> None:
    if asked.path == "/broken":
        asked.answer(status=500)
    elif asked.path == "/gone":
        asked.answer(status=404)
    elif asked.path == "/story":
        asked.answer(article(TITLE))
    elif asked.path in _MOVED:
        asked.answer(status=302, Location=_MOVED[asked.path])
    else:
        links = ("/story", "/broken", "/gone", "/private/secret", *_MOVED, "/tables.zip")
        asked.answer(article("首页", links_to(*links)))


def _copy(asked: Connection) -> None:
    asked.answer(article(TITLE) if asked.path == "/copied" else article("转载", links_to("/copied")))


def _many(asked: Connection) -> None:
    asked.answer(article(f"第{asked.path[1:]}条", links_to(*(f"/news/{number}.html" for number in range(9)))))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What three crawls left: one to its end, one of a site that copies, one that stopped after a page."""
    robots = {"why.example": lambda asked: asked.answer("User-agent: *\nDisallow: /private/")}
    settings = {
        "RETRY_DELAY": 0.01,
        "FRONTIER_HOST_DELAY": 0,
        "CONCURRENT_REQUESTS": 1,
        "ALLOW_PRIVATE_ADDRESSES": False,
    }
    there = tmp_path_factory.mktemp("why")
    with HostileWeb({"why.example": _site, "copy.example": _copy, "many.example": _many}, robots=robots) as web:
        for host, arguments in (("why", {}), ("copy", {}), ("many", {"max_pages": "1"})):
            start = [f"http://{host}.example/"]
            ended = Crawl(there, start, arguments, settings, environment={"http_proxy": web.address}).run()
            assert not ended.errors
    return there


@pytest.fixture
def why(folder: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(Command, settings_for(folder), capsys)


def settings_for(folder: Path, project: str = "base") -> Settings:
    settings = Settings()
    settings.setmodule(f"settings.{project}", "project")
    settings.set("DATA_DIR", str(folder), "cmdline")
    settings.set("STORE", f"sqlite:///{folder}/crawl.db", "cmdline")
    return settings


def test_a_stored_page(why: Run) -> None:
    code, out, _ = why("http://why.example/story")
    assert code == 0
    assert ": was accepted, and is done" in out
    assert "state: fetched; status 200" in out
    assert "found: found by link, referrer http://why.example/, depth 1" in out
    assert "decision: kept: every page of the crawl is kept" in out
    assert f"stored as: article '{TITLE}'\n  url http://why.example/story" in out
    assert "published: unknown; first seen 20" in out
    assert "title: original" in out
    assert "robots.txt: obeyed" in out


def test_the_same_for_programs_in_any_spelling_of_the_address(why: Run) -> None:
    facts = json.loads(why("HTTP://WHY.example/story#top", "--json")[1])
    assert (facts["url"], facts["urls"]["status"]) == ("http://why.example/story", 200)
    assert facts["page"]["title"] == TITLE
    assert facts["frontier"] == [
        {"crawl": facts["frontier"][0]["crawl"], "state": "seen", "priority": 0, "attempts": 0}
    ]


@pytest.mark.parametrize("path", _MOVED)
def test_a_redirect_names_where_it_leads(why: Run, path: str) -> None:
    code, out, _ = why(f"http://why.example{path}")
    assert code == 0
    assert f"state: leads to another address: {_MOVED[path]}" in out


def test_why_an_address_was_never_pushed(why: Run) -> None:
    code, _, said = why("http://why.example/tables.zip")
    assert code == 1
    assert "files other than pages are not followed, such as .zip" in said
    assert "links out of the crawl's domains" in why("http://elsewhere.example/story")[2]


def test_a_repost(why: Run) -> None:
    title = json.loads(why("http://copy.example/copied", "--json")[1])["title"]
    assert (title["verdict"], title["cosine"]) == ("repost", 1.0)
    assert title["original"] == {"url": "http://why.example/story", "title": TITLE}
    assert "title: repost; cosine 1, " in why("http://copy.example/copied")[1]


def test_a_corrected_article_with_its_text_before_and_after(why: Run, folder: Path) -> None:
    store = open_store(f"sqlite:///{folder / 'crawl.db'}")
    try:
        page = store.get(PAGES, url_key("http://why.example/story"))
        assert page is not None
        first, second = (page["body"].replace("工期三年", words) for words in ("工期五年", "工期四年零六个月"))
        given = {name: page[name] for name in ("url", "title", "content_hash")} | {"page": page["key"]}
        times = ("2026-11-20T08:00:00+00:00", "2026-11-20T10:00:00+00:00", "2026-11-21T09:00:00+00:00")
        versions = ((first, *times[:2]), (second, *times[1:]))
        rows = [{**given, "body": body, "fetched_at": at, "replaced_at": end} for body, at, end in versions]
        store.upsert(VERSIONS, rows).result()
    finally:
        store.close()
    said = why("http://why.example/story")[1]
    later, earlier = said.split("corrected: ")[1:]
    assert later.startswith(f"noticed {times[2]}; before, as fetched {times[1]}")
    assert "工期四年零六个月" in later.split("text after")[0]
    assert "工期三年" in later.split("text after")[1]
    assert "工期五年" in earlier.split("text after")[0]
    assert "工期四年零六个月" in earlier.split("text after")[1]
    facts = json.loads(why("http://why.example/story", "--json")[1])
    assert [row["noticed_at"] for row in facts["versions"]] == [times[2], times[1]]
    assert "title" not in facts["versions"][0]


@given(st.text("ab一", max_size=30), st.text("ab一", max_size=30))
def test_the_changed_part_is_where_the_texts_differ(before: str, after: str) -> None:
    parts = changed_part(before, after)
    assert (parts[0] == parts[1]) == (before == after)
    assert all(part.strip("…") in text for part, text in zip(parts, (before, after), strict=True))


def test_a_page_that_failed(why: Run) -> None:
    out = why("http://why.example/broken")[1]
    assert f"attempts {MAX_ATTEMPTS}, reason HTTP 500" in out
    assert "state: given up: HTTP 500" in out


def test_a_page_that_is_gone(why: Run) -> None:
    assert "state: gone; never requested again; status 404" in why("http://why.example/gone")[1]


def test_a_page_that_robots_txt_forbids(why: Run) -> None:
    out = why("http://why.example/private/secret")[1]
    assert "state: never requested: Forbidden by robots.txt" in out
    assert "found: found by link, referrer http://why.example/" in out


def test_a_page_that_waits(why: Run) -> None:
    facts = json.loads(why("http://many.example/news/3.html", "--json")[1])
    (request,) = facts["frontier"]
    assert request["state"] == "queued"
    assert request["before"] > 0
    assert (request["referrer"], request["depth"]) == ("http://many.example/", 1)
    assert "waits in the queue" in why("http://many.example/news/3.html")[1]


def test_an_unknown_page_and_its_neighbours(why: Run) -> None:
    code, out, said = why("http://why.example/storm")
    assert (code, out) == (1, "")
    assert "Nothing is known about http://why.example/storm" in said
    assert said.splitlines()[2] == "  http://why.example/story"
    code, out, _ = why("http://nobody.example/", "--json")
    assert code == 1
    assert json.loads(out).keys() == {"url", "key", "host", "hint"}


def test_bans_of_the_host_that_still_hold(why: Run, folder: Path) -> None:
    write_health(
        folder, Health("bans", time.time(), banned=[("why.example", "", "", 900.0), ("a.example", "", "", 9.0)])
    )
    assert why("http://why.example/story")[1].count("ban: until 20") == 1
    write_health(folder, Health("bans", time.time() - 1_000, banned=[("why.example", "", "", 900.0)]))
    assert "ban:" not in why("http://why.example/story")[1]


def test_wrong_arguments(why: Run) -> None:
    with pytest.raises(UsageError):
        why()
    assert why("some words")[0] == 1


def test_pages_of_a_topic_are_kept_or_dropped_by_their_relevance(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def page(asked: Connection) -> None:
        topic = "增值税税务局" if asked.path == "/duty" else ""
        asked.answer(article(f"{asked.path}{topic}", links_to("/duty", "/other")))

    terms = tmp_path / "tax.yaml"
    terms.write_text("terms: {professional: [增值税, 税务局]}\nthreshold: 0.4\n", encoding="utf-8")
    with HostileWeb({"tax.example": page}) as web:
        arguments = {"topic": str(terms)}
        settings: dict[str, Any] = {"FRONTIER_HOST_DELAY": 0, "ALLOW_PRIVATE_ADDRESSES": False}
        Crawl(tmp_path, ["http://tax.example/"], arguments, settings, environment={"http_proxy": web.address}).run()
    run = runner(Command, settings_for(tmp_path), capsys)
    kept = json.loads(run("http://tax.example/duty", "--json")[1])["decision"]
    dropped = json.loads(run("http://tax.example/other", "--json")[1])["decision"]
    assert (kept["kept"], dropped["kept"]) == (True, False)
    assert kept["relevance"] >= kept["threshold"] == dropped["threshold"] == 0.4 > dropped["relevance"]


@pytest.fixture(params=["sqlite", "redis"])
def frontier(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ManagedFrontier]:
    if request.param == "sqlite":
        made: ManagedFrontier = SqliteFrontier(frontier_path(str(tmp_path), "news"))
    else:
        made = DirectFrontier(
            Redis.from_url(request.getfixturevalue("redis_url")), "{news}:requests", "{news}:dupefilter"
        )
    yield made
    made.close()


def test_a_request_in_each_state_on_both_frontiers(frontier: ManagedFrontier) -> None:
    entries = {number: entry(number, f"{number}.example") for number in range(5)}

    def state(number: int) -> tuple[str, int, str] | None:
        found = frontier.find(entries[number].key, entries[number].host)
        return (found.state, found.attempts, found.reason) if found else None

    assert state(0) is None
    for known in entries.values():
        frontier.set_pace(known.host, Politeness(0.0, 10))
    for number in range(4):
        frontier.push([entries[number]])
        lease = frontier.pop(1)[0]
        assert state(number) == ("leased", 1, "")
        if number == 0:
            frontier.ack([lease.token])
        elif number == 1:
            frontier.fail(lease.token, "HTTP 503", 60.0)
        elif number == 2:
            for _ in range(MAX_ATTEMPTS - 1):
                frontier.fail(lease.token, "HTTP 500")
                lease = frontier.pop(1)[0]
            frontier.fail(lease.token, "HTTP 500")
    frontier.push([entries[4], entry(9, "4.example")])
    frontier.flush()
    assert [state(number) for number in range(5)] == [
        ("seen", 0, ""),
        ("delayed", 1, "HTTP 503"),
        ("dead", MAX_ATTEMPTS, "HTTP 500"),
        ("leased", 1, ""),
        ("queued", 0, ""),
    ]
    queued = frontier.find(entries[4].key, "4.example")
    assert queued
    assert (queued.before, queued.priority, queued.payload) == (1, 4, entries[4].payload)


def test_in_a_cluster(redis_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = settings_for(tmp_path, "cluster")
    settings.set("REDIS_URL", redis_url, "cmdline")
    frontier = DirectFrontier(Redis.from_url(redis_url), "{news}:requests", "{news}:dupefilter")
    frontier.push([entry(1, "a.example")])
    frontier.close()
    code, out, _ = runner(Command, settings, capsys)("http://a.example/1")
    assert code == 0
    assert "frontier: {news}: waits in the queue" in out or "frontier: news: waits in the queue" in out
