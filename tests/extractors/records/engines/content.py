"""Chance content of pages: posts and lines of lists, with what a reader must find."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

NOW = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)
"""When the pages are fetched."""

_ZH = (
    "昨天把水管换了，师傅说旧的已经锈穿",
    "我家用的是同一个牌子，三年没出过问题",
    "价格差得不多，关键看安装的人细不细心",
    "楼下邻居反映漏水，物业来看过两次都没查到原因",
    "建议先拍照留证，再和卖家谈退换",
    "天气冷了以后声音特别大，半夜能把人吵醒",
    "说明书上写得很清楚，只是字太小没人看",
    "这个办法试过，管用，就是费点时间",
    "有没有人知道哪里还能买到原装配件",
    "别听销售的，回家自己量一遍尺寸最稳妥",
    "孩子晚上要写作业，灯光太暗伤眼睛",
    "退了两次货，第三次终于收到好的",
)
_EN = (
    "The old pipe had rusted through, so we replaced all of it",
    "Mine has run for three years without a single fault",
    "It is less about the price than about who installs it",
    "The people downstairs complained twice and nobody found the leak",
    "Take pictures first and then talk to the seller",
    "Since it got cold the noise wakes everybody at night",
    "The manual says so, only in letters too small to read",
    "That works, it just takes a while longer than you think",
    "Does anybody know where the original parts are still sold",
    "Measure it at home yourself before you order anything",
    "The light is too dim for homework in the evening",
    "Two of them went back and the third one was fine at last",
)
_NAMES_ZH = (
    "江边听雨",
    "老陈修车",
    "小鹿",
    "北方的树",
    "阿明88",
    "周末不加班",
    "柠檬不酸",
    "夜跑者",
    "木匠老李",
    "青石巷",
    "晚风",
    "半杯茶",
)
_NAMES_EN = (
    "marlow",
    "kettle_fan",
    "Anna B",
    "rusty77",
    "old_tom",
    "Wren",
    "nightjar",
    "copperpot",
    "Joan",
    "slowtrain",
    "pipefitter",
    "mira",
)


@dataclass(frozen=True, slots=True)
class Post:
    """A post and what must be read of it."""

    number: int
    author: str
    when: datetime
    text: str
    quote: str = ""
    likes: int = 0
    parent: int = -1
    shown: str = ""
    """The time as the page writes it, if not in its engine's usual way."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a list."""

    number: int
    title: str
    url: str
    author: str
    when: datetime
    last: datetime
    replies: int
    views: int


@dataclass(frozen=True, slots=True)
class Built:
    """A page and which of its fields can be read there."""

    html: str
    url: str
    kind: str
    fields: frozenset[str]


Engine = tuple[Callable[[Sequence[Post]], str], str, str, str]
"""How a page is built, its address, its kind, and the names of the fields that it shows."""


def posts(seed: int, count: int = 7, *, chinese: bool = True) -> list[Post]:
    """So many posts, a minute to two days apart, of one to three sentences each; no sentence twice in a row."""
    chance = random.Random(seed)
    names, sentences, end = (_NAMES_ZH, _ZH, "。") if chinese else (_NAMES_EN, _EN, ". ")
    when = NOW - timedelta(days=chance.randrange(20, 60), minutes=chance.randrange(600))
    made = []
    for number in range(count):
        said = chance.sample(sentences, chance.randrange(1, 4))
        mark = f"（第{number + 1}条）" if chinese else f" ({number + 1})"
        text = "".join(f"{each}{end}" for each in said).strip() + mark
        made.append(Post(number, names[number % len(names)], when, text, likes=chance.randrange(3, 90)))
        when += timedelta(minutes=chance.randrange(1, 2_000))
    return made


def with_quotes(made: Sequence[Post]) -> list[Post]:
    """Every third post quotes the one before it."""
    return [replace(post, quote=made[at - 1].text) if at % 3 == 2 else post for at, post in enumerate(made)]


def nested(made: Sequence[Post]) -> list[Post]:
    """Posts 1 and 2 answer the first, 2 inside 1; 4 answers 3."""
    parents = {1: 0, 2: 1, 4: 3}
    return [replace(post, parent=parents.get(at, -1)) for at, post in enumerate(made)]


def lines(seed: int, count: int = 9, *, chinese: bool = True, url: str = "/thread-{0}-1-1.html") -> list[Line]:
    """So many lines of a list, the last answered first."""
    chance = random.Random(seed)
    names, sentences = (_NAMES_ZH, _ZH) if chinese else (_NAMES_EN, _EN)
    made = []
    last = NOW - timedelta(hours=5)
    for number in range(count):
        begun = last - timedelta(days=chance.randrange(1, 30), minutes=chance.randrange(300))
        replies = chance.randrange(2, 80)
        at = 41_200 + 37 * number
        title = f"{sentences[number % len(sentences)]} {at % 97}"
        made.append(Line(at, title, url.format(at), names[number % len(names)], begun, last, replies, replies * 31 + 7))
        last -= timedelta(minutes=chance.randrange(3, 900))
    return made


def furniture(chinese: bool = True) -> str:
    """What stands around: navigation, a search form, a list of boards."""
    words = (
        ("首页", "版块", "导读", "排行榜", "帮助", "搜索")
        if chinese
        else ("Home", "Boards", "New", "Members", "Help", "Search")
    )
    items = "".join(f'<li><a href="/{number}.html">{word}</a></li>' for number, word in enumerate(words * 2))
    return f'<div id="hd"><ul class="nav">{items}</ul><form><input name="q"><button>{words[-1]}</button></form></div>'
