"""What a page declares as its article's text, and what is dropped by it."""

import json

from extractors.article import main_text

LEAD = "The council met on Monday evening to decide about the old bridge."
BODY = (
    "The bridge over the river was closed in spring after engineers had found cracks in two of its pillars. ",
    "Repairs will take until autumn next year, the mayor said, and cost three million more than was planned at first. ",
    "Until then buses take the road along the northern bank, which adds ten minutes to the way into the town centre.",
)
TEASER = (
    "Read our great series about ten hidden beaches of the south coast that only locals have known until this summer."
)


def page(declared: str, *, teaser: str = TEASER) -> bytes:
    data = json.dumps({"@type": "NewsArticle", "articleBody": declared})
    first, second, third = (f"<p>{part}</p>" for part in BODY)
    text = f"<p>{LEAD}</p>{first}<h2>Costs</h2>{second}<p>{teaser}</p>{third}<p>{teaser}</p>"
    head = f"<head><title>Bridge</title><script type='application/ld+json'>{data}</script></head>"
    return f"<html>{head}<body><article><h1>Bridge</h1>{text}</article></body></html>".encode()


def test_a_teaser_that_the_declared_text_does_not_have_is_dropped() -> None:
    text = main_text(page("".join(BODY)))
    assert TEASER not in text
    assert all(part.strip() in text for part in (LEAD, "Costs", *BODY))


def test_markup_in_the_declared_text_is_no_part_of_it() -> None:
    assert TEASER not in main_text(page("".join(f"<p>{part}</p>&nbsp;" for part in BODY)))


def test_a_declared_text_of_another_page_drops_nothing() -> None:
    assert TEASER in main_text(page("Quite another story, which has nothing to do with any bridge. " * 6))


def test_a_declared_text_that_is_cut_short_drops_nothing() -> None:
    assert TEASER in main_text(page(BODY[0] + BODY[1][:100], teaser=TEASER * 4))
