"""The protocol of a search engine: its limits (`About`), the request of a query page, and the results of an answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Literal
from urllib.parse import urlencode

from extractors.page import Page

Cookies = Mapping[str | bytes, str | bytes | bool | float | int]
Keys = Mapping[str, str]
"""The operator's keys and addresses by name of the environment variable."""
Kind = Literal["results", "none", "blocked", "layout_changed"]


class BlockedError(Exception):
    """The engine refuses to answer; the message has the evidence."""


class NoResultsError(Exception):
    """The engine says that it found nothing."""


@dataclass(frozen=True, slots=True)
class About:
    """An engine's limits and defaults.

    Attributes:
        delay: seconds between two requests.
        backoff: seconds without requests after the first block; doubled with each further consecutive block.
        max_backoff: upper limit of the backoff in seconds.
        pages: number of result pages of one query.
        needs: environment variables that hold its key or address.
        order: engines with a smaller number come first.
        language, time_range (day, week, month, year): default of its queries.
        proxies: file in the settings folder; proxy_policy works as for a site.
    """

    name: str
    host: str
    delay: float = 5.0
    backoff: float = 300.0
    max_backoff: float = 86_400.0
    pages: int = 10
    languages: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    order: int = 100
    language: str = ""
    time_range: str = ""
    proxies: str = ""
    proxy_policy: str = "sticky"


@dataclass(frozen=True, slots=True)
class EngineQuery:
    """One page of a search: words, and optionally one site and a first day; pages are numbered from 1.

    `carried` has values from the previous answer, for engines with `carry`.
    """

    words: str
    page: int = 1
    site: str = ""
    since: date | None = None
    language: str = "zh"
    carried: Mapping[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return f"{self.words} site:{self.site}" if self.site else self.words

    def days(self, today: date | None = None) -> int:
        """Number of days from `since` to today, at least 1; 0 without `since`."""
        return max(1, ((today or date.today()) - self.since).days) if self.since else 0

    def age_code(self, codes: Sequence[str], today: date | None = None) -> str:
        """The code of the shortest range (day, week, month, year) that includes `since`; "" if none does."""
        if self.since is None:
            return ""
        days = ((today or date.today()) - self.since).days
        fitting = [code for limit, code in zip((1, 7, 31, 366), codes, strict=True) if days <= limit and code]
        return fitting[0] if fitting else ""


@dataclass(frozen=True, slots=True)
class QueryRequest:
    """The HTTP request of one query page."""

    url: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: Cookies = field(default_factory=dict)
    body: str = ""


@dataclass(frozen=True)
class Reply:
    """The HTTP answer; header names are in lower case."""

    url: str
    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def page(self) -> Page:
        return Page(self.body, self.url, content_type=self.headers.get("content-type", ""))


@dataclass(frozen=True, slots=True)
class Result:
    """One result. `url` may be a redirect that only the engine can resolve; `date` is as the engine writes it."""

    url: str
    title: str
    snippet: str = ""
    date: str = ""
    rank: int = 0


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """The kind of an answer, and the evidence for it (`reason`). A changed layout may have results of the generic rule."""

    kind: Kind
    results: tuple[Result, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine: its limits and two functions.

    Attributes:
        request: creates the HTTP request from the query and the operator's keys by name; may raise KeyMissingError.
        results: parses an answer; raises BlockedError or NoResultsError for the engine's own signs of these.
        is_html: whether the generic rule can parse an answer when `results` finds nothing.
        carry: extracts from an answer the values for the request of the next page; empty if there is no next page.
        visit_first: request whose cookies all queries need.
    """

    about: About
    request: Callable[[EngineQuery, Keys], QueryRequest]
    results: Callable[[Reply], list[Result]]
    is_html: bool = True
    carry: Callable[[Reply], Mapping[str, str]] | None = None
    visit_first: QueryRequest | None = None


def query_url(base: str, **parameters: str | int) -> str:
    """The address with the non-empty parameters."""
    given = {name: str(value) for name, value in parameters.items() if value != ""}
    return f"{base}{'&' if '?' in base else '?'}{urlencode(given)}" if given else base
