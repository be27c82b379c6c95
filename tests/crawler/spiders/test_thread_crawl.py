"""Threads that run over pages are joined, and a second visit asks only for those that a list shows to be answered."""

from pathlib import Path
from typing import Any

from pipelines.stores.tables import PAGES, RECORDS, URLS
from testbed.crawling import Crawl
from testbed.hostile import HostileWeb
from tests.crawler.forum import Forum

SETTINGS = {"RETRY_DELAY": 0.05, "FRONTIER_HOST_DELAY": 0}


def run(folder: Path, forum: Forum, **arguments: Any) -> tuple[Crawl, list[str]]:
    """A crawl of the forum from its list, and the paths that were asked for."""
    with HostileWeb({"bbs.example": forum}) as web:
        settings = SETTINGS | arguments.pop("settings", {})
        crawl = Crawl(folder, ["http://bbs.example/forum-2-1.html"], arguments, settings, {"http_proxy": web.address})
        crawl.run()
        return crawl, [seen.path for seen in web.asked("bbs.example") if seen.path.startswith(("/forum", "/thread"))]


def rows_of(crawl: Crawl, number: int) -> list[dict[str, Any]]:
    """A thread's records in their order."""
    with crawl.store() as store:
        page = next(row["key"] for row in store.select(PAGES) if f"/thread-{number}-1-1" in row["url"])
        rows = [row for row in store.select(RECORDS) if row["page"] == page]
    return sorted(rows, key=lambda row: (row["part"], row["place"]))


def test_pages_of_a_thread_are_joined_and_only_changed_threads_are_fetched_again(tmp_path: Path) -> None:
    forum = Forum([3, 36, 5, 12, 0, 7])
    first, asked = run(tmp_path, forum)
    assert not first.errors
    assert len(asked) == len(set(asked)) == 1 + 4 + 5 + 2
    rows = rows_of(first, 1)
    assert [row["floor"] for row in rows] == [str(floor) for floor in range(1, 38)]
    assert [row["is_first"] for row in rows] == [1] + [0] * 36
    assert [row["part"] for row in rows][::9] == [1, 2, 3, 4, 5]
    assert [len(rows_of(first, number)) for number in (0, 2, 3, 5)] == [4, 6, 13, 8]
    assert sorted(path for path in first.pages()) == [
        "http://bbs.example/forum-2-1.html",
        *(f"http://bbs.example/thread-{number}-1-1.html" for number in range(6)),
    ]
    with first.store() as store:
        parts = [row for row in store.select(URLS) if row["state"] == "part"]
    assert {row["reason"] for row in parts if "thread-1-" in row["url"]} == {"http://bbs.example/thread-1-1-1.html"}
    assert len(parts) == 5

    known = {row["key"] for row in rows}
    forum.answers[1] += 1
    forum.answers[4] += 2
    second, asked = run(tmp_path, forum)
    assert not second.errors
    assert sorted(asked[1:]) == ["/thread-1-1-1.html", "/thread-1-5-1.html", "/thread-4-1-1.html"]
    rows = rows_of(second, 1)
    assert len({row["key"] for row in rows} - known) == 1
    assert len(rows) == len(known) + 1
    assert [row["floor"] for row in rows][-1] == "38"
    assert {row["key"] for row in rows if row["first_seen"] == row["fetched_at"]} >= {
        row["key"] for row in rows
    } - known

    third, asked = run(tmp_path, forum)
    assert not third.errors
    assert asked == ["/forum-2-1.html"]


def test_a_thread_without_end_ends(tmp_path: Path) -> None:
    """One whose next page always brings the same posts again; one that is longer than what is read of a thread."""
    crawl, asked = run(tmp_path, Forum([3, 20, 70, 2, 6, 7], endless=True), settings={"SITE_MAX_THREAD_PAGES": 5})
    assert not crawl.errors
    assert {path for path in asked if "/thread-1-" in path} == {f"/thread-1-{n}-1.html" for n in (1, 2, 3, 4)}
    assert {path for path in asked if "/thread-2-" in path} == {f"/thread-2-{n}-1.html" for n in (1, 2, 3, 4, 5)}
    assert [len(rows_of(crawl, number)) for number in range(6)] == [4, 21, 41, 3, 7, 8]
