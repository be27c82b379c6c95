"""The input for a decision on a page's title: its row in the table of titles, and the beginning of its text."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from extractors.links.urls import host_of, url_key
from extractors.titles.bodies import READ_CHARS
from pipelines.dating import time_of
from pipelines.discussion import count_of
from pipelines.items import PageItem
from pipelines.stores.base import MutableRow, Row, Store
from pipelines.stores.instant_columns import utc_text
from pipelines.stores.tables import PROPAGATION

FACTS = (
    "page", "title", "url", "site", "author", "published", "published_at", "keywords", "replies", "views", "comments", "fetched_at",
    "first_seen",
)  # fmt: skip
"""Columns of the table of titles that do not depend on other titles."""
UNDECIDED = "undecided"
_MAX_TITLE_CHARS = 1_000
_DATE_CHARS = len("2026-01-31")
_UNIX_EPOCH = date(1970, 1, 1).toordinal()


@dataclass(frozen=True, slots=True)
class TitleRequest:
    """A title to decide on: values of `FACTS`, and the beginning of the page's text."""

    facts: Row
    text: str

    @property
    def page(self) -> str:
        return str(self.facts["page"])


@dataclass(frozen=True, slots=True)
class TitleEntry:
    """A page's title for comparison: the page's key, its title, host, the site's name ("" if only the host is known), and its day
    (since 1970, 0 if unknown)."""

    key: str
    title: str
    host: str = ""
    source: str = ""
    day: int = 0


def entry_of(row: Mapping[str, Any]) -> TitleEntry:
    """The entry of a row with the columns page, title, url, site, published and published_at."""
    host = host_of(row["url"] or "")
    source = "" if row["site"] == host else row["site"] or ""
    published = row["published"] or ""
    day = published if len(published) == _DATE_CHARS else row["published_at"] or published
    return TitleEntry(row["page"], row["title"] or "", host, source, day_of(day))


def request_of(item: PageItem, *, count_records: bool = True) -> TitleRequest:
    """The request for a page with a title, with the counts of its records if wanted."""
    page, article = item.page, item.page.article
    records = page.records.records if count_records else ()
    time = time_of(page, item.listed)
    first = next((record for record in records if record.is_first), None)
    facts: MutableRow = {
        "page": url_key(item.url),
        "title": article.title[:_MAX_TITLE_CHARS],
        "url": item.url,
        "site": article.source or host_of(item.url),
        "author": article.author,
        "published": time.text,
        "published_at": utc_text(time.interval.begin) if time.interval else "",
        "keywords": list(article.keywords),
        "replies": count_of(first.replies) if first else None,
        "views": count_of(first.views) if first else None,
        "comments": max(0, len(records) - (1 if first else 0)),
        "fetched_at": page.fetched_at.isoformat(timespec="seconds"),
        "first_seen": page.fetched_at.isoformat(timespec="seconds"),
    }
    return TitleRequest(facts, article.text[:READ_CHARS])


def request_of_stored(page: Row) -> TitleRequest:
    """The request for a row of the table of pages; the stored counts of its records stay."""
    copied = ("url", "author", "published", "published_at", "keywords", "fetched_at", "first_seen")
    facts = {"page": page["key"], "title": page["title"][:_MAX_TITLE_CHARS], "site": page["source"] or page["host"]}
    return TitleRequest(facts | {name: page[name] for name in copied}, (page["body"] or "")[:READ_CHARS])


def undecided_row(store: Store, request: TitleRequest) -> MutableRow:
    """The row to store with a page that no process has decided in time; a decision stored since then is kept."""
    known = store.get(PROPAGATION, request.page)
    if known is not None and known["place"] and known["title"] == request.facts["title"]:
        return dict(request.facts)
    return dict(request.facts) | {"verdict": UNDECIDED}


def day_of(published: str) -> int:
    """Days since 1970 of an ISO 8601 time; 0 for another text."""
    try:
        return date.fromisoformat(published[:10]).toordinal() - _UNIX_EPOCH
    except ValueError:
        return 0
