"""Converts chosen blocks to plain text."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from extractors.article.blocks import Blocks, nearest_blocks
from extractors.html.columns import Columns
from extractors.html.tags import BLOCK_NAMES, NAMES, SILENT_NAMES, TAG, tag_set
from extractors.kernels import kernel

_SILENT, _BREAK, _CELL, _LINE = range(1, 5)
_ROLES: dict[object, int] = {
    **dict.fromkeys(BLOCK_NAMES, _LINE), "td": _CELL, "th": _CELL, "br": _BREAK, **dict.fromkeys(SILENT_NAMES, _SILENT),
}  # fmt: skip
"""By name, the effect of an element on the surrounding text of code."""
_TAG_ROLES = np.zeros(len(NAMES) + 1, np.uint8)
for _name, _role in _ROLES.items():
    _TAG_ROLES[TAG[str(_name)]] = _role
_AROUND_CODE = ~tag_set("pre")


class _Step(NamedTuple):
    """The start or end tag of an element, the element's role, the text that follows, and whether it is the outermost one."""

    starts: bool
    role: int
    text: str | None
    is_home: bool


def to_text(blocks: Blocks, chosen: NDArray[np.bool_]) -> str:
    """The chosen blocks in order: each on its own line, cells of a row separated by tabs, code with its line breaks."""
    columns = blocks.columns
    chunks = blocks.chunks[np.repeat(chosen, blocks.stop - blocks.start)]
    if not columns.places("pre"):
        return columns.join(chunks)
    homes = nearest_blocks(columns.tag, _AROUND_CODE, columns.parent, columns.owner[chunks])
    inside = columns.tag[homes] == TAG["pre"]
    edges, parts = np.flatnonzero(np.diff(inside.astype(np.int8))) + 1, []
    for run, around in zip(np.split(chunks, edges), np.split(homes, edges), strict=True):
        is_code = len(run) and columns.tag[around[0]] == TAG["pre"]
        parts.append(_code(columns, around) if is_code else columns.join(run))
    return "\n".join(part for part in parts if part)


def _code(columns: Columns, homes: NDArray[np.int32]) -> str:
    """The whole text of each of these `pre`, once, with its white space."""
    texts = (_text_of_code(columns, home).strip("\r\n") for home in dict.fromkeys(homes.tolist()))
    return "\n".join("\n".join(line.rstrip() for line in text.splitlines()) for text in texts)


def _text_of_code(columns: Columns, home: int) -> str:
    """The whole text of a `pre`."""
    texts = columns.code_texts
    if texts is None:
        return "".join(_written(_steps_of_tree(columns.elements[home])))
    return code_text(columns.tag, columns.parent, columns.end, texts, _TAG_ROLES, home)


@kernel
def code_text(
    tag: NDArray[np.int16],
    parent: NDArray[np.int32],
    end: NDArray[np.int32],
    texts: dict[tuple[int, int], str],
    roles: NDArray[np.uint8],
    home: int,
) -> str:
    """The whole text of the `pre` at home, with all white space. texts: see `FlatTree.code_texts`; roles: by tag code."""
    inside = slice(home, int(end[home]))
    role, parents, ends = roles[tag[inside]].tolist(), parent[inside].tolist(), end[inside].tolist()

    def steps() -> Iterator[_Step]:
        begun: list[int] = []
        for place in range(home, home + len(role) + 1):
            while begun and ends[begun[-1] - home] <= place:
                closed = begun.pop()
                tail = texts.get((parents[closed - home], place)) if closed != home else None
                yield _Step(False, role[closed - home], tail, closed == home)
            if place < home + len(role):
                begun.append(place)
                yield _Step(True, role[place - home], texts.get((place, place + 1)), place == home)

    return "".join(_written(steps()))


def _steps_of_tree(code: etree._Element) -> Iterator[_Step]:
    for event, element in etree.iterwalk(code, events=("start", "end", "comment", "pi")):
        starts, is_home = event == "start", element is code
        yield _Step(
            starts, _ROLES.get(element.tag, 0), element.text if starts else None if is_home else element.tail, is_home
        )


def _written(steps: Iterable[_Step]) -> Iterator[str]:
    """The texts, with a line break where a `br` or the edge of a block element separates two of them."""
    break_due, at_start, indent, unread = False, True, "", 0
    for starts, role, text, is_home in steps:
        if role == _SILENT:
            unread += 1 if starts else -1
        elif role == _BREAK and starts:
            yield "\n"
            break_due, at_start = False, True
        elif role == _CELL:
            yield "" if at_start or break_due or not starts else "\t"
        elif role == _LINE and not is_home:
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
