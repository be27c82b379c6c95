"""The content of answers for a watch, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from extractors.feeds import Feed, FeedEntry

_MAX_ITEMS = 1_000


@dataclass(frozen=True, slots=True)
class Listed:
    """An item that a list shows.

    Attributes:
        url: canonical.
        stamp: a value that changes with the item: number of replies, last reply, lastmod, the title; "" if unknown.
        grows: whether the stamp is that of a thread.
        pages: addresses of a thread's further pages, by their numbers.
        said, title: when it was published, as the feed or sitemap writes it, and its title there.
    """

    url: str
    stamp: str = ""
    grows: bool = False
    pages: Mapping[int, str] = field(default_factory=dict)
    said: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """The content of a list, feed or sitemap.

    Attributes:
        items: in the order of the page.
        candidates: addresses that may be lists too, with their likely kinds of source.
        next_page: the list's next page, "" if there is none.
        is_index: it lists only lists, like an index of sitemaps.
        search: the address of the site's search, see `crawler.watching.search_forms`. charset: of its words.
        hub: the WebSub hub of a feed, "" without one. topic: the feed's self link.
    """

    items: tuple[Listed, ...] = ()
    candidates: tuple[tuple[str, str], ...] = ()
    next_page: str = ""
    is_index: bool = False
    search: str = ""
    charset: str = "utf-8"
    hub: str = ""
    topic: str = ""

    @classmethod
    def of(cls, found: Feed, next_page: str = "") -> Self:
        """The entries of a feed, a sitemap or a list, each address once; of too many the most recently changed."""
        by_address: dict[str, FeedEntry] = {}
        for entry in found.entries:
            if entry.url:
                by_address.setdefault(entry.url, entry)
        newest = list(by_address.values())
        if len(newest) > _MAX_ITEMS:
            newest.sort(key=lambda entry: entry.changed, reverse=True)
        items = tuple(
            Listed(each.url, _stamp(each), said=each.published, title=each.title) for each in newest[:_MAX_ITEMS]
        )
        return cls(items, (), next_page, is_index=found.kind == "index", hub=found.hub, topic=found.topic)


def _stamp(entry: FeedEntry) -> str:
    return f"m{entry.changed}" if entry.changed else f"t{entry.title}" if entry.title else ""


@dataclass(frozen=True, slots=True)
class PageFacts:
    """Facts about a page of content.

    Attributes:
        digest: of its text, "" for a page without one.
        gone: the page says that it was removed.
        relevance: to the topic, 1 without a topic.
        grows: it is a running report.
    """

    digest: str
    gone: bool = False
    relevance: float = 1.0
    grows: bool = False


@dataclass(frozen=True, slots=True)
class VisitAnswer:
    """The answer to one visit.

    Attributes:
        status: HTTP status; 0 if there was none.
        retry_after: seconds of the host's Retry-After.
        kept_for: seconds for which a cache will keep serving this answer.
        validators: etag and last-modified as received.
        refused: our own rules forbid the address (robots.txt); it is never requested again.
        unreadable: it is an answer, but no list that can be read.
    """

    status: int
    listing: Listing | None = None
    page: PageFacts | None = None
    retry_after: float = 0.0
    validators: tuple[str, str] = ("", "")
    refused: bool = False
    unreadable: bool = False
    kept_for: float = 0.0
