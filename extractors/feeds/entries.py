"""The content of feeds and sitemaps as plain values."""

from dataclasses import dataclass
from typing import Literal, NamedTuple


class FeedEntry(NamedTuple):
    """One entry.

    Attributes:
        url: canonical; "" if the entry has no address.
        changed, published: times as written, "" if unknown.
        title, summary, author: as plain text; "" in sitemaps, and if they were not asked for.
        rank: its place in a hot list, from 1; 0 if unknown. heat: the list's own measure of attention; None if unknown.
        body: the whole text, where the list has it.
    """

    url: str
    changed: str = ""
    published: str = ""
    title: str = ""
    summary: str = ""
    author: str = ""
    rank: int = 0
    heat: float | None = None
    body: str = ""


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed, a sitemap, or an index, whose entries are sitemaps.

    Attributes:
        entries: in the order of the document.
        hub: address of the feed's WebSub hub, "" without one. topic: the feed's link to itself.
        further: the next page's address or cursor, "" if there is none. listed: items of the list, with those that could not be read.
    """

    kind: Literal["feed", "sitemap", "index"]
    entries: tuple[FeedEntry, ...] = ()
    hub: str = ""
    topic: str = ""
    further: str = ""
    listed: int = 0

    @property
    def published(self) -> dict[str, str]:
        """The times of publication of the entries that have one, as written, by address."""
        return {entry.url: entry.published for entry in self.entries if entry.url and entry.published}

    @property
    def addresses(self) -> list[str]:
        """The addresses of the entries that have one."""
        return [entry.url for entry in self.entries if entry.url]
