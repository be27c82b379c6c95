"""Rules that read results from HTML (CSS selectors or XPath) or from JSON (dotted paths)."""

import json
import re
from functools import lru_cache
from typing import Annotated, Any

from lxml import etree
from lxml.cssselect import CSSSelector
from lxml.etree import XPath
from pydantic import AfterValidator, BeforeValidator, Field

from crawler.config.yaml_file import Strict
from crawler.engines.protocol.engine import BlockedError, NoResultsError, Reply, Result
from crawler.engines.protocol.redirects import unwrap
from crawler.engines.protocol.result_dates import written_date
from crawler.engines.protocol.strays import inner_blocks, is_aside, leads_to_result
from extractors.text.characters import unescape

_TAGS = re.compile(r"<[^<>]{1,200}>")
_MAX_BLOCKS = 500
"""Bounds the work on one page, since blocks may be nested and the text of each is read."""
_MAX_LINKS = 5
"""Links of a block that are checked for its result."""
_TEXTS = XPath(".//text()[not(parent::script or parent::style)]")
_ICONS = re.compile("[\ue000-\uf8ff\u200b-\u200f\ufeff]")
"""Characters of icon fonts, and zero-width characters."""
_OUTSIDE_LINKS = XPath(".//text()[not(ancestor::a or parent::script or parent::style or ancestor::h3 or ancestor::h2)]")


class EngineRuleError(ValueError):
    """An invalid selector; the message shows it."""


def check_selector(selector: str) -> str:
    """The selector itself; raises EngineRuleError if it is invalid."""
    if selector:
        _compiled(selector)
    return selector


def as_tuple(value: Any) -> Any:
    """A text or a list as a tuple; anything else unchanged."""
    return (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list) else value


Selector = Annotated[str, AfterValidator(check_selector)]


class HtmlRules(Strict):
    """CSS selectors, or XPath that begins with "." or "/"; all but `block` are relative to a result's block; "" for none.

    `target` names attributes of the link or the block that hold the real address; the first one present replaces the href.
    """

    block: Annotated[Selector, Field(min_length=1)]
    link: Annotated[Selector, Field(min_length=1)]
    title: Selector = ""
    snippet: Selector = ""
    date: Selector = ""
    target: Annotated[tuple[str, ...], BeforeValidator(as_tuple)] = ()

    def read(self, reply: Reply) -> list[Result]:
        """Results in document order, each address once; raises EngineRuleError for an invalid selector."""
        results: dict[str, Result] = {}
        pairs = ((block, self._link(block, reply)) for block in _select(self.block, reply.page.root)[:_MAX_BLOCKS])
        known = [(block, *found) for block, found in pairs if found]
        inside = inner_blocks([(block, link) for block, link, _ in known])
        for (block, link, url), is_inner in zip(known, inside, strict=True):
            title = _text(self.title, block) or _flat(link)
            if title and url not in results and not is_inner:
                snippet, date = (
                    _text(self.snippet, block) or _outside_links(block),
                    written_date(_text(self.date, block)),
                )
                results[url] = Result(url, title, snippet, date, len(results) + 1)
        return list(results.values())

    def _link(self, block: Any, reply: Reply) -> tuple[Any, str] | None:
        """A block's first link to a result, and its target."""
        for link in _select(self.link, block)[:_MAX_LINKS]:
            url = unwrap(self._address(block, link), reply.url)
            if leads_to_result(url, reply.url) and not is_aside(link, block):
                return link, url
        return None

    def _address(self, block: Any, link: Any) -> str:
        for name in self.target:
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
        raise EngineRuleError(f"{selector!r} is not a selector: {error}") from error


def _select(selector: str, element: Any) -> list[Any]:
    found = _compiled(selector)(element)
    return [each for each in found if isinstance(each, etree._Element)] if isinstance(found, list) else []


def _text(selector: str, block: Any) -> str:
    if not selector:
        return ""
    return next((text for each in _select(selector, block) if (text := _flat(each))), "")


def _flat(element: Any) -> str:
    pieces: Any = _TEXTS(element)
    return " ".join(_ICONS.sub("", "".join(pieces)).split())[:1_000]


def _outside_links(block: Any) -> str:
    """Text of a block outside its links: the snippet if the engine renamed its classes."""
    pieces: Any = _OUTSIDE_LINKS(block)
    return " ".join(_ICONS.sub("", " ".join(pieces)).split())[:300]


class JsonRules(Strict):
    """Dotted paths: to the list of results, and to each field within a result; "" for none."""

    items: str
    url: str = "url"
    title: str = "title"
    snippet: str = ""
    date: str = ""

    def read(self, reply: Reply) -> list[Result]:
        """Parse results; raises BlockedError if the answer is not JSON, NoResultsError for an empty list."""
        items = value_at(parse_json(reply), self.items)
        if not isinstance(items, list):
            raise NoResultsError(f"no list at {self.items}")
        results: list[Result] = []
        for item in items:
            url, title = text_at(item, self.url), text_at(item, self.title)
            if url.startswith(("http://", "https://")) and title:
                snippet, date = text_at(item, self.snippet), written_date(text_at(item, self.date))
                results.append(Result(url, title, snippet, date, len(results) + 1))
        if not results:
            raise NoResultsError("an empty list")
        return results


def parse_json(reply: Reply) -> Any:
    """The answer's JSON; raises BlockedError for anything else."""
    try:
        return json.loads(reply.body)
    except (ValueError, RecursionError):
        raise BlockedError("the answer is not JSON") from None


def value_at(value: Any, path: str) -> Any:
    for name in path.split(".") if path else ():
        value = value.get(name) if isinstance(value, dict) else None
    return value


def text_at(item: Any, path: str) -> str:
    """A field as plain text without tags and entities."""
    value = value_at(item, path) if path else None
    if not isinstance(value, str | int | float):
        return ""
    return " ".join(unescape(_TAGS.sub("", str(value))).split())[:1_000]
