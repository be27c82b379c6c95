"""Headings of records: the titles of what people wrote, and the heads of comments without an element of their own."""

from extractors.page import Page
from extractors.records import extract, find_records

SAID = (
    ("anna", "Worth the wait", "The lamp came late, but it is bright enough to read by, and the cable is long."),
    ("boris", "Broke in a week", "After six days the switch fell off, and nobody answers at the shop's number."),
    ("clara", "A present for my son", "He uses it for his models every evening; the arm stays where one leaves it."),
    ("david", "Good light, bad foot", "I screwed it to the desk, since it tips over as soon as the arm is stretched."),
)


def reviews(head: str) -> bytes:
    """Four reviews; `head` is the template of what stands above their texts."""
    each = "".join(
        f'<div class="review"><a class="author" href="/user/{name}">{name}</a><time>2026-11-1{number}</time>'
        f'{head.format(title=title, name=name)}<div class="text">{said}</div></div>'
        for number, (name, title, said) in enumerate(SAID)
    )
    return f"<div id=reviews>{each}</div>".encode()


def comments(parts: tuple[int, ...]) -> bytes:
    """An article and comments that are a heading and paragraphs each, all under one parent."""
    each = "".join(
        f'<h4>Re: lamps <span>2026-11-1{number} 12:40</span> <a href="/user/{name}">{name}</a></h4>'
        + "".join(f"<p>{said} Part {part}.</p>" for part in range(count))
        for number, ((name, _, said), count) in enumerate(zip(SAID, parts, strict=True))
    )
    return f"<h1>Lamps</h1><p>What to look for in a lamp for a desk.</p><div id=comments><h3>Comments</h3>{each}</div>".encode()


def test_the_heading_of_a_review_is_its_title() -> None:
    for head in (
        "<h3>{title}</h3>",
        '<h5><span class="mark">{title}</span></h5>',
        '<div class="review-title">{title}</div>',
    ):
        found = find_records(reviews(head))
        assert [(record.author, record.title, record.text) for record in found] == list(SAID)


def test_a_heading_that_begins_the_text_is_no_part_of_it() -> None:
    page = reviews("{title}").replace(b'<div class="text">', b'<div class="text"><h4>')
    for _, title, _ in SAID:
        page = page.replace(f'{title}<div class="text"><h4>'.encode(), f'<div class="text"><h4>{title}</h4>'.encode())
    assert [(record.title, record.text) for record in find_records(page)] == [said[1:] for said in SAID]


def test_a_heading_about_the_author_is_no_title() -> None:
    for head in (
        "<h3>{name}</h3>",
        "<h3>{name} writes of lamps</h3>",
        '<h5 class="userTitle">{title}</h5>',
        "<h3>Review</h3>",
    ):
        assert {record.title for record in find_records(reviews(head))} == {""}


def test_headings_and_paragraphs_in_turn_are_comments() -> None:
    for parts in ((1, 1, 1, 1), (2, 3, 1, 1), (9, 1, 4, 1)):
        records = extract(Page(comments(parts), "http://lamps.example/1")).records
        assert [record.author for record in records] == [name for name, _, _ in SAID]
        assert [record.time for record in records] == [f"2026-11-1{number}T12:40" for number in range(len(SAID))]
        for record, (_, _, said), count in zip(records, SAID, parts, strict=True):
            assert record.text.startswith(said)
            assert record.text.count("Part") == count
