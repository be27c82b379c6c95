"""Generated pages: their gold is what they say, without what stands around it, and they count what they are to count."""

import gzip
import json
import random
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from lxml import html
from lxml.html import HtmlElement

from benchmarks.article_examples import FOLDS, GENERATED_SHARE, generated
from benchmarks.made_lists import main_text, squeezed
from benchmarks.page_filling import filled
from benchmarks.page_shapes import SHAPED, drawn_page
from benchmarks.page_words import Words, words_of

TEXTS = [
    (
        f"A title that is number {number} of all",
        ". ".join(f"Sentence {each} of text {number} says nothing of weight" for each in range(30)),
    )
    for number in range(40)
]
TEMPLATE = b"""<html><head><title>Shop</title><script>var old = "Fancy Product"</script></head><body>
<nav><ul><li><a href="#">Home of the template</a></li><li><a href="#">About</a></li><li><a href="#">Help</a></li></ul></nav>
<header><h1>Shop in style today</h1><p>A longer line of the template about everything that is sold in this shop.</p></header>
<div class="row"><div class="col"><h5>Fancy Product One</h5><span>$40.00</span><a class="btn">Buy the template</a></div>
<div class="col"><h5>Fancy Product Two</h5><span>$18.00</span><a class="btn">Buy the template</a></div>
<div class="col"><h5>Fancy Product Three</h5><span>$18.00</span><a class="btn">Buy the template</a></div></div>
<!-- Related items section --><section><h2>Related products of the template</h2></section>
<footer><p>Copyright of the template</p></footer></body></html>"""


def words(seed: int) -> Words:
    made = words_of(TEXTS, "en")
    return Words(made.language, made.texts, made.titles, random.Random(seed))


def in_order(text: str, page: bytes) -> bool:
    """Whether each line stands in the page after the one before it."""
    root: HtmlElement = html.document_fromstring(page.decode())
    said, place = " ".join(root.text_content().split()), 0
    for line in text.split("\n"):
        place = said.find(" ".join(line.split()), place)
        if place < 0:
            return False
    return True


@pytest.mark.parametrize("seed", range(8))
def test_a_filled_template_keeps_nothing_of_its_own_text_and_its_gold_is_the_part_without_menus_and_buttons(
    seed: int,
) -> None:
    page, text = filled(TEMPLATE, "collection", words(seed))
    assert "template" not in page.decode()
    assert "Fancy" not in page.decode()
    assert "data-frame" not in page.decode()
    assert in_order(text, page)
    titles, cards = {title for title, _ in TEXTS}, page.count(b'class="btn"')
    prices = [line for line in text.split("\n") if re.fullmatch(r"(US )?[$€£]\d+(\.\d\d)?", line)]
    assert len(prices) == cards
    assert sum(line in titles for line in text.split("\n")) >= cards


def test_templates_are_filled_with_other_numbers_of_cards_and_the_same_draw_gives_the_same_page() -> None:
    pages = [filled(TEMPLATE, "collection", words(seed))[0] for seed in range(6)]
    assert len({page.count(b'class="btn"') for page in pages}) > 2
    assert pages[3] == filled(TEMPLATE, "collection", words(3))[0]


@pytest.mark.parametrize("kind", SHAPED)
@pytest.mark.parametrize("seed", range(8))
def test_the_gold_of_a_drawn_shape_stands_in_the_page_without_buttons_reviews_and_tools(kind: str, seed: int) -> None:
    page, text = drawn_page(kind, words(seed))
    assert in_order(text, page)
    assert "data-frame" not in page.decode()
    assert not re.search("Add to cart|Quick view|Sort by|Customer reviews|We use cookies|newsletter", text)


def test_the_gold_of_a_list_has_its_titles_and_excerpts_and_not_the_box_that_all_pages_have() -> None:
    box = "<div class='side'><a>The newest post of all</a></div>"
    entries = "".join(
        f"<article><h2><a>Post number {each}</a></h2><p>The post begins with these few words {each}</p></article>"
        for each in "abc"
    )
    page = f"<body><main>{entries}<a>Older</a></main>{box}</body>".encode()
    titles = {
        squeezed(title) for title in ("Post number a", "Post number b", "Post number c", "The newest post of all")
    }
    known = squeezed(
        "The post begins with these few words a and goes on. The post begins with these few words b. The newest post of all"
    )
    gold = main_text(page, titles, known, {("a. div.side body.", "The newest post of all")})
    assert gold.split("\n") == [
        "Post number a",
        "The post begins with these few words a",
        "Post number b",
        "The post begins with these few words b",
        "Post number c",
    ]


def test_generated_pages_weigh_their_share_of_those_beside_them_and_folds_go_by_their_site(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    rows = []
    for seed in range(12):
        page, text = drawn_page("listing", words(seed))
        rows.append(
            {
                "id": f"p{seed}",
                "site": f"s{seed // 2}",
                "url": f"https://s{seed}.example/",
                "page_type": "listing",
                "text": text,
            }
        )
        (tmp_path / "pages" / f"p{seed}.html.gz").write_bytes(gzip.compress(page))
    with gzip.open(tmp_path / "gold.jsonl.gz", "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row) + "\n" for row in rows)
    beside: list[Any] = [SimpleNamespace(weight=np.full(25, 3.0), page_weight=1.0, bags=True)] * 4
    first = generated(tmp_path, beside)
    assert len(first) == len(rows)
    assert sum(each.weight.sum() for each in first) == pytest.approx(GENERATED_SHARE * 300, rel=1e-4)
    assert sum(each.page_weight for each in first) == pytest.approx(GENERATED_SHARE * 4)
    assert all(first[place].fold == first[place + 1].fold for place in range(0, 12, 2))
    assert len({each.fold for each in first}) > 1
    assert all(0 <= each.fold < FOLDS for each in first)
