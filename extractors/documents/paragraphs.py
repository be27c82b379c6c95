"""Converts lines of printed pages to paragraphs: removes running heads and page numbers, joins broken lines."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from unicodedata import east_asian_width

_EDGE_LINES = 2
_MIN_PAGES = 3
"""Minimum pages with a line, ignoring numbers, for it to be a running head."""
_NUMBER = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"^[\W_]{0,3}(?:第|page|seite|p\.)?[\W_]{0,3}\d{1,4}[\W_]{0,3}(?:页|頁)?(?:\s?(?:/|of|von|共)\s?\d{1,4}\s?页?)?[\W_]{0,3}$",
    re.I,
)
_FULL_SHARE = 0.8
"""Share of a full line's width above which a line continues in the next."""
_ENDS = tuple("。！？!?；;：:…")
_STOP = re.compile(r"[.]['\"”’)\]]?$")
_BEGINS = re.compile(
    r"^(?:[•·▪●○◦–-]\s|\(?[0-9a-zA-Z]{1,3}[.)、]\s?|第[一二三四五六七八九十百\d]{1,4}[章节条]|[一二三四五六七八九十]{1,3}、|[（(][一二三四五六七八九十\d]{1,3}[）)])"
)
_HYPHENS = ("\ufffe", "\x02", "\u00ad")


def paragraphs_of(pages: Sequence[Sequence[str]]) -> list[str]:
    """The paragraphs of a document whose pages are given as lines."""
    lines = [
        line for page in _without_edges([[line.strip(" \t\u3000") for line in page] for page in pages]) for line in page
    ]
    full = _full_width(lines)
    found, last = list[str](), ""
    for line in lines:
        if not line:
            last = ""
        elif last and _continues(last, line, full):
            found[-1] = _joined(found[-1], line)
            last = line
        else:
            found.append(line)
            last = line
    return [re.sub("[\ufffe\x02]", "-", paragraph).strip() for paragraph in found]


def _without_edges(pages: list[list[str]]) -> Iterator[list[str]]:
    """The pages without lines at their edges that are page numbers, or are on half of the pages."""
    pages = [[line for line in page if line] for page in pages]
    known = Counter(
        name for page in pages for name in {_name(line) for line in (*page[:_EDGE_LINES], *page[-_EDGE_LINES:])}
    )
    least = max(_MIN_PAGES, len(pages) / 2)
    for page in pages:
        first, last = 0, len(page)
        while first < min(last, _EDGE_LINES) and _is_edge(page[first], known, least, len(pages)):
            first += 1
        while last > max(first, len(page) - _EDGE_LINES) and _is_edge(page[last - 1], known, least, len(pages)):
            last -= 1
        yield page[first:last]


def _name(line: str) -> str:
    return _NUMBER.sub("#", line)


def _is_edge(line: str, known: Counter[str], least: float, pages: int) -> bool:
    return known[_name(line)] >= least or (pages > 1 and len(line) <= 30 and bool(_PAGE_NUMBER.match(line)))


def _full_width(lines: Sequence[str]) -> int:
    """The width of a full line: the 90th percentile."""
    widths = sorted(_width(line) for line in lines if line)
    return widths[len(widths) * 9 // 10] if widths else 0


def _width(line: str) -> int:
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in line)


def _continues(line: str, following: str, full: int) -> bool:
    """Whether the next line belongs to the same paragraph: this one is full or hyphenated, and does not end a sentence."""
    if line.endswith(_HYPHENS):
        return True
    if line.endswith(_ENDS) or _BEGINS.match(following):
        return False
    if _STOP.search(line) and not following[:1].islower():
        return False
    return _width(line) >= _FULL_SHARE * full or (following[:1].islower() and _width(line) >= full / 2)


def _joined(text: str, line: str) -> str:
    if text.endswith(_HYPHENS):
        return text[:-1] + line
    if text.endswith("-") and len(text) > 1 and text[-2].islower() and line[:1].islower():
        return text[:-1] + line
    both_wide = east_asian_width(text[-1]) in "WF" and east_asian_width(line[0]) in "WF"
    return text + line if both_wide else f"{text} {line}"
