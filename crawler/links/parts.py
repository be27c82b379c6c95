"""Articles that run over several pages."""

import re
from collections.abc import Sequence
from urllib.parse import parse_qsl, urlsplit

import numpy as np

from extractors.links.find import Link
from extractors.page import Page

_NEXT = re.compile(r"^\W{0,3}(?:下一页|下一頁|下页|后一页|next(?:\spage)?|continue reading|older)\W{0,3}$", re.I)
_NUMBER = re.compile(r"^\W?(\d{1,2})\W?$")
_PART = re.compile(r"(?:[_-]|/p(?:age)?[/_-]?|/)(\d{1,3})(?=(?:\.\w{1,5})?/?$)")
LISTS = frozenset(("page", "pages", "tag", "tags", "category", "categories", "archive", "archives", "search", "author"))
"""First segments of paths under which sites keep lists, whose pages are no parts of anything."""
_PART_ARGUMENTS = frozenset(("page", "p", "pn", "pageno", "page_no", "pageindex", "cpage"))


def may_have_parts(page: Page, url: str) -> bool:
    """Whether a page can be the first of an article's: not a home page, not a list of articles by its URL or headings."""
    segments = [segment for segment in urlsplit(url).path.lower().split("/") if segment]
    if not segments or segments[0] in LISTS:
        return False
    columns = page.columns
    length = columns.text_length
    linked = columns.tagged("h1", "h2", "h3", "h4") & (length > 0) & (columns.link_length >= 0.8 * length)
    return int(np.count_nonzero(linked)) < 3


def other_parts(url: str, links: Sequence[Link]) -> set[str]:
    """The URLs of all other pages of the article that this one links to."""
    stem, number = _split(url)
    found = set()
    for link in links:
        if _NEXT.match(link.text) or _NUMBER.match(link.text):
            other_stem, other_number = _split(link.url)
            if other_stem == stem and other_number != number:
                found.add(link.url)
    return found


def next_part(url: str, links: Sequence[Link]) -> str:
    """The URL of the article's next page, "" if there is none.

    The link must say so ("下一页", "next", or the number that follows), and its URL must be the same article's: equal but
    for a page number.
    """
    stem, number = _split(url)
    for link in links:
        said = _NUMBER.match(link.text)
        if not (_NEXT.match(link.text) or (said and int(said.group(1)) == number + 1)):
            continue
        other_stem, other_number = _split(link.url)
        if other_stem == stem and other_number == number + 1:
            return link.url
    return ""


def _split(url: str) -> tuple[str, int]:
    """The URL without its page number, and that number; 1 where there is none."""
    parts = urlsplit(url)
    arguments = parse_qsl(parts.query, keep_blank_values=True)
    for name, value in arguments:
        if name.lower() in _PART_ARGUMENTS and value.isdigit() and len(value) <= 3:
            rest = [argument for argument in arguments if argument[0] != name]
            return f"{parts.netloc}{parts.path}?{rest}", int(value)
    path = parts.path
    found = _PART.search(path)
    if found and 2 <= int(found.group(1)) <= 99:
        path = path[: found.start()] + path[found.end() :]
        return f"{parts.netloc}{path}?{arguments}", int(found.group(1))
    return f"{parts.netloc}{path}?{arguments}", 1


def join_parts(texts: Sequence[str]) -> str:
    """The parts' texts in order; lines that every part repeats (a title, an editor's line) stand once."""
    if len(texts) < 2:
        return "".join(texts)
    repeated = set.intersection(*(set(text.split("\n")) for text in texts))
    seen: set[str] = set()
    lines = []
    for text in texts:
        for line in text.split("\n"):
            if line not in repeated or line not in seen:
                lines.append(line)
            seen.add(line)
    return "\n".join(lines)
