"""Results by an engine's own selectors."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lxml import etree
from lxml.cssselect import CSSSelector
from lxml.etree import XPath

from crawler.engines.answers.redirects import unwrap
from crawler.engines.base import Reply, Result

_MOST_BLOCKS = 500
"""No engine gives more on a page; the text of each is read, and blocks may stand within blocks."""
_TEXTS = XPath(".//text()[not(parent::script or parent::style)]")
_ICONS = re.compile("[\ue000-\uf8ff\u200b-\u200f\ufeff]")
"""Letters of icon fonts, and those without width."""
_OUTSIDE_LINKS = XPath(".//text()[not(ancestor::a or parent::script or parent::style or ancestor::h3 or ancestor::h2)]")


class RuleError(ValueError):
    """A selector that cannot be read; the message shows it."""


@dataclass(frozen=True, slots=True)
class HtmlRules:
    """CSS selectors (or XPath beginning with "." or "/"), each relative to a result's block; "" for what is not there.

    `target` names attributes of block or link that hold the true address, the first one present wins over the href.
    """

    block: str
    link: str
    title: str = ""
    snippet: str = ""
    date: str = ""
    target: tuple[str, ...] = ()


def read_html(rules: HtmlRules, reply: Reply) -> list[Result]:
    """Results in document order, each address once; RuleError for a selector that cannot be read."""
    results: dict[str, Result] = {}
    for block in _select(rules.block, reply.page.root)[:_MOST_BLOCKS]:
        link = next(iter(_select(rules.link, block)), None)
        if link is None:
            continue
        url = unwrap(_address(rules, block, link), reply.url)
        title = _text(rules.title, block) or _flat(link)
        if url and title and url not in results:
            snippet, date = _text(rules.snippet, block) or _beside(block), _text(rules.date, block)
            results[url] = Result(url, title, snippet, date, len(results) + 1)
    return list(results.values())


def check_selector(selector: str) -> str:
    """The selector itself; RuleError if it cannot be read."""
    if selector:
        _compiled(selector)
    return selector


def _address(rules: HtmlRules, block: Any, link: Any) -> str:
    for name in rules.target:
        for element in (link, block):
            value = element.get(name) or ""
            if value.startswith(("http://", "https://")):
                return str(value)
    return str(link.get("href") or "")


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
    """The element's text; pieces apart from each other only where white space stands."""
    pieces: Any = _TEXTS(element)
    return " ".join(_ICONS.sub("", "".join(pieces)).split())[:1_000]


def _beside(block: Any) -> str:
    """What a block says outside of its links: a snippet where an engine's names have changed."""
    pieces: Any = _OUTSIDE_LINKS(block)
    return " ".join(_ICONS.sub("", " ".join(pieces)).split())[:300]
