"""Both stores are asked whether anybody's words are under another's name."""

from collections import defaultdict
from functools import cache

import pytest

from extractors.page import Page
from pipelines.discussion import DiscussionPipeline
from pipelines.items import PageItem
from pipelines.stores.base import Row, Store
from pipelines.stores.tables import RECORDS
from tests.extractors.records.engines.content import NOW, posts
from tests.extractors.records.engines.nesting import PLACES, QUOTES, WORDS, Shape, thread
from tests.extractors.records.engines.streams import BOXES, atom, originals, rss, stream
from tests.extractors.records.test_attribution import conversation, in_two, without

pytestmark = pytest.mark.every_store


@cache
def items(pages: tuple[tuple[str, str], ...]) -> tuple[PageItem, ...]:
    """The pages, given by address and source, with the rows that a crawl stores."""
    found = []
    for url, html in pages:
        body = (
            html if html.startswith("<?xml") else f"<html><head><meta charset=utf-8></head><body>{html}</body></html>"
        )
        item = PageItem(url, url, 200, Page(body.encode(), url, fetched_at=NOW), (), relevant=True)
        DiscussionPipeline().process_item(item)
        found.append(item)
    return tuple(found)


def stored(store: Store, pages: dict[str, str]) -> dict[str, list[Row]]:
    """By key of a page its records, asked of a store that is given all pages."""
    store.write([row for item in items(tuple(pages.items())) for row in item.rows]).result()
    found = defaultdict[str, list[Row]](list)
    for row in store.select(RECORDS):
        found[row["page"]].append(row)
    return found


def test_no_stored_words_have_two_authors(store: Store) -> None:
    shapes = [Shape(WORDS[place % len(WORDS)], where, quote) for place, where in enumerate(PLACES) for quote in QUOTES]
    pages = {f"http://bbs.example/t/{number}": thread(conversation(number), each) for number, each in enumerate(shapes)}
    content = posts(3, 8)
    older = originals(content, posts(11, 3), (1, 4, 6))
    pages |= {f"http://wb.example/{box}": stream(content, older, box) for box in BOXES}
    kept = stored(store, pages)
    assert len(kept) == len(pages)
    for rows in kept.values():
        assert in_two([(row["author"], without(row["text"], row["quote"])) for row in rows]) == []
        keys = {row["key"] for row in rows}
        assert all(row["parent"] in keys for row in rows if row["parent"])


def test_entries_of_feeds_are_no_records(store: Store) -> None:
    content = posts(5, 8)
    feeds = {"http://bbs.example/rss": rss(content), "http://bbs.example/atom": atom(content)}
    assert stored(store, feeds) == {}
