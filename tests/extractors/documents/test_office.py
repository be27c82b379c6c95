import io
from datetime import date

import pytest

from extractors.documents import DocumentError, DocumentLimits, document_page, document_type, read_apart
from tests.documents import docx, pptx

LIMITS = DocumentLimits()


def test_a_word_file() -> None:
    body = docx(["治理报告", "第一段说明了情况。", "&lt;b&gt; 第二段"], title="河流", created="2026-01-05T09:30:00Z")
    assert document_type(body, "", "http://a.example/x.docx") == "docx"
    found = read_apart(body, "docx", LIMITS)
    assert (found.title, found.created, found.paragraphs) == (
        "河流",
        "2026-01-05T09:30:00Z",
        ("治理报告", "第一段说明了情况。", "<b> 第二段"),
    )
    with pytest.raises(DocumentError):
        read_apart(body[:200], "docx", LIMITS)


def test_slides_in_the_order_in_which_they_are_shown() -> None:
    body = pptx(
        [["河流治理", "第一张"], ["第三张"], ["第二张", "说明"]], title="PowerPoint Presentation", order=(1, 3, 2)
    )
    assert document_type(body, "", "http://a.example/x.pptx?v=1") == "pptx"
    found = read_apart(body, "pptx", LIMITS)
    assert found.title == "河流治理"
    assert found.paragraphs == ("河流治理", "第一张", "第二张", "说明", "第三张")
    cut = read_apart(body, "pptx", DocumentLimits(pages=1))
    assert cut.is_cut
    assert cut.paragraphs == ("河流治理", "第一张")


def test_rows_of_sheets() -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="topicrawl[documents] is not installed")
    book = openpyxl.Workbook()
    book.properties.creator = "王五"
    book.active.title = "水质"
    for row in (["河流水质报告"], [None], ["站点", "日期", "值"], ["上游", date(2026, 3, 5), 1.5], ["下游", None, 2]):
        book.active.append(row)
    book.create_sheet("空")
    file = io.BytesIO()
    book.save(file)
    kind = document_type(file.getvalue(), "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
    assert kind == "xlsx"
    found = read_apart(file.getvalue(), kind, LIMITS)
    assert found.author == "王五"
    assert found.paragraphs == ("水质", "河流水质报告", "站点\t日期\t值", "上游\t2026-03-05\t1.5", "下游\t\t2", "空")
    assert "上游" in document_page(file.getvalue(), "http://a.example/x.xlsx", found).article.text


@pytest.mark.parametrize("kind", ["docx", "pptx", "xlsx"])
def test_a_damaged_file_is_said(kind: str) -> None:
    pytest.importorskip("openpyxl", reason="topicrawl[documents] is not installed")
    with pytest.raises(DocumentError):
        read_apart(pptx([["a"]])[:-30], kind, LIMITS)
