"""CSS selectors and XPath on the columns of a page.

Each step is a mask over all elements, so that a selector takes time linear in the page, however deep its elements are nested: libxml2
compares each pair of the elements that `div div` finds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import cssselect
import numpy as np
from cssselect import parser as css
from lxml import etree
from numpy.typing import NDArray

from extractors.html import xpath_steps
from extractors.html.columns import Columns
from extractors.html.tree_masks import (
    Mask,
    SelectorError,
    above,
    below,
    earlier_sibling,
    inside,
    named,
    next_sibling,
    number_among_siblings,
    with_attribute,
    with_text,
)

__all__ = ["MAX_SELECTOR_CHARS", "Selector", "SelectorError", "compiled"]
MAX_SELECTOR_CHARS = 500
_MAX_VALUE_CHARS = 10_000
_XPATH_STARTS = ("/", "./", "(", "@", "normalize-space(", "string(")
_COUNTED = {
    "first-child": (False, False),
    "last-child": (False, True),
    "first-of-type": (True, False),
    "last-of-type": (True, True),
}
"""Pseudo-classes of the first in a count: whether only elements of the same name count, and whether from the end."""
_NUMBERED = {name.replace("first", "nth").replace("last", "nth-last"): how for name, how in _COUNTED.items()}


@dataclass(frozen=True, slots=True)
class Selector:
    """A selector as written; made by `compiled`.

    Attributes:
        mask: bool[N] of a page, and of those of its elements inside which is searched: the elements found.
        attribute: the attribute that an XPath asks for; "" for the text.
    """

    text: str
    mask: Callable[[Columns, Mask], Mask]
    attribute: str = ""

    def places(self, columns: Columns, around: Mask | None = None) -> NDArray[np.intp]:
        """The elements found, in document order: in the whole page, or inside these elements."""
        start = np.arange(len(columns)) == 0 if around is None else around
        return np.flatnonzero(self.mask(columns, start))

    def value(self, columns: Columns, place: int) -> str:
        """The text of an element, on one line: the attribute asked for, a `meta`'s content, the instant of a `time`, else the text."""
        name = self.attribute or {"meta": "content", "time": "datetime"}.get(columns.tag_name(place), "")
        said = columns.elements[place].get(name, "") if name else ""
        text = said if said or self.attribute else columns.text(place)
        return " ".join(text[:_MAX_VALUE_CHARS].split())


@lru_cache(maxsize=2_000)
def compiled(text: str) -> Selector:
    """The selector of a text: XPath if it begins with "/", "./" or "(", else CSS. Raises SelectorError for one that cannot be read."""
    if not text.strip() or len(text) > MAX_SELECTOR_CHARS:
        raise SelectorError(f"must be a selector of at most {MAX_SELECTOR_CHARS} characters")
    if text.strip().startswith(_XPATH_STARTS):
        path = xpath_steps.read(text.strip())
        return Selector(text, path.mask, path.attribute)
    try:
        parts = cssselect.parse(text)
    except cssselect.SelectorError as error:
        raise SelectorError(f"{text!r} is not a selector: {error}") from error
    trees, attributes = [each.parsed_tree for each in parts], {_attribute_of(each) for each in parts}
    if len(attributes) > 1:
        raise SelectorError("selectors joined by commas must end with the same ::attr() or ::text")
    columns = Columns(etree.Element("html"), 1)
    for tree in trees:  # an unknown step is refused here, not on each page
        _found(tree, columns)
    return Selector(text, partial(_any_inside, trees), attributes.pop())


def _attribute_of(selector: css.Selector) -> str:
    """The attribute that `::attr(name)` asks for, "" for the text."""
    asked: Any = selector.pseudo_element
    if asked is None or asked == "text":
        return ""
    if isinstance(asked, css.FunctionalPseudoElement) and asked.name == "attr" and len(asked.arguments) == 1:
        return str(asked.arguments[0].value)
    raise SelectorError(f"::{getattr(asked, 'name', asked)} is not known; there are ::text and ::attr(name)")


def _any_inside(trees: list[Any], columns: Columns, around: Mask) -> Mask:
    return np.asarray(np.logical_or.reduce([_found(tree, columns) for tree in trees]) & below(columns, around))


def _found(tree: Any, columns: Columns) -> Mask:
    """bool[N]: the elements that match a part of a selector."""
    read = _READERS.get(type(tree))
    if read is None:
        raise SelectorError(f"{type(tree).__name__.lower()} is not known")
    return np.asarray(read(tree, columns))


def _combined(tree: css.CombinedSelector, columns: Columns) -> Mask:
    left, right = _found(tree.selector, columns), _found(tree.subselector, columns)
    step = {" ": below, ">": inside, "+": next_sibling, "~": earlier_sibling}[tree.combinator]
    return np.asarray(right & step(columns, left))


def _attrib(tree: css.Attrib, columns: Columns) -> Mask:
    wanted = str(tree.value.value) if tree.value is not None else ""
    tests: dict[str, Callable[[str], bool]] = {
        "exists": lambda _: True,
        "=": lambda value: value == wanted,
        "!=": lambda value: value != wanted,
        "~=": lambda value: wanted in value and wanted in value.split(),
        "|=": lambda value: value == wanted or value.startswith(f"{wanted}-"),
        "^=": lambda value: bool(wanted) and value.startswith(wanted),
        "$=": lambda value: bool(wanted) and value.endswith(wanted),
        "*=": lambda value: bool(wanted) and wanted in value,
    }
    return np.asarray(_found(tree.selector, columns) & with_attribute(columns, tree.attrib, tests[tree.operator]))


def _pseudo(tree: css.Pseudo, columns: Columns) -> Mask:
    found, name = _found(tree.selector, columns), tree.ident
    if name in _COUNTED:
        return np.asarray(found & (number_among_siblings(columns, *_COUNTED[name]) == 1))
    if name in ("only-child", "only-of-type"):
        of_type = name == "only-of-type"
        both = [number_among_siblings(columns, of_type, from_end) == 1 for from_end in (False, True)]
        return np.asarray(found & both[0] & both[1])
    if name == "empty":
        return np.asarray(found & (columns.text_length == 0) & (columns.end == np.arange(len(columns)) + 1))
    raise SelectorError(f":{name} is not known")


def _function(tree: css.Function, columns: Columns) -> Mask:
    found = _found(tree.selector, columns)
    if tree.name == "contains":
        return np.asarray(found & with_text(columns, "".join(str(each.value) for each in tree.arguments)))
    if tree.name not in _NUMBERED:
        raise SelectorError(f":{tree.name}() is not known")
    try:
        step, first = css.parse_series(tree.arguments)
    except ValueError as error:
        raise SelectorError(f":{tree.name}() needs a number, like 2 or 2n+1: {error}") from error
    past = number_among_siblings(columns, *_NUMBERED[tree.name]) - first
    counted = past == 0 if step == 0 else (past % step == 0) & (past * np.sign(step) >= 0)
    return np.asarray(found & np.asarray(counted))


def _relation(tree: Any, columns: Columns) -> Mask:
    found = _found(tree.selector, columns)
    has = np.zeros(len(columns), np.bool_)
    for combinator, wanted in getattr(tree, "arguments", None) or [(tree.combinator, tree.subselector)]:
        if combinator.value not in (" ", ">"):
            raise SelectorError(f":has({combinator.value} …) is not known")
        has |= above(columns, _found(wanted.parsed_tree, columns), direct=combinator.value == ">")
    return np.asarray(found & has)


def _matching(tree: Any, columns: Columns) -> Mask:
    any_of = np.logical_or.reduce([_found(each, columns) for each in tree.selector_list])
    return np.asarray(_found(tree.selector, columns) & any_of)


_READERS: dict[type, Callable[[Any, Columns], Mask]] = {
    css.Element: lambda tree, columns: named(columns, tree.element or "*"),
    css.Class: lambda tree, columns: (
        _found(tree.selector, columns)
        & with_attribute(columns, "class", lambda value: tree.class_name in value and tree.class_name in value.split())
    ),
    css.Hash: lambda tree, columns: (
        _found(tree.selector, columns) & with_attribute(columns, "id", lambda value: value == tree.id)
    ),
    css.Attrib: _attrib,
    css.Pseudo: _pseudo,
    css.Function: _function,
    css.Negation: lambda tree, columns: _found(tree.selector, columns) & ~_found(tree.subselector, columns),
    css.Relation: _relation,
    css.Matching: _matching,
    css.SpecificityAdjustment: _matching,
    css.CombinedSelector: _combined,
}
