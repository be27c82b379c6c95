"""Fields as plain values."""

from extractors.scoring import fields

PARAGRAPH = "<p>We walked along the river until it was dark, and then we walked back.</p>"
PAGE = f"""<html lang=en><head><title>A long walk - Walks</title><meta name=author content="Ann Bell">
<meta property="article:published_time" content="2024-05-06T07:08:09+02:00"></head><body><h1>A long walk</h1>
<article>{PARAGRAPH * 8}</article></body></html>"""


def test_every_field_of_a_page_is_a_text() -> None:
    found = fields(PAGE.encode(), "https://walks.example/2024/05/06/a-long-walk.html")
    assert found == {
        "title": "A long walk",
        "author": "Ann Bell",
        "date": "2024-05-06T07:08:09+02:00",
        "language": "en",
        "kind": "article",
    }


def test_an_empty_page_has_no_fields() -> None:
    assert fields(b"", "") == {"title": "", "author": "", "date": "", "language": "", "kind": "error"}
