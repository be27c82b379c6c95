"""A crawl that is killed or stopped loses nothing: started again, it ends with what an undisturbed one has."""

import signal
import time
from pathlib import Path

import pytest

from crawler.exit_status import ExitCode
from crawler.frontier.local.sqlite import SqliteFrontier
from testbed.crawling import Crawl
from testbed.hostile import Connection, HostileWeb
from testbed.hostile.behaviours import article, links_to
from testbed.servers.processes import wait_until

PAGES = 90
SETTINGS = {"FRONTIER_HOST_DELAY": 0, "FRONTIER_HOST_CONCURRENCY": 8, "RETRY_DELAY": 0.05}


def _tree(asked: Connection) -> None:
    """Page n leads to 3n + 1, 3n + 2, 3n + 3; each takes a moment."""
    time.sleep(0.02)
    if not asked.path[1:].isdigit() and asked.path != "/":
        asked.answer(status=404)
        return
    number = int(asked.path[1:] or 0)
    children = [f"/{child}" for child in range(3 * number + 1, 3 * number + 4) if child < PAGES]
    asked.answer(article(f"第{number}页", links_to(*children)))


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["killed", "stopped"])
def test_nothing_is_lost(tmp_path: Path, how: signal.Signals) -> None:
    expected = {f"http://tree.example/{number or ''}" for number in range(PAGES)}
    with HostileWeb({"tree.example": _tree}) as web:
        crawl = Crawl(tmp_path, ["http://tree.example/"], settings=SETTINGS, environment={"http_proxy": web.address})
        for pages in (15, 50):
            process = crawl.start()
            wait_until(lambda pages=pages: len(web.asked("tree.example")) >= pages, "the crawl")
            process.send_signal(how)
            crawl.wait(process, 30)
            assert crawl.exit_code == (-how if how == signal.SIGKILL else ExitCode.INCOMPLETE)
        assert len(web.asked("tree.example")) < PAGES, "it was disturbed too late to mean anything"
        crawl.run()
    assert not [line for line in crawl.errors if "Ending: shutdown" not in line]
    assert set(crawl.pages()) == expected
    frontier = SqliteFrontier(next((tmp_path / "frontier").glob("*.db")))
    accounts = frontier.accounts()
    frontier.close()
    assert (accounts.queued, accounts.leased, accounts.dead) == (0, 0, 0)
