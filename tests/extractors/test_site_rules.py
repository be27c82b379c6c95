"""Rules of a site: only what is named is taken from them, the rest is read as ever."""

from typing import Any

import pytest

from extractors.page import Page, declared_rules, site_rules

TEXT = "The council met on Monday and talked about the new bridge over the river for several hours. "
PAGE = f"""<html lang=en><head><title>Bridge talk | The Paper</title></head><body><nav><a href=/home>Home</a></nav>
<div class=story><h1>Bridge <b>talk</b></h1><p>{TEXT * 3}</p>
<div class=related><a href=/old/1>An old story</a> <time datetime=2001-01-01>1 Jan 2001</time></div>
<p>It ends <span class=share>SHARE</span> here. {TEXT}</p></div>
<p class=tail>{TEXT * 2}</p><span class=by>By Jane Miller</span><i class=when>5 March 2024 10:11</i>
<div class=reply><b class=u>Ann</b><i>2024-03-06 08:00</i><p>I agree</p>
  <div class=reply><b class=u>Bob</b><i>2024-03-06 09:00</i><p>Not me</p></div></div></body></html>"""
URL = "https://paper.example/1.html"


def _read(article: Any = None, records: Any = None, page: str = PAGE) -> Page:
    return Page(page.encode(), URL, rules=site_rules("paper.example", declared_rules(article, records)))


def test_a_body_rule_changes_the_text_and_nothing_else() -> None:
    usual, ruled = Page(PAGE.encode(), URL).article, _read({"body": ".tail"}).article
    assert ruled.text == (TEXT * 2).strip()
    assert (ruled.title, ruled.published, ruled.author) == (usual.title, usual.published, usual.author)
    assert ruled.method == "default, rule paper.example: body"
    assert ruled.confidence == 1.0


def test_part_of_a_line_can_be_the_text() -> None:
    assert _read({"body": "//div[@class='story']//span"}).article.text == "SHARE"
    assert _read({"body": ".share"}).markdown == "SHARE"


def test_what_is_removed_is_not_read_but_its_links_are_followed() -> None:
    page = _read({"body": ".story", "remove": [".related", ".share"]})
    assert "old story" not in page.article.text
    assert "It ends here." in page.article.text
    assert "https://paper.example/old/1" in [link.url for link in page.links]
    assert [link.url for link in page.links] != []
    assert "2001" not in page.article.published


def test_removal_alone_leaves_the_text_to_the_usual_reading() -> None:
    text = _read({"remove": ".tail"}).article.text
    assert text.startswith(("Bridge", "The council"))
    assert text.count("council") == 4


def test_fields_are_cleaned_and_times_are_read_like_others() -> None:
    article = _read({"title": "h1", "author": ".by", "time": ".when", "body": ".story", "kind": "article"})
    found = article.article
    assert (found.title, found.author, found.published) == ("Bridge talk", "Jane Miller", "2024-03-05T10:11")
    assert found.published_by == "declared"
    assert article.kind.name == "article"


def test_a_selector_that_finds_nothing_falls_back_and_says_so() -> None:
    usual, ruled = Page(PAGE.encode(), URL).article, _read({"body": ".gone", "time": ".by", "title": "h1"}).article
    assert (ruled.text, ruled.published) == (usual.text, usual.published)
    assert ruled.method == "default, rule paper.example: title, not found: body time"


def test_records_are_those_named_with_the_fields_named() -> None:
    found = _read(None, {"each": ".reply", "author": ".u", "time": "i", "text": "./p", "kind": "comments"}).records
    assert [(each.author, each.time, each.text, each.parent) for each in found.records] == [
        ("Ann", "2024-03-06T08:00", "I agree", -1),
        ("Bob", "2024-03-06T09:00", "Not me", 0),
    ]
    assert found.kind == "comments"
    assert len({each.key for each in found.records}) == 2


def test_records_without_a_match_are_read_as_ever() -> None:
    assert _read(None, {"each": ".none"}).records == Page(PAGE.encode(), URL).records


@pytest.mark.parametrize("body", [b"", b"<", b"<p>" * 5_000, b"plain text"])
def test_any_bytes_are_read(body: bytes) -> None:
    rules = site_rules("a.example", declared_rules({"body": "div", "remove": "html", "time": "p"}, {"each": "p"}))
    assert Page(body, URL, rules=rules).article is not None
    assert Page(body, URL, rules=rules).records is not None
