"""Which answers are documents, plain text, and lines of printed pages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.documents import DocumentLimits, document_page, document_type, read_document
from extractors.documents.paragraphs import paragraphs_of
from extractors.documents.pdf import time_of


@pytest.mark.parametrize(
    ("body", "said", "kind"),
    [
        (b"%PDF-1.4", "text/html", "pdf"),
        (b"\n\n%PDF-1.4", "", "pdf"),
        (b"plain words", "text/plain; charset=utf-8", "text"),
        (b"plain words", "", None),
        (b"<html><body>", "text/plain", None),
        (b"a\0b", "text/plain", None),
        (b"PK\x03\x04", "application/zip", None),
    ],
)
def test_the_type_of_an_answer(body: bytes, said: str, kind: str | None) -> None:
    assert document_type(body, said, "http://a.example/x") == kind


def test_a_plain_text_keeps_its_lines_and_its_links_lead_on() -> None:
    body = "会议纪要\n\n第一项：修路。详见 http://a.example/road.html。\n第二项 <script>".encode("gb18030")
    page = document_page(body, "http://a.example/notes.txt", read_document(body, "text", DocumentLimits()))
    assert page.article.title == "会议纪要"
    assert page.article.text.splitlines() == [
        "会议纪要",
        "第一项：修路。详见 http://a.example/road.html。",
        "第二项 <script>",
    ]
    assert [link.url for link in page.links] == ["http://a.example/road.html"]
    assert page.body == body


def test_an_empty_text_is_a_page_without_text() -> None:
    page = document_page(b"", "http://a.example/the%20notes.txt", read_document(b"", "text", DocumentLimits()))
    assert (page.article.title, page.article.text, page.article.confidence) == ("the notes", "", 0.0)


@given(st.lists(st.lists(st.text(st.characters(codec="utf-8"), max_size=40), max_size=8), max_size=6))
def test_any_lines_make_paragraphs_and_no_word_is_invented(pages: list[list[str]]) -> None:
    letters = "".join(line for page in pages for line in page)
    for paragraph in paragraphs_of(pages):
        assert paragraph == paragraph.strip()
        assert set(paragraph) <= set(letters) | set(" -")


@pytest.mark.parametrize(
    ("said", "time"),
    [
        ("D:20260105093000Z", "2026-01-05T09:30:00+00:00"),
        ("D:20260105093000-05'30'", "2026-01-05T09:30:00-05:30"),
        ("D:20260105", "2026-01-05"),
        ("D:20269905", ""),
        ("yesterday", ""),
        ("", ""),
    ],
)
def test_times_of_pdfs(said: str, time: str) -> None:
    assert time_of(said) == time
