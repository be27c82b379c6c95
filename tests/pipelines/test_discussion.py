"""Records become rows, and a second visit renews them."""

from dataclasses import replace

import pytest

from extractors.page import Page
from pipelines.discussion import DiscussionPipeline, count_of, record_rows
from pipelines.items import KEY_DIGITS, PageItem
from pipelines.stores.base import Store
from pipelines.stores.tables import RECORDS

WORDS = (
    "今天的讨论很有意思，大家都来说说。",
    "我觉得这个办法可行，先试一试再说。",
    "不同意楼上的看法，理由有三条。",
    "谢谢各位的建议，我再想一想。",
)


def _page(posts: int) -> Page:
    body = "".join(
        f'<div class="post"><a class="author" href="/user/{number}">用户{number}</a>'
        f'<span class="date">2026-11-0{number + 1} 10:00</span><div class="content"><p>{WORDS[number] * 3}</p></div></div>'
        for number in range(posts)
    )
    return Page(f"<meta charset=utf-8><title>讨论</title><div id=posts>{body}</div>".encode(), "http://bbs.example/t/1")


def _visit(store: Store, posts: int, *, relevant: bool = True, **further: object) -> list[dict[str, object]]:
    url = "http://bbs.example/t/1"
    item = PageItem(url, url, 200, _page(posts), (), relevant=relevant)
    for name, value in further.items():
        setattr(item, name, value)
    DiscussionPipeline().process_item(item)
    store.write(item.rows).result()
    return list(store.select(RECORDS))


def test_posts_are_stored_with_their_fields(store: Store) -> None:
    rows = sorted(_visit(store, 3), key=lambda row: str(row["place"]))
    assert [row["author"] for row in rows] == ["用户0", "用户1", "用户2"]
    assert [row["time"] for row in rows] == [f"2026-11-0{number}T10:00" for number in (1, 2, 3)]
    assert [row["is_first"] for row in rows] == [1, 0, 0]


def test_a_second_visit_adds_what_is_new(store: Store) -> None:
    first = {row["key"] for row in _visit(store, 3)}
    second = {row["key"] for row in _visit(store, 4)}
    assert first < second
    assert len(second) == 4


def test_a_page_that_continues_a_thread_adds_to_it_what_does_not_stand_there(store: Store) -> None:
    first = _visit(store, 2)
    shown = frozenset(str(row["key"])[:KEY_DIGITS] for row in first)
    rows = _visit(
        store, 4, url="http://bbs.example/t/1?page=2", part_of="http://bbs.example/t/1", part=2, left_out=shown
    )
    assert sorted((row["part"], row["author"], row["is_first"]) for row in rows) == [
        (1, "用户0", 1), (1, "用户1", 0), (2, "用户2", 0), (2, "用户3", 0),
    ]  # fmt: skip
    assert len({row["page"] for row in rows}) == 1


def test_pages_that_are_not_wanted_have_none(store: Store) -> None:
    assert _visit(store, 3, relevant=False) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("1,234", 1234), ("12 Replies", 12), ("1.2k", 1200), ("3.4万", 34000), ("2w", 20000), ("", None), ("viele", None),
        ("٣٤", 34), ("１２", 12), ("²", None), ("1.2,3k", None), ("9" * 18, 10**18 - 1), ("9" * 19, None), ("1" * 4_400, None),
        ("9" * 18 + "m", None), ("1.3亿", 130_000_000), ("2.5萬 views", 25_000), ("2w阅读", 20_000), ("1 Monat", 1), ("5 kudos", 5),
    ],
)  # fmt: skip
def test_counts_as_numbers(text: str, count: int | None) -> None:
    assert count_of(text) == count


def test_only_http_addresses_are_stored_as_addresses() -> None:
    records = _page(3).records
    hostile = replace(records.records[0], author_url="javascript:alert(1)", url="data:text/html,x")
    kept = replace(records.records[1], author_url="HTTPS://bbs.example/user/1")
    rows = record_rows(replace(records, records=(hostile, kept)), "page", "2026-11-22")
    assert [(row["author_url"], row["url"]) for row in rows] == [("", ""), ("HTTPS://bbs.example/user/1", kept.url)]
