"""A crawl with processes that read its pages stores what a crawl without them does, also when one of them is killed."""

import json
import os
import signal
from pathlib import Path
from typing import Any

from pipelines.stores.tables import PAGES, RECORDS, RUNS, SOURCES, URLS
from testbed.crawling import Crawl, run_together
from testbed.hostile import Connection, HostileWeb
from tests.crawler.forum import Forum

_SETTINGS = {"FRONTIER_HOST_DELAY": 0, "FRONTIER_HOST_CONCURRENCY": 8, "RETRY_DELAY": 0.05}
_OF_THE_RUN = {"fetched_at", "counted_at", "made_at", "first_seen", "last_seen", "depth", "referrer", "found_by"}
_KILLED_AFTER = 12


def _readers(folder: Path) -> list[int]:
    """The processes that read pages for the crawls in this folder."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            parent = (entry / "stat").read_text().rsplit(")", 1)[1].split()[1] if entry.name.isdecimal() else ""
            ours = parent and str(folder) in Path(f"/proc/{parent}/cmdline").read_text()
            if ours and "crawler.parse_workers.process" in (entry / "cmdline").read_text():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def _rows(crawl: Crawl) -> dict[str, Any]:
    with crawl.store() as store:
        return {
            table.name: sorted(
                repr(sorted((name, value) for name, value in row.items() if name not in _OF_THE_RUN))
                for row in store.select(table)
            )
            for table in (PAGES, RECORDS, SOURCES, URLS)
        }


def test_pages_are_the_same_with_and_without_them(tmp_path: Path) -> None:
    forum, asked, killed = Forum([3, 36, 5, 12, 0, 7]), 0, list[int]()

    def answer(connection: Connection) -> None:
        nonlocal asked
        asked += 1
        if asked > _KILLED_AFTER and not killed and (found := _readers(tmp_path)):
            killed.append(found[0])
            os.kill(found[0], signal.SIGKILL)
        forum(connection)

    with HostileWeb({"bbs.example": answer}) as web:
        alone, helped = (
            Crawl(tmp_path / name, ["http://bbs.example/forum-2-1.html"], given, _SETTINGS, {"http_proxy": web.address})
            for name, given in (("alone", {}), ("helped", {"workers": "2"}))
        )
        run_together([alone, helped])
    assert killed
    assert not helped.errors
    assert helped.exit_code == 0
    assert len(helped.pages()) == 7
    assert _rows(helped) == _rows(alone)
    with helped.store() as store:
        assert [row["reason"] for row in store.select(RUNS)] == ["finished"]
    assert not _readers(tmp_path)


def _crawl(folder: Path, machine: str, given: dict[str, str], settings: dict[str, object]) -> Crawl:
    """A crawl of a forum on a machine of `spare_cores`."""
    with HostileWeb({"bbs.example": Forum([3, 36, 5, 12, 0, 7])}) as web:
        extensions = json.dumps({f"tests.crawler.spiders.spare_cores.{machine}": 1})
        crawl = Crawl(
            folder,
            ["http://bbs.example/forum-2-1.html"],
            given,
            _SETTINGS | settings | {"EXTENSIONS": extensions},
            {"http_proxy": web.address},
        ).run()
    assert crawl.exit_code == 0
    assert len(crawl.pages()) == 7
    return crawl


def test_a_busy_crawl_gets_workers_and_says_so(tmp_path: Path) -> None:
    crawl = _crawl(tmp_path, "BusyProcess", {}, {"FRONTIER_HOST_DELAY": 0.5})
    assert "4 worker processes parse pages, since one core was busy" in crawl.log
    assert not _readers(tmp_path)


def test_a_crawl_that_waits_gets_none(tmp_path: Path) -> None:
    crawl = _crawl(tmp_path, "SpareCores", {}, {"FRONTIER_HOST_DELAY": 0.5})
    assert "worker processes" not in crawl.log


def test_a_crawl_that_wants_none_gets_none(tmp_path: Path) -> None:
    crawl = _crawl(tmp_path, "BusyProcess", {"workers": "0"}, {})
    assert "worker processes" not in crawl.log
