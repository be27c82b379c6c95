"""An analyst's first day in a real browser, from an empty folder to a report, with the seconds of each step and pictures.

python -m benchmarks.console_day [--language zh] [--out FOLDER]

Only `scrapy console` is started. Everything else is pressed: an account, a topic and its preview, a crawl of a served web that is watched
and stopped, a search, an event, an alert that fires, a report on the page, as PDF and by plan.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from playwright.sync_api import Page as BrowserPage
from playwright.sync_api import sync_playwright

from crawler.rendering.options import find_browser
from testbed.local_server import AnsweringHandler, serving
from testbed.served_web import REPOSITORY, free_port
from testbed.servers import listens, wait_until

_ARTICLES = 400
_PASSWORD = "correct horse battery"
_SECONDS, _WATCHED_SECONDS = 60.0, 10.0
_SETTINGS = {"ALLOW_PRIVATE_ADDRESSES": True, "FRONTIER_HOST_DELAY": 0.3, "MAX_IDLE_TIME_BEFORE_CLOSE": 60}
_REPORTS = (
    "侨联在广州举行归侨侨眷权益保护座谈会",
    "归侨侨眷权益保护座谈会在广州举行 侨联听取意见",
    "广州：侨联举行座谈会谈归侨侨眷权益保护",
)
"""Titles of three reports of one event."""
_PLACES = ("泉州", "江门", "温州", "福清", "汕头", "海口", "昆明", "青田", "梅州", "厦门", "旧金山", "曼谷", "悉尼")
_DEEDS = (
    "侨务法律咨询进社区", "华侨史料馆开馆", "老归侨免费体检启动", "新生代创业论坛开幕", "华文教师培训结业", "侨资项目签约",
    "侨乡古村修缮完工",
    "侨批档案数字化", "海外联谊会换届", "龙舟邀请赛举行", "跨境汇款手续简化", "侨商捐建图书馆", "青少年寻根夏令营开营", "侨界义诊下乡",
    "归国留学人员招聘会", "侨房产权登记集中办理", "海外侨胞春节联欢",
)  # fmt: skip
_WHO = ("省侨联代表团", "海外侨领", "华文学校师生", "归侨侨眷志愿队", "侨商会会长")
_SENTENCES = (
    "{place}消息：{deed}，{n}位侨胞到场，{who}介绍了筹备经过。",
    "活动由{place}侨联与当地社区共同举办，归侨侨眷权益保护是咨询最多的问题。",
    "{who}说，希望更多年轻侨胞了解家乡，明年还将增加{n}个名额。",
    "据统计，{place}现有归侨侨眷约{n}万人，分布在三十多个国家和地区。",
    "现场展出老照片、侨批和家书{n}件，最早的一件写于一九二一年。",
    "侨务部门表示，{deed}之后将公布办理时限，并在网上受理申请。",
    "一位从业{n}年的侨商认为，手续简化后往返两地更加方便。",
    "主办方同时邀请{who}参观了新建的服务中心，并就子女入学答疑。",
)
_TERMS = {
    "subject": "侨联\n侨办",
    "professional": "侨胞 = 华侨、华人 * 0.9\n归侨侨眷\n侨务",
    "intelligence": "权益保护",
}


class SmallNews(AnsweringHandler):
    """A list of articles, and the articles; the first ones report one event."""

    def do_GET(self) -> None:
        if self.path == "/":
            links = "".join(f'<li><a href="/{n}.html">{_title(n)}</a></li>' for n in range(_ARTICLES))
            self.answer(f'<html lang="zh"><title>侨务新闻</title><ul>{links}</ul></html>')
        elif self.path.removeprefix("/").removesuffix(".html").isdecimal():
            self.answer(_article(int(self.path[1:-5])))
        else:
            self.answer(status=404)


def _title(number: int) -> str:
    return _REPORTS[number] if number < len(_REPORTS) else _other_title(number)


def _other_title(number: int) -> str:
    place, deed, who = _PLACES[number % len(_PLACES)], _DEEDS[number % len(_DEEDS)], _WHO[number % len(_WHO)]
    return (f"{place}{deed}", f"{who}赴{place}考察：{deed}", f"侨胞谈{place}{deed}")[number % 3]


def _article(number: int) -> str:
    title, said = _title(number), _said(number)
    at = datetime.now(UTC).isoformat(timespec="seconds")
    head = f'<title>{title}</title><meta property="article:published_time" content="{at}">'
    return f'<html lang="zh">{head}<article><h1>{title}</h1>{said}</article></html>'


def _said(number: int) -> str:
    if number < len(_REPORTS):
        return (
            f"<p>{_title(number)}。侨联今天上午在广州举行归侨侨眷权益保护座谈会，{40 + number}位侨胞代表参加。</p>"
            "<p>代表们就华侨权益保护条例的实施提出建议，侨联负责人表示将逐项答复。</p>"
        )
    place, deed, who = _PLACES[number % len(_PLACES)], _DEEDS[number % len(_DEEDS)], _WHO[number % len(_WHO)]
    sentences = [_SENTENCES[(number + 3 * part) % len(_SENTENCES)] for part in range(2 + number % 5)]
    return "".join(f"<p>{each.format(place=place, deed=deed, who=who, n=number + 7)}</p>" for each in sentences)


class Hands:
    """A page of the browser that counts what a person would press and fill."""

    def __init__(self, page: BrowserPage) -> None:
        self._page, self.presses, self.fields = page, 0, 0

    def __getattr__(self, name: str) -> Any:
        self.presses += name == "click"
        self.fields += name in ("fill", "select_option")
        return getattr(self._page, name)


class Film:
    """A browser at the console; each step has a name, its seconds, presses, fields and a picture."""

    def __init__(self, page: BrowserPage, console: str, web: str, out: Path) -> None:
        self.page, self._console, self._web, self._out = Hands(page), console, web, out
        self.steps: list[tuple[str, float]] = []

    def play(self) -> None:
        for step in (
            self.account,
            self.topic,
            self.crawl,
            self.stop,
            self.search,
            self.event,
            self.alert,
            self.report,
            self.plan,
        ):
            self._timed(step)

    def _timed(self, step: Callable[[], None]) -> None:
        begin, presses, fields = time.monotonic(), self.page.presses, self.page.fields
        step()
        self.steps.append((step.__name__, time.monotonic() - begin))
        self.page.screenshot(path=self._out / f"{len(self.steps)}-{step.__name__}.png", full_page=True)
        hands = f"{self.page.presses - presses} pressed, {self.page.fields - fields} filled"
        print(f"{step.__name__:<8} {self.steps[-1][1]:6.1f} s, {hands}", flush=True)

    def _open(self, path: str) -> None:
        self.page.goto(f"{self._console}{path}")

    def account(self) -> None:
        self._open("/")
        self.page.screenshot(path=self._out / "0-first.png", full_page=True)
        self.page.click(".note.warn a[href='/users']")
        self.page.fill("form[action='/users/add'] [name=name]", "anna")
        self.page.fill("form[action='/users/add'] [name=password]", _PASSWORD)
        self.page.click("form[action='/users/add'] button")
        self.page.fill("[name=user]", "anna")
        self.page.fill("[name=password]", _PASSWORD)
        self.page.click("main button, form button.go")

    def topic(self) -> None:
        self._open("/terms/topic")
        self.page.fill("[name=name]", "侨情")
        for name, text in _TERMS.items():
            self.page.fill(f"[name={name}]", text)
        self.page.fill("[name=languages]", "zh")
        self.page.fill("[name=seeds]", self._web)
        self.page.click("button[formaction$=preview]")
        self.page.wait_for_selector("#preview")
        self.page.click("form.topic button.go")
        self.page.wait_for_selector(".note.done")

    def crawl(self) -> None:
        self._open("/runs?topic=侨情#start")
        self.page.click("form[action='/runs/start'] button")
        self.page.wait_for_selector(".note.done")
        self._until("tr[data-run] .st.run", "/runs")
        self._until("tr:has(small) .n:has-text('1')", "/runs")

    def stop(self) -> None:
        time.sleep(_WATCHED_SECONDS)
        self._open("/runs")
        self.page.click("tr[data-run] form[action='/runs/stop'] button")
        self._until("tr[data-run][data-state=left]", "/runs")
        assert self.page.locator("tr[data-run] form[action='/runs/again'] button").count() == 1

    def search(self) -> None:
        self._until("td.t a[href^='/articles/']", "/articles?q=侨胞")

    def event(self) -> None:
        self._until("td.t a[href^='/events/']", "/events")
        self.page.click("td.t a[href^='/events/']")
        self.page.wait_for_selector("#who")

    def alert(self) -> None:
        self._open("/alerts/rule?kind=term")
        self.page.fill("[name=name]", "侨胞权益")
        self.page.fill("[name=term]", "侨胞")
        self.page.click("button[formaction$=try]")
        self.page.wait_for_selector("#preview tbody tr")
        self.page.click("form.topic button.go")
        self._until("td.t a[href^='/alerts?key=']", "/alerts")

    def report(self) -> None:
        self._open("/reports")
        self.page.select_option("form[action='/reports/report.html'] [name=topic]", "侨情")
        self.page.click("form[action='/reports/report.html'] button.go")
        self.page.wait_for_selector("#pages")
        self.page.pdf(path=self._out / "report.pdf", prefer_css_page_size=True)

    def plan(self) -> None:
        self._open("/reports")
        self.page.fill("form[action='/reports/plan'] [name=name]", "morning")
        self.page.select_option("form[action='/reports/plan'] [name=topic]", "侨情")
        self.page.click("form[action='/reports/plan'] button")
        self.page.wait_for_selector("form[action='/reports/remove']")

    def _until(self, selector: str, path: str) -> None:
        """Look at a page again until it has this."""
        ends = time.monotonic() + _SECONDS
        self._open(path)
        while not self.page.locator(selector).count():
            if time.monotonic() > ends:
                self.page.screenshot(path=self._out / "failed.png", full_page=True)
                raise TimeoutError(f"{path} has no {selector} after {_SECONDS:.0f} s")
            time.sleep(1)
            self._open(path)


def _console(folder: Path, port: int) -> "subprocess.Popen[bytes]":
    (folder / "settings" / "topics").mkdir(parents=True)
    settings = {**_SETTINGS, "DATA_DIR": folder / "data", "STORE": "", "CONSOLE_PORT": port}
    words = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
    environment = {**os.environ, "TOPICRAWL_SETTINGS_DIR": str(folder / "settings"), "SCRAPYD_NODES": ""}
    command = [sys.executable, "-m", "scrapy", "console", *words]
    return subprocess.Popen(command, cwd=REPOSITORY, env=environment, stdout=subprocess.DEVNULL)


def _end_jobs(folder: Path) -> None:
    """The analysis outlives the console: end what the film began."""
    from scrapy.settings import Settings

    from crawler.scheduling.scrapyd import LocalJobs

    jobs = LocalJobs(Settings({"DATA_DIR": str(folder / "data")}))
    for job in jobs.jobs():
        jobs.stop(job)
    wait_until(lambda: not jobs.jobs(), "the end of the jobs", 60)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--language", choices=("zh", "en"), default="zh")
    parser.add_argument("--out", default="", help="folder of pictures")
    given = parser.parse_args()
    out = Path(given.out or tempfile.mkdtemp(prefix="console-day-"))
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, serving(SmallNews) as web, sync_playwright() as playwright:
        folder, port = Path(name), free_port()
        console = _console(folder, port)
        try:
            wait_until(lambda: listens(port), "starting the console", 60)
            browser = playwright.chromium.launch(executable_path=find_browser("") or None, args=["--no-sandbox"])
            page = browser.new_page(
                locale="zh-CN" if given.language == "zh" else "en-US", viewport={"width": 1440, "height": 900}
            )
            film = Film(page, f"http://127.0.0.1:{port}", f"http://127.0.0.1:{web.server_port}/", out)
            film.play()
            print(f"{'in all':<8} {sum(seconds for _, seconds in film.steps):6.1f} s; pictures in {out}")
        finally:
            console.send_signal(signal.SIGINT)
            console.wait(30)
            _end_jobs(folder)


if __name__ == "__main__":
    main()
