"""Links of a page, with the text in them."""

from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

import numpy as np

from extractors.html.addresses import with_encoded_query
from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.html.tags import TAG
from extractors.links.urls import resolve_url

MAX_LINKS = 3_000
"""Maximum links of a page; further ones are not read."""
_MAX_TEXT_CHARS = 200
_NO_PAGES = ("#", "javascript:", "mailto:", "tel:", "data:", "about:", "ftp:", "file:", "sms:", "whatsapp:", "weixin:")


@dataclass(frozen=True, slots=True)
class Link:
    """One link.

    Attributes:
        url: canonical and absolute.
        text: the anchor's text, else its title or its picture's description; at most 200 characters.
        nofollow: the link's rel has nofollow.
        place: the number of the `a` element in the page's columns.
    """

    url: str
    text: str
    nofollow: bool
    place: int


def find_links(page: Document, limit: int = MAX_LINKS) -> tuple[Link, ...]:
    """The page's links in document order, each target once (the link with the longest text)."""
    columns, base_url, charset = page.columns, page.base_url, page.charset
    base = _base(base_url)
    references, relations = columns.sparse("href"), columns.sparse("rel")
    found: dict[str, Link] = {}
    places = np.flatnonzero(columns.tagged("a", "area"))[: 4 * limit]
    chunks = zip(columns.chunk_start[places].tolist(), columns.chunk_end[places].tolist(), strict=True)
    for place, (start, end) in zip(places.tolist(), chunks, strict=True):
        reference = references.get(place)
        if not reference or reference.startswith(_NO_PAGES):
            continue
        url = _resolve(base, base_url, with_encoded_query(reference.strip(), charset))
        if not url:
            continue
        known = found.get(url)
        text = _anchor_text(columns, place, start, end)
        if known is not None and len(known.text) >= len(text):
            continue
        if known is None and len(found) >= limit:
            break
        found[url] = Link(url, text, "nofollow" in relations.get(place, ""), place)
    return tuple(found.values())


def _anchor_text(columns: Columns, place: int, start: int, end: int) -> str:
    """The text of an element's chunks start … end − 1, else its title or its picture's description."""
    if end == start + 1:
        return " ".join(columns.texts[start][: 2 * _MAX_TEXT_CHARS].split())[:_MAX_TEXT_CHARS]
    if end > start:
        return columns.join(range(start, min(end, start + 20)))[:_MAX_TEXT_CHARS].replace("\n", " ")
    text = columns.value(place, "title") or _picture_text(columns, place)
    return " ".join(text[: 2 * _MAX_TEXT_CHARS].split())[:_MAX_TEXT_CHARS]


def _picture_text(columns: Columns, place: int) -> str:
    """The description of the first picture inside an element, "" if there is none."""
    pictures = np.flatnonzero(columns.tag[place : columns.end[place]] == TAG["img"])
    return columns.value(place + int(pictures[0]), "alt") if len(pictures) else ""


def _resolve(root: str, base: str, reference: str) -> str:
    """The address of a reference; references that do not depend on the page's path share cache entries over the site."""
    if reference.startswith(("/", "http://", "https://")) and not reference.startswith("//"):
        return resolve_url(root, reference)
    return resolve_url(base, reference)


@lru_cache(maxsize=1_000)
def _base(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    return f"{parts.scheme}://{parts.netloc}/"


def forbids_following(page: Document) -> bool:
    """Whether the page's robots meta element forbids following its links."""
    columns = page.columns
    return any(
        columns.value(place, "name").lower() == "robots" and "nofollow" in columns.value(place, "content").lower()
        for place in np.flatnonzero(columns.tagged("meta")).tolist()
    )
