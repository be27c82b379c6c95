"""From an answer to an item: whether it is wanted is decided once, by the strategy and by the thread that it continues."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, Response
from scrapy.settings import Settings

from crawler.links.follower import LinkFollower
from crawler.links.scope import Scope
from crawler.links.traps import PatternYields
from crawler.meta import THREAD_KEY
from crawler.spiders.page_reader import Output, PageReader
from crawler.strategies.base import PageVerdict
from extractors.links.find import Link
from extractors.page import Page
from pipelines.items import PageItem
from tests.extractors.records.engines import ENGINES
from tests.extractors.records.engines.content import posts

HOST = "http://bbs.example"


class Callbacks:
    """As a spider has them."""

    def parse(self, response: Response) -> Iterator[Output]:
        """A page."""
        yield from ()

    def parse_part(self, response: Response, state: dict[str, Any]) -> Iterator[Output]:
        """A further page of an article."""
        yield from ()

    def parse_feed(self, response: Response) -> Iterator[Request]:
        """A feed."""
        yield from ()


class Judge:
    """Finds every page as wanted as it is told."""

    scale, promotes = 1_000, False

    def __init__(self, relevant: bool) -> None:
        self._relevant = relevant

    def judge(self, url: str, page: Page) -> PageVerdict:
        """See `LinkStrategy`."""
        return PageVerdict(self._relevant, 0.25, "tax", "as told")

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """See `LinkStrategy`."""
        return [0.5] * len(links)

    def score_listed(self, urls: Sequence[str]) -> Sequence[float]:
        """See `LinkStrategy`."""
        return [0.5] * len(urls)


def read(relevant: bool, meta: dict[str, Any], *, joins: bool = True) -> PageItem:
    """The item of a thread's third page."""
    settings = Settings({"SITE_MAX_PARTS": 9, "SITE_MAX_THREAD_PAGES": 9, "DISCUSSION_ENABLED": joins})
    follower = LinkFollower(Scope([HOST], []), Judge(relevant), PatternYields(), depth=9, per_host=99)
    reader = PageReader(Callbacks(), Judge(relevant), follower, lambda: None, settings)
    pager = '<a href="/thread-7-1-1.html">1</a> <a href="/thread-7-2-1.html">2</a>'
    body = f"<html><meta charset=utf-8><body>{ENGINES['Discuz! X3'][0](posts(1))}{pager}</body></html>"
    url = f"{HOST}/thread-7-3-1.html"
    response = HtmlResponse(url, body=body.encode(), encoding="utf-8", request=Request(url, meta=meta))
    return next(output for output in reader.read(response) if isinstance(output, PageItem))


CAME = {THREAD_KEY: {"first": f"{HOST}/thread-7-1-1.html", "pages": 2, "opening": "a", "before": ["b"]}}


@pytest.mark.parametrize(
    ("relevant", "meta", "wanted", "first"),
    [
        (True, {}, True, f"{HOST}/thread-7-1-1.html"),
        (False, {}, False, ""),
        (True, CAME, True, f"{HOST}/thread-7-1-1.html"),
        (False, CAME, True, f"{HOST}/thread-7-1-1.html"),
    ],
)
def test_a_page_is_wanted_by_the_strategy_or_as_part_of_a_wanted_thread(
    relevant: bool, meta: dict[str, Any], wanted: bool, first: str
) -> None:
    item = read(relevant, meta)
    assert (item.relevant, item.part_of) == (wanted, first)
    assert (item.topic, item.relevance, item.reason) == ("tax", 0.25, "as told")


def test_threads_are_not_joined_where_records_are_not_wanted() -> None:
    assert read(False, CAME, joins=False).relevant is False
