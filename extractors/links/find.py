"""Where a page leads: its links with what stands in and around them."""

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
    references, relations = columns.sparse("href"), columns.sparse("rel")
    found: dict[str, Link] = {}
    for place in np.flatnonzero(columns.tagged("a", "area"))[: 4 * limit].tolist():
        reference = references.get(place)
        if not reference or reference.startswith(_NO_PAGES):
            continue
        url = _resolve(base, page.base_url, with_encoded_query(reference.strip(), page.charset))
        if not url:
            continue
        known = found.get(url)
        text = _anchor_text(page, place)
        if known is not None and len(known.text) >= len(text):
            continue
        if known is None and len(found) >= limit:
            break
        found[url] = Link(url, text, "nofollow" in relations.get(place, ""), place)
    return tuple(found.values())


def _anchor_text(page: Document, place: int) -> str:
    columns = page.columns
    start, end = int(columns.chunk_start[place]), int(columns.chunk_end[place])
    if end == start + 1:
        return " ".join(columns.texts[start][: 2 * _TEXT].split())[:_TEXT]
    if end > start:
        return columns.join(range(start, min(end, start + 20)))[:_TEXT].replace("\n", " ")
    text = columns.value(place, "title") or _picture_text(columns, place)
    return " ".join(text[: 2 * _TEXT].split())[:_TEXT]


def _picture_text(columns: Columns, place: int) -> str:
    """The description of the first picture inside an element, "" if there is none."""
    pictures = np.flatnonzero(columns.tag[place : columns.end[place]] == TAG["img"])
    return columns.value(place + int(pictures[0]), "alt") if len(pictures) else ""


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
    return any(
        columns.value(place, "name").lower() == "robots" and "nofollow" in columns.value(place, "content").lower()
        for place in np.flatnonzero(columns.tagged("meta")).tolist()
    )
