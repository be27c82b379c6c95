"""Fields that stand beside their records, in rows of their own, around them, or only in the page's structured data."""

import json
import time

import numpy as np
import pytest

from extractors.page import Page
from extractors.records.groups import RecordGroup
from extractors.records.groups.layout import layout_of
from extractors.records.read import read_group, records_of
from extractors.records.read.model import Record
from extractors.records.signals.template_words import is_no_name

NAMES = ("Ann", "Bo", "Cyd", "Dee")
TEXTS = (
    "The kettle boils in two minutes and the lid stays cool.",
    "Mine broke after a week, the shop took it back without a word.",
    "Does anybody know whether the filter can be bought alone?",
    "Yes, look for the part number under the base plate.",
)


def records(body: str, tag: str, class_name: str) -> list[Record]:
    """What is read when the elements of one make are taken for the page's records."""
    page = Page(body.encode(), "http://bbs.example/")
    alike = [element.tag == tag and element.get("class", "") == class_name for element in page.columns.elements]
    return records_of(read_group(layout_of(page, RecordGroup(np.flatnonzero(alike), class_name))))


def read(body: str, tag: str, class_name: str) -> list[tuple[str, str, str]]:
    """(author, time, text) of each record."""
    return [(record.author, record.time_text, record.text) for record in records(body, tag, class_name)]


def rows(pattern: str) -> str:
    return "".join(
        pattern.format(name=name, day=number + 11, text=text)
        for number, (name, text) in enumerate(zip(NAMES, TEXTS, strict=True))
    )


EXPECTED = [(name, f"2026-11-{day}", text) for name, day, text in zip(NAMES, range(11, 15), TEXTS, strict=True)]


def test_a_term_before_each_definition_names_its_author_and_time() -> None:
    body = (
        "<dl>"
        + rows('<dt><a href="/user/{name}">{name}</a> 2026-11-{day}</dt><dd class="c"><p>{text}</p></dd>')
        + "</dl>"
    )
    assert read(body, "dd", "c") == EXPECTED


def test_a_row_before_each_row_leads_it() -> None:
    rule = "<tr><td colspan=2></td></tr>"
    pattern = '<tr><td class="who"><a href="/member/{name}">{name}</a></td><td>2026-11-{day}</td></tr>'
    body = "<table>" + rows(pattern + '<tr class="b"><td colspan=2>{text}</td></tr>' + rule) + "</table>"
    assert read(body, "tr", "b") == EXPECTED


def test_a_row_after_each_row_follows_it() -> None:
    pattern = '<tr class="b"><td>{text}</td></tr><tr><td>by <a href="/member/{name}">{name}</a> 2026-11-{day}</td></tr>'
    assert read("<table>" + rows(pattern) + "</table>", "tr", "b") == EXPECTED


def test_rows_that_do_not_recur_belong_to_no_record() -> None:
    pattern = '<div class="b"><a href="/member/{name}">{name}</a> <i>2026-11-{day}</i><p>{text}</p></div>'
    pieces = rows(pattern + "\f").split("\f")
    body = pieces[0] + "<p>Advertisement of 2020-01-01</p>" + "".join(pieces[1:])
    assert read(body, "div", "b") == EXPECTED


def test_a_link_around_each_line_is_its_title() -> None:
    lines = "".join(
        f'<li><span class="who">{name}</span> <time>2026-11-1{number}</time>'
        f'<a href="/thread/{number}"><div class="ti">How do I mend kettle number {number}?</div><i>{number + 3}</i></a></li>'
        for number, name in enumerate(NAMES)
    )
    found = records(f"<ul>{lines}</ul>", "div", "ti")
    assert [record.url for record in found] == [f"http://bbs.example/thread/{number}" for number in range(4)]
    assert found[1].title == "How do I mend kettle number 1?"
    assert [record.author for record in found] == list(NAMES)


def test_json_ld_tells_what_the_markup_does_not_show() -> None:
    data = {
        "@context": "https://schema.org",
        "@type": "DiscussionForumPosting",
        "comment": [
            {"@type": "Comment", "text": f"<p>{text}</p>", "author": {"name": name}, "datePublished": f"2026-11-{day}"}
            for (name, _, text), day in zip(EXPECTED, range(11, 15), strict=True)
        ],
    }
    script = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    body = script + "<div>" + rows('<div class="comment"><p>{text}</p></div>') + "</div>"
    assert read(body, "div", "comment") == EXPECTED


def test_damaged_json_ld_is_no_harm() -> None:
    deep = "[" * 100_000
    for script in ("{", deep, '{"@type": ["Comment", 3], "text": 5, "author": [[]]}', "[{}, null, 3]"):
        body = f'<script type="application/ld+json">{script}</script>' + rows('<div class="c"><p>{text}</p></div>')
        assert [text for _, _, text in read(body, "div", "c")] == list(TEXTS)


def test_counts_are_known_by_what_stands_in_their_element() -> None:
    lines = "".join(
        f'<dl class="icon"><dt><a class="topictitle" href="/t/{number}">A title of thread {number}, long enough</a></dt>'
        f"<dd>{number}<dfn>Réponses</dfn></dd><dd>{number * 90 + 7}<dfn>Vus</dfn></dd></dl>"
        for number in range(6)
    )
    found = records(lines, "dl", "icon")
    assert [record.replies for record in found] == [str(number) for number in range(6)]
    assert [record.views for record in found] == [str(number * 90 + 7) for number in range(6)]


def test_a_date_of_two_numbers_is_no_count() -> None:
    line = (
        '<div class="r-ent"><div class="nrec">{replies}</div><div class="title"><a href="/b/M.{number}.html">第{number}篇文章</a></div>'
        '<div class="meta"><div class="author">user{number}</div><div class="date">2/{day}</div></div></div>'
    )
    lines = "".join(line.format(number=number, replies=number * 7 + 30, day=number + 10) for number in range(8))
    found = records(lines, "div", "r-ent")
    assert [record.time_text for record in found] == [f"2/{number + 10}" for number in range(8)]
    assert [record.replies for record in found] == [str(number * 7 + 30) for number in range(8)]
    assert {record.views for record in found} == {""}


def test_headings_made_like_the_records_are_none() -> None:
    pattern = '<div class="b"><a href="/member/{name}">{name}</a> <i>2026-11-{day}</i><p>{text}</p></div>'
    first, last = '<div class="b">Author and discussion</div>', '<div class="b">Next page of this topic</div>'
    assert read(first + 2 * rows(pattern) + last, "div", "b") == 2 * EXPECTED


def test_rows_of_buttons_below_the_posts_are_none() -> None:
    pattern = '<div class="r"><a href="/user/{name}">{name}</a> 2026-11-{day}<p>{text}</p></div><div class="r"><p>[ IP : Logged ]</p></div>'
    assert read(rows(pattern), "div", "r") == EXPECTED


def test_a_part_of_a_line_finds_the_title_beside_it() -> None:
    lines = "".join(
        f'<li><a href="/thread/{number}">How do I mend kettle number {number}?</a>'
        f'<div class="meta"><a href="/user/{name}">{name}</a> 2026-11-1{number}</div></li>'
        for number, name in enumerate(NAMES)
    )
    found = records(f"<ul>{lines}</ul>", "div", "meta")
    assert [record.title for record in found] == [f"How do I mend kettle number {number}?" for number in range(4)]
    assert [record.url for record in found] == [f"http://bbs.example/thread/{number}" for number in range(4)]
    assert [record.author for record in found] == list(NAMES)


def test_links_beside_that_posts_share_are_no_titles() -> None:
    pattern = (
        '<div><h4><a href="/post/{day}">Re: the kettle and its filter</a></h4><a href="/user/{name}">{name}</a> 2026-11-{day}'
        '<div class="b">{text}</div></div>'
    )
    assert read(rows(pattern), "div", "b") == EXPECTED


def test_notices_of_other_sites_are_no_comments() -> None:
    pattern = '<li class="comment"><a href="/user/{name}">{name}</a> 2026-11-{day}<p class="b">{text}</p></li>'
    notice = '<li class="pingback odd"><p class="b">Pingback: another site that writes about the kettle</p></li>'
    assert read(f"<ul>{rows(pattern)}{notice}</ul>", "p", "b") == EXPECTED


def test_a_signature_is_known_by_its_role() -> None:
    posts = "".join(
        f'<div class="cPost"><a class="name" href="/profile/{number}">{NAMES[number]}</a><time>2026-11-0{number + 1} 09:00</time>'
        f'<div class="wrap"><div class="richText">{text}</div>'
        f'<div data-role="memberSignature" class="border"><div class="richText">{NAMES[number]} answers on Mondays, ask at the '
        f"desk in room {number} behind the old mill.</div></div></div></div>"
        for number, text in enumerate(TEXTS)
    )
    assert [text for _, _, text in read(f"<div>{posts}</div>", "div", "cPost")] == list(TEXTS)


def test_a_heading_around_what_holds_the_link_makes_it_a_title() -> None:
    post = (
        '<div class="item"><h2 class="head"><div itemprop="question"><a href="/q/{day}">How do I mend kettle number {day}?</a></div></h2>'
        '<b class="author">{name}</b><div class="body">{text} {text} {text} {text} {text} {text} {text} {text} {text}</div></div>'
    )
    found = records(rows(post), "div", "item")
    assert [record.title for record in found] == [f"How do I mend kettle number {number + 11}?" for number in range(4)]
    assert all(text in record.text for text, record in zip(TEXTS, found, strict=True))


def test_records_without_text_have_nothing_beside_them() -> None:
    assert (
        records('<div><p class="item"></p><p class="item"></p><p class="item"></p></div> some text', "p", "item") == []
    )


def test_day_and_month_come_in_one_order_all_over_a_page() -> None:
    pattern = '<div class="b"><a href="/member/{name}">{name}</a> <i>{day}/04/2020</i><p>{text}</p></div>'
    for days, expected in (
        ((3, 28, 5, 6), ["2020-04-03", "2020-04-28", "2020-04-05", "2020-04-06"]),
        ((3, 4, 5, 6), ["2020-03-04", "2020-04-04", "2020-05-04", "2020-06-04"]),
    ):
        body = "".join(
            pattern.format(name=name, day=f"{day:02}", text=text)
            for name, day, text in zip(NAMES, days, TEXTS, strict=True)
        )
        assert [record.time for record in records(body, "div", "b")] == expected


def test_an_age_in_several_units_is_one_time() -> None:
    ages = ("1 小时 43 分钟前", "2 gün, 3 saat önce", "2h 27m ago", "1日と3時間前")
    pattern = '<div class="b"><a href="/member/{name}">{name}</a> <i>{age}</i><p>{text}</p></div>'
    body = "".join(
        pattern.format(name=name, age=age, text=text) for name, age, text in zip(NAMES, ages, TEXTS, strict=True)
    )
    assert [record.time_text for record in records(body, "div", "b")] == list(ages)


def test_the_time_of_the_post_is_not_when_its_author_joined() -> None:
    pattern = '<div class="b"><i>Joined: 4 May 200{n}</i><b>{name}</b><i>Posted: 7 June 2011</i><p>{text}</p></div>'
    rows = zip(NAMES, TEXTS, strict=True)
    body = "".join(pattern.format(n=number, name=name, text=text) for number, (name, text) in enumerate(rows))
    assert [record.time for record in records(body, "div", "b")] == ["2011-06-07"] * len(NAMES)


def test_posts_whose_time_is_marked_differently_do_not_take_the_time_of_a_visit() -> None:
    pattern = '<div class="b"><b>{name}</b><dl><dt>Zuletzt hier:</dt><dd>30.04.20{n}</dd></dl>{time}<p>{text}</p></div>'
    times = [f"<em>{day} May 2019 11:04</em>" for day in range(1, 8)] + ["<u>9 May 2019</u>"]
    rows = enumerate(zip(NAMES * 2, times, TEXTS * 2, strict=True), 11)
    body = "".join(pattern.format(n=number, name=name, time=each, text=text) for number, (name, each, text) in rows)
    expected = [f"2019-05-0{day}" for day in (*range(1, 8), 9)]
    assert [record.time[:10] for record in records(body, "div", "b")] == expected


def test_threads_whose_begin_is_marked_differently_still_begin_before_their_last_answer() -> None:
    pattern = '<div class="b"><a href="/t/{n}">Thread {n}: {text}</a> <em>{begun}</em> <u>2011-06-2{n}</u></div>'
    begun = ["2011-05-01", "<i class=new>2011-06-12</i>", "<i class=new>2011-06-13</i>", "<i class=new>2011-06-14</i>"]
    rows = zip(begun, TEXTS, strict=True)
    body = "".join(pattern.format(n=number, begun=each, text=text) for number, (each, text) in enumerate(rows))
    expected = ["2011-05-01", "2011-06-12", "2011-06-13", "2011-06-14"]
    assert [record.time for record in records(body, "div", "b")] == expected


def test_lines_without_replies_may_show_no_number() -> None:
    pattern = '<div class="b"><a href="/t/{n}">{text}</a> <em>2011-05-0{n}</em> <span>{replies}</span></div>'
    shown = ("12", "", "3", "", "40")
    rows = zip(shown, (*TEXTS, TEXTS[0]), strict=True)
    body = "".join(pattern.format(n=number, text=text, replies=each) for number, (each, text) in enumerate(rows, 1))
    assert [record.replies for record in records(body, "div", "b")] == list(shown)


def test_several_people_in_a_record_are_not_its_author() -> None:
    remark = (
        '<li><div class="user"><span><a href="/users/{n}" class="user">reader{n}</a></span></div> Thanks a lot.</li>'
    )
    pattern = '<div class="b"><p>{text}</p><i>7 June 2011</i><b class="by"><a href="/users/{name}">{name}</a></b><ul>{remarks}</ul></div>'
    body = "".join(
        pattern.format(name=name, text=text, remarks=remark.format(n=number) + remark.format(n=number + 1))
        for number, (name, text) in enumerate(zip(NAMES, TEXTS, strict=True))
    )
    assert [record.author for record in records(body, "div", "b")] == list(NAMES)


def test_numbers_with_units_say_which_is_seen_more_often() -> None:
    pairs = (("8", "1.2万"), ("900", "1.1k"), ("35", "2M"), ("44,001", "1.3亿"))
    lines = "".join(
        f'<li class="r"><a class="title" href="/t/{number}">How do I mend kettle number {number}?</a>'
        f"<em>{seen}</em> <b>{answered}</b></li>"
        for number, (answered, seen) in enumerate(pairs)
    )
    found = records(f"<ul>{lines}</ul>", "li", "r")
    assert [(record.replies, record.views) for record in found] == list(pairs)


def test_the_first_letter_of_a_word_is_no_unit() -> None:
    body = "".join(
        f'<div class="c"><b class="u">{name}</b><p>{text}</p><i class="replies">{number + 2} {word}</i></div>'
        for number, (name, text, word) in enumerate(zip(NAMES, TEXTS, ("messages", "kudos", "m", "K"), strict=True))
    )
    assert [record.replies for record in records(body, "div", "c")] == ["2", "3", "4 m", "5 K"]


def test_groups_of_digits_are_one_number() -> None:
    written = ("12 345", "12\u00a0345 vues", "12'345", "1\u202f012\u202f345")
    body = "".join(
        f'<div class="c"><b class="u">{name}</b><p>{text}</p><i class="views">{seen}</i></div>'
        for name, text, seen in zip(NAMES, TEXTS, written, strict=True)
    )
    found = records(f"<meta charset=utf-8>{body}", "div", "c")
    assert [record.views for record in found] == ["12345", "12345", "12345", "1012345"]


def test_offers_to_act_are_no_names() -> None:
    for offer in ("find", "flag", "发消息", "on wed", "on saturday", "加好友"):
        assert is_no_name(offer), offer
    assert not any(map(is_no_name, ("findus", "flagstaff", "on", "onwed")))


def test_floors_have_names_or_numbers() -> None:
    signs = ("楼主", "沙发", "板凳#", "5#")
    body = "".join(
        f'<div class="c"><b class="u">{name}</b><i class="floor">{sign}</i><p>{text}</p></div>'
        for name, sign, text in zip(NAMES, signs, TEXTS, strict=True)
    )
    body = f"<html><head><meta charset=utf-8></head><body>{body}</body></html>"
    assert [record.floor for record in records(body, "div", "c")] == ["", "2", "3", "5"]


def test_a_name_of_a_floor_that_several_records_have_is_none() -> None:
    body = "".join(
        f'<div class="c"><b class="u">{name}</b><i>沙发</i><p>{text}</p></div>'
        for name, text in zip(NAMES, TEXTS, strict=True)
    )
    body = f"<html><head><meta charset=utf-8></head><body>{body}</body></html>"
    assert [record.floor for record in records(body, "div", "c")] == [""] * 4


def test_names_of_digits_signs_and_one_letter_are_names() -> None:
    names = ("20071", "⚔😾⚔", "氏", "likelysuspect")
    made = "".join(
        f'<div class="post"><span class="author"><a href="/user/{number}">{name}</a></span> <i>2026-11-1{number}</i>'
        f'<a href="/user/{number}/posts">{number}7</a><p>{text}</p></div>'
        for number, (name, text) in enumerate(zip(names, TEXTS, strict=True))
    )
    assert [author for author, _, _ in read(made, "div", "post")] == list(names)


def test_punctuation_names_nobody() -> None:
    assert [
        author for author, _, _ in read(rows('<div class="p"><a href="/user/1">-</a><p>{text}</p></div>'), "div", "p")
    ] == [""] * 4


def test_a_time_that_is_shown_short_is_exact_by_its_attribute() -> None:
    shown = '<div class="p"><b class="author">{name}</b><time datetime="2020-04-{day}T13:40:04+00:00">April {day}</time><p>{text}</p></div>'
    found = records(rows(shown), "div", "p")
    assert [record.time_text for record in found] == [f"April {day}" for day in range(11, 15)]
    assert [record.time for record in found] == [f"2020-04-{day}T13:40:04+00:00" for day in range(11, 15)]


def test_a_time_that_is_shown_in_full_is_not_another_by_its_attribute() -> None:
    shown = '<div class="p"><b class="author">{name}</b><time datetime="2020-04-11T13:40:04Z">2026-11-{day}</time><p>{text}</p></div>'
    assert [record.time for record in records(rows(shown), "div", "p")] == [f"2026-11-{day}" for day in range(11, 15)]


def test_an_age_in_a_language_that_is_not_read_is_a_time_by_its_attribute() -> None:
    shown = '<div class="p"><b class="author">{name}</b><span title="{day} Jun 2019 02:34">{day} sedmic nazaj</span><p>{text}</p></div>'
    found = records(rows(shown), "div", "p")
    assert [record.time_text for record in found] == [f"{day} sedmic nazaj" for day in range(11, 15)]
    assert [record.time for record in found] == [f"2019-06-{day}T02:34" for day in range(11, 15)]


def test_the_cost_of_a_long_attribute_is_linear() -> None:
    shown = f'<div class="p"><b class="author">{{name}}</b><span title="{"2019a" * 20_000}">{{day}} sedmic</span><p>{{text}}</p></div>'
    begun = time.process_time()
    records(rows(shown), "div", "p")
    assert time.process_time() - begun < 2


def test_a_shown_time_goes_before_one_for_machines() -> None:
    both = "<time>2006-09-{day}T16:07+00:00</time><span>Sep {day}, 2006</span>"
    shown = f'<div class="p"><b class="author">{{name}}</b>{both}<p>{{text}}</p></div>'
    assert [time for _, time, _ in read(rows(shown), "div", "p")] == [f"Sep {day}, 2006" for day in range(11, 15)]


def test_who_was_last_here_in_german_was_not_there_yesterday() -> None:
    visit = "<dl><dt>Zuletzt hier:</dt><dd>30.04.20</dd></dl>"
    shown = f'<div class="p"><b class="author">{{name}}</b>{visit}<p>{{text}}</p><abbr>{{day}}.04.20 um 10:58 Uhr</abbr></div>'
    assert [record.time for record in records(rows(shown), "div", "p")] == [
        f"2020-04-{day}T10:58" for day in range(11, 15)
    ]


@pytest.mark.parametrize(
    "line",
    [
        "— {name} on November {day}, 2026",
        "{name} (guest) {day}.11.26, 21:53:39",
        "Comment by {name} — {day}.11.2026",
        "{name} | Di, {day}. November 2026",
        "Par {name}, le mercredi {day} novembre 2026",
        "#{day} - {name} - Thu Nov {day}, 2026 9:51 pm",
    ],
)
def test_a_name_is_told_from_the_time_beside_it(line: str) -> None:
    body = rows(f'<div class="c"><p>{{text}}</p><div>{line}</div></div>')
    assert [author for author, _, _ in read(body, "div", "c")] == list(NAMES)


@pytest.mark.parametrize("says", ["said:", "said...", "a dit…"])
def test_a_name_stands_before_the_word_for_saying(says: str) -> None:
    body = rows(f'<div class="c"><h4>{{name}} {says}</h4><p>{{text}}</p><i>November {{day}}, 2026 at 9:51 PM</i></div>')
    assert [author for author, _, _ in read(body, "div", "c")] == list(NAMES)


def test_a_day_of_the_week_before_a_date_names_nobody() -> None:
    body = rows('<div class="c"><p>{text}</p><div>Sat, {day} November 2026</div></div>')
    assert {author for author, _, _ in read(body, "div", "c")} == {""}


def test_who_posted_may_stand_before_the_element_of_the_time() -> None:
    body = rows('<div class="c"><p>{text}</p>Posted by: {name} <i>November {day}, 2026</i></div>')
    assert [author for author, _, _ in read(body, "div", "c")] == list(NAMES)


def test_people_in_signatures_wrote_nothing() -> None:
    body = rows(
        '<div class="c"><i>November {day}, 2026</i><p>{text}</p><div class="signature"><b>{name}</b></div></div>'
    )
    assert {author for author, _, _ in read(body, "div", "c")} == {""}


def test_who_started_another_thread_wrote_nothing_here() -> None:
    body = rows('<div class="c"><p>{text}</p>Started by {name} <i>November {day}, 2026</i></div>')
    assert {author for author, _, _ in read(body, "div", "c")} == {""}


def test_a_subject_is_no_author_where_the_time_names_one() -> None:
    subjects = iter(("pump", "an idea", "heh", "Really good"))
    body = rows('<div class="c"><b>SUBJECT</b><p>{name} (guest) {day}.11.26, 21:53</p><div>{text}</div></div>')
    while "SUBJECT" in body:
        body = body.replace("SUBJECT", next(subjects), 1)
    assert [author for author, _, _ in read(body, "div", "c")] == list(NAMES)


def test_microdata_names_people_of_all_ranks() -> None:
    body = 2 * rows('<div class="c"><i class="RANK" itemprop="name">{name}</i> 2026-11-{day}<p>{text}</p></div>')
    for rank in "abcaadea":
        body = body.replace("RANK", f"k-{rank}", 1)
    assert [author for author, _, _ in read(body, "div", "c")] == list(NAMES) * 2


def test_likes_and_attachments_are_no_text() -> None:
    beside = '<p class="s"><b>{day} Likes</b></p><div class="attachedFiles">Plan von {name}.jpg</div>'
    body = rows(f'<div class="p"><b class="author">{{name}}</b><div class="text">{{text}}{beside}</div></div>')
    assert [text for _, _, text in read(body, "div", "p")] == list(TEXTS)


def test_a_pair_in_brackets_behind_the_length_of_a_post() -> None:
    lines = "".join(
        f'<li><a href="thread.jsp?id={number}">{text}</a>【<a href="user.jsp?id={name}">{name}</a>】<i>08-1{number} 16:58</i>'
        f" {number * 130}字 [{900 - number * 37}/{number * 3 % 7}]</li>"
        for number, (name, text) in enumerate(zip(NAMES, TEXTS, strict=True))
    )
    found = records(f"<ul>{lines}</ul>", "li", "")
    assert [(record.replies, record.views) for record in found] == [
        ("0", "900"),
        ("3", "863"),
        ("6", "826"),
        ("2", "789"),
    ]
