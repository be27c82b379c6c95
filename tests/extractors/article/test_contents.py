"""Tables of contents and heads of tables."""

import numpy as np

from extractors.article.blocks import find_blocks
from extractors.article.contents import drop_contents
from extractors.page import Page

TEXT = (
    "The river rose by two metres during the night, and by morning the lower town stood under water, said the mayor. "
    * 2
)


def _text(body: str) -> str:
    head = "<title>River floods the lower town</title>"
    return Page(f"<html><head>{head}</head><body><h1>River floods</h1>{body}</body></html>".encode()).article.text


def test_a_table_of_contents_is_no_text_and_its_headings_are() -> None:
    names = [f"Night {number} of the flood" for number in range(5)]
    lines = "".join(f"<li><a href='#n{number}'>{name}</a></li>" for number, name in enumerate(names))
    text = "".join(f"<h2 id='n{number}'>{name}</h2><p>{TEXT}</p>" for number, name in enumerate(names))
    found = _text(f"<ul>{lines}</ul>{text}").split("\n")
    assert [found.count(name) for name in names] == [1] * 5


def test_links_to_notes_stay_in_their_lines() -> None:
    text = "".join(f"<p>{TEXT}<a href='#note-{number}'>[{number}]</a></p>" for number in range(5))
    assert _text(text).count("two metres") == 10


def test_a_page_that_is_a_list_of_jumps_keeps_it() -> None:
    lines = "".join(f"<p><a href='#n{number}'>{TEXT}</a></p>" for number in range(5))
    blocks = find_blocks(Page(f"<html><body>{lines}</body></html>".encode()).columns)
    chosen, length = np.ones(len(blocks), np.bool_), blocks.sums(blocks.columns.counts("visible"))
    assert drop_contents(blocks, chosen, length).all()


def test_the_head_of_a_table_is_read_with_its_rows() -> None:
    rows = "".join(f"<tr><td>{year}</td><td>{year - 2000} m</td></tr>" for year in range(2018, 2025))
    found = _text(f"<p>{TEXT}</p><table><tr><th>Year</th><th>Height</th></tr>{rows}</table><p>{TEXT}</p>")
    assert "2020" in found
    assert "Height" in found
