"""A forum whose threads run over pages and are answered between two visits."""

import re
from dataclasses import dataclass

from testbed.hostile import Connection

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
