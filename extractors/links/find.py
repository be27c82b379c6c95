"""Where a page leads: its links with what stands in and around them."""

from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

import numpy as np

from extractors.html.document import Document
from extractors.links.urls import resolve_url

MAX_LINKS = 3_000
"""A page's further links are not read."""
_TEXT = 200
_NO_PAGES = ("#", "javascript:", "mailto:", "tel:", "data:", "about:", "ftp:", "file:", "sms:", "whatsapp:", "weixin:")


@dataclass(frozen=True, slots=True)
class Link:
    """One link.

    Attributes:
        url: canonical and absolute.
        text: the anchor's text, else its title or its picture's description; at most 200 characters.
        nofollow: the link asks not to be counted.
        place: the number of the `a` element in the page's columns.
    """

    url: str
    text: str
    nofollow: bool
    place: int


def find_links(page: Document, limit: int = MAX_LINKS) -> tuple[Link, ...]:
    """The page's links in document order, each target once (where it has the longest text)."""
    columns = page.columns
    base = _base(page.base_url)
    found: dict[str, Link] = {}
    for place in np.flatnonzero(columns.tagged("a", "area"))[: 4 * limit].tolist():
        element = columns.elements[place]
        reference = element.get("href")
        if not reference or reference.startswith(_NO_PAGES):
            continue
        url = _resolve(base, page.base_url, reference.strip())
        if not url:
            continue
        known = found.get(url)
        text = _anchor_text(page, place)
        if known is not None and len(known.text) >= len(text):
            continue
        if known is None and len(found) >= limit:
            break
        found[url] = Link(url, text, "nofollow" in element.get("rel", ""), place)
    return tuple(found.values())


def _anchor_text(page: Document, place: int) -> str:
    columns = page.columns
    start, end = int(columns.chunk_start[place]), int(columns.chunk_end[place])
    if end == start + 1:
        return " ".join(columns.texts[start][: 2 * _TEXT].split())[:_TEXT]
    if end > start:
        return columns.join(range(start, min(end, start + 20)))[:_TEXT].replace("\n", " ")
    element = columns.elements[place]
    text = element.get("title") or next((image.get("alt", "") for image in element.iter("img")), "")
    return " ".join(text[: 2 * _TEXT].split())[:_TEXT]


def _resolve(root: str, base: str, reference: str) -> str:
    """References that do not depend on the page's own path share their look-ups with the whole site."""
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
    """The page's robots meta element says that its links are not to be followed."""
    columns = page.columns
    metas = (columns.elements[place] for place in np.flatnonzero(columns.tagged("meta")).tolist())
    return any(
        meta.get("name", "").lower() == "robots" and "nofollow" in meta.get("content", "").lower() for meta in metas
    )
