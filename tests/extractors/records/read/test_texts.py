"""What of a post is another's words."""

import pytest

from extractors.records import find_records

SAID = (
    "昨晚把旧水管换成新的，花了三百块，师傅手艺不错",
    "同意，塑料的便宜，但热水用久了会变形",
    "我家用的铜管，十年没漏过，就是贵",
    "先看看水压再决定，压力大别用薄的",
)


def page(body: str) -> bytes:
    """Four posts; the third quotes the first. `body` is the template of their texts."""
    quote = f'<div class="bbQuote"><cite>老王说:</cite><p>{SAID[0]}</p></div>'
    posts = "".join(
        f'<div class="message"><a class="username" href="/members/{number}">用户{number}</a><time>2026-11-1{number} 10:00</time>'
        f"{body.format((quote if number == 2 else '') + text)}</div>"
        for number, text in enumerate(SAID)
    )
    return f"<meta charset=utf-8><div id=posts>{posts}</div>".encode()


def test_a_quote_stands_apart_from_what_the_author_says() -> None:
    found = find_records(page('<div class="content">{}</div>'))
    assert [record.own_text for record in found] == list(SAID)
    assert [SAID[0] in record.quote for record in found] == [False, False, True, False]
    assert SAID[0] in found[2].text
    assert SAID[2] in found[2].text


def test_what_may_be_quoted_is_no_quote() -> None:
    for body in (
        '<article class="body js-selectToQuote"><div>{}</div></article>',
        '<blockquote class="postcontent">{}</blockquote>',
    ):
        found = find_records(page(body))
        assert [record.own_text for record in found] == list(SAID)
        assert SAID[1] not in found[1].quote


@pytest.mark.parametrize("name", ["quote-container", "cqq"])
def test_a_copy_that_waits_unseen_for_who_quotes_it_is_no_text(name: str) -> None:
    copy = f'<div class="{name}" style="display: none;"><blockquote><p>{{0}}</p></blockquote></div>'
    posts = "".join(
        f'<div class="message"><a class="username" href="/members/{number}">用户{number}</a><time>2026-11-1{number} 10:00</time>'
        f'<div class="content">{copy.format(text)}<p>{text}</p></div></div>'
        for number, text in enumerate(SAID)
    )
    found = find_records(f"<meta charset=utf-8><div id=posts>{posts}</div>".encode())
    assert [record.text for record in found] == list(SAID)
    assert not any(record.quote for record in found)


def test_lines_with_the_author_and_with_votes_are_no_paragraphs_of_a_review() -> None:
    said = ("很好", "塑料的便宜，但热水用久了会变形，不建议装在厨房", "不错", "先看看水压再决定，压力大别用薄的")
    reviews = "".join(
        f'<article class="review"><h3><a href="/review/{number}">评价{number}</a></h3><p>{text}</p>'
        f"<p><small>Reviewed by <strong>用户{number}</strong> on 2026-11-1{number} 10:00 | <a href='/p/{number}'>Permalink</a></small></p>"
        f"<p><small>{number} of {number + 3} customers found this useful</small></p></article>"
        for number, text in enumerate(said)
    )
    found = find_records(f"<meta charset=utf-8><section>{reviews}</section>".encode())
    assert [record.text for record in found] == list(said)
    assert [record.author for record in found] == [f"用户{number}" for number in range(4)]


def test_whom_an_answer_addresses_is_no_part_of_it() -> None:
    said = (SAID[0], f"回复 @用户0 ： {SAID[1]}", f"@nobody: {SAID[2]}", SAID[3])
    posts = "".join(
        f'<div class="comment"><a class="nick" href="/members/{number}">用户{number}</a><time>2026-11-1{number} 10:00</time>'
        f'<div class="content"><p>{text}</p></div></div>'
        for number, text in enumerate(said)
    )
    found = find_records(f"<meta charset=utf-8><div id=posts>{posts}</div>".encode())
    assert [record.text for record in found] == [SAID[0], SAID[1], said[2], SAID[3]]
    assert found[1].parent == 0


def test_answers_in_a_box_that_is_called_a_quote_are_their_authors_own_words() -> None:
    def comment(number: int, inside: str = "") -> str:
        return (
            f'<div class="card" id="c{number}"><a class="nick" href="/members/{number}">用户{number}</a>'
            f'<span class="time">2026-11-1{number} 10:00</span><div class="content"><p>{SAID[number]}</p></div>{inside}</div>'
        )

    answers = f'<div class="card-quote">{comment(1)}{comment(2)}</div>'
    found = find_records(f"<meta charset=utf-8><div class=cards>{comment(0, answers)}{comment(3)}</div>".encode())
    assert [record.own_text for record in found] == list(SAID)


def test_texts_that_differ_in_their_numbers_alone_are_texts() -> None:
    posts = "".join(
        f"<div class=post><a href=/u/{number}>用户{number}</a> <time>2026-05-1{number}</time><p>第{number}次，已经修好了，谢谢。</p></div>"
        for number in range(1, 6)
    )
    found = find_records(f"<meta charset=utf-8>{posts}".encode())
    assert [(record.author, record.text) for record in found] == [
        (f"用户{number}", f"第{number}次，已经修好了，谢谢。") for number in range(1, 6)
    ]


def test_the_named_floor_is_no_part_of_a_text() -> None:
    said = ("沙发", "顶一下", "收到", "好的好的")
    posts = "".join(
        f'<div class="message"><p><a class="username" href="/members/{number}">用户{number}</a><em>2026-11-1{number} 10:00</em></p>'
        f'<div class="plc"><b>{floor}</b><div class="t_f">{text}</div></div></div>'
        for number, (floor, text) in enumerate(zip(("沙发#", "板凳#", "地板#", "5#"), said, strict=True))
    )
    found = find_records(f"<meta charset=utf-8><div id=posts>{posts}</div>".encode())
    assert [record.text for record in found] == list(said)


def test_what_the_template_repeats_is_no_post() -> None:
    pictures = '<span class="pick">Select ...</span><i>icon</i>'
    long = [text * 9 for text in SAID[:2]]
    bodies = (long[0], pictures, long[1], pictures, pictures)
    posts = "".join(
        f'<div class="message"><a class="username" href="/members/{number}">用户{number}</a><time>2026-11-1{number} 10:00</time>'
        f'<div class="content">{body}</div></div>'
        for number, body in enumerate(bodies)
    )
    found = find_records(f"<meta charset=utf-8><div id=posts>{posts}</div>".encode())
    assert [record.text for record in found] == long


def test_a_long_name_is_no_text_beside_a_short_one() -> None:
    said = {"江边一棵会唱歌的老柳树": "收到", "每天都要早睡早起的小熊": "好的", "不爱吃香菜的第三位邻居": "同意"}
    replies = "".join(
        f'<div class="reply"><div class="user-info"><span>{name}</span><time>2026-11-1{number} 10:00</time></div>'
        f'<div class="content"><p>{text}</p></div></div>'
        for number, (name, text) in enumerate(said.items())
    )
    found = find_records(f"<meta charset=utf-8><div id=talk>{replies}</div>".encode())
    assert {record.author: record.text for record in found} == said
