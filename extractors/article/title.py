"""The article's title without the names of its site and channel."""

import re
from typing import Any

import numpy as np

from extractors.columns import Columns
from extractors.page import Page

_SEPARATOR = re.compile(
    r"\s+[-–—|｜•·»›«:]+\s+|\s*[|｜_»›]+\s*|\s*[-–—]{2,}\s*|(?<=[\u3400-\u9fff）)」》!！?？])\s*[-–—]\s*|\s*[-–—]\s*(?=[\u3400-\u9fff])"
)
_LONGEST = 500


def title_of(page: Page, metas: dict[str, str], data: dict[str, Any]) -> str:
    """The best of the page's heading, its metadata and its `title` element.

    A heading that the `title` element repeats is the title; else the longest segment of that element which the
    metadata or a heading confirms; else the element's first segment that is not short.
    """
    columns = page.columns
    headings = _headings(columns)
    whole = _fold(_title_element(columns))
    declared = [
        _fold(text)
        for text in (metas.get("og:title", ""), str(data.get("headline") or ""), metas.get("twitter:title", ""))
        if text
    ]
    site = metas.get("og:site_name", "")
    for heading in headings:
        if len(heading) >= 4 and any(_confirms(text, heading, site) for text in (*declared, whole)):
            return heading
    for text in (*declared, whole):
        if text:
            return without_site_name(text, site)
    return headings[0] if headings else ""


def without_site_name(title: str, site: str = "") -> str:
    """The title without trailing segments that name the site or a channel; at least its longest segment stays."""
    places = [(found.start(), found.end()) for found in _SEPARATOR.finditer(title)]
    if not places:
        return title
    segments = [
        title[start:end].strip()
        for start, end in zip(
            [0, *(end for _, end in places)], [*(start for start, _ in places), len(title)], strict=True
        )
    ]
    longest = max(range(len(segments)), key=lambda place: len(segments[place]))
    last = longest
    if site and segments[-1].lower() == site.lower():
        last = max(longest, len(segments) - 2)
    end = places[last][0] if last < len(places) else len(title)
    start = 0
    if longest and len(segments[0]) * 4 < len(segments[longest]):
        start = places[longest - 1][1]
    return title[start:end].strip()


def _title_element(columns: Columns) -> str:
    found = np.flatnonzero(columns.tagged("title"))
    return columns.text(int(found[0])) if len(found) else ""


def _headings(columns: Columns) -> list[str]:
    """Texts of the page's main headings, h1 before h2."""
    places = [place for name in ("h1", "h2") for place in np.flatnonzero(columns.tagged(name))[:20].tolist()]
    return [text for place in places if (text := _fold(columns.text(place)))]


def _fold(text: str) -> str:
    return " ".join(text[:_LONGEST].split())


def _confirms(declared: str, heading: str, site: str) -> bool:
    """The declared title holds the heading, as more than a site's or channel's name in passing."""
    whole, part = _squeeze(declared), _squeeze(heading)
    if part not in whole or part == _squeeze(site):
        return False
    headline = _squeeze(without_site_name(declared, site))
    return 2 * len(part) >= len(headline) or (whole.startswith(part) and _ends_segment(declared, heading))


def _ends_segment(declared: str, heading: str) -> bool:
    return bool(_SEPARATOR.match(declared[len(heading) :]))


def _squeeze(text: str) -> str:
    return "".join(text.split()).lower()
