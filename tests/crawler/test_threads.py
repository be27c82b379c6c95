"""Threads that run over pages are joined, and a second visit asks only for those that a list shows to be answered."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipelines.stores.tables import PAGES, RECORDS, URLS
from tests.crawling import Crawl
from tests.hostile import Connection, HostileWeb

SETTINGS = {"RETRY_DELAY": 0.05, "FRONTIER_HOST_DELAY": 0}
TITLES = (
    "去年买的电动车冬天续航还剩多少",
    "新手求助：第一次装修要注意哪些坑",
    "周末去爬山有没有人一起拼车的",
    "孩子三年级数学怎么补习比较好",
    "老房子换窗户多少钱一平方米合适",
    "求推荐一家靠谱的宠物医院急用",
)
THINGS = ("价格", "质量", "服务", "天气", "路线", "时间", "材料", "工人", "邻居", "电话", "合同", "定金")
PER_PAGE = 8


@dataclass(slots=True)
class Forum:
    """A forum under one host: a list of threads and their pages, with as many posts as `answers` says beside the first."""

    answers: list[int]
    endless: bool = False

    def __call__(self, asked: Connection) -> None:
        """Answer for a page."""
        if asked.path in ("/", "/forum-2-1.html"):
            asked.answer(self.list_of_threads())
        elif found := re.fullmatch(r"/thread-(\d+)-(\d+)-1\.html", asked.path):
            asked.answer(self.page(int(found[1]), int(found[2])))
        else:
            asked.answer("nothing here", 404)

    def list_of_threads(self) -> str:
        """Each line with its thread's further pages, its answers and when it was last answered."""
        lines = "".join(
            f'<tbody id="normalthread_{number}"><tr><th><a class="xst" href="/thread-{number}-1-1.html">{TITLES[number]}</a>'
            f'<span class="tps">{self.pager(number, 0)}</span></th><td class="by"><cite><a href="/u/1">楼主{number}</a></cite>'
            f"<em>2026-10-{10 + number}</em></td><td class='num'><a>{answers}</a><em>{answers * 37 + 11}</em></td>"
            f"<td class='by'><cite><a href='/u/1'>路人{answers}</a></cite><em>2026-11-1{number} 10:{answers:02}</em></td></tr></tbody>"
            for number, answers in enumerate(self.answers)
        )
        return f"<meta charset=utf-8><title>生活版</title><table id=threadlist>{lines}</table>"

    def pages_of(self, number: int) -> int:
        """How many pages a thread has; the first post stands on each."""
        return max(1, -(-self.answers[number] // PER_PAGE))

    def pager(self, number: int, own: int) -> str:
        """Links to a thread's other pages."""
        pages = range(1, self.pages_of(number) + 1)
        links = "".join(f'<a href="/thread-{number}-{n}-1.html">{n}</a>' for n in pages if n != own and (own or n > 1))
        following = own and (own < len(pages) or self.endless)
        return links + (f'<a class="nxt" href="/thread-{number}-{own + 1}-1.html">下一页</a>' if following else "")

    def page(self, number: int, own: int) -> str:
        """A page of a thread: its first post, then this page's answers."""
        page = min(own, self.pages_of(number))
        floors = [1, *range(2, self.answers[number] + 2)[(page - 1) * PER_PAGE : page * PER_PAGE]]
        posts = "".join(self.post(number, floor) for floor in floors)
        return (
            f"<meta charset=utf-8><title>{TITLES[number]}</title><h1>{TITLES[number]}</h1><div id=postlist>{posts}</div>"
            f'<div class="pg">{self.pager(number, own)}</div><a href="/forum-2-1.html">返回列表</a>'
        )

    @staticmethod
    def post(number: int, floor: int) -> str:
        """One post."""
        thing = THINGS[(floor * 5 + number) % len(THINGS)]
        said = f"关于{thing}我再补充第{floor}点，{thing}这件事要先问清楚，别到最后才发现不合适"
        name = f"楼主{number}" if floor == 1 else f"网友{number}号{floor}"
        return (
            f'<div id="post_{7000 + number * 500 + floor}" class="plhin"><div class="authi"><a class="xw1" href="/u/{floor % 2}">'
            f"{name}</a></div><strong>{floor}#</strong><em>发表于 2026-11-{floor % 9 + 1:02} 09:{floor:02}</em>"
            f'<div class="t_f">{said}</div></div>'
        )


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
