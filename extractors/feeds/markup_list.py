"""Reads the items of a list in HTML or XML by selectors."""

from datetime import datetime, tzinfo
from itertools import islice
from typing import Any

from lxml import etree

from extractors.feeds.entries import Feed, FeedEntry
from extractors.feeds.item_times import item_time
from extractors.feeds.json_list import MAX_ITEMS, filled, number_of
from extractors.feeds.list_recipe import ListRecipe
from extractors.feeds.selectors import elements_of, flat_text, selected
from extractors.feeds.tree import local_name
from extractors.html.document import Document
from extractors.links.urls import resolve_url

_MAX_BODY_CHARS = 500_000
_MAX_ITEM_ELEMENTS = 1_000
_TIME_ATTRIBUTES = ("datetime", "content", "data-time", "data-timestamp", "title")
_INDEX = "$index"
_HTML_DEFAULTS = {"url": "a[href]", "title": "a[href]"}
_XML_DEFAULTS = {"url": "link | loc | url", "title": "title", "time": "pubDate | published | updated | date | lastmod"}
"""The default where a recipe gives none."""


def plain_names(root: etree._Element) -> etree._Element:
    """The tree with its namespaces left out of the names of elements."""
    for element in root.iter():
        if isinstance(element.tag, str) and "}" in element.tag:
            element.tag = local_name(element)
    return root


def read_xml_list(root: etree._Element, url: str, recipe: ListRecipe, *, now: datetime, zone: tzinfo | None) -> Feed:
    """The items of a tree of XML, each address once, an item being an element that the recipe's selector finds."""
    blocks = [each for each in selected(recipe.xml, root, xml=True) if not isinstance(each, str)]
    return _list(root, blocks, url, recipe, now, zone)


def read_html_list(page: Document, recipe: ListRecipe, *, now: datetime, zone: tzinfo | None) -> Feed:
    """The same of a page. Raises SelectorError for a selector that is read on small pages only."""
    return _list(page.root, elements_of(page, recipe.html), page.base_url, recipe, now, zone)


def _list(
    root: etree._Element, blocks: list[Any], url: str, recipe: ListRecipe, now: datetime, zone: tzinfo | None
) -> Feed:
    xml = bool(recipe.xml)
    fields = (_XML_DEFAULTS if xml else _HTML_DEFAULTS) | dict(recipe.fields)
    entries: dict[str, FeedEntry] = {}
    for block in filter(_is_small, _innermost(blocks)):
        entry = _entry(_MarkupItem(block, fields, xml), len(entries) + 1, url, recipe, now, zone)
        if entry is not None and entry.url not in entries:
            entries[entry.url] = entry
            if len(entries) == MAX_ITEMS:
                break
    further = _MarkupItem(root, {"next": recipe.next}, xml).address("next") if recipe.next else ""
    return Feed("feed", tuple(entries.values()), further=further, listed=len(blocks))


def _innermost(blocks: list[Any]) -> list[Any]:
    """The elements that have no other of them inside: items do not nest, and the fields of nested ones would be read for each."""
    around: set[Any] = set()
    for block in blocks:
        above = block.getparent()
        while above is not None and above not in around:
            around.add(above)
            above = above.getparent()
    return [block for block in blocks if block not in around]


def _is_small(block: etree._Element) -> bool:
    """Whether a block is small enough for an item of a list; the fields of a larger one would take long."""
    return next(islice(block.iter(), _MAX_ITEM_ELEMENTS, None), None) is None


class _MarkupItem:
    """An element with the selectors of its fields."""

    def __init__(self, block: Any, fields: dict[str, str], xml: bool) -> None:
        self._block, self._fields, self._xml = _opened(block), fields, xml

    def _found(self, name: str) -> list[Any]:
        """The result of the first alternative that finds anything."""
        for selector in filter(None, (each.strip() for each in _alternatives(self._fields.get(name, "")))):
            if found := selected(selector, self._block, xml=self._xml):
                return found
        return []

    def text(self, name: str, max_chars: int = 1_000) -> str:
        return next((text for each in self._found(name) if (text := flat_text(each, max_chars))), "")

    def title(self) -> str:
        """The text; the attribute of a link that has the whole of a title cut off."""
        found, text = self._found("title"), self.text("title")
        whole = "" if not found or isinstance(found[0], str) else str(found[0].get("title") or "").strip()
        return whole if len(whole) > len(text) or (text.endswith(("...", "…")) and whole) else text

    def address(self, name: str) -> str:
        for each in self._found(name):
            if isinstance(each, str):
                return each.strip()
            if written := each.get("href") or each.get("src") or (each.text or "" if self._xml else ""):
                return str(written).strip()
        own = self._block.get("href") if self._block.get("href") and name == "url" else ""
        return str(own or "").strip()

    def time(self) -> str:
        for each in self._found("time"):
            if isinstance(each, str):
                return each
            attributes = (each.get(name) for name in _TIME_ATTRIBUTES if each.get(name))
            return next(filter(_has_digit, attributes), None) or flat_text(each)
        return ""

    def values(self) -> dict[str, str]:
        """The attributes of the element and of its link, and its fields, for a template."""
        links = [each for each in self._found("url") if not isinstance(each, str)][:1]
        attributes = {name: str(value) for each in (*links, self._block) for name, value in each.attrib.items()}
        return attributes | {name: self.text(name) for name in self._fields if name != "url"}


def _opened(block: Any) -> Any:
    """The element; of one that has markup as its text, as in CDATA, the tree of that."""
    text = (block.text or "").strip() if not len(block) else ""
    return Document(text.encode("utf-8", "replace"), charset="utf-8").root if text.startswith("<") else block


def _alternatives(selectors: str) -> list[str]:
    """Alternatives of CSS; `|` is a union in XPath."""
    return [selectors] if selectors.lstrip().startswith(("/", "./", ".//", "(")) else selectors.split(" | ")


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _entry(
    item: _MarkupItem, index: int, url: str, recipe: ListRecipe, now: datetime, zone: tzinfo | None
) -> FeedEntry | None:
    written = filled(recipe.url_template, item.values(), now, zone) if recipe.url_template else item.address("url")
    address, title = resolve_url(url, written) if written else "", item.title()
    body = flat_text_lines(item, recipe.body_of)
    if not address or not (title or body):
        return None
    rank = recipe.fields.get("rank", _INDEX)
    return FeedEntry(
        address,
        published=item_time(item.time(), now=now, form=recipe.time_format, zone=zone),
        title=title,
        summary=item.text("summary"),
        author=item.text("author"),
        rank=index if rank == _INDEX else int(number_of(item.text("rank")) or index),
        heat=number_of(item.text("heat")) if "heat" in recipe.fields else None,
        body=body,
    )


def flat_text_lines(item: _MarkupItem, selector: str) -> str:
    """The source of the element with the whole text; a text as it is."""
    if not selector:
        return ""
    found = _MarkupItem(item._block, {"body": selector}, item._xml)._found("body")[:1]
    texts = (each if isinstance(each, str) else _source(each) for each in found)
    return next(texts, "")[:_MAX_BODY_CHARS]


def _source(element: etree._Element) -> str:
    if len(element):
        return etree.tostring(element, encoding="unicode", method="html", with_tail=False)
    return element.text or ""
