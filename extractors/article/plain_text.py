"""Chosen blocks as plain text for people."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.html.columns import Columns
from extractors.html.tags import BLOCK_NAMES, NAMES, SILENT_NAMES, tag_set

_LINES = frozenset(BLOCK_NAMES)
_UNREAD = frozenset(SILENT_NAMES)
_BREAKING = tag_set("br", "td", "th", *BLOCK_NAMES, *SILENT_NAMES)
"""Inside code without these, nothing comes between its texts."""


class _Step(NamedTuple):
    """The start or end tag of an element, the element's name, the text that follows, and whether it is the outermost one."""

    starts: bool
    name: Any
    text: str | None
    is_home: bool


def to_text(blocks: Blocks, chosen: NDArray[np.bool_]) -> str:
    """The chosen blocks in order: each on its line, cells of a row separated by tabs, code with its own line breaks."""
    columns = blocks.columns
    chunks = blocks.chunks[np.repeat(chosen, blocks.stop - blocks.start)]
    if not columns.places("pre"):
        return columns.join(chunks)
    code = columns.tagged("pre")
    inside = columns.within(code)[columns.owner[chunks]]
    edges = np.flatnonzero(np.diff(inside.astype(np.int8))) + 1
    parts, texts = [], _CodeTexts.of(columns)
    for run, is_code in zip(np.split(chunks, edges), np.split(inside, edges), strict=True):
        parts.append(_code(columns, code, run, texts) if len(run) and is_code[0] else columns.join(run))
    return "\n".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class _CodeTexts:
    """The texts of a page's code in order, with their owners and how many elements begin before each; see `FlatTree`."""

    texts: list[str]
    owners: list[int]
    begun: list[int]

    @classmethod
    def of(cls, columns: Columns) -> "_CodeTexts | None":
        """None where the tree has them."""
        found = columns.code_texts
        if found is None:
            return None
        return cls(list(found.values()), [owner for owner, _ in found], [begun for _, begun in found])

    def inside(self, home: int, end: int) -> str:
        """The texts of one `pre`."""
        places = range(bisect_left(self.begun, home + 1), bisect_right(self.begun, end))
        return "".join([self.texts[place] for place in places if home <= self.owners[place] < end])


def _code(columns: Columns, code: NDArray[np.bool_], run: "NDArray[np.integer[Any]]", known: _CodeTexts | None) -> str:
    """The whole text of each `pre` around these chunks, once, with its own white space."""
    homes: dict[int, None] = {}
    for element in columns.owner[run].tolist():
        while not code[element]:
            element = int(columns.parent[element])
        homes[element] = None
    texts = (_text_of_code(columns, home, known).strip("\r\n") for home in homes)
    return "\n".join("\n".join(line.rstrip() for line in text.splitlines()) for text in texts)


def _text_of_code(columns: Columns, home: int, known: _CodeTexts | None) -> str:
    """The whole text of a `pre`."""
    end = int(columns.end[home])
    if known is None or _BREAKING[columns.tag[home + 1 : end]].any():
        return "".join(_written(_steps(columns, home)))
    return known.inside(home, end)


def _steps(columns: Columns, home: int) -> Iterator[_Step]:
    """Start and end tags of the elements of a `pre` in order, no white space lost."""
    texts = columns.code_texts
    if texts is None:
        yield from _steps_of_tree(columns.elements[home])
        return
    inside = slice(home, int(columns.end[home]))
    names = [NAMES[code - 1] if code else "" for code in columns.tag[inside].tolist()]
    parents, ends = columns.parent[inside].tolist(), columns.end[inside].tolist()
    begun: list[int] = []
    for place in range(home, home + len(names) + 1):
        while begun and ends[begun[-1] - home] <= place:
            closed = begun.pop()
            tail = texts.get((parents[closed - home], place)) if closed != home else None
            yield _Step(False, names[closed - home], tail, closed == home)
        if place < home + len(names):
            begun.append(place)
            yield _Step(True, names[place - home], texts.get((place, place + 1)), place == home)


def _steps_of_tree(code: etree._Element) -> Iterator[_Step]:
    for event, element in etree.iterwalk(code, events=("start", "end", "comment", "pi")):
        starts, is_home = event == "start", element is code
        yield _Step(starts, element.tag, element.text if starts else None if is_home else element.tail, is_home)


def _written(steps: Iterable[_Step]) -> Iterator[str]:
    """The texts unchanged, with a line break where a `br` or the edge of a block element separates two of them."""
    break_due, at_start, indent, unread = False, True, "", 0
    for starts, name, text, is_home in steps:
        if name in _UNREAD:
            unread += 1 if starts else -1
        elif name == "br" and starts:
            yield "\n"
            break_due, at_start = False, True
        elif name in ("td", "th"):
            yield "" if at_start or break_due or not starts else "\t"
        elif name in _LINES and name != "br" and not is_home:
            break_due, indent = not at_start, ""
        if not text or unread:
            continue
        if break_due and not text.strip(" \t"):
            indent += text  # of the next line, unless that one begins with a block element
            continue
        if break_due and not text.lstrip(" \t").startswith(("\r", "\n")):
            yield "\n" + indent
        yield text
        break_due, indent = False, ""
        at_start = text.rstrip(" \t").endswith("\n") or (at_start and not text.strip())
