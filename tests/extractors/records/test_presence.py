"""Pages that surely have no records are not searched; all others are."""

import pytest

from extractors.page import Page
from extractors.records import find_records
from extractors.records.presence import MIN_ALIKE_TIMES, MIN_ELEMENTS, NAMES, may_have_records, presence_features

PROSE = "The river had risen in the night, and nobody in the village, said the miller, had ever seen it so high."
STORY = f"""<html><head><title>The river</title></head><body><nav>{"<a href=/a>Home</a> " * 8}</nav>
<article><h1>The river rises</h1>{f"<p>{PROSE} <em>So high</em>, she said. </p>" * 60}</article></body></html>"""
POST = """<div class="post" id="p{0}"><a class="author" href="/u/{0}">reader{0}</a> <span class="date">2024-05-{0:02} 10:0{1}</span>
<div class="content"><p>The kettle of flat {0} was changed again, and nobody has told us why they did it.</p></div>
<a href="/reply/{0}">Reply</a></div>"""


def thread(posts: int) -> str:
    """A page of a forum."""
    made = "".join(POST.format(number, number % 10) for number in range(1, posts + 1))
    return f"<html><head><title>Kettles</title></head><body><h1>Kettles</h1>{made}</body></html>"


def page_of(markup: str) -> Page:
    return Page(markup.encode(), "http://b.example/t/1.html")


def test_a_long_story_without_times_is_not_searched() -> None:
    page = page_of(STORY)
    assert len(page.columns) >= MIN_ELEMENTS
    assert not may_have_records(page)
    assert page.records.kind == "none"
    assert find_records(STORY.encode()) == []


@pytest.mark.parametrize("posts", [3, 20, 28])
def test_a_thread_is_searched(posts: int) -> None:
    assert len(page_of(thread(posts)).records.records) == posts


def test_many_times_of_one_kind_are_enough() -> None:
    lines = "".join(f"<p>{PROSE}</p><p><i class=t>2024-05-{day:02}</i></p>" for day in range(1, MIN_ALIKE_TIMES + 1))
    page = page_of(f"<body>{STORY}{lines}</body>")
    assert may_have_records(page)


def test_a_small_page_is_searched() -> None:
    assert may_have_records(page_of(f"<body><p>{PROSE}</p></body>"))
    assert may_have_records(page_of(""))


@pytest.mark.parametrize("markup", [STORY, thread(20), f"<body>{'<p></p>' * MIN_ELEMENTS}</body>"])
def test_what_was_read_before_does_not_matter(markup: str) -> None:
    first, later = page_of(markup), page_of(markup)
    _ = later.kind, later.article, later.links
    assert presence_features(first).tolist() == presence_features(later).tolist()
    assert len(presence_features(first)) == len(NAMES)
    assert first.records.records == later.records.records == tuple(find_records(markup.encode(), url=first.url))
