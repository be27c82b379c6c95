"""The counted parts of a page, as keys: lines that may be text, parts of the title, records, and the order of dates."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.article.title import parts_of_title
from extractors.page import Page
from extractors.site_boilerplate.host_date_order import order_shown
from extractors.site_boilerplate.keys import Keys, distinct, keys_of

_MIN_PROBABILITY = 0.05
"""Minimum probability of being text; less likely lines are never text on the host."""
_MAX_LINES, _MAX_CLASS_CHARS = 1_000, 100
_CHANGING = re.compile(r"\d+|\b(?:active|current|odd|even|first|last|open|selected)\b", re.I)
"""Variable parts of the classes of elements with the same place in the layout."""


@dataclass(frozen=True, slots=True)
class PageLines:
    """The counted parts of one page.

    Attributes:
        blocks: int64[L], numbers of the page's blocks that may be text; keys: uint64[L], of each text in its layout.
        title: the parts of its `title` element; title_keys: uint64 of each.
        record_keys: uint64 of each record, in order; none for a thread list, whose lines are not counted.
        has_records: whether it has records of any kind, if they were read.
        order_keys: uint64[0 or 1], the order of days and months in its records' times, if they show it.
    """

    blocks: NDArray[np.int64]
    keys: Keys
    title: tuple[str, ...]
    title_keys: Keys
    record_keys: Keys
    has_records: bool
    order_keys: Keys

    def all_keys(self) -> Keys:
        """Each key once, ascending."""
        return distinct(self.keys, self.title_keys, self.record_keys, self.order_keys)


def page_lines(page: Page, *, records: bool = True) -> PageLines:
    """The lines of a page, with its records unless `records` is False."""
    body = page.lines
    numbers = np.flatnonzero(body.chosen | (body.probability >= _MIN_PROBABILITY))[:_MAX_LINES]
    title = parts_of_title(page)
    found = page.records if records else None
    said = (
        [f"{record.author}\0{record.text}" for record in found.records] if found and found.kind != "thread_list" else []
    )
    return PageLines(
        numbers,
        keys_of(zip(_layouts(body.blocks, numbers), _texts(body.blocks, numbers), strict=True)),
        title,
        keys_of(("title", part) for part in title),
        keys_of(("record", text) for text in said),
        bool(found and found.records),
        order_shown(page) if found and found.records else keys_of(()),
    )


def _texts(blocks: Blocks, numbers: NDArray[np.intp]) -> list[str]:
    return blocks.columns.join_each(blocks.chunks, blocks.start[numbers], blocks.stop[numbers])


def _layouts(blocks: Blocks, numbers: NDArray[np.intp]) -> list[str]:
    """For each block, tags and classes of its home and of the element around it."""
    columns, homes = blocks.columns, blocks.home[numbers]
    pairs = list(zip(homes.tolist(), columns.parent[homes].tolist(), strict=True))
    named = {
        place: f"{columns.tag_name(place)}.{_steady(columns.value(place, 'class')[:_MAX_CLASS_CHARS])}"
        for place in set(chain.from_iterable(pairs))
        if place >= 0
    }
    return [f"{named[home]} {named[around]}" if around >= 0 else named[home] for home, around in pairs]


@lru_cache(maxsize=4_000)
def _steady(classes: str) -> str:
    """Classes without variable parts; cached, since the pages of a site share them."""
    return _CHANGING.sub("", classes)
