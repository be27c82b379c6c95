"""Titles of made pages, as requests and as stored rows."""

import itertools
from typing import Any

from pipelines.titles.title_requests import TitleRequest

_numbers = itertools.count(1)
SUBJECTS = (
    "暴雨 台风 地震 股市 高考 芯片 火箭 医院 学校 港口 铁路 森林 河流 机场 电影 税收 粮食 能源 海关 博物馆".split()
)


def page_key() -> str:
    return f"{next(_numbers):020x}"


def headline(number: int) -> str:
    """Of a piece of news of its own."""
    words = [SUBJECTS[(number * step + step * step) % len(SUBJECTS)] for step in range(1, 8)]
    return "".join(words) + f"第{number}号通报全文"


def request(
    title: str, key: str = "", *, text: str = "", published: str = "2026-11-02", host: str = "a.example"
) -> TitleRequest:
    key = key or page_key()
    facts: dict[str, Any] = {
        "page": key, "title": title, "url": f"https://{host}/{key}", "site": host, "author": "", "published": published,
        "published_at": f"{published}T00:00:00+00:00", "keywords": [], "replies": None, "views": None, "comments": 0,
        "fetched_at": f"2026-11-03T{int(key, 16) // 3600 % 24:02}:{int(key, 16) // 60 % 60:02}:{int(key, 16) % 60:02}+00:00",
    }  # fmt: skip
    return TitleRequest(facts | {"first_seen": facts["fetched_at"]}, text)
