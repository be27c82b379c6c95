"""Results by CSS selectors or XPath."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lxml import etree
from lxml.cssselect import CSSSelector
from lxml.etree import XPath

from crawler.engines.protocol.engine import Reply, Result
from crawler.engines.protocol.redirects import unwrap

_MAX_BLOCKS = 500
"""Bounds the work on one page: the text of each block is read, and blocks may be nested."""
_TEXTS = XPath(".//text()[not(parent::script or parent::style)]")
_ICONS = re.compile("[\ue000-\uf8ff\u200b-\u200f\ufeff]")
"""Characters of icon fonts, and characters without width."""
_OUTSIDE_LINKS = XPath(".//text()[not(ancestor::a or parent::script or parent::style or ancestor::h3 or ancestor::h2)]")


class RuleError(ValueError):
    """An invalid selector; the message shows it."""


@dataclass(frozen=True, slots=True)
class HtmlRules:
    """CSS selectors, or XPath that begins with "." or "/"; all but `block` are relative to a result's block; "" for none.

    `target` names attributes of the link or the block that hold the real address; the first one present replaces the href.
    """

    block: str
    link: str
    title: str = ""
    snippet: str = ""
    date: str = ""
    target: tuple[str, ...] = ()

    def read(self, reply: Reply) -> list[Result]:
        """Results in document order, each address once; raises RuleError for an invalid selector."""
        results: dict[str, Result] = {}
        for block in _select(self.block, reply.page.root)[:_MAX_BLOCKS]:
            link = next(iter(_select(self.link, block)), None)
            if link is None:
                continue
            url = unwrap(self._address(block, link), reply.url)
            title = _text(self.title, block) or _flat(link)
            if url and title and url not in results:
                snippet, date = _text(self.snippet, block) or _outside_links(block), _text(self.date, block)
                results[url] = Result(url, title, snippet, date, len(results) + 1)
        return list(results.values())

    def _address(self, block: Any, link: Any) -> str:
        for name in self.target:
            for element in (link, block):
                value = element.get(name) or ""
                if value.startswith(("http://", "https://")):
                    return str(value)
        return str(link.get("href") or "")


def check_selector(selector: str) -> str:
    """The selector itself; raises RuleError if it is invalid."""
    if selector:
        _compiled(selector)
    return selector


@lru_cache(maxsize=1_000)
def _compiled(selector: str) -> XPath:
    try:
        is_path = selector.startswith(("/", "./", ".//"))
        return XPath(selector) if is_path else CSSSelector(selector)
    except (etree.XPathError, SyntaxError, ValueError) as error:
        raise RuleError(f"{selector!r} is no selector: {error}") from error


def _select(selector: str, element: Any) -> list[Any]:
    found = _compiled(selector)(element)
    return [each for each in found if isinstance(each, etree._Element)] if isinstance(found, list) else []


def _text(selector: str, block: Any) -> str:
    if not selector:
        return ""
    return next((text for each in _select(selector, block) if (text := _flat(each))), "")


def _flat(element: Any) -> str:
    """The element's text with single spaces."""
    pieces: Any = _TEXTS(element)
    return " ".join(_ICONS.sub("", "".join(pieces)).split())[:1_000]


def _outside_links(block: Any) -> str:
    """Text of a block outside its links: the snippet if the engine renamed its classes."""
    pieces: Any = _OUTSIDE_LINKS(block)
    return " ".join(_ICONS.sub("", " ".join(pieces)).split())[:300]
