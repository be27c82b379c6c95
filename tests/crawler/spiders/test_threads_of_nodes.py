"""Threads that run over pages are joined by several nodes as by one: in Redis and MongoDB, where each page may come to another."""

from pathlib import Path
from typing import Any

from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES, RECORDS
from testbed.cluster import ClusterNode
from testbed.hostile import HostileWeb
from tests.crawler.forum import Forum

LIST = "http://bbs.example/forum-2-1.html"


def visit(folder: Path, nodes: int, forum: Forum, redis: str, store: str) -> list[str]:
    """A visit by several nodes at once; returns the requested paths."""
    folder.mkdir()
    seeds = folder / "urls.txt"
    seeds.write_text(LIST, encoding="utf-8")
    with HostileWeb({"bbs.example": forum}) as web:
        settings: dict[str, object] = {"FRONTIER_HOST_CONCURRENCY": 4}
        crew = [
            ClusterNode(folder / f"node-{number}", redis, store, None, settings, {"http_proxy": web.address})
            for number in range(nodes)
        ]
        codes = [process.wait(120) for process in [node.start(seeds) for node in crew]]
        asked = [seen.path for seen in web.asked("bbs.example") if seen.path.startswith(("/forum", "/thread"))]
    logs = "".join(node.log() for node in crew)
    assert codes == [0] * nodes, logs[-3000:]
    assert "Traceback" not in logs
    return asked


def rows(store: str) -> dict[str, list[dict[str, Any]]]:
    """By thread its records in their order."""
    opened = open_store(store)
    pages = {row["key"]: row["url"] for row in opened.select(PAGES)}
    records = sorted(opened.select(RECORDS), key=lambda row: (row["page"], row["part"], row["place"]))
    opened.close()
    found: dict[str, list[dict[str, Any]]] = {}
    for row in records:
        found.setdefault(pages[row["page"]], []).append(row)
    return found


def thread(number: int) -> str:
    return f"http://bbs.example/thread-{number}-1-1.html"


def test_threads_are_joined_and_a_revisit_adds_what_is_new(tmp_path: Path, redis_url: str, mongo_uri: str) -> None:
    forum = Forum([3, 20, 12, 2])
    asked = visit(tmp_path / "first", 2, forum, redis_url, mongo_uri)
    assert len(asked) == len(set(asked)) == 1 + 4 + 2 + 1
    first = rows(mongo_uri)
    assert set(first) == {LIST, *(thread(number) for number in range(4))}
    assert [len(first[thread(number)]) for number in range(4)] == [4, 21, 13, 3]
    assert [row["floor"] for row in first[thread(1)]] == [str(floor) for floor in range(1, 22)]
    assert [row["part"] for row in first[thread(1)]][::9] == [1, 2, 3]
    assert [row["is_first"] for row in first[thread(1)]] == [1] + [0] * 20

    forum.answers[1] += 1
    forum.answers[3] += 2
    asked = visit(tmp_path / "second", 1, forum, redis_url, mongo_uri)
    assert sorted(asked[1:]) == ["/thread-1-1-1.html", "/thread-1-3-1.html", "/thread-3-1-1.html"]
    second = rows(mongo_uri)
    new = {row["key"] for row in second[thread(1)]} - {row["key"] for row in first[thread(1)]}
    assert [row["floor"] for row in second[thread(1)] if row["key"] in new] == ["22"]
    assert [len(second[thread(number)]) for number in range(4)] == [4, 22, 13, 5]
    assert all(row["first_seen"] == row["fetched_at"] for row in second[thread(1)] if row["key"] in new)
    assert second[thread(2)] == first[thread(2)]
