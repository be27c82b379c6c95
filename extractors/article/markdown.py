"""The main text as Markdown: headings, lists, quotes, code, tables, links and pictures of the chosen blocks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.article.body import find_body
from extractors.article.plain_text import to_text
from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.html.tags import TAG, tag_set
from extractors.links.urls import resolve_url

_LEVELS = {TAG[f"h{level}"]: level for level in range(1, 7)}
_STYLES = (("**", tag_set("b", "strong")), ("*", tag_set("i", "em")), ("`", tag_set("code", "kbd", "samp")))
_APART = ("aside", "nav", "footer", "form", "button")
_SPECIAL = re.compile(r"([\\`*_\[\]<])")
_LINE_START = re.compile(r"^([#>+-]|\d{1,9}[.)])(?=\s)")
_LANGUAGE = re.compile(r"(?:^|\s)(?:lang(?:uage)?-|brush:\s?|highlight-(?:source-)?)([\w+#-]{1,20})", re.I)
_MAX_NESTING_DEPTH = 6
"""Maximum depth of nested lists and quotes; deeper ones are not indented further."""
_MAX_PICTURES = 200


@dataclass(frozen=True, slots=True)
class _Line:
    """A part of the text: its Markdown, the prefixes of its lines, and its group.

    `group` names the list, table or quote whose parts follow each other without an empty line; −1 for none.
    """

    text: str
    first: str = ""
    rest: str = ""
    group: int = -1

    def __str__(self) -> str:
        lines = self.text.split("\n")
        return "\n".join((self.first if not number else self.rest) + line for number, line in enumerate(lines))


def markdown_of(page: Document) -> str:
    """The page's main text as Markdown (CommonMark, with GitHub's tables); "" if it has none.

    Addresses are absolute. Pictures that stand between the chosen blocks are kept with their descriptions.
    """
    found, last = list[str](), _Line("")
    for line in _lines(page):
        if line.text:
            tight = line.group >= 0 and line.group == last.group
            found.append(("\n" if tight else "\n\n") + str(line))
            last = line
    return "".join(found).strip("\n")


def _lines(page: Document) -> Iterator[_Line]:
    body = page.once(find_body)
    blocks, columns = body.blocks, page.columns
    chosen = np.flatnonzero(body.chosen).tolist()
    around = {number: _holders(columns, int(blocks.home[number])) for number in chosen}
    whole = {number: _whole(columns, around[number]) for number in chosen}
    pictures = _pictures(page, blocks, chosen)
    for part, numbers in groupby(chosen, key=lambda number: whole[number] if whole[number] >= 0 else -2 - number):
        together = list(numbers)
        while pictures and pictures[0] < blocks.owner[together[0]]:
            yield _Line(_picture(page, pictures.pop(0)))
        if part < 0:
            yield _paragraph(page, blocks, together[0], around[together[0]])
        elif columns.tag[part] == TAG["pre"]:
            yield _code(blocks, together, part)
        else:
            yield from _table(page, blocks, together, part)


def _holders(columns: Columns, element: int) -> list[int]:
    """The element and those above it, from the root."""
    found = []
    while element >= 0:
        found.append(element)
        element = int(columns.parent[element])
    return found[::-1]


def _whole(columns: Columns, holders: list[int]) -> int:
    """The code or data table around a block, −1 for none."""
    codes = [place for place in holders if columns.tag[place] == TAG["pre"]]
    if codes:
        return codes[0]
    tables = [place for place in holders if columns.tag[place] == TAG["table"]]
    return tables[-1] if tables and _is_data(columns, tables[-1]) else -1


def _is_data(columns: Columns, table: int) -> bool:
    """Whether a table has rows with several short cells; others lay out the page."""
    inside = slice(table, int(columns.end[table]))
    tags, lengths = columns.tag[inside], columns.text_length[inside]
    cells = (tags == TAG["td"]) | (tags == TAG["th"])
    rows = np.count_nonzero(tags == TAG["tr"])
    return bool(
        np.count_nonzero(tags == TAG["table"]) == 1 and rows > 1 and cells.sum() > rows and lengths[cells].max() <= 300
    )


def _paragraph(page: Document, blocks: Blocks, number: int, holders: list[int]) -> _Line:
    columns = page.columns
    chunks = blocks.chunks[blocks.start[number] : blocks.stop[number]]
    text = _LINE_START.sub(r"\\\1", _inline(page, chunks))
    level = next((_LEVELS[tag] for place in reversed(holders) if (tag := int(columns.tag[place])) in _LEVELS), 0)
    if level:
        return _Line("#" * level + " " + text)
    rest, lists = "", [place for place in holders if columns.tag[place] in (TAG["li"], TAG["blockquote"])]
    first = ""
    for place in lists[:_MAX_NESTING_DEPTH]:
        if columns.tag[place] == TAG["blockquote"]:
            first, rest = rest + "> ", rest + "> "
            continue
        bullet = _bullet(columns, place)
        is_first = columns.chunk_start[place] == chunks[0]
        first = rest + (bullet if is_first else " " * len(bullet))
        rest += " " * len(bullet)
    group = next((place for place in holders if columns.tag[place] in (TAG["ul"], TAG["ol"], TAG["blockquote"])), -1)
    return _Line(text, first, rest, group if lists else -1)


def _bullet(columns: Columns, item: int) -> str:
    above = int(columns.parent[item])
    if above < 0 or columns.tag[above] != TAG["ol"]:
        return "- "
    before = np.flatnonzero((columns.parent[above:item] == above) & (columns.tag[above:item] == TAG["li"]))
    return f"{len(before) + 1}. "


def _inline(page: Document, chunks: NDArray[np.int64]) -> str:
    """The text of a line with its links, emphasis and code."""
    columns = page.columns
    parts: list[str] = []
    for style, run in groupby(chunks.tolist(), key=lambda chunk: _style(page, int(columns.owner[chunk]))):
        inside = list(run)
        space = " " if parts and columns.space_before[inside[0]] else ""
        text = " ".join(columns.join(np.array(inside)).split())
        parts.append(space + _styled(*style, text))
    return "".join(parts)


def _style(page: Document, owner: int) -> tuple[str, str]:
    """The marks and the address of the text of an element."""
    columns, marks, address = page.columns, "", ""
    for place in reversed(_holders(columns, owner)):
        tag = columns.tag[place]
        marks += next((mark for mark, tags in _STYLES if tags[tag] and mark not in marks), "")
        if tag == TAG["a"] and not address and not columns.value(place, "href").startswith("#"):
            address = resolve_url(page.base_url, columns.value(place, "href").strip())
    return marks, address


def _styled(marks: str, address: str, text: str) -> str:
    text = text if "`" in marks else _SPECIAL.sub(r"\\\1", text)
    mark = "`" if "`" in marks else marks[:2] if marks.startswith("**") else marks[:1]
    text = f"{mark}{text}{mark}" if text else ""
    return f"[{text}]({address.replace(')', '%29')})" if address and text else text


def _code(blocks: Blocks, numbers: list[int], code: int) -> _Line:
    columns = blocks.columns
    chosen = np.zeros(len(blocks), np.bool_)
    chosen[numbers] = True
    inside = range(code, min(int(columns.end[code]), code + 3))
    names = " ".join(columns.value(place, "class")[:200] for place in inside)
    language = found[1] if (found := _LANGUAGE.search(names)) else ""
    text = to_text(blocks, chosen)
    fence = "`" * max([3, *(len(run) + 1 for run in re.findall(r"`{3,}", text))])
    return _Line(f"{fence}{language}\n{text}\n{fence}")


def _table(page: Document, blocks: Blocks, numbers: list[int], table: int) -> Iterator[_Line]:
    """A line for each row; the first is the head."""
    columns = page.columns
    rows: dict[int, dict[int, str]] = {}
    for number in numbers:
        holders = _holders(columns, int(blocks.home[number]))
        row = next((place for place in reversed(holders) if columns.tag[place] == TAG["tr"]), table)
        cell = next((place for place in reversed(holders) if columns.tag[place] in (TAG["td"], TAG["th"])), row)
        text = _inline(page, blocks.chunks[blocks.start[number] : blocks.stop[number]]).replace("|", r"\|")
        rows.setdefault(row, {})
        rows[row][cell] = f"{rows[row][cell]} {text}" if cell in rows[row] else text
    width = max(map(len, rows.values()))
    for place, cells in enumerate(rows.values()):
        yield _Line("| " + " | ".join([*cells.values(), *[""] * (width - len(cells))]) + " |", group=table)
        if place == 0:
            yield _Line("|" + " --- |" * width, group=table)


def _pictures(page: Document, blocks: Blocks, chosen: list[int]) -> list[int]:
    """The pictures between the first and the last chosen block, in document order."""
    if not chosen:
        return []
    columns = page.columns
    apart = columns.within(columns.tagged(*_APART))
    first, last = int(blocks.owner[chosen[0]]), int(blocks.owner[chosen[-1]])
    found = np.flatnonzero(columns.tagged("img") & ~apart)
    return [place for place in found.tolist() if first < place < last and _address_of(page, place)][:_MAX_PICTURES]


def _address_of(page: Document, place: int) -> str:
    return resolve_url(page.base_url, page.columns.value(place, "src").strip())


def _picture(page: Document, place: int) -> str:
    text = " ".join(_SPECIAL.sub(r"\\\1", page.columns.value(place, "alt")[:300]).split())
    return f"![{text}]({_address_of(page, place).replace(')', '%29')})"
