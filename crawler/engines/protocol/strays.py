"""Links among an engine's results that are not results: sitelinks, carousels, scripts, the engine's own searches."""

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

_ASIDE = re.compile(
    r"site-?links?(?![a-z])|deep-?links?(?![a-z])|carousel|swiper|(?:^|[\s_-])(?:nrgt|osl|video-?list|videos-?block)(?:[\s_-]|$)",
    re.I,
)
"""Names of elements around links that are sitelinks of a result, or rows of pictures and videos."""
_ASIDE_TAGS = frozenset(("g-scrolling-carousel", "nav", "footer"))
_MAX_LEVELS = 12
_OWN_SEARCH = re.compile(r"/(?:search|s|web|images?|videos?|news|maps|shopping)/?$")


def leads_to_result(url: str, base: str) -> bool:
    """Whether an address may be a result: not a script, not the engine's page itself, not another search of this engine."""
    if not url.startswith(("http://", "https://")):
        return False
    try:
        link, own = urlsplit(url), urlsplit(base)
    except ValueError:
        return False
    if not link.hostname or link.netloc != own.netloc:
        return bool(link.hostname)
    return bool(link.path.strip("/")) and link.path != own.path and not (link.query and _OWN_SEARCH.search(link.path))


def is_aside(link: Any, block: Any) -> bool:
    """Whether a link, or an element around it up to its block, is named as a sitelink or a row of pictures or videos."""
    element = link
    for _ in range(_MAX_LEVELS):
        if element is None:
            return False
        if element.tag in _ASIDE_TAGS or _ASIDE.search(f"{element.get('class') or ''} {element.get('id') or ''}"[:300]):
            return True
        if element is block:
            return False
        element = element.getparent()
    return False


def inner_blocks(found: Sequence[tuple[Any, Any]]) -> list[bool]:
    """For blocks with their links, in document order: whether a block is a part of another result, like sitelinks.

    A block around another one is only a wrapper if its own link is in such an inner block.
    """
    place = {block: number for number, (block, _) in enumerate(found)}
    above = [next((place[each] for each in block.iterancestors() if each in place), -1) for block, _ in found]
    wrappers = {up for up, (_, link) in zip(above, found, strict=True) if up >= 0 and found[up][1] is link}
    return [
        up >= 0 and up not in wrappers and found[up][1] is not link for up, (_, link) in zip(above, found, strict=True)
    ]
