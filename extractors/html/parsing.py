"""Parses HTML by lxml's forgiving parser, within bounds."""

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import islice

import numpy as np
from lxml import etree, html

from extractors.kernels import kernel

MAX_TAGS = 250_000
"""A tree takes three hundred bytes for each tag. The 100,000 elements that are read of a page have fewer tags."""
MAX_DEPTH = 2_000
"""libxml2 gives up, and loses the rest of the page, at 2,048 open elements."""
_KEPT_DEPTH = 250
MAX_ATTRIBUTES = 1_000
"""Attributes of one element: the parser compares each new attribute with all before it."""
_LONG_TAG_BYTES = 8_000
"""Bytes between the beginnings of two tags above which the first may have too many attributes."""
_NAMED = re.compile(rb"<[a-zA-Z]")
_OF_HEAD = re.compile(rb"""[^>"']++|"[^"]*+"|'[^']*+'""")
_ATTRIBUTE = re.compile(rb"""[^\s/"'=]++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s"']++)?)?""")
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]{0,30})")
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_UNFILLED_TIME = re.compile(
    rb'(?:(?<=title)|(?<=datetime))="(20\d\d-\d\d-\d\d[T ]\d\d:\d\d[^"<>]{0,20})"[^<>]{0,400}+>(?=\s*+</(?:time|span|abbr|a)>)'
)
_EMPTY = b"<html><body></body></html>"


class MarkupSource:
    """The readable part of an HTML page, and its tree, built on first use.

    Attributes:
        written: UTF-8 without NUL, up to tag number `max_tags`, with at most `MAX_ATTRIBUTES` attributes of each element, and
            with the times that scripts write into empty elements; empty for a tree that was parsed elsewhere.

    Args:
        text: the page, as text or as UTF-8 bytes.
        root: the tree, if it exists already.
    """

    def __init__(
        self, text: str | bytes = b"", max_tags: int = MAX_TAGS, *, root: etree._Element | None = None
    ) -> None:
        self.written = _readable(text, max_tags)
        if root is not None:
            self.root = root

    @property
    def is_parsed(self) -> bool:
        """Whether the tree exists."""
        return "root" in self.__dict__

    @cached_property
    def root(self) -> etree._Element:
        """The tree's root element, without comments and processing instructions; an empty document for an empty source.
        A page nested too deeply for the parser is parsed again without its innermost tags, but with all its text."""
        return _tree(self.written)

    def copy(self) -> html.HtmlElement:
        """A separate tree of `lxml.html` elements, which may be changed, and which `deepcopy` does not copy again."""
        if not self.written:
            return html.document_fromstring(etree.tostring(self.root, encoding="unicode", method="html"))
        return _tree(self.written, etree.ElementDefaultClassLookup(element=_OwnElement))


_OwnElement = type("_OwnElement", (html.HtmlElement,), {"__deepcopy__": lambda self, _: self})
"""The elements of a tree that may be changed: a tool that changes a deep copy changes the tree itself."""


def parse(text: str | bytes, max_tags: int = MAX_TAGS) -> etree._Element:
    """The tree of a `MarkupSource`."""
    return MarkupSource(text, max_tags).root


def _readable(text: str | bytes, max_tags: int) -> bytes:
    source = text.encode("utf-8", "replace") if isinstance(text, str) else text
    if b"\0" in source:
        source = source.replace(b"\0", b"")
    if len(source) > max_tags:
        tags = np.frombuffer(source, np.uint8) == ord("<")
        if np.count_nonzero(tags) > max_tags:
            source = source[: int(np.flatnonzero(tags)[max_tags])]
    return _with_times(b"".join(_with_few_attributes(source)))


def _with_times(source: bytes) -> bytes:
    """The source with the times in attributes of empty elements as their texts: scripts write them there."""
    pieces, end = list[bytes](), 0
    for place in _years(source):
        found = _UNFILLED_TIME.match(source, place)
        if found and place >= end:
            pieces += (source[end : found.end()], found[1])
            end = found.end()
    return b"".join((*pieces, source[end:])) if pieces else source


def _years(source: bytes) -> list[int]:
    """Places where values of attributes begin with 20, a century; takes a third of the time of a search for `="20`."""
    sign, places = int.from_bytes(b'="20', "little"), list[int]()
    for shift in range(4 if len(source) > 7 else 0):
        words = np.frombuffer(source, "<u4", (len(source) - shift) // 4, shift)
        places += (4 * np.flatnonzero(words == sign) + shift).tolist()
    return sorted(places)


def _tree(source: bytes, classes: etree.ElementClassLookup | None = None) -> etree._Element:
    root = _parse(source, classes)
    if _too_deep(root):
        root = _parse("".join(_flattened(source.decode("utf-8", "replace"))).encode(), classes)
    return root


def _parse(source: bytes, classes: etree.ElementClassLookup | None = None) -> etree._Element:
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, collect_ids=False
    )
    parser.set_element_class_lookup(classes)
    try:
        root = etree.fromstring(source, parser)
    except etree.XMLSyntaxError:
        root = None
    return etree.fromstring(_EMPTY, parser) if root is None else _with_what_follows(root)


def _with_what_follows(root: etree._Element) -> etree._Element:
    """The parser makes markup after `</html>` a second root; make it the last child of the first."""
    for sibling in list(root.itersiblings()):
        if isinstance(sibling.tag, str):
            root.append(sibling)
    return root


def _with_few_attributes(source: bytes) -> Iterator[bytes]:
    """The source with at most `MAX_ATTRIBUTES` attributes for each tag."""
    place = 0
    for last, end in long_heads(source, _LONG_TAG_BYTES, MAX_ATTRIBUTES) if len(source) > _LONG_TAG_BYTES else ():
        yield source[place:last]
        place = end
    yield source[place:]


@kernel
def long_heads(source: bytes, distance: int, most: int) -> list[tuple[int, int]]:
    """The end of the last attribute to keep, and the end of the tag's head, for each tag that begins more than `distance` bytes
    before the next `<`, is that long itself, and has more than `most` attributes."""
    opens = np.flatnonzero(np.frombuffer(source, np.uint8) == ord("<"))
    place, heads = 0, []
    for start in opens[np.diff(opens, append=len(source)) > distance].tolist():
        end = _end_of_head(source, start) if start >= place else start
        if end - start > distance:
            last = next(islice(_ATTRIBUTE.finditer(source, start, end), most, None), None)
            if last:
                place = end
                heads.append((last.end(), place))
    return heads


def _end_of_head(source: bytes, start: int) -> int:
    """The end of a tag's name and attributes, before its `>` or an open quote; `start` if no name follows."""
    found, end = _NAMED.match(source, start), start
    while found:  # piece by piece: Python before 3.11.5 misreads a possessive group of pieces
        end = found.end()
        found = _OF_HEAD.match(source, end)
    return end


def _too_deep(root: etree._Element) -> bool:
    """Whether the chain of last children reaches the parser's depth limit, where it gives up."""
    depth, element = 0, root
    while len(element):
        element = element[-1]
        depth += 1
        if depth >= MAX_DEPTH:
            return True
    return False


def _flattened(text: str) -> Iterator[str]:
    """The source without the tags that open deeper than `_KEPT_DEPTH`; linear in its length."""
    depth = 0
    place = 0
    for tag in _TAG.finditer(text):
        name = tag.group(2).lower()
        if name in _VOID:
            continue
        depth = max(0, depth + (-1 if tag.group(1) else 1))
        if depth > _KEPT_DEPTH and tag.start() >= place:
            yield text[place : tag.start()]
            yield " "
            end = text.find(">", tag.end())
            place = len(text) if end < 0 else end + 1
    yield text[place:]
