"""PDFs: what they say, and what hostile ones cost."""

import time

import pytest

from extractors.documents import Content, DocumentError, DocumentLimits, document_page, read_apart
from tests.documents import bomb, pdf

pytest.importorskip("pypdfium2", reason="topicrawl[documents] is not installed")
LIMITS = DocumentLimits(seconds=30)
ENGLISH = [
    "The river was cleaned in the spring of this year and the",
    "banks were planted with trees.",
    "A second plan follows.",
]
CHINESE = [
    "今年以来全市认真贯彻河流治理的各项要求完成了十二条主要河道",
    "的清淤工作。",
    "下一步将继续推进上游水库的加固工程。",
]


def _read(body: bytes, limits: DocumentLimits = LIMITS) -> Content:
    return read_apart(body, "pdf", limits)


def test_text_title_author_and_time() -> None:
    body = pdf([ENGLISH], title="River report", author="Jane Miller", created="D:20260105093000+08'00'")
    found = _read(body)
    assert (found.title, found.author, found.created) == ("River report", "Jane Miller", "2026-01-05T09:30:00+08:00")
    assert found.paragraphs == (f"{ENGLISH[0]} {ENGLISH[1]}", ENGLISH[2])
    page = document_page(body, "http://a.example/r.pdf", found)
    assert (page.kind.name, page.article.published, page.article.language, page.body == body) == (
        "document",
        "2026-01-05T09:30:00+08:00",
        "en",
        True,
    )
    assert page.article.text == page.markdown.replace("\n\n", "\n")
    assert page.records.records == ()


def test_chinese_text_and_a_title_in_large_letters() -> None:
    found = _read(pdf([["河流治理工作报告", *CHINESE]], title="Microsoft Word - 报告.doc", size=24))
    assert found.title == "河流治理工作报告"
    assert found.paragraphs == ("河流治理工作报告", CHINESE[0] + CHINESE[1], CHINESE[2])


def test_running_heads_and_page_numbers_go_and_pages_are_bounded() -> None:
    words = ["oaks", "elms", "pines", "firs", "limes"]
    pages = [
        ["Annual report", *(f"{line} {word}" for line in ENGLISH), f"Page {place}"] for place, word in enumerate(words)
    ]
    found = _read(pdf(pages), DocumentLimits(seconds=30, pages=4))
    text = "\n".join(found.paragraphs)
    assert [word in text for word in words] == [True, True, True, True, False]
    assert ("Annual" in text, "Page" in text, found.is_cut) == (False, False, True)


@pytest.mark.parametrize(
    "body",
    [b"%PDF-1.4 \x00\x01", b"%PDF-1.7\n" + bytes(range(256)) * 50, pdf([ENGLISH])[:300] + b"\xff" * 200],
    ids=["empty", "noise", "cut"],
)
def test_what_is_no_whole_pdf_is_an_error_or_has_no_text(body: bytes) -> None:
    try:
        assert _read(body).paragraphs == ()
    except DocumentError as error:
        assert "Error" in str(error) or "code" in str(error)  # noqa: PT017  # either is right


def test_a_file_that_unfolds_without_end_costs_what_is_allowed() -> None:
    begun = time.monotonic()
    with pytest.raises(DocumentError):
        _read(bomb(300_000_000), DocumentLimits(seconds=5, memory=150_000_000))
    assert time.monotonic() - begun < 30


def test_a_process_that_takes_too_long_is_killed() -> None:
    with pytest.raises(DocumentError, match="takes longer than"):
        _read(pdf([ENGLISH]), DocumentLimits(seconds=0.01))
