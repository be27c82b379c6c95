"""What names a record over visits, and when a listed thread was last answered."""

from datetime import UTC, datetime

from extractors.page import Page
from extractors.records import RecordSet, extract

NOW = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)
SAYS = (
    "明天上午九点在老地方集合，别忘了带伞",
    "我可能晚到十分钟，你们先走，不用等",
    "路上堵车，大概要半个小时才能到车站",
    "已经到了，在二号出口旁边的书店里等",
)


def posts(texts: tuple[str, ...], *, ids: tuple[int, ...] = (), author: str = "") -> RecordSet:
    """The records of a page with these posts, under ids of the site's own where some are given."""
    blocks = "".join(
        f'<div class="post"{f" id=pid{ids[place]}" if ids else ""}>'
        f'<a class="author" href="/u/{author or text[:2]}">{author or f"用户{text[:2]}"}</a>'
        f'<span class="date">{place + 1} 小时前</span><div class="content"><p>{text}</p></div></div>'
        for place, text in enumerate(texts)
    )
    return extract(Page(f"<meta charset=utf-8><div id=posts>{blocks}</div>".encode(), "http://b.example/t/1"))


def keys(found: RecordSet) -> list[str]:
    """The records' names."""
    return [record.key for record in found.records]


def test_a_post_that_is_edited_keeps_its_name_where_the_site_numbers_it() -> None:
    before = keys(posts(SAYS, ids=(70001, 70002, 70005, 70009)))
    after = keys(posts((*SAYS[:3], "已经到了，改在三号出口等大家过来"), ids=(70001, 70002, 70005, 70009)))
    assert before == after
    assert len(set(before)) == 4


def test_without_numbers_what_was_said_names_a_post() -> None:
    before, after = keys(posts(SAYS)), keys(posts(("刚刚发现走错了路，现在正往回走", *SAYS)))
    assert len(set(before)) == 4
    assert after[1:] == before


def test_numbers_that_count_the_page_name_nothing() -> None:
    """The third post of two pages is not the same post."""
    assert set(keys(posts(SAYS, ids=(1, 2, 3, 4)))).isdisjoint(
        keys(posts(tuple(f"{text}，另外还有一件事" for text in SAYS), ids=(1, 2, 3, 4)))
    )


def test_posts_that_are_alike_in_everything_are_told_apart() -> None:
    assert len(set(keys(posts(("同意楼上说的这个办法，支持一下",) * 4, author="小王")))) == 4


def listing(lines: tuple[tuple[str, str, str, int], ...]) -> RecordSet:
    """The records of a list with (title, begun, last answered, replies) of threads."""
    rows = "".join(
        f'<tr class="thread"><td><a class="title" href="/thread-{number}-1-1.html">{title}</a></td><td><a href="/u/1">甲</a>'
        f"<em>{begun}</em></td><td>{replies}</td><td><a href='/u/2'>乙</a> <em>{last}</em></td></tr>"
        for number, (title, begun, last, replies) in enumerate(lines)
    )
    return extract(
        Page(f"<meta charset=utf-8><table>{rows}</table>".encode(), "http://b.example/forum-2-1.html", fetched_at=NOW)
    )


LINES = (
    ("去年买的电动车冬天续航怎么样", "2026-11-01", "2026-11-20 11:02", 12),
    ("新手求助：第一次装修要注意哪些坑", "2026-10-11", "2026-11-19 08:40", 45),
    ("2027年元旦放假安排有人知道吗", "2026-11-12", "3 小时前", 7),
    ("周末爬山有没有一起去的朋友", "2026-11-15", "昨天 21:10", 3),
)


def test_a_list_tells_when_each_thread_was_last_answered() -> None:
    found = listing(LINES)
    assert found.kind == "thread_list"
    assert [record.last_time for record in found.records] == [
        "2026-11-20T11:02", "2026-11-19T08:40", "2026-11-20T09:30+00:00", "2026-11-19T21:10",
    ]  # fmt: skip
    assert [record.time for record in found.records] == ["2026-11-01", "2026-10-11", "2026-11-12", "2026-11-15"]
    assert found.records[2].last_time_text == "3 小时前"


def test_a_new_answer_leaves_the_name_of_a_listed_thread() -> None:
    later = tuple((title, begun, "刚刚", replies + 1) for title, begun, _, replies in LINES)
    assert keys(listing(LINES)) == keys(listing(later))


def test_posts_have_no_last_activity() -> None:
    assert {record.last_time for record in posts(SAYS).records} == {""}
