"""A watch as a process, over a site that publishes while it runs; killed and started again."""

import signal
import threading
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from pipelines.stores.tables import PAGES
from pipelines.stores.watch_tables import VERSIONS, WATCH_PAGES, WATCH_SOURCES
from testbed.hostile import Connection, HostileWeb
from testbed.hostile.behaviours import SENTENCE
from tests.crawler.spiders.watching import watches
from tests.documents import pdf

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


def test_new_pages_corrections_and_deletions_are_found_also_after_a_kill(tmp_path: Path) -> None:
    site, home = LivingSite(), f"http://{HOST}/"
    with HostileWeb({HOST: site.answer}) as web, watches(tmp_path, (HOST,)) as running:
        process = running.start("a", web)
        running.wait_for(lambda: web.asked(HOST, "/"))
        running.wait_for(lambda: running.row(WATCH_SOURCES, home).get("visits"))
        first = site.publish()
        running.wait_for(lambda: running.row(PAGES, first))
        report = f"http://{HOST}{REPORT}"
        running.wait_for(lambda: running.row(PAGES, report).get("body") == "The bridge is open.")
        process.kill()
        process.wait()
        visits = running.row(WATCH_SOURCES, home)["visits"]
        while_it_was_away = site.publish()
        process = running.start("a", web)
        running.wait_for(lambda: running.row(PAGES, while_it_was_away))
        assert len(web.asked(HOST, first.partition(HOST)[2])) <= 2
        assert running.row(WATCH_SOURCES, home)["visits"] > visits
        with site.lock:  # both are noticed when the pages are two hours old
            site.corrected.add(9)
            site.deleted.add(10)
        running.wait_for(lambda: "正文" in str(running.row(VERSIONS, first).get("body")))
        running.wait_for(lambda: "更正" in str(running.row(PAGES, first)["body"]))  # written behind the version
        corrected = running.row(PAGES, first)
        assert (corrected["published_by"], corrected["listed"]["new"]) == ("seen", "yes"), "the page says no time"
        running.wait_for(lambda: running.row(WATCH_PAGES, while_it_was_away).get("state") == "gone", 150)
        assert running.row(PAGES, while_it_was_away)["body"]
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 4
