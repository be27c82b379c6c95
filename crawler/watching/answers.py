"""What an answer tells a watch, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Listed:
    """A item that a list shows.

    Attributes:
        url: canonical.
        stamp: what changes when the item does: number of replies, last reply, lastmod, the title; "" if nothing is said.
        grows: the stamp is that of a thread.
        pages: addresses of a thread's further pages, by their numbers.
    """

    url: str
    stamp: str = ""
    grows: bool = False
    pages: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Listing:
    """What a list, feed or sitemap shows.

    Attributes:
        items: in the order of the page.
        candidates: addresses that may be lists too, with the kind of source that each may be.
        next_page: where the list goes on, "" if it does not.
        is_index: it lists lists only, as an index of sitemaps does.
        search: the address of the site's search, see `crawler.links.search_forms`; charset: in which it takes words.
        hub: of a feed, who pushes it, "" if nobody does; topic: the feed's own name for its address.
    """

    items: tuple[Listed, ...] = ()
    candidates: tuple[tuple[str, str], ...] = ()
    next_page: str = ""
    is_index: bool = False
    search: str = ""
    charset: str = "utf-8"
    hub: str = ""
    topic: str = ""


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What a page of content says.

    Attributes:
        digest: of its text, "" for a page without one.
        gone: the page says that it is no more.
        relevance: to the topic, 1 without one.
    """

    digest: str
    gone: bool = False
    relevance: float = 1.0


@dataclass(frozen=True, slots=True)
class VisitAnswer:
    """The answer to one visit.

    Attributes:
        status: HTTP status; 0 if there was none.
        retry_after: seconds for which the host asks to be left alone.
        kept_for: seconds for which a cache on the way will go on giving this answer.
        validators: etag and last-modified as they were sent.
        refused: our own rules forbid the address (robots.txt); it is not asked for again.
    """

    status: int
    listing: Listing | None = None
    page: PageFacts | None = None
    retry_after: float = 0.0
    validators: tuple[str, str] = ("", "")
    refused: bool = False
    kept_for: float = 0.0
