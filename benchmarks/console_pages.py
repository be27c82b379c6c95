"""Pages as a crawl stores them, with their posts, URLs and stories, for measurements of the console."""

import random
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from extractors.links.urls import url_key
from pipelines.stores.base import Table
from pipelines.stores.tables import PAGES, PROPAGATION, RECORDS, URLS

Rows = Iterator[tuple[Table, Mapping[str, Any]]]
NOW = datetime(2026, 11, 22, 8, 0, tzinfo=UTC)
_PLACES = "北京 上海 广州 深圳 成都 武汉 杭州 南京 重庆 天津".split()
_MATTERS = "首套房首付比例下调 住房公积金贷款额度提高 二手房成交回升 土地拍卖结果公布 限购政策调整 房贷利率再降".split()
_SENTENCES = (
    "市住房和城乡建设局昨日发布通知 多家银行表示尚未收到细则 中介称周末看房的人多了三成 专家认为短期成交会回升".split()
)
_POSTS = "首付降了，月供还是高。 终于等到了，支持！ 骗人的吧，太失望了。 再等等看。 希望别的城市也跟上。".split()
_STATES = ["fetched"] * 16 + ["other", "failed", "refused", "dead"]
_SECONDS = 20
_LONGEST = 60 * 86_400
"""A page every twenty seconds, or as many as fit into sixty days."""


def made_rows(pages: int, seed: int = 1) -> Iterator[tuple[Table, Mapping[str, Any]]]:
    """Pages of 300 hosts with five records each, one in ten a copy of the page before it; all URLs and as many without a page."""
    chance = random.Random(seed)
    before: dict[str, Any] = {}
    apart = min(_SECONDS, _LONGEST / pages)
    for number in range(pages):
        host = f"www.site{int(chance.expovariate(0.02)) % 300:03}.example"
        url, at = f"https://{host}/news/{number}.html", _ago(number * apart)
        title = f"{chance.choice(_PLACES)}{chance.choice(_MATTERS)}，{chance.randint(2, 90)} 个项目受影响"
        is_copy = number % 10 == 9
        row = {
            "key": url_key(url), "url": url, "host": host, "kind": "article", "title": before["title"] if is_copy else title,
            "author": "记者", "published": at, "published_at": at, "counted_at": at, "published_precision": "second", "source": host,
            "body": f"{title}。{chance.choice(_SENTENCES)}，首付比例不低于百分之十五。\n" * 20, "language": "zh", "topic": "housing",
            "relevance": round(chance.random(), 3), "relevance_reason": "0.93: 首付×3* 房贷×1", "keywords": ["首付"], "method": "forest",
            "confidence": 0.9, "status": 200, "depth": 2, "fetched_at": at, "first_seen": at, "canonical": "", "summary": "",
        }  # fmt: skip
        yield PAGES, row
        yield from _around(chance, row, before if is_copy else {}, number)
        before = row


def _around(
    chance: random.Random, row: Mapping[str, Any], copied: Mapping[str, Any], number: int
) -> Iterator[tuple[Table, Mapping[str, Any]]]:
    """A page's rows in other tables."""
    verdict = "repost" if copied else "original" if number % 10 == 8 else "suspected" if number % 50 == 0 else "new"
    yield PROPAGATION, {
        "page": row["key"], "story": (copied or row)["key"], "original": (copied or row)["key"], "verdict": verdict, "rule": "",
        "matched": copied.get("key", ""), "title": row["title"], "url": row["url"], "site": row["host"], "published": row["published"],
        "cosine": 0.93 if copied else 0.0, "delay_hours": 0.3 if copied else None, "reposts": int(number % 10 > 7), "keywords": [],
        "fetched_at": row["fetched_at"],
    }  # fmt: skip
    for place in range(5):
        yield RECORDS, {
            "page": row["key"], "key": f"r{place}", "kind": "comment", "author": f"网友{chance.randint(1, 9999)}", "part": 1,
            "text": chance.choice(_POSTS), "place": place, "time": row["published"], "time_at": row["published"], "is_first": 0,
            "parent": f"r{place - 1}" if place % 2 else "", "likes": chance.randint(0, 99),
        }  # fmt: skip
    for url, state in ((row["url"], "fetched"), (f"{row['url']}?p=2", chance.choice(_STATES))):
        yield URLS, {
            "key": url_key(url), "url": url, "host": row["host"], "state": state, "status": 200, "depth": 2, "failures": 0,
            "reason": "HTTP 503" if state == "failed" else "", "found_by": "link", "fetched_at": row["fetched_at"],
            "first_seen": row["fetched_at"],
        }  # fmt: skip


def _ago(seconds: float) -> str:
    return (NOW - timedelta(seconds=seconds)).isoformat(timespec="seconds")
