"""Every engine's pages: all records, their fields, what is nested, quoted and told by how long ago it was."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from extractors.page import Page
from extractors.records import Record, RecordSet, extract
from tests.extractors.records.engines import ENGINES, LISTS, NOW, Post
from tests.extractors.records.engines.comments import ARTICLE
from tests.extractors.records.engines.content import furniture, lines, nested, posts, with_quotes
from tests.extractors.records.engines.tiezi import v2ex

SEEDS = (1, 2, 3)


def read(markup: str, path: str) -> tuple[Page, RecordSet]:
    """A page and its records."""
    body = f"<html><head><meta charset=utf-8></head><body>{markup}</body></html>".encode()
    page = Page(body, f"http://bbs.example{path}", fetched_at=NOW)
    return page, extract(page)


def bare(text: str) -> str:
    """A text without its spaces."""
    return re.sub(r"\s", "", text)


def made(name: str, seed: int) -> tuple[list[Post], RecordSet, str]:
    """Posts, what is read of them on a page of this engine, and the fields that it shows."""
    build, path, _, fields = ENGINES[name]
    content = posts(seed, chinese="english" not in fields)
    if "quote" in fields:
        content = with_quotes(content)
    if "parent" in fields:
        content = nested(content)
    return in_page_order(content), read(build(content), path)[1], fields


def in_page_order(content: Sequence[Post], parent: int = -1) -> list[Post]:
    """Answers behind what they answer."""
    return [each for post in content if post.parent == parent for each in (post, *in_page_order(content, post.number))]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", ENGINES)
def test_every_post_with_its_fields(name: str, seed: int) -> None:
    content, found, fields = made(name, seed)
    records = found.records
    assert [bare(record.own_text) for record in records] == [bare(post.text) for post in content]
    if kind := ENGINES[name][2]:
        assert found.kind == kind
    if "author" in fields:
        assert [record.author for record in records] == [post.author for post in content]
    if "time" in fields:
        digits = 10 if "day" in fields else 16
        assert [record.time[:digits] for record in records] == [
            f"{post.when:%Y-%m-%dT%H:%M}"[:digits] for post in content
        ]
    if "floor" in fields:
        assert [record.floor for record in records][1:] == [str(post.number + 1) for post in content][1:]
    if "likes" in fields:
        assert [re.sub(r"\D", "", record.likes) for record in records] == [str(post.likes) for post in content]
    if "first" in fields:
        assert [record.is_first for record in records] == [True, *[False] * (len(content) - 1)]
    if "quote" in fields:
        assert [bool(record.quote) for record in records] == [bool(post.quote) for post in content]
        assert all(bare(post.quote) in bare(record.quote) for post, record in zip(content, records, strict=True))
    if "parent" in fields:
        place = {post.number: at for at, post in enumerate(content)}
        assert [record.parent for record in records] == [place.get(post.parent, -1) for post in content]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", LISTS)
def test_every_line_of_a_list_with_its_fields(name: str, seed: int) -> None:
    build, path, address, fields = LISTS[name]
    content = lines(seed, chinese="chinese" in fields, url=address)
    found = read(build(content), path)[1]
    assert found.kind == "thread_list"
    records = found.records
    assert [record.title for record in records] == [line.title for line in content]
    assert [record.url for record in records] == [f"http://bbs.example{line.url}" for line in content]
    assert [record.author for record in records] == [line.author for line in content]
    assert [record.time[:10] for record in records] == [f"{line.when:%Y-%m-%d}" for line in content]
    assert [record.last_time[:16] for record in records] == [f"{line.last:%Y-%m-%dT%H:%M}" for line in content]
    assert [record.replies for record in records] == [str(line.replies) for line in content]
    assert [record.views for record in records] == [str(line.views) for line in content]


AGO = (
    ("3 分钟前", timedelta(minutes=3)),
    ("2 小时前", timedelta(hours=2)),
    ("刚刚", timedelta()),
    ("半小时前", timedelta(minutes=30)),
)


def test_times_that_are_told_by_how_long_ago_they_were() -> None:
    content = [replace(post, shown=shown, when=NOW - ago) for post, (shown, ago) in zip(posts(5, 4), AGO, strict=True)]
    markup = re.sub(r' title="[^"]*\+08:00"', "", v2ex(content))
    assert [record.time[:16] for record in read(markup, "/t/7")[1].records] == [
        f"{post.when:%Y-%m-%dT%H:%M}" for post in content
    ]


def test_an_article_and_its_comments_are_both_found() -> None:
    page, found = read(ENGINES["WordPress"][0](nested(posts(4))), "/2026/11/pipes/")
    assert [bare(line) for line in page.article.text.split("\n")][-4:] == [bare(paragraph) for paragraph in ARTICLE]
    assert len(found.records) == 7
    said: Sequence[Record] = found.records
    assert not any(bare(ARTICLE[0]) in bare(record.text) for record in said)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_article_without_comments_has_no_records(seed: int) -> None:
    text = "".join(f"<p>{post.text}</p>" for post in posts(seed, 14))
    related = "".join(f'<li><a href="/2026/11/{line.number}.html">{line.title}</a></li>' for line in lines(seed, 10))
    for around in ("", f'<div class="related"><h3>相关阅读</h3><ul>{related}</ul></div>'):
        byline = '<div class="info">来源：水务报 2026-11-18 09:12 编辑：王工</div>'
        article = f'<div class="article"><h1>老旧小区换水管</h1>{byline}<div class="text">{text}</div></div>'
        assert (
            read(f"{furniture()}{article}{around}<div id=footer>关于我们 | 联系方式</div>", "/2026/11/7.html")[
                1
            ].records
            == ()
        )
