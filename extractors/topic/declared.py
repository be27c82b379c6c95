"""The declared subjects of a page: its author's tags and categories.

They are links to a page of a tag or category. A tag cloud or a menu of categories has many such links side by side; an article
has a few. `meta` keywords are ignored: most sites repeat the same keywords on every page.
"""

import re
from collections import Counter

from extractors.html.document import Document
from extractors.links.find import Link, find_links

_TAG_PAGE = re.compile(
    r"/(?:tags?|categor(?:y|ies)|topics?|labels?|keywords?)/[^/?#]|[?&](?:tag|cat|category|label)=[^&]", re.I
)
_NUMBERED = re.compile(r"^[#＃\s]+|^\d{1,3}[.\-、]\s?|\s*[(（]?\d{1,5}[)）]?$")
_MAX_TAG_CHARS = 30
_MAX_TAGS_TOGETHER = 12
"""Tag links under one element above which they are a menu."""
_MAX_TAGS = 20


def declared_tags(page: Document) -> tuple[str, ...]:
    """The tags of an article, without numbers around them; empty if the page has only menus of tags."""
    relations, parent = page.columns.sparse("rel"), page.columns.parent
    links = [link for link in page.once(find_links) if _is_tag(link, relations.get(link.place, ""))]
    above = [int(parent[link.place]) for link in links]
    higher = [int(parent[place]) if place >= 0 else -1 for place in above]
    together = Counter(above), Counter(higher)
    few = (
        max(together[0][one], together[1][two]) <= _MAX_TAGS_TOGETHER for one, two in zip(above, higher, strict=True)
    )
    names = (_NUMBERED.sub("", link.text.strip()).strip() for link, own in zip(links, few, strict=True) if own)
    return tuple(dict.fromkeys(name for name in names if name))[:_MAX_TAGS]


def _is_tag(link: Link, relation: str) -> bool:
    return 0 < len(link.text) <= _MAX_TAG_CHARS and (
        "tag" in relation.split() or _TAG_PAGE.search(link.url) is not None
    )
