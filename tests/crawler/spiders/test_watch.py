"""A watch as a process, over a site that publishes while it runs; killed and started again."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES, VERSIONS, WATCH_PAGES, WATCH_SOURCES
from tests.crawling import REPOSITORY
from tests.documents import pdf
from tests.hostile import Connection, HostileWeb
from tests.hostile.behaviours import SENTENCE

HOST = "living.example"
REPORT = "/files/report.pdf" if find_spec("pypdfium2") else "/files/report"


@dataclass
class LivingSite:
    """A home list of articles; what it shows changes while the watch runs."""

    newest: int = 8
    corrected: set[int] = field(default_factory=set)
    deleted: set[int] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, asked: Connection) -> None:
        with self.lock:
            if asked.path == "/":
                shown = (n for n in range(self.newest, max(0, self.newest - 10), -1) if n not in self.deleted)
                rows = "".join(f'<li><a href="/a/{self.name(n)}.html">{self.title(n)}</a></li>' for n in shown)
                if self.newest > 8:
                    rows += f'<li><a href="{REPORT}">本市今年重点工程的年度报告（全文）</a></li>'
                asked.answer(f"<title>首页</title><nav><a href='/guonei/'>国内</a></nav><ul>{rows}</ul>")
            elif asked.path == "/files/report.pdf":
                asked.answer(pdf([["The bridge is open."]]), Content_Type="application/pdf")
            elif asked.path == "/files/report":
                asked.answer(b"The bridge is open.", Content_Type="text/plain")
            elif asked.path.startswith("/a/") and (number := int(asked.path[3:-5]) - 1_000_000) not in self.deleted:
                text = f"这是第{number}篇文章的{'更正' if number in self.corrected else '正文'}。" + SENTENCE * 5
                asked.answer(f"<title>{self.title(number)}</title><h1>{self.title(number)}</h1><p>{text}</p>" * 1)
            else:
                asked.answer("<h1>404</h1>", status=404)

    def name(self, number: int) -> int:
        return 1_000_000 + number

    def title(self, number: int) -> str:
        return ("（更正）" if number in self.corrected else "") + f"本市今天公布第{number}项重点工程的进展情况"

    def publish(self) -> str:
        with self.lock:
            self.newest += 1
            return f"http://{HOST}/a/{self.name(self.newest)}.html"


def start(folder: Path, web: HostileWeb) -> "subprocess.Popen[bytes]":
    folder.mkdir(exist_ok=True)
    (folder / "sites.txt").write_text(f"http://{HOST}/\n")
    values = {"DATA_DIR": folder, "WATCH_CLOCK_SPEED": 360, "WATCH_REQUESTS_PER_HOUR": 100, "FRONTIER_HOST_DELAY": 0}
    values |= {"WATCH_HOST_REQUESTS_PER_HOUR": 100, "TITLES_ENABLED": False, "RETRY_DELAY": 0.1}
    command = [sys.executable, "-m", "scrapy", "crawl", "watch", "-a", f"sites={folder / 'sites.txt'}"]
    command += [word for name, value in values.items() for word in ("-s", f"{name}={value}")]
    environment = os.environ | {"http_proxy": web.address}
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(command, cwd=REPOSITORY, env=environment, stdout=log, stderr=log)


def wait_for(folder: Path, condition: Callable[[], object], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, (folder / "log").read_text(errors="replace")[-3000:]
        time.sleep(0.1)


def stored(folder: Path, table: str, url: str) -> dict[str, object]:
    address = f"sqlite:///{folder / 'topicrawl.db'}"
    if not (folder / "topicrawl.db").exists():
        return {}
    store = open_store(address)
    try:
        tables = {found.name: found for found in (PAGES, WATCH_PAGES, WATCH_SOURCES, VERSIONS)}
        return next((row for row in store.select(tables[table]) if row["url"] == url), {})
    finally:
        store.close()


def test_new_pages_corrections_and_deletions_are_found_also_after_a_kill(tmp_path: Path) -> None:
    site, folder = LivingSite(), tmp_path / "watch"
    with HostileWeb({HOST: site.answer}) as web:
        process = start(folder, web)
        try:
            wait_for(folder, lambda: web.asked(HOST, "/"))
            wait_for(folder, lambda: stored(folder, "watch_sources", f"http://{HOST}/").get("visits"))
            first = site.publish()
            wait_for(folder, lambda: stored(folder, "pages", first))
            report = f"http://{HOST}{REPORT}"
            wait_for(folder, lambda: stored(folder, "pages", report).get("body") == "The bridge is open.")
            process.kill()
            process.wait()
            visits = stored(folder, "watch_sources", f"http://{HOST}/")["visits"]
            while_it_was_away = site.publish()
            process = start(folder, web)
            wait_for(folder, lambda: stored(folder, "pages", while_it_was_away))
            assert len(web.asked(HOST, first.partition(HOST)[2])) <= 2
            assert int(str(stored(folder, "watch_sources", f"http://{HOST}/")["visits"])) > int(str(visits))
            with site.lock:  # both are noticed when the pages are two hours old
                site.corrected.add(9)
                site.deleted.add(10)
            wait_for(folder, lambda: "正文" in str(stored(folder, "versions", first).get("body")))
            assert "更正" in str(stored(folder, "pages", first)["body"])
            wait_for(folder, lambda: stored(folder, "watch_pages", while_it_was_away).get("state") == "gone", 150)
            assert stored(folder, "pages", while_it_was_away)["body"]
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 4
        finally:
            process.kill()
            process.wait()
    assert "Traceback" not in (folder / "log").read_text(errors="replace")
