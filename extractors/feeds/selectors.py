"""Elements and texts of a page by CSS or XPath, in the dialect of parsel: `a::attr(href)`, `.time::text`, `./a/@href`."""

import re
from functools import lru_cache
from typing import Any

from lxml import etree
from lxml.etree import XPath
from parsel.csstranslator import GenericTranslator, HTMLTranslator

from extractors.html.document import Document
from extractors.html.page_selectors import SelectorError
from extractors.html.page_selectors import compiled as linear

_TEXTS = XPath(".//text()[not(parent::script or parent::style)]")
_ICONS = re.compile("[\ue000-\uf8ff\u200b-\u200f\ufeff]")
"""Characters of icon fonts, and zero-width characters."""
_MAX_CHARS = 1_000
_MAX_ELEMENTS = 3_000
"""Of a page for a selector that only libxml2 knows, which compares each pair of the elements that `div div` finds."""


@lru_cache(maxsize=1_000)
def compiled(selector: str, *, xml: bool = False) -> XPath:
    """XPath for a selector that begins with `/`, `./` or `.//`, else CSS. Raises SelectorError."""
    try:
        if selector.startswith(("/", "./", ".//")) or selector == ".":
            return XPath(selector)
        translator = GenericTranslator() if xml else HTMLTranslator()
        return XPath(translator.css_to_xpath(selector))
    except (etree.XPathError, SyntaxError, ValueError) as error:
        raise SelectorError(f"{selector!r} is not a selector: {error}") from error


def check_selector(selector: str) -> str:
    """The selector itself; raises SelectorError if it is invalid."""
    if selector:
        compiled(selector)
    return selector


def selected(selector: str, element: Any, *, xml: bool = False) -> list[Any]:
    """The matches of a selector in an element: elements, and texts as `str`."""
    found = compiled(selector, xml=xml)(element)
    if not isinstance(found, list):
        return [str(found)] if found not in ("", None, False) else []
    return [each if isinstance(each, etree._Element) else str(each) for each in found]


def elements_of(page: Document, selector: str) -> list[Any]:
    """The elements of a page in document order, in time linear in the page where the selector is known to `page_selectors`.

    Raises SelectorError for another selector and a page that is too large for it.
    """
    try:
        return [page.columns.elements[place] for place in linear(selector).places(page.columns).tolist()]
    except SelectorError:
        if len(page.columns) > _MAX_ELEMENTS:
            raise
    return [each for each in selected(selector, page.root) if not isinstance(each, str)]


def flat_text(element: Any, max_chars: int = _MAX_CHARS) -> str:
    """The text of an element, or a text, on one line."""
    pieces: Any = [element] if isinstance(element, str) else _TEXTS(element)
    return " ".join(_ICONS.sub("", "".join(pieces)).split())[:max_chars]
