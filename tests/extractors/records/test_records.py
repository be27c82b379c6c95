"""Records of small pages written after common templates, and what must not be taken for records."""

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.page import Page
from extractors.records import extract, find_records, layout_records, leafpath_records
from tests.extractors.records.engines import ENGINES, LISTS
from tests.extractors.records.engines.content import lines, nested, posts

WORDS = (
    "昨晚到的货,外观比图片好看,开机很快",
    "我也买了同一款,用了两周没有发热",
    "客服回复慢了一点,问题最后解决了",
    "请问电池能撑多久,有人测过吗",
    "楼上说得对,续航大概八个小时",
)
POST = (
    '<div id="post_{number}" class="post {parity}"><div class="authi"><a href="space-uid-{number}.html">用户{number}</a>'
    '<em>发表于 2026-11-{day} 12:3{number}</em></div><div class="t_f">{text}</div><div class="sign">签名档</div></div>'
)


def thread(posts: int = 5) -> bytes:
    """A thread with alternating classes, beside a navigation list longer than itself."""
    navigation = "".join(f'<li><a href="/forum-{number}-1.html">版块{number}</a></li>' for number in range(30))
    blocks = "".join(
        POST.format(number=number, parity=("odd", "even")[number % 2], day=10 + number, text=WORDS[number])
        for number in range(posts)
    )
    return f"<html><meta charset=utf-8><body><ul class=nav>{navigation}</ul><div id=postlist>{blocks}</div></body></html>".encode()


def test_every_post_is_found_with_its_author_time_and_own_text() -> None:
    found = find_records(thread(), url="http://bbs.example/thread-1-1-1.html")
    assert [record.text for record in found] == list(WORDS)
    assert [record.author for record in found] == [f"用户{number}" for number in range(5)]
    assert [record.author_url for record in found] == [
        f"http://bbs.example/space-uid-{number}.html" for number in range(5)
    ]
    assert found[2].time_text == "2026-11-12 12:32"
    assert found[2].time.startswith("2026-11-12T12:32")


@pytest.mark.parametrize(
    ("before", "after", "times"),
    [
        ('<div class="t_f">', '<form action="#"><div class="t_f">', 1),
        ('<div class="t_f">', '<div class="entry unvoted"><div class="t_f">', 1),
        ('<div class="t_f">', '<a href="/t/1"><div class="c">', 20),
    ],
    ids=["in a form", "in an element whose name says that it holds votes", "in a link"],
)
def test_texts_are_found_whatever_is_around_them(before: str, after: str, times: int) -> None:
    texts = [" ".join([word] * times) for word in WORDS]
    body = thread().decode().replace(before, after)
    for word, text in zip(WORDS, texts, strict=True):
        body = body.replace(word, text)
    found = find_records(body.encode(), url="http://bbs.example/thread-1-1-1.html")
    assert [record.text for record in found] == texts


def test_a_box_without_author_and_time_between_the_posts_is_no_record() -> None:
    box = '<div id="post_9" class="post even"><div class="t_f">汽车租赁热销货源，支持在线选购</div></div>'
    body = thread().decode().replace('<div id="post_2"', box + '<div id="post_2"')
    assert [record.text for record in find_records(body.encode())] == list(WORDS)


def test_posts_are_found_where_names_say_nothing() -> None:
    hashed = {"postlist": "cqq", "post": "cjgf", "authi": "cmml", "t_f": "cqwx", "sign": "ckkp", "nav": "cab"}
    hashed |= {"odd": "cfe", "even": "cgh"}
    body = re.sub(rf"\b(?:{'|'.join(hashed)})(?=[_ \">])", lambda name: hashed[name[0]], thread(2).decode())
    assert [record.text for record in find_records(body.encode())] == list(WORDS[:2])


def test_lines_with_excerpts_are_a_list_where_names_say_nothing() -> None:
    line = (
        '<div class="cqq"><div class="cab"><a href="/t/{n}">{title}</a></div><p class="cmm">{said} {n}</p>'
        '<p class="cxx"><a href="/user/{n}">Jo{n}</a> <span>2026-11-1{n} 10:00</span></p></div>'
    )
    titles = [f"{word} of the pump" for word in ("Ring", "Seal", "Hose", "Valve", "Lid", "Cap")]
    said = "The one of mine went after three years of use, and nobody in the shop knew where a new one might be bought."
    lines = "".join(line.format(n=n, title=title, said=said) for n, title in enumerate(titles))
    found = find_records(f"<html><body>{lines}</body></html>".encode())
    assert [record.title for record in found] == titles


def test_last_texts_that_posts_repeat_are_signatures_where_names_say_nothing() -> None:
    post = (
        '<div class="cqq"><p class="cab"><a href="/user/{n}">Jo{n}</a> <em>2026-11-1{day} 10:00</em></p><div class="cwr">'
        '<div class="cmm">{said}</div><div class="csg">{sign}</div></div></div>'
    )
    said = [f"It went after {word} years." for word in ("two", "three", "four", "five", "six", "seven")]
    signs = [
        f"{name} sells pumps and pipes, with spare parts for all makes that are known here."
        for name in ("Jo", "Al", "Mo")
    ]
    posts = "".join(post.format(n=day % 3, day=day, said=each, sign=signs[day % 3]) for day, each in enumerate(said))
    found = find_records(f"<html><body><h1 class='cti'>Pumps</h1>{posts}</body></html>".encode())
    assert [record.text for record in found] == said


def test_plain_names_of_few_people_are_authors_where_names_of_classes_say_nothing() -> None:
    post = '<div class="cqq"><p class="cab"><span>{name}</span> <em>2026-11-{day} 10:00</em></p><p class="cmm">{said} {day}</p></div>'
    names = ["Ann" if day % 2 else "Ben" for day in range(10, 20)]
    said = "The ring of mine went after three years of use, in the month of"
    posts = "".join(post.format(name=name, day=day, said=said) for day, name in enumerate(names, 10))
    found = find_records(f"<html><body><h1 class='cti'>Pumps</h1>{posts}</body></html>".encode())
    assert [record.author for record in found] == names


@pytest.mark.parametrize(("pictures", "caption"), [((1,), " 图1"), ((1, 3), "")], ids=["a short caption", "no caption"])
def test_a_post_that_is_only_a_picture_is_none(pictures: tuple[int, ...], caption: str) -> None:
    body = thread().decode()
    for number, words in enumerate(WORDS):
        body = body.replace(f">用户{number}<", f">用户{number}</a><i>发帖{number}</i><a><")
        if number in pictures:
            body = body.replace(f'<div class="t_f">{words}', f'<div class="picture"><img src="a.png">{caption}')
    expected = [words for number, words in enumerate(WORDS) if number not in pictures]
    assert [record.text for record in find_records(body.encode())] == expected


def test_people_who_like_a_post_are_no_answers() -> None:
    likes = '<div class="likes"><a href="space-uid-{n}.html">喜欢{n}</a>和其他{n}个人觉得很赞</div><div class="sign">'
    body = thread().decode()
    for number in range(5):
        body = body.replace('<div class="sign">', likes.format(n=9 + number).replace("sign", "ign"), 1)
    assert [record.text for record in find_records(body.encode())] == list(WORDS)


@pytest.mark.parametrize(("item", "count"), [("Comment", 10), ("Answer", 5)])
def test_remarks_on_answers_to_a_question_are_none(item: str, count: int) -> None:
    remark = '<div class="cr"><a href="space-uid-{n}.html">看客{n}</a> <em>2026-11-15 09:1{n}</em><p>补充一句,第{n}步容易漏掉</p></div>'
    body = thread().decode().replace('class="post ', f'itemscope itemtype="https://schema.org/{item}" class="post ')
    for number in range(5):
        body = body.replace('<div class="sign">', remark.format(n=number) + '<div class="ign">', 1)
    assert len(find_records(body.encode())) == count


QUESTION = "想买一台二手显示器，坛友有什么推荐吗？预算八百以内，平时写写代码，偶尔看电影。"
OPENING = (
    '<div class="topic"><h1>求推荐</h1><p class="by"><a href="space-uid-77.html">楼主本人</a> 2026-11-09 08:00</p>'
    f"<div class=body>{QUESTION}</div></div>"
)


@pytest.mark.parametrize(("name", "expected"), [("reply", [QUESTION, *WORDS]), ("comment", list(WORDS))])
def test_replies_have_their_post_before_them_and_comments_none(name: str, expected: list[str]) -> None:
    body = thread().decode().replace("<div id=postlist>", f"{OPENING}<div id=list>")
    body = body.replace('id="post_', f'id="{name}_').replace('class="post ', f'class="{name} ')
    found = find_records(body.encode(), url="http://bbs.example/thread-1-1-1.html")
    assert [record.text for record in found] == expected
    assert [record.is_first for record in found] == [True] + [False] * (len(expected) - 1)
    assert found[0].author == ("楼主本人" if name == "reply" else "用户0")


def test_a_short_post_stands_before_its_replies() -> None:
    body = thread().decode().replace("<div id=postlist>", f"{OPENING}<div id=list>").replace('="post', '="reply')
    short = QUESTION[:21]
    found = find_records(body.replace(QUESTION, short).encode(), url="http://bbs.example/thread-1-1-1.html")
    assert [record.text for record in found] == [short, *WORDS]


def test_a_text_of_several_paragraphs_is_whole_where_most_have_one() -> None:
    body = (
        thread()
        .decode()
        .replace('<div class="t_f">', "<p>")
        .replace('</div><div class="sign"', '</p><div class="sign"')
    )
    body = body.replace(WORDS[3], f"{WORDS[3]}</p><p>电池的事我也想知道</p><p>谢谢各位了")
    assert find_records(body.encode())[3].text.split("\n") == [WORDS[3], "电池的事我也想知道", "谢谢各位了"]


def test_the_heading_in_a_link_is_the_title_of_a_line() -> None:
    line = (
        '<div class="item"><a href="/a/{n}"><div><h4>{title}</h4></div><div class="excerpt">这个项目{n}年来一直有人用</div></a>'
        '<div class="meta"><a href="/u/{n}">作者{n}</a> · 2026-11-{day} 12:30</div></div>'
    )
    lines = (line.format(n=number, title=word, day=10 + number) for number, word in enumerate(WORDS))
    body = f"<html><meta charset=utf-8><body><div class=list>{''.join(lines)}</div></body></html>".encode()
    assert [record.title for record in find_records(body)] == list(WORDS)


@pytest.mark.parametrize("between", ["", "<div>3 个赞</div>"], ids=["two rows", "sometimes three rows"])
def test_rows_that_take_turns_are_one_record(between: str) -> None:
    head = '<div class="head"><a href="space-uid-{n}.html">用户{n}</a> <em>2026-11-{n} 12:30</em></div>'
    texts = [f"{word},{number}" for number, word in enumerate(WORDS * 4, 10)]
    rows = "".join(
        head.format(n=number) + f"<div class=said><p>{text}</p></div>" + between * (number % 2)
        for number, text in enumerate(texts, 10)
    )
    found = find_records(f"<html><meta charset=utf-8><body><div id=posts>{rows}</div></body></html>".encode())
    assert [(record.text, record.author, record.time[:10]) for record in found] == [
        (text, f"用户{number}", f"2026-11-{number}") for number, text in enumerate(texts, 10)
    ]


def test_a_line_with_its_subject_in_one_row_and_the_rest_in_the_next() -> None:
    line = (
        '<tr><td class="title">{n}.</td><td class="title"><a href="http://{n}.example/">{title}</a></td></tr>'
        '<tr><td></td><td class="info">1{n} points by <a href="user?id=u{n}">user{n}</a> {n} hours ago'
        ' | <a href="item?id={n}">5{n} comments</a></td></tr>'
    )
    lines = "".join(line.format(n=number, title=f"{word},{word}") for number, word in enumerate(WORDS, 1))
    found = find_records(f"<html><meta charset=utf-8><body><table>{lines}</table></body></html>".encode())
    assert [(record.title, record.author, record.replies) for record in found] == [
        (f"{word},{word}", f"user{number}", f"5{number}") for number, word in enumerate(WORDS, 1)
    ]


@pytest.mark.parametrize("label", ["thread", "author"])
def test_counts_of_a_list_are_named_by_their_columns(label: str) -> None:
    head = "<tr><td colspan=2>Subjects</td><td>Answers</td><td>Author</td><td>Hits</td><td>Last post</td></tr>"
    line = (
        '<tr><td class="i">.</td><td class="s"><a href="t?id={n}">{title}</a></td><td>{low}</td><td><a href="u?u=1">{label}</a></td>'
        "<td>{high}</td><td>2026-11-1{n} 12:00</td></tr>"
    )
    lines = "".join(
        line.format(n=number, title=word, label=label, low=number**2, high=number**3)
        for number, word in enumerate(WORDS, 2)
    )
    found = find_records(f"<html><meta charset=utf-8><body><table>{head}{lines}</table></body></html>".encode())
    assert [(record.replies, record.views) for record in found] == [(f"{n**2}", f"{n**3}") for n in range(2, 7)]


def test_the_first_post_is_told_from_the_replies_and_keys_are_stable() -> None:
    first, second = (find_records(thread()) for _ in range(2))
    assert [record.is_first for record in first] == [True, False, False, False, False]
    assert [record.key for record in first] == [record.key for record in second]
    assert len({record.key for record in first}) == 5


def test_a_person_may_be_named_by_a_number() -> None:
    body = thread().decode().replace(">用户2<", ">13192262<").replace("authi", "info")
    found = find_records(body.encode())
    assert [record.author for record in found] == ["用户0", "用户1", "13192262", "用户3", "用户4"]


def test_a_date_of_another_calendar_is_shown_as_written_and_not_read_as_a_day_of_ours() -> None:
    found = find_records(thread().decode().replace("2026-11-1", "1394/11/1").encode())
    assert [(record.time_text, record.time) for record in found[:2]] == [
        ("1394/11/10 12:30", ""),
        ("1394/11/11 12:31", ""),
    ]


def test_relative_times_count_from_the_fetch() -> None:
    body = thread().replace(b"2026-11-12 12:32", "3 分钟前".encode())
    found = extract(Page(body, fetched_at=datetime(2026, 11, 20, 12, 30, tzinfo=UTC))).records
    assert found[2].time.startswith("2026-11-20T12:27")


def test_nested_replies_keep_their_parent_and_their_own_text() -> None:
    inner = '<li class="comment depth-2"><b class=fn>Bo</b> <time>2026-11-02</time><p>A reply that stands inside another comment.</p></li>'
    outer = '<li class="comment depth-1"><b class=fn>{0}</b> <time>2026-11-01</time><p>Comment by {0} with enough to say.</p>{1}</li>'
    page = (
        "<ol>" + outer.format("Ann", f"<ul>{inner}</ul>") + outer.format("Cyd", "") + outer.format("Dee", "") + "</ol>"
    )
    found = find_records(page.encode())
    assert [record.parent for record in found] == [-1, 0, -1, -1]
    assert "inside another" not in found[0].text
    assert found[1].author == "Bo"


@pytest.mark.parametrize(
    "body", [b"", b"<", b"<html></html>", b"\xff\xfe\x00", b"<p>One paragraph.</p>", b"<div>" * 3000]
)
def test_pages_without_records_have_none(body: bytes) -> None:
    assert extract(Page(body)).kind == "none"


def test_navigation_is_not_records() -> None:
    links = "".join(f'<li class="menu-item"><a href="/c/{number}">Section {number}</a></li>' for number in range(20))
    prose = "".join(
        f"<p>Paragraph {number} of an article that nobody has answered, at some length.</p>" for number in range(9)
    )
    assert find_records(f"<nav><ul>{links}</ul></nav><article>{prose}</article>".encode()) == []


BASES = (
    thread(),
    *(ENGINES[name][0](nested(posts(1, 4))).encode() for name in ("WordPress", "Discuz! 7", "Hacker News", "贴吧")),
    LISTS["phpBB"][0](lines(1, 4)).encode(),
)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_damaged_page_fails(data: st.DataObject) -> None:
    body = bytearray(data.draw(st.sampled_from(BASES)))
    for _ in range(data.draw(st.integers(1, 12))):
        start = data.draw(st.integers(0, len(body) - 1))
        body[start : start + data.draw(st.integers(0, 200))] = data.draw(st.binary(max_size=30)) or b"<"
    for find in (find_records, layout_records, leafpath_records):
        find(bytes(body))
