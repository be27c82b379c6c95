"""Items, from spiders to pipelines."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from pipelines.stores.base import Row, Table

if TYPE_CHECKING:  # commands that read no pages start without the extractors
    from extractors.feeds import FeedEntry
    from extractors.links.find import Link
    from extractors.page import Page

KEY_DIGITS = 12
"""The first digits of a record's key, by which `left_out` names it."""


@dataclass(slots=True)
class PageItem:
    """A fetched and parsed page.

    Attributes:
        url: its canonical address; requested_url: the address that was requested.
        headers: selected response headers, names in lower case.
        relevance: 0 … 1, None without a topic; relevant: whether its content is kept; reason: why.
        lead: its topical score, 0 … 1, also for a list; see `Verdict` of the strategies.
        part_of: the address of the first page of the thread that it continues; part: its number, as counted by its address.
        left_out: records that another page of the thread also has, by the first digits of their keys.
        activity: a list's information on the thread; see `crawler.links.split_threads`.
        listed: what lists showed of the page, see `pipelines.dating`; first_seen: when it was stored first, "" if that is unknown.
        rows: added by pipelines, to be stored.
    """

    url: str
    requested_url: str
    status: int
    page: "Page" = field(repr=False)
    links: "tuple[Link, ...]" = field(repr=False)
    depth: int = 0
    referrer: str = ""
    found_by: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    topic: str = ""
    relevance: float | None = None
    relevant: bool = True
    reason: str = ""
    lead: float | None = None
    part_of: str = ""
    part: int = 1
    left_out: frozenset[str] = frozenset()
    activity: str = ""
    listed: Mapping[str, str] = field(default_factory=dict)
    first_seen: str = ""
    rows: list[tuple[Table, Row]] = field(default_factory=list, repr=False)

    def __str__(self) -> str:
        judged = "" if self.relevance is None else f", relevance {self.relevance:.2f}"
        return f"page {self.url} with {len(self.links)} links, depth {self.depth}{judged}"


@dataclass(slots=True)
class RowsItem:
    """Rows that need no further step: the state of a URL, further parts of an article."""

    rows: list[tuple[Table, Row]]

    def __str__(self) -> str:
        return f"{len(self.rows)} rows"


@dataclass(slots=True)
class HotListItem:
    """A hot list as one visit showed it.

    Attributes:
        source: the name of its recipe; url: the address that was read; read_at: when (aware).
        entries: in the order of the list, with `rank` from 1, and `heat` where the list has it; none: as at the last visit.
        rows: added by pipelines, to be stored.
    """

    source: str
    url: str
    read_at: datetime
    entries: "tuple[FeedEntry, ...]" = field(repr=False)
    rows: list[tuple[Table, Row]] = field(default_factory=list, repr=False)

    def __str__(self) -> str:
        return f"hot list {self.source} with {len(self.entries)} items"


Item = PageItem | RowsItem | HotListItem
