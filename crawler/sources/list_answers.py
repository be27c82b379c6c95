"""Reads the answer of a list: by the recipe of its source, or as what it says that it is."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from scrapy.http import Response

from crawler.clock import crawl_now
from crawler.download.answer_times import made_at
from crawler.meta import SOURCE_KEY
from crawler.page_answers import content_type_of
from crawler.sources.list_addresses import ListAddress
from crawler.sources.source_catalog import SourceCatalog
from extractors.feeds import (
    Feed,
    ListRecipe,
    UnreadableError,
    is_feed,
    looks_like_json,
    read_by_recipe,
    read_feed,
    read_json_feed,
    selected,
)
from extractors.html.document import Document
from pipelines.stores.base import Row, Table

_MAX_FEED_BYTES, _MAX_FEED_ENTRIES = 2_000_000, 1_000


@dataclass(frozen=True, slots=True)
class ListAnswer:
    """The reading of an answer.

    Attributes:
        feed: None if it cannot be read.
        fault: why it cannot be read.
        rows: how its list stands, to be stored.
        recipe: by which it was read, None for feeds that say what they are.
        address: of its source, None for a list without one.
    """

    feed: Feed | None
    fault: str = ""
    recipe: ListRecipe | None = None
    address: ListAddress | None = None
    rows: tuple[tuple[Table, Row], ...] = ()


class ListReader:
    """Reads lists.

    Args:
        sources: whose recipes are used. judge: gives an answer the rows that say how its list stands.
    """

    def __init__(self, sources: SourceCatalog, judge: Callable[[Response, "ListAnswer"], "ListAnswer"]) -> None:
        self.sources, self._judge = sources, judge

    def address_of(self, response: Response) -> ListAddress | None:
        """The page of a source that an answer is, by its request; None for an answer of no source."""
        asked = response.request.url if response.request is not None else response.url
        first = (response.meta.get("redirect_urls") or [asked])[0] if response.request is not None else asked
        found = self.sources.of(first) or self.sources.of(response.url)
        kept = response.meta.get(SOURCE_KEY) if response.request is not None else None
        if kept and kept["name"] in self.sources.sources:
            source = self.sources.sources[kept["name"]]
            return ListAddress(source, first, kept["values"], kept["page"], kept["cursor"])
        return found

    def takes(self, response: Response) -> bool:
        """Whether an answer is a list by its source or its type, and not a page."""
        return is_feed(response.body, content_type_of(response)) or self.address_of(response) is not None

    async def read(self, response: Response) -> ListAnswer:
        """The list in an answer, read beside the event loop."""
        return self._judge(response, await asyncio.to_thread(self.read_now, response))

    def read_now(self, response: Response) -> ListAnswer:
        """The list in an answer. Never raises."""
        address, now = self.address_of(response), made_at(response, crawl_now())
        body, url, kind = response.body, response.url, content_type_of(response)
        if address is not None:
            return replace(read_source(body, url, address.source.recipe, kind, now), address=address)
        if looks_like_json(body, kind):
            try:
                read = read_json_feed(body, url, content_type=kind, now=now)
            except UnreadableError as error:
                return ListAnswer(None, str(error))
            return ListAnswer(read.feed, recipe=read.recipe)
        feed = read_feed(body, url, max_bytes=_MAX_FEED_BYTES, max_entries=_MAX_FEED_ENTRIES, with_texts=True)
        return ListAnswer(feed) if feed is not None else ListAnswer(None, "it is no feed that can be read")


def read_source(body: bytes, url: str, recipe: ListRecipe, kind: str, now: datetime) -> ListAnswer:
    """The list in an answer by a recipe. Never raises."""
    if recipe.is_feed:
        feed = read_feed(body, url, max_entries=_MAX_FEED_ENTRIES, with_texts=True)
        return ListAnswer(feed, "" if feed else "it is no feed that can be read", recipe)
    try:
        feed = read_by_recipe(body, url, recipe, content_type=kind, now=now)
    except UnreadableError as error:
        return ListAnswer(None, str(error), recipe)
    if feed.listed and not feed.entries:
        return ListAnswer(None, f"of {feed.listed} items none has {_wanted(recipe)}", recipe)
    if not feed.listed and not _holds_nothing(body, url, recipe, kind):
        return ListAnswer(None, f"html: {recipe.html} finds nothing, nor does it find what is around the items", recipe)
    return ListAnswer(feed, recipe=recipe)


def _holds_nothing(body: bytes, url: str, recipe: ListRecipe, kind: str) -> bool:
    """Whether what holds the items is there without them: in JSON the path leads to it, in a page the selector of what is around."""
    if not recipe.html:
        return True
    around = recipe.html.rpartition("/" if recipe.html.startswith(("/", "./")) else " ")[0].rstrip(" >/")
    page = Document(body, url, content_type=kind)
    return bool(selected(around, page.root)) if around else not selected("a[href]", page.root)


def _wanted(recipe: ListRecipe) -> str:
    return f"an address ({recipe.url_template or recipe.fields.get('url', 'url')}) and a title ({recipe.fields.get('title', 'title')})"
