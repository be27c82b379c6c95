"""Articles split over several pages."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from scrapy import Request
from scrapy.http import Response

from crawler.links.follower import Callback, LinkFollower
from crawler.links.page_head import linked_headings
from crawler.meta import DEPTH_KEY, FOUND_BY_KEY
from extractors.article.parts import join_parts
from extractors.links.find import Link
from extractors.links.urls import canonical_url, url_key
from extractors.page import Page
from pipelines.content import source_row
from pipelines.items import PageItem, RowsItem
from pipelines.stores.base import MutableRow, Row, Table
from pipelines.stores.tables import PAGES, SOURCES

_NEXT = re.compile(r"^\W{0,3}(?:下一页|下一頁|下页|后一页|next(?:\spage)?|continue reading|older)\W{0,3}$", re.I)
_NUMBER = re.compile(r"^\W?(\d{1,2})\W?$")
_PART = re.compile(r"(?:[_-]|/p(?:age)?[/_-]?|/)(\d{1,3})(?=(?:\.\w{1,5})?/?$)")
LISTS = frozenset(("page", "pages", "tag", "tags", "category", "categories", "archive", "archives", "search", "author"))
"""First path segments of lists, whose pages are not parts of an article."""
_MAX_HEADINGS = 2
_MAX_CHARS = 500_000
_PART_ARGUMENTS = frozenset(("page", "p", "pn", "pageno", "page_no", "pageindex", "cpage"))


class ArticleParts:
    """Requests the further pages of an article one at a time, and joins their texts.

    The request of a part carries a state: `first`, the article's address; `urls`, `texts` and `markdown` of its pages so far.

    Args:
        parse_part: the callback of a further page.
        max_parts: at most this many pages of one article are joined.
        mended: removes boilerplate of the site from a page.
        keep_source, keep_markdown: whether the sources of further pages, and the article as Markdown, are stored.
    """

    def __init__(
        self,
        follower: LinkFollower,
        parse_part: Callback,
        max_parts: int,
        *,
        mended: Callable[[Page], Page] = lambda page: page,
        keep_source: bool = True,
        keep_markdown: bool = False,
    ) -> None:
        self._follower, self._parse_part, self._max_parts = follower, parse_part, max_parts
        self._mended, self._keep_source, self._keep_markdown = mended, keep_source, keep_markdown

    def second(self, item: PageItem) -> list[Request]:
        """The request of a wanted article's second page, if there is one; its further pages are not followed as links."""
        article = item.page.article
        address = next_part(item.requested_url, item.links)
        if not address or not self._follower.holds(address) or not article.text or not item.relevant:
            return []
        if not may_have_parts(item.page, item.requested_url):
            return []
        self._follower.leave_out(other_parts(item.requested_url, item.links))
        state = {"first": item.url, "urls": [item.requested_url], **self._read(item.page, {})}
        return [self._request(address, state, item.depth)]

    def _read(self, page: Page, state: dict[str, Any]) -> dict[str, list[str]]:
        """The additions of a page to the state."""
        page = self._mended(page)
        found = {"texts": [*state.get("texts", ()), page.article.text]}
        return found | ({"markdown": [*state.get("markdown", ()), page.markdown]} if self._keep_markdown else {})

    def join(self, response: Response, page: Page, state: dict[str, Any]) -> Iterator[Request | RowsItem]:
        """The article's row with this page's text joined, and the request of the page after it."""
        state = state | {"urls": [*state["urls"], response.url], **self._read(page, state)}
        body = join_parts(state["texts"])
        row: MutableRow = {"key": url_key(state["first"]), "url": state["first"], "body": body, "parts": state["urls"]}
        if self._keep_markdown and len(state["markdown"]) == len(state["urls"]):
            row["body_markdown"] = join_parts(state["markdown"], "\n\n")
        rows: list[tuple[Table, Row]] = [(PAGES, row)]
        if self._keep_source:
            rows.append((SOURCES, source_row(page, url_key(canonical_url(response.url)))))
        yield RowsItem(rows)
        self._follower.leave_out(other_parts(canonical_url(response.url), page.links))
        address = next_part(canonical_url(response.url), page.links)
        if address and len(state["urls"]) < self._max_parts and len(body) < _MAX_CHARS:
            yield self._request(address, state, response.meta.get(DEPTH_KEY, 0))

    def _request(self, address: str, state: dict[str, Any], depth: int) -> Request:
        return self._follower.start(
            address, self._parse_part, {DEPTH_KEY: depth, FOUND_BY_KEY: "part"}, again=True, state=state
        )


def may_have_parts(page: Page, url: str) -> bool:
    """Whether a page can be the first of an article: one text, not a home page, not a list by its URL or headings."""
    segments = [segment for segment in urlsplit(url).path.lower().split("/") if segment]
    if not segments or segments[0] in LISTS or not page.kind.is_text:
        return False
    return page.once(linked_headings) <= _MAX_HEADINGS


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

    The text of the link must be "下一页", "next" or the next number, and its URL must differ only in a page number.
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
    """The URL without its page number, and the number, 1 by default."""
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
