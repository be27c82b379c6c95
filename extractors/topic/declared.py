"""The declared subjects of a page: its author's tags and categories.

They are links to a page of a tag or category. A tag cloud or a menu of categories stands in a frame of its own, has
many such links side by side, or some far from the main text; an article has a few. Those of the articles before and after it stand
in a frame too. `meta` keywords are ignored: most sites repeat the same keywords on every page.
"""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from extractors.article.body import find_body
from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.links.find import MAX_LINKS

_TAG_PAGE = re.compile(
    r"(?:^|/)(?:tags?|categor(?:y|ies)|topics?|labels?|keywords?)/[^/?#]|[?&](?:tag|cat|category|label)=[^&]", re.I
)
_NUMBERED = re.compile(r"^[#＃\s]+|^\d{1,3}[.\-、]\s?|\s*[(（]\d{1,5}[)）]$|\s+\d{1,5}$")
_COUNT = re.compile(r"\d{1,5}\s*(?:个|個)?(?:分类|分類|标签|標籤|categories|tags)", re.I)
_FRAME = re.compile(
    r"(?:^|[\s_-])(?:side-?bar|widgets?|menus?|nav(?:bar|igation)?|drawer|tag-?cloud|site-(?:state|info)"
    r"|prev(?:ious)?|next|related|recommend(?:ed|ations?)?)(?=$|[\s_-])",
    re.I,
)
_FRAME_SIGN = re.compile(r"bar|widget|menu|nav|drawer|cloud|site-|prev|next|related|recommend")
_MAX_TAG_CHARS, _MAX_ADDRESS_CHARS = 30, 500
_MAX_TAGS_TOGETHER = 12
"""Tag links under one element above which they are a menu."""
_MAX_TAGS_APART = 7
"""Tag links under one element above which they are a menu if others are nearer to the main text."""
_MAX_TAGS = 20
_MAX_FRAME_SHARE = 0.4
"""Share of a page's text above which an element is no frame, whatever its class."""


def declared_tags(page: Document) -> tuple[str, ...]:
    """The tags of an article, without numbers around them; empty if the page has only menus of tags."""
    columns = page.columns
    places = _tag_links(columns)
    if not places:
        return ()
    framed = _in_frame(page)
    places = [place for place in places if not framed[place]]
    together = _together(columns, places)
    places = [place for place in places if together[place] <= _MAX_TAGS_TOGETHER]
    if any(together[place] > _MAX_TAGS_APART for place in places):
        nearness = _nearness(page, places)
        nearest = max(nearness.values())
        places = [place for place in places if together[place] <= _MAX_TAGS_APART or nearness[place] == nearest]
    return tuple(dict.fromkeys(name for place in places if (name := _name(columns, place))))[:_MAX_TAGS]


def _together(columns: Columns, places: Sequence[int]) -> dict[int, int]:
    """Of each link the number of links under its parent or under the parent of that, the greater one."""
    above = {place: int(columns.parent[place]) for place in places}
    higher = {place: int(columns.parent[parent]) if parent >= 0 else -1 for place, parent in above.items()}
    counts = Counter(above.values()), Counter(higher.values())
    return {place: max(counts[0][above[place]], counts[1][higher[place]]) for place in places}


def _nearness(page: Document, places: Sequence[int]) -> dict[int, int]:
    """Of each link the depth of the smallest element that also has the longest block of the main text."""
    columns, text = page.columns, max(0, _main_text(page))
    found = {}
    for place in places:
        around = place
        while around > 0 and not around <= text < columns.end[around]:
            around = int(columns.parent[around])
        found[place] = int(columns.depth[around])
    return found


def _main_text(page: Document) -> int:
    """The element of the longest block of the main text, -1 if there is none."""
    body = page.once(find_body)
    length = body.blocks.sums(page.columns.counts("visible")) * body.chosen
    return int(body.blocks.home[length.argmax()]) if length.any() else -1


def _tag_links(columns: Columns) -> list[int]:
    """The links to pages of tags, each with its text."""
    references, relations = columns.sparse("href"), columns.sparse("rel")
    return [
        place
        for place in columns.places("a")[:MAX_LINKS]
        if "tag" in relations.get(place, "").split() or _TAG_PAGE.search(references.get(place, "")[:_MAX_ADDRESS_CHARS])
    ]


def _name(columns: Columns, place: int) -> str:
    """The tag that a link names; "" for a long text or a number of tags."""
    start, end = int(columns.chunk_start[place]), int(columns.chunk_end[place])
    text = columns.join(range(start, min(end, start + 5))).strip() if end > start else ""
    return "" if len(text) > _MAX_TAG_CHARS or _COUNT.fullmatch(text) else _NUMBERED.sub("", text).strip()


def _in_frame(page: Document) -> NDArray[np.bool_]:
    """bool[N]: the element is in a menu, a side bar beside the article, or what leads to other articles."""
    columns, text = page.columns, _main_text(page)
    frames, asides = columns.tagged("nav", "aside"), columns.tagged("aside")
    for place in columns.places("article"):
        inside = slice(place, int(columns.end[place]))
        if place <= text < inside.stop:
            frames[inside] &= ~asides[inside]
    frames[
        columns.named(lambda classes, identity: bool(_FRAME.search(f"{classes[:200]} {identity[:60]}")), _FRAME_SIGN)
    ] = True
    length = columns.text_length
    return columns.within(frames & (length <= _MAX_FRAME_SHARE * length[:1]))
