"""Which page continues a thread or a list: by what links say ("下一页", "›", rel=next, the next number) and where they lead.

A link that says "next" may lead to the next article as well; so its address must be the page's own but for a number of pages.
"""

import re
from collections.abc import Iterator

import numpy as np
from lxml import etree

from extractors.columns import Columns
from extractors.page import Page
from extractors.page_numbers import continues, number_after
from extractors.urls import canonical_url, resolve_url

_SAYS_NEXT = re.compile(
    r"^\W{0,4}(?:下一?[页頁]|下[页頁]|[后後]一?[页頁]|次へ|次の?ページ|다음|next(?:[ -]?page)?|more(?: (?:comments|posts|replies))?"
    r"|older(?: (?:comments|posts|entries))?|load more|suivante?s?|page suivante|weiter|nächste(?: seite)?|vor|siguientes?|"
    r"página siguiente|seguente|successiv[ao]|próxima?|volgende|далее|след(?:ующая|\.)?|вперед|następna|další|sonraki)\W{0,4}$",
    re.I,
)
_ARROW = re.compile(r"^\s*[›»>→▶]{1,2}\s*$")
_SAYS_FIRST = re.compile(
    r"^\W{0,4}(?:1|首[页頁]|第一[页頁]|上一?[页頁]|前[页頁]|first(?: page)?|prev(?:ious)?(?: page)?|back|newer(?: comments)?|zurück|erste"
    r"|précédente?|première|anterior|primera|前へ|이전|назад|‹|«|<|←|◀|\|<)\W{0,4}$",
    re.I,
)
"""Of a link to the first page, or to the one before, which may be the first."""
_NEXT_CLASS = re.compile(r"(?:^|[\s_-])(?:next|nxt|nextpage|next-?page|page-?next)(?:$|[\s_-])", re.I)
_DIGITS = re.compile(r"^\W{0,2}(\d{1,5})\W{0,2}$")
_LONGEST = 24
_LONGEST_NAMED = 12
_MOST_CANDIDATES = 80
_MOST_SHORT = 2_000
_NUMBERED = re.compile(r"[^/]/.*\d")
"""An address that can be another's second page."""


def next_page(page: Page) -> str:
    """The canonical address of the page that continues this one's records; "" where there is none."""
    owns = _own_addresses(page)
    numbered: dict[int, str] = {}
    for target, text, says in _candidates(page):
        if target in owns or not any(continues(own, target) for own in owns):
            continue
        if says:
            return target
        if found := _DIGITS.match(text):
            numbered.setdefault(int(found.group(1)), target)
    later = [number for number in numbered if number > 1]
    return numbered[min(later)] if later else ""


def first_page(page: Page) -> str:
    """The canonical address of the page on which begins what this one continues; "" where it begins here or no link tells."""
    own = _own_addresses(page)[:1]
    if not own or not _NUMBERED.search(own[0]):
        return ""
    claimed = _own_addresses(page)[1:]
    elements, places = page.columns.elements, _backward_links(page.columns)
    linked = (resolve_url(page.base_url, elements[place].get("href", "").strip()) for place in places)
    return next((target for target in (*claimed, *linked) if number_after(target, own[0])), "")


def _own_addresses(page: Page) -> list[str]:
    """The page's address and the one that it claims."""
    columns = page.columns
    links = (columns.elements[place] for place in np.flatnonzero(columns.tagged("link")).tolist())
    claimed = next((link.get("href", "") for link in links if link.get("rel", "").lower() == "canonical"), "")
    own = canonical_url(page.url) or page.url
    return list(dict.fromkeys(address for address in (own, resolve_url(page.base_url, claimed)) if address))


def _backward_links(columns: Columns) -> Iterator[int]:
    """Links that say "1", "first" or "previous", in words or in rel."""
    short = (columns.text_length <= _LONGEST) & columns.tagged("a")
    places = np.flatnonzero(short | columns.tagged("link"))
    for read, place in enumerate(places.tolist()):
        if read == _MOST_SHORT:
            return
        start, end = int(columns.chunk_start[place]), int(columns.chunk_end[place])
        element = columns.elements[place]
        said = "".join(columns.texts[start:end]) or element.get("title") or element.get("aria-label") or ""
        relation = element.get("rel", "").lower().split()
        if element.get("href") and (_SAYS_FIRST.match(said[:40]) or "prev" in relation or "first" in relation):
            yield place


def _candidates(page: Page) -> Iterator[tuple[str, str, bool]]:
    """(address, text, whether it says "next") of links that may lead on; those that say so in rel come first."""
    elements = page.columns.elements
    read = 0
    for place, text, says in (*_announced(page.columns), *_short_links(page.columns)):
        if reference := elements[place].get("href", "").strip():
            read += 1
            yield resolve_url(page.base_url, reference), text, says
        if read == _MOST_CANDIDATES:
            return


def _announced(columns: Columns) -> Iterator[tuple[int, str, bool]]:
    for place in np.flatnonzero(columns.tagged("a", "link")).tolist():
        relation = columns.elements[place].get("rel")
        if relation and "next" in relation.lower().split():
            yield place, "", True


def _short_links(columns: Columns) -> Iterator[tuple[int, str, bool]]:
    places = np.flatnonzero((columns.text_length <= _LONGEST) & columns.tagged("a"))
    chunks = zip(columns.chunk_start[places].tolist(), columns.chunk_end[places].tolist(), strict=True)
    for place, (start, end) in zip(places.tolist(), chunks, strict=True):
        text = columns.texts[start].strip() if end == start + 1 else "".join(columns.texts[start:end]).strip()
        says = _says_next(text, columns.elements[place])
        if says or _DIGITS.match(text):
            yield place, text, says


def _says_next(text: str, link: etree._Element) -> bool:
    """By its text or arrow, else by what stands in its attributes."""
    if text and (_SAYS_NEXT.match(text) or _ARROW.match(text)):
        return True
    attributes = link.attrib
    if len(attributes) < 2 or len(text) > _LONGEST_NAMED:
        return False
    told = (attributes.get("title") or attributes.get("aria-label") or "")[:40]
    if told and _SAYS_NEXT.match(told):
        return True
    classes = attributes.get("class", "")[:100]
    return "n" in classes and not text.isdigit() and _NEXT_CLASS.search(classes) is not None
