"""A store with everything that pages show, all of it hostile."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import zstandard

from extractors.links.urls import url_key
from pipelines.stores.base import Store, Table
from pipelines.stores.tables import PAGES, PROPAGATION, RECORDS, SOURCES, URLS

NOW = datetime(2026, 11, 22, 8, 0, tzinfo=UTC)
SCRIPT = "<script>window.ran=1</script>"
ATTACK = f"\"'><img src=x onerror=window.ran=1>{SCRIPT}{{{{7*7}}}}<a href=javascript:window.ran=1>x</a>\u202e"
"""Markup, a template's expression and a mark that turns the direction of writing."""
FORMULA = '=HYPERLINK("http://evil.example","x")'
SOURCE = (
    f"<html><head><base href=http://evil.example/><meta http-equiv=refresh content='0;url=http://evil.example/'>"
    f"<link rel=preconnect href=http://evil.example><link rel=stylesheet href=http://evil.example/a.css></head>"
    f"<body onload=window.ran=1 background=http://evil.example/b.png>{SCRIPT}<p style='background:url(http://evil.example/c.png)'>原文</p>"
    "<img src=http://evil.example/d.png><svg><image href=http://evil.example/e.png /></svg><iframe src=http://evil.example/></iframe>"
    "<form action=http://evil.example/><button>x</button></form></body></html>"
)


def at(minutes: float) -> str:
    """The instant the given number of minutes ago, as stores write it."""
    return (NOW - timedelta(minutes=minutes)).isoformat(timespec="seconds")


def page(number: int, host: str = "news.example", **more: Any) -> dict[str, Any]:
    url = f"http://{host}/{number}.html"
    return {
        "key": url_key(url), "url": url, "host": host, "kind": "article", "title": f"首付比例下调 第{number}条", "author": "记者",
        "published": at(60 * number), "published_at": at(60 * number), "published_precision": "second", "source": "新闻网",
        "counted_at": at(60 * number),
        "body": f"第{number}条的正文，首付比例。\n第二段。", "language": "zh", "topic": "housing", "relevance": 0.5 + number % 50 / 100,
        "relevance_reason": "0.93: 首付×3* 房贷×1", "keywords": ["首付"], "method": "forest", "confidence": 0.9, "status": 200,
        "depth": 1, "fetched_at": at(number), "first_seen": at(number), "canonical": "", "summary": "",
    } | more  # fmt: skip


def hostile_page() -> dict[str, Any]:
    names = ("title", "author", "source", "summary", "topic", "relevance_reason", "method", "kind", "language")
    attacked = dict.fromkeys(names, ATTACK) | {"body": f"{ATTACK}\n{ATTACK}", "keywords": [ATTACK], "published": ATTACK}
    return page(0, **attacked, published_at="", url=f"javascript:alert(1)//{ATTACK}", host='evil.example"><b>')


def record(page_key: str, number: int, **more: Any) -> dict[str, Any]:
    return {
        "page": page_key, "key": f"r{number}", "kind": "comment", "author": f"网友{number}", "text": f"评论 {number}", "part": 1,
        "place": number, "time": at(number), "time_at": at(number), "time_precision": "second", "is_first": 0, "parent": "",
        "likes": number,
    } | more  # fmt: skip


def told(row: Mapping[str, Any], verdict: str = "new", **more: Any) -> dict[str, Any]:
    return {
        "page": row["key"], "story": row["key"], "original": row["key"], "verdict": verdict, "rule": "", "matched": "",
        "title": row["title"], "url": row["url"], "site": row["host"], "author": "", "published": row["published_at"], "cosine": 0.0,
        "delay_hours": None, "reposts": 0, "keywords": [], "fetched_at": row["fetched_at"],
    } | more  # fmt: skip


def address(url: str, state: str = "fetched", **more: Any) -> dict[str, Any]:
    host = url.split("/")[2]
    return {
        "key": url_key(url), "url": url, "host": host, "state": state, "status": 200, "depth": 1, "failures": 0, "relevance": 0.5,
        "reason": "", "referrer": "", "found_by": "link", "fetched_at": at(1), "first_seen": at(1),
    } | more  # fmt: skip


def rows() -> Iterator[tuple[Table, Mapping[str, Any]]]:
    """120 pages of three hosts, one of them hostile, a story of three pages, a thread of comments."""
    pages = [page(number, f"host{number % 3}.example") for number in range(1, 120)]
    evil = hostile_page()
    yield from ((PAGES, row) for row in [*pages, evil])
    yield from ((URLS, address(row["url"])) for row in pages)
    attacked = {"reason": ATTACK, "found_by": ATTACK, "referrer": "javascript:window.ran=1"}
    yield URLS, address(f"http://evil.example/{ATTACK}", "failed", **attacked, status=500)
    yield from ((URLS, address(f"http://host1.example/dead/{n}", "dead", status=404)) for n in range(3))
    first = pages[4]
    yield PROPAGATION, told(first, reposts=1)
    copied = {"story": first["key"], "original": first["key"], "matched": first["key"]}
    yield PROPAGATION, told(pages[1], "repost", **copied, cosine=0.95, delay_hours=2.5, rule="letters")
    yield (
        PROPAGATION,
        told(pages[2], "suspected", matched=first["key"], cosine=0.81, rule="numbers", title=ATTACK, site=ATTACK),
    )
    yield PROPAGATION, told(evil, "suspected", matched=pages[2]["key"], cosine=0.81, rule=ATTACK)
    attacked = dict.fromkeys(("author", "text", "title", "quote", "floor", "time"), ATTACK)
    yield (
        RECORDS,
        record(
            evil["key"], 1, **attacked, url="javascript:window.ran=1", author_url="javascript:window.ran=1", time_at=""
        ),
    )
    yield from ((RECORDS, record(first["key"], n, parent=f"r{n - 1}" if n % 3 else "")) for n in range(130))
    yield (
        SOURCES,
        {"key": evil["key"], "body": zstandard.compress(SOURCE.encode()), "compression": "zstd", "charset": "utf-8"},
    )


def fill(store: Store) -> None:
    store.write(list(rows())).result()
