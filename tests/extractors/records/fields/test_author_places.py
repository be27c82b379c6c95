"""Where the names of authors stand: behind links of the same kind, between "by" and a time, in attributes around the record."""

from extractors.page import Page
from extractors.records import find_records
from extractors.records.signals.links import profile_links
from extractors.records.signals.template_words import is_no_name

SAID = (
    ("anna", "The lamp came late, but it is bright enough to read by, and the cable is long."),
    ("boris", "After six days the switch fell off, and nobody answers at the shop's number."),
    ("clara", "He uses it for his models every evening; the arm stays where one leaves it."),
    ("david", "I screwed it to the desk, since it tips over as soon as the arm is stretched."),
    ("elena", "Mine hums a little when it is dimmed, which the old one with the coil did too."),
)
NAMES = [name for name, _ in SAID]


def comments(*patterns: str) -> bytes:
    """Five comments; the patterns take turns."""
    each = "".join(
        patterns[number % len(patterns)].format(name=name, text=text, day=number + 11)
        for number, (name, text) in enumerate(SAID)
    )
    return f"<h1>Lamps</h1><div id=comments>{each}</div>".encode()


def authors(*patterns: str) -> list[str]:
    return [record.author for record in find_records(comments(*patterns))]


def test_a_name_behind_a_link_of_the_same_kind() -> None:
    pattern = (
        '<div class="comment"><h4><a href="#c{day}">#</a> re: Lamps <span>2026-11-{day} 10:00</span> '
        '<a href="/x/{name}">{name}</a></h4><p>{text}</p></div>'
    )
    assert authors(pattern) == NAMES


def test_the_field_of_a_template_is_no_name() -> None:
    pattern = (
        '<div class="comment"><h6>{name} | 2026-11-{day} 10:00</h6><div class="field--name-body">'
        '<p><a href="/c/{day}">Of lamp {day}</a></p></div><div class="said">{text}</div></div>'
    )
    assert authors(pattern) == NAMES


def test_what_is_around_an_author_may_differ_by_rank() -> None:
    pattern = '<div class="comment"><div class="{rank}"><span class="who">{{name}}</span> <i>2026-11-{{day}}</i><p>{{text}}</p></div></div>'
    usual, editor = (pattern.format(rank=rank) for rank in ("usertype-guest", "usertype-editor"))
    assert authors(usual, usual, usual, usual, editor) == NAMES


def test_a_link_between_by_and_a_time() -> None:
    brief = (
        '<div class="comment"><p>{text}</p><span>Posted by: <a href="mailto:{name}@b.example">{name}</a> '
        "at November {day}, 2026 10:00 PM</span></div>"
    )
    assert authors(brief, brief.replace("<p>", "<p>It is well made.</p><p>")) == NAMES
    linked = (
        '<li class="comment"><p>{text}</p><p><cite>Comment by <a href="http://{name}.example/">{name}</a> &#8212; {day}.11, 2026 @ '
        '<a href="#c{day}">13:{day}</a></cite></p></li>'
    )
    plain = linked.replace('<a href="http://{name}.example/">{name}</a>', "{name}")
    assert authors(linked, *[plain] * 4) == NAMES


def test_the_last_poster_is_no_author() -> None:
    usual = '<div class="comment"><span class="who">{name}</span> <i>2026-11-{day}</i><p>{text}</p></div>'
    first = (
        '<div class="comment"><b>{} post</b> <em>by</em> <u>Zoe</u> <i>2026-11-30</i>'
        "<p>Six posts on lamps are below this line.</p></div>"
    )
    found = [
        find_records(first.format(which).encode() + comments(usual) + comments(usual.replace("{text}", "Yes: {text}")))
        for which in ("Last", "This")
    ]
    assert [records[0].author for records in found] == ["", "Zoe"]


def test_a_name_in_an_attribute_around_the_record() -> None:
    linked = (
        '<x-comment author="{name}"><div class="who"><a href="/user/{name}">{name}</a> <i>2026-11-{day}</i></div>'
        '<div class="said">{text}</div>'
    )
    hidden = linked.replace('<a href="/user/{name}">{name}</a>', "")
    page = comments(linked + "</x-comment>", hidden, linked + "</x-comment></x-comment>", hidden + "</x-comment>")
    assert [record.author for record in find_records(page)] == NAMES


def test_ways_into_a_site_are_no_people() -> None:
    doors = "/user/login", "/component/users/registration?id=3", "/user/register/step1"
    links = "".join(f'<p><a href="{target}">Here</a></p>' for target in (*doors, "/user/anna", "/user/registrar"))
    page = Page(links.encode(), "http://bbs.example/")
    found = page.once(profile_links)
    assert [bool(found[place]) for place in page.columns.places("a")] == [False] * 3 + [True] * 2


def test_what_stands_between_a_name_and_a_text_is_no_name() -> None:
    said = ("says", "schreibt:", "a écrit :", "пишет", "说道：", "register", "create an account")
    assert all(map(is_no_name, said))
    assert not any(map(is_no_name, ("sagan", "ditte", "registrar", "creator")))


def test_drawn_initials_are_no_names() -> None:
    pattern = (
        '<div class="comment"><a href="/member/{day}"><span class="member-avatar"><svg><text>XY</text></svg></span></a>'
        '<div class="line">{name}</div><i>2026-11-{day}</i><div class="said">{text}</div></div>'
    )
    assert authors(pattern) == NAMES
