"""A site whose pages exist twice, with the same words: served whole, and made by scripts in the ways in use."""

import json
import random
from dataclasses import dataclass

from testbed.hostile import Connection

KINDS = ("article", "state", "comments", "scroll", "more", "shadow")
"""article: by fetch; state: from data in the page; comments: of a served article, by fetch; scroll: twelve at a time, when
the end comes into sight; more: ten at a time, at the press of a button; shadow: inside a web component."""
SERVED, SCRIPTED = "served.example", "scripted.example"
_SUBJECTS = "市政府 交通局 环保部门 学校 医院 居委会 检察院 体育馆 博物馆 图书馆 供水公司 消防队".split()
_VERBS = "昨天宣布 上周公布 今天上午说明 在发布会上介绍 向记者证实 在报告中写道".split()
_MATTERS = "新的地铁线路 老城区改造 垃圾分类 夜间公交 旧楼加装电梯 河道治理 停车难题 幼儿园学位 供暖管网".split()
_ENDS = (
    "将于明年春天开工，工期三年 的第一阶段已经完成 仍有不少问题要解决 得到了多数居民的支持 需要更多的经费和人手".split()
)
_WORDS = "我觉得 说实话 同意楼上 这个办法 希望 上次 家门口 价格 时间 不方便 支持 反对 问题 应该 早就 每天 孩子 老人 停车 排队".split()
_NAMES = "晨光 老周 北风 小满 青石 南山客 阿宁 木子李 江边 一叶 夜航船 不倒翁 清泉 白鹭 远山 竹林".split()
_FRAME = """<!DOCTYPE html><html lang="zh"><head><meta charset="utf-8"><title>{title}_城市新闻</title></head><body>
<div class="nav"><a href="#">下一篇</a> <a href="#">首页</a> <a href="#">关于</a></div>
{body}
<div class="footer">城市新闻网 版权所有</div>{script}</body></html>"""
_SHOW = """
const article = a => `<article class="article"><h1>${a.title}</h1><div class="info">${a.time} 来源：${a.source}</div>
<div class="article-content">${a.paragraphs.map(p => `<p>${p}</p>`).join("")}</div></article>`;
const comment = c => `<div class="comment-item"><span class="user">${c.author}</span> <span class="time">${c.time}</span>
<p class="text">${c.text}</p></div>`;
const get = path => fetch(path).then(answer => answer.json());
"""
_SCRIPTS = {
    "article": "get(`/data/${n}`).then(show);",
    "state": "show(window.__STATE__);",
    "comments": 'get(`/data/${n}`).then(d => document.getElementById("comments").innerHTML = d.comments.map(comment).join(""));',
    "scroll": """let from = 0, busy = false; const more = () => { if (busy) return; busy = true;
        get(`/comments/${n}/${from}/12`).then(d => { from += 12; busy = d.length == 0;
        document.getElementById("comments").insertAdjacentHTML("beforeend", d.map(comment).join("")); }); };
        new IntersectionObserver(e => e.some(x => x.isIntersecting) && more()).observe(document.getElementById("end"));""",
    "more": """let from = 0; const more = () => get(`/comments/${n}/${from}/10`).then(d => { from += 10;
        document.getElementById("comments").insertAdjacentHTML("beforeend", d.map(comment).join(""));
        if (d.length < 10) document.getElementById("more").remove(); });
        document.getElementById("more").addEventListener("click", more); more();""",
    "shadow": """customElements.define("comment-list", class extends HTMLElement { connectedCallback() {
        const root = this.attachShadow({mode: "open"});
        get(`/data/${n}`).then(d => root.innerHTML = `<div id="comments" class="comments">${d.comments.map(comment).join("")}</div>`);
        } });""",
}
_ALL = """
const show = d => { document.title = d.title + "_城市新闻"; document.getElementById("app").outerHTML = article(d) +
`<div class="count">共 ${d.comments.length} 条评论</div>` +
`<div id="comments" class="comments">${d.comments.map(comment).join("")}</div>`; };
"""


@dataclass(frozen=True, slots=True)
class Story:
    """An article and what people say of it."""

    title: str
    time: str
    source: str
    paragraphs: list[str]
    comments: list[dict[str, str]]

    def as_json(self) -> bytes:
        """As the page's script gets it."""
        return json.dumps({name: getattr(self, name) for name in self.__slots__}, ensure_ascii=False).encode()


def story(number: int) -> Story:
    """The same for the same number."""
    pick = random.Random(number)

    def sentence() -> str:
        return f"{pick.choice(_SUBJECTS)}{pick.choice(_VERBS)}，{pick.choice(_MATTERS)}{pick.choice(_ENDS)}。"

    def comment(place: int) -> dict[str, str]:
        text = "，".join("".join(pick.choices(_WORDS, k=pick.randint(2, 4))) for _ in range(pick.randint(2, 5)))
        time = f"2026-11-{1 + place // 20:02d} {pick.randint(8, 21):02d}:{pick.randint(0, 59):02d}"
        return {"author": f"{pick.choice(_NAMES)}{place}", "time": time, "text": text + "。"}

    return Story(
        f"{pick.choice(_SUBJECTS)}：{pick.choice(_MATTERS)}{pick.choice(_ENDS)}",
        f"2026-10-{pick.randint(10, 28)} {pick.randint(10, 20)}:30",
        "城市新闻",
        ["".join(sentence() for _ in range(pick.randint(2, 4))) for _ in range(pick.randint(5, 9))],
        [comment(place) for place in range(pick.randint(15, 35))],
    )


def served(kind: str, number: int) -> str:
    """The page as a server makes it."""
    written = story(number)
    comments = f'<div id="comments" class="comments">{"".join(map(_comment, written.comments))}</div>'
    if kind == "shadow":
        comments = f'<comment-list class="comments">{comments}</comment-list>'
    body = f"{_article(written)}{_count(written)}{comments}"
    return _FRAME.format(title=written.title, body=body, script="")


def scripted(kind: str, number: int) -> str:
    """The same, as a frame and a script."""
    written = story(number)
    rest = {
        "comments": '<div id="comments" class="comments"></div>',
        "scroll": '<div id="comments" class="comments"></div><div id="end" style="margin-top: 1500px; height: 10px"></div>',
        "more": '<div id="comments" class="comments"></div><button id="more">加载更多评论</button>',
        "shadow": '<comment-list class="comments"></comment-list>',
    }
    body = _article(written) + _count(written) + rest[kind] if kind in rest else '<div id="app"></div>'
    state = f"window.__STATE__ = {written.as_json().decode()};" if kind == "state" else ""
    script = f"<script>{state}const n = {number};{_SHOW}{_ALL}{_SCRIPTS[kind]}</script>"
    title = written.title if kind in rest else "城市新闻"
    return _FRAME.format(title=title, body=body, script=script)


def _article(written: Story) -> str:
    text = "".join(f"<p>{paragraph}</p>" for paragraph in written.paragraphs)
    return (
        f'<article class="article"><h1>{written.title}</h1><div class="info">{written.time} 来源：{written.source}</div>'
        f'<div class="article-content">{text}</div></article>'
    )


def _count(written: Story) -> str:
    return f'<div class="count">共 {len(written.comments)} 条评论</div>'


def _comment(said: dict[str, str]) -> str:
    return (
        f'<div class="comment-item"><span class="user">{said["author"]}</span> <span class="time">{said["time"]}</span>'
        f'<p class="text">{said["text"]}</p></div>'
    )


def answer(asked: Connection) -> None:
    """For both hosts: /KIND/NUMBER, and the data that scripts ask for."""
    parts = asked.path.strip("/").split("/")
    if parts[0] in KINDS and len(parts) == 2:
        make = served if asked.host == SERVED else scripted
        asked.answer(make(parts[0], int(parts[1])), Content_Type="text/html; charset=utf-8")
    elif parts[0] == "data":
        asked.answer(story(int(parts[1])).as_json(), Content_Type="application/json")
    elif parts[0] == "comments":
        number, first, most = map(int, parts[1:])
        found = story(number).comments[first : first + most]
        asked.answer(json.dumps(found, ensure_ascii=False), Content_Type="application/json")
    else:
        asked.answer("", 404)
