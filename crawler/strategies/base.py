"""Crawl order: a strategy scores every link of a page, and the frontier sorts by score.

A strategy lives as long as its crawl and may learn from pages; the setting LINK_STRATEGY names its class.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit

from scrapy.crawler import Crawler

from crawler.priorities import SITE_SCALE, START_SCORE
from extractors.links.find import Link
from extractors.page import Page
from pipelines.items import PageItem


@dataclass(frozen=True, slots=True)
class PageVerdict:
    """A strategy's judgement of a page.

    Attributes:
        relevant: whether its content is wanted. reason: why.
        relevance: 0 … 1, None without a topic. topic: its name.
        lead: how much of the topic the page has, 0 … 1, even for a list, which is not on topic itself.
    """

    relevant: bool = True
    relevance: float | None = None
    topic: str = ""
    reason: str = ""
    lead: float | None = None


class LinkStrategy(Protocol):
    """The interface of strategies.

    Attributes:
        scale: the priority of a score of 1; see `crawler.priorities`.
        promotes: whether a better page raises the priority of a queued link.
        start_score: that of start pages.
    """

    scale: int
    promotes: bool
    start_score: float

    def judge(self, url: str, page: Page) -> PageVerdict:
        """Judge a page that was fetched at this address; the strategy may learn from it."""

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """The score of each link of the page, 0 … 1."""

    def score_listed(self, urls: Sequence[str]) -> Sequence[float]:
        """The score of each page that a sitemap or feed lists."""

    def present_score(self, url: str) -> float | None:
        """The present score of a queued link; None if nothing was learned since it was scored."""
        return None


class SiteStrategy(LinkStrategy):
    """For crawls without a topic: articles and lists of them first, by URL, anchor text and depth."""

    scale, promotes = SITE_SCALE, False
    start_score: float = START_SCORE

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "SiteStrategy":
        return cls()

    def judge(self, url: str, page: Page) -> PageVerdict:
        """Every page is wanted."""
        return PageVerdict()

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """Scores by shape alone; links on deep pages score less."""
        depth = 1 / (1 + 0.15 * item.depth)
        return [
            depth * (shape_score(link.url) + anchor_score(link.text)) / 2 * (0.5 if link.nofollow else 1)
            for link in links
        ]

    def score_listed(self, urls: Sequence[str]) -> Sequence[float]:
        """Scores just below those of equally good links."""
        return [0.8 * shape_score(url) for url in urls]


_ARTICLE = re.compile(
    r"/(?:19|20)\d\d[/_-]?(?:0?[1-9]|1[0-2])\b|/\d{4,}|[a-z0-9]{1,40}(?:-[a-z0-9]{1,40}){3}|/[0-9a-f]{8}|/t\d{8}"
    r"|(?:article|detail|content|post|thread|topic)s?[-_/]|[?&](?:id|aid|tid)=\d+",
    re.I,
)
_CHORE = re.compile(
    r"log-?in|log-?out|sign-?(?:in|up)|register|passw|cart|checkout|account|search|print|share|feed|rss|comment|reply"
    r"|user|member|admin|wp-json|action=|sort=|order=|filter|privacy|terms|about|contact|help|lang=|download",
    re.I,
)


def shape_score(url: str) -> float:
    """0 … 1 by the URL alone: articles above lists above log-in and other service pages."""
    parts = urlsplit(url)
    path = parts.path
    if _CHORE.search(f"{path}?{parts.query}"):
        return 0.1
    if _ARTICLE.search(f"{path}?{parts.query}"):
        return 0.9
    if path.endswith((".html", ".htm", ".shtml")) and path.count("/") > 1:
        return 0.75
    return max(0.3, 0.7 - 0.08 * path.count("/") - (0.1 if parts.query else 0))


def anchor_score(text: str) -> float:
    """0 … 1 by the length of the anchor's text: headlines are long, navigation is short."""
    wide = len(text) - len(text.encode("ascii", "ignore"))
    length = 2.5 * wide + (len(text) - wide)
    return min(1.0, 0.2 + length / 40)
