"""The text around links: of a teaser or a list entry, the words that stand beside its link."""

from collections.abc import Sequence

import numpy as np

from extractors.html.document import Document
from extractors.links.find import Link, find_links

_STEPS = 5
_ENOUGH = 40
"""Visible characters beside the link's own with which the search upwards ends."""
_MOST = 600
"""Visible characters of an element that still belongs to one link rather than to a page."""
_MOST_LINKED = 300
"""Of these, those that stand in other links: more of them make a menu."""
_KEPT = 500


def surroundings(page: Document, links: Sequence[Link]) -> list[str]:
    """For each of these links of the page the text of the smallest element that holds it and some text more; "" where
    there is none."""
    around = page.once(all_surroundings)
    return [around.get(link.place, "") for link in links]


def all_surroundings(page: Document) -> dict[int, str]:
    """The same for all links of a page that have any, by their place.

    All links climb together, one step of their ancestors at a time; elements that several links share are read once.
    """
    columns, links = page.columns, page.once(find_links)
    length, linked = columns.text_length, columns.link_length
    start = np.array([link.place for link in links], dtype=np.intp)
    place, own = start, length[start]
    climbing = np.ones(len(links), dtype=np.bool_)
    for _ in range(_STEPS):
        above = columns.parent[place]
        climbing &= (above >= 0) & (length[above] <= _MOST) & (linked[above] <= own + _MOST_LINKED)
        place = np.where(climbing, above, place)
        climbing &= length[place] < own + _ENOUGH
    texts = {number: columns.text(number)[:_KEPT] for number in set(place[place != start].tolist())}
    return {link: texts[number] for link, number in zip(start.tolist(), place.tolist(), strict=True) if number in texts}
