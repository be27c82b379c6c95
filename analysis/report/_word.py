"""A report as a Word document (WordprocessingML, ECMA-376): what its HTML file says, as text, tables, links and a chart to edit."""

import io
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile
from zlib import crc32

from lxml import html

from analysis.report._word_parts import (
    CHART,
    CONTENT_TYPES,
    CURVE,
    DOCUMENT,
    DRAWN,
    FILLED,
    FOOT,
    LINE,
    PROPERTIES,
    RELATIONS,
    SERIES,
    STYLES,
    UNMARKED,
    related,
)
from analysis.report.html import report_html
from analysis.report.model import Report

_STYLES = {"h1": "Title", "h2": "Heading1", "h3": "Heading2", "blockquote": "Quote"}
_TEXT_HALF_POINTS, _SMALL_HALF_POINTS = 21, 18
_WIDTH_TWIPS = 10_200
"""Of the text: A4 without its margins of 15 mm."""
_MAX_URL_CHARS = 2_000
"""Word opens no document with a longer address."""
_HOURS_SHOWN, _HOURS_OF_A_YEAR = 48, 8_760


def report_word(report: Report) -> bytes:
    """The document: A4 with numbered pages."""
    links = dict[str, str]()
    body = html.document_fromstring(report_html(report)).iterfind("body/*")
    text = "".join(_block(element, links) for element in body)
    name, at = escape(report.name), report.made_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    parts = {
        "[Content_Types].xml": CONTENT_TYPES,
        "_rels/.rels": RELATIONS,
        "docProps/core.xml": PROPERTIES.format(name=name, at=at),
        "word/document.xml": DOCUMENT.format(text=text),
        "word/_rels/document.xml.rels": related((escape(address), key) for address, key in links.items()),
        "word/styles.xml": STYLES,
        "word/footer.xml": FOOT.format(name=escape(report.name[:80])),
        "word/charts/chart.xml": _chart(report),
    }
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as file:
        for path, content in parts.items():
            file.writestr(path, content)
    return out.getvalue()


def _block(element: Any, links: dict[str, str]) -> str:
    """A block of the HTML file."""
    if element.tag == "ul":
        return "".join(_paragraph(_run("• ") + _inside(item, links), "ListBullet") for item in element)
    if element.tag == "div":
        return _table(element, links)
    if element.tag == "svg":
        return CHART
    if element.get("class") == "legend":  # of the picture; the chart has its own
        return ""
    return _paragraph(_inside(element, links), _STYLES.get(element.tag, ""))


def _paragraph(runs: str, style: str = "", *, at_right: bool = False) -> str:
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    aligned = '<w:jc w:val="right"/>' if at_right else ""
    return f"<w:p><w:pPr>{named}{aligned}</w:pPr>{runs}</w:p>"


def _inside(element: Any, links: dict[str, str], half_points: int = 0, *, is_link: bool = False) -> str:
    """The runs of an element, with line breaks, small print, anchors and links."""
    runs = [_anchor(element), _run(element.text, half_points, is_link=is_link)]
    for child in element:
        if child.tag == "br":
            runs.append("<w:r><w:br/></w:r>")
        elif child.tag == "a":
            runs.append(_link(child, links, half_points))
        else:
            runs.append(_inside(child, links, _size(child, half_points)))
        runs.append(_run(child.tail, half_points))
    return "".join(runs)


def _anchor(element: Any) -> str:
    name = escape(element.get("id", ""))
    number = crc32(name.encode()) >> 1
    return f'<w:bookmarkStart w:id="{number}" w:name="{name}"/><w:bookmarkEnd w:id="{number}"/>' if name else ""


def _run(text: str | None, half_points: int = 0, *, is_link: bool = False) -> str:
    if not text or not (text := text.replace("\n", " ")):
        return ""
    styled = '<w:rStyle w:val="Hyperlink"/>' if is_link else ""
    sized = f'<w:sz w:val="{half_points}"/><w:szCs w:val="{half_points}"/>' if half_points else ""
    return f'<w:r><w:rPr>{styled}{sized}</w:rPr><w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def _size(element: Any, around: int) -> int:
    """In half points: small print, or a word in the size of its weight."""
    if element.tag == "small":
        return _SMALL_HALF_POINTS
    size = element.get("style", "")
    return round(_TEXT_HALF_POINTS * float(size[10:-2])) if size.startswith("font-size:") else around


def _link(element: Any, links: dict[str, str], half_points: int) -> str:
    """To a place of the document, or to a page of the web."""
    address, runs = element.get("href"), _inside(element, links, half_points, is_link=True)
    if address.startswith("#"):
        return f'<w:hyperlink w:anchor="{escape(address[1:])}">{runs}</w:hyperlink>'
    if len(address) > _MAX_URL_CHARS:
        return runs
    key = links.setdefault(address, f"link{len(links)}")
    return f'<w:hyperlink r:id="{key}">{runs}</w:hyperlink>'


def _table(element: Any, links: dict[str, str]) -> str:
    """A table as wide as the text, whose head stands on every page."""
    rows = [list(row) for row in element.iter("tr")]
    widths = _widths(rows)
    grid = "".join(f'<w:gridCol w:w="{width}"/>' for width in widths)
    lines = "".join(_row(row, widths, links, is_head=not place) for place, row in enumerate(rows))
    style = '<w:tblStyle w:val="Rows"/><w:tblW w:w="5000" w:type="pct"/><w:tblLayout w:type="fixed"/>'
    return f"<w:tbl><w:tblPr>{style}</w:tblPr><w:tblGrid>{grid}</w:tblGrid>{lines}</w:tbl>"


def _widths(rows: Sequence[Sequence[Any]]) -> list[int]:
    """Of the columns, in twips: by the longest text of each, and none under a fortieth or over four times another."""
    longest = [max(8, *(min(40, _letters(row[place])) for row in rows)) for place in range(len(rows[0]))]
    return [_WIDTH_TWIPS * each // sum(longest) for each in longest]


def _letters(cell: Any) -> int:
    """A Chinese letter is as wide as two."""
    return sum(2 if ord(letter) > 0x2E7F else 1 for letter in cell.text_content())


def _row(cells: Iterable[Any], widths: Sequence[int], links: dict[str, str], *, is_head: bool) -> str:
    written = "".join(
        f'<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/></w:tcPr>'
        + _paragraph(_inside(cell, links, _SMALL_HALF_POINTS), "TableHead" if is_head else "TableText", at_right=cell.get("class") == "n")
        + "</w:tc>"
        for cell, width in zip(cells, widths, strict=True)
    )  # fmt: skip
    return f"<w:tr><w:trPr><w:cantSplit/>{'<w:tblHeader/>' if is_head else ''}</w:trPr>{written}</w:tr>"


def _chart(report: Report) -> str:
    """Pages of each hour, or of each day of a longer time, as columns, and as a line what is usual where that is known."""
    w, trend = report.words, report.trend
    hours = len(trend.series.counts)
    letters = slice(5, 16) if hours <= _HOURS_SHOWN else slice(5 if hours <= _HOURS_OF_A_YEAR else 0, 10)
    labels = [report.clock(at)[letters] for at in trend.series.times()]
    columns = _series(0, w("pages"), labels, trend.series.counts.tolist(), FILLED)
    line = LINE.format(series=_series(1, w("usual"), labels, trend.usual.tolist(), DRAWN, UNMARKED))
    title = escape(w("chart", name=report.name))
    return CURVE.format(title=title, columns=columns, line=line if trend.knows_usual else "")


def _series(place: int, name: str, labels: Sequence[str], values: Sequence[float], paint: str, marker: str = "") -> str:
    """The sum of the values at each label."""
    sums = dict[str, float]()
    for label, value in zip(labels, values, strict=True):
        sums[label] = sums.get(label, 0) + value
    return SERIES.format(
        place=place, name=escape(name), paint=paint, marker=marker, number=len(sums),
        labels=_points(sums), values=_points(f"{each:.4g}" for each in sums.values()),
    )  # fmt: skip


def _points(texts: Iterable[str]) -> str:
    return "".join(f'<c:pt idx="{place}"><c:v>{escape(text)}</c:v></c:pt>' for place, text in enumerate(texts))
