"""Two processes with one watch: one visits, the other goes on when the first is killed, or stands still for too long."""

import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from pipelines.stores.watch_tables import WATCH_PAGES, WATCH_SOURCES
from testbed.hostile import Connection, HostileWeb
from testbed.hostile.behaviours import SENTENCE
from tests.crawler.spiders.watching import Watches, watches

HOST, HOME = "living.example", "http://living.example/"
SECONDS = 30.0
"""Within which a standby goes on."""
SLOWLY = {"WATCH_REQUESTS_PER_HOUR": 50, "WATCH_RECHECK_SHARE": 0, "WATCH_BACKLOG_SHARE": 0}
UNDER_WAY = 4
"""Requests that a process has begun when it is stopped, at most."""


class BurstingSite:
    """A list of the newest twenty articles; the list may lose them before they are fetched."""

    def __init__(self) -> None:
        self.newest, self.is_empty, self.lock = 20, False, threading.Lock()

    def publish(self, count: int) -> set[str]:
        with self.lock:
            self.newest, self.is_empty = self.newest + count, False
            return {f"/a/{1_000_000 + number}.html" for number in range(self.newest - count + 1, self.newest + 1)}

    def withdraw(self) -> None:
        with self.lock:
            self.is_empty = True

    def answer(self, asked: Connection) -> None:
        with self.lock:
            if asked.path == "/":
                newest = 20 if self.is_empty else self.newest
                links = "".join(map(link, range(newest, newest - 20, -1)))
                asked.answer(f"<title>首页</title><ul>{links}</ul>")
            elif asked.path.startswith("/a/"):
                asked.answer(
                    f"<title>{asked.path}</title><h1>第{asked.path}项工程</h1><p>{asked.path}{SENTENCE * 5}</p>"
                )
            else:
                asked.answer("<h1>404</h1>", status=404)


def link(number: int) -> str:
    return f'<li><a href="/a/{1_000_000 + number}.html">本市今天公布第{number}项重点工程的进展情况</a></li>'


class Pair:
    """Each process has a proxy of its own, which says what it has asked for."""

    def __init__(self, running: Watches, site: BurstingSite, webs: tuple[HostileWeb, HostileWeb]) -> None:
        self.running, self.site, self.webs = running, site, webs
        self.first = running.start("a", webs[0], SLOWLY)
        running.wait_for(lambda: running.row(WATCH_SOURCES, HOME).get("visits"))
        self.second = running.start("b", webs[1], SLOWLY)
        running.wait_for(lambda: "its standby" in running.log())

    def paths(self, state: str) -> set[str]:
        """Of the pages that have this state in the store."""
        return {row["url"].partition(HOST)[2] for row in self.running.rows(WATCH_PAGES) if row["state"] == state}

    def requests(self, number: int) -> int:
        return len(self.webs[number].seen)

    def stop(self, process: "subprocess.Popen[bytes]", how: signal.Signals, heir: int) -> None:
        """While new pages wait, and the list loses them: the other process fetches what waits, and nothing a second time."""
        new, before = self.site.publish(15), self.requests(heir)
        self.running.wait_for(lambda: len(self.paths("waiting")) >= 5)
        send(how, process, self.running)
        self.site.withdraw()
        fetched = self.paths("known") & new
        waited = self.running.wait_for(lambda: self.requests(heir) > before, SECONDS)
        print(f"after {how.name} the standby goes on within {waited:.1f} s")
        self.running.wait_for(lambda: all(any(web.asked(HOST, path) for web in self.webs) for path in new))
        again = {seen.path for seen in self.webs[heir].seen[before:]} & fetched
        assert len(again) <= 1, "one may be looked at for corrections"


def send(how: signal.Signals, process: "subprocess.Popen[bytes]", running: Watches) -> None:
    """A process that stands still in the middle of a write keeps the lock of SQLite, and nobody could go on: not then."""
    process.send_signal(how)
    while how is signal.SIGSTOP and running.is_locked():
        process.send_signal(signal.SIGCONT)
        time.sleep(0.05)
        process.send_signal(how)


@contextmanager
def pair(folder: Path, store: str = "") -> Iterator[Pair]:
    site = BurstingSite()
    with ExitStack() as stack:
        webs = (
            stack.enter_context(HostileWeb({HOST: site.answer})),
            stack.enter_context(HostileWeb({HOST: site.answer})),
        )
        yield Pair(stack.enter_context(watches(folder, (HOST,), store)), site, webs)


def test_the_standby_fetches_what_a_killed_process_has_listed(tmp_path: Path, mongo_uri: str) -> None:
    with pair(tmp_path, mongo_uri) as made:
        time.sleep(2)
        assert made.requests(1) == 0
        made.stop(made.first, signal.SIGKILL, heir=1)


def test_a_process_that_stood_still_becomes_the_standby_and_goes_on_when_the_other_ends(tmp_path: Path) -> None:
    with pair(tmp_path) as made:
        made.stop(made.first, signal.SIGSTOP, heir=1)
        made.first.send_signal(signal.SIGCONT)
        asked = made.requests(0)
        made.running.wait_for(lambda: made.running.log().count("its standby") >= 2)
        time.sleep(2)
        assert made.requests(0) <= asked + UNDER_WAY
        made.stop(made.second, signal.SIGINT, heir=0)
        assert made.second.wait(30) == 4
