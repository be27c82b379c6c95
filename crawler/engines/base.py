"""What every engine is made of."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Literal

from extractors.page import Page

Cookies = Mapping[str | bytes, str | bytes | bool | float | int]
Kind = Literal["results", "none", "blocked", "layout_changed"]


class BlockedError(Exception):
    """The engine refuses to answer; the message says how it does so."""


class NoResultsError(Exception):
    """The engine says that it has found nothing."""


class KeyMissingError(Exception):
    """The engine needs a key or an address that the operator has not given."""


@dataclass(frozen=True, slots=True)
class About:
    """An engine's manners.

    Attributes:
        delay: seconds between two requests.
        rest: seconds for which it is left alone after its first block; doubled with each further block.
        max_rest: seconds that a rest never exceeds.
        pages: how many pages of one query it gives.
        needs: environment variables that hold its key or address.
        order: who has the smallest is asked first.
        language, time_range (day, week, month, year): those of its queries unless a run names others.
        proxies: file in the settings folder; with proxy_policy as for a site.
    """

    name: str
    host: str
    delay: float = 5.0
    rest: float = 300.0
    max_rest: float = 86_400.0
    pages: int = 10
    languages: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    order: int = 100
    language: str = ""
    time_range: str = ""
    proxies: str = ""
    proxy_policy: str = "sticky"


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked: words, perhaps one site, perhaps only what is newer than a day; pages count from 1.

    `carried` is what the answer before gave for this page, where the engine has `carry`.
    """

    words: str
    page: int = 1
    site: str = ""
    since: date | None = None
    language: str = "zh"
    carried: Mapping[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The words as engines want them, with `site:`."""
        return f"{self.words} site:{self.site}" if self.site else self.words

    def days(self, today: date | None = None) -> int:
        """How many days back `since` is, at least 1; 0 without it."""
        return max(1, ((today or date.today()) - self.since).days) if self.since else 0

    def age_code(self, codes: Sequence[str], today: date | None = None) -> str:
        """The code of the shortest range (day, week, month, year) that reaches back to `since`; "" if none does."""
        if self.since is None:
            return ""
        days = ((today or date.today()) - self.since).days
        fitting = [code for limit, code in zip((1, 7, 31, 366), codes, strict=True) if days <= limit and code]
        return fitting[0] if fitting else ""


@dataclass(frozen=True, slots=True)
class Asking:
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
        """The answer as a page."""
        return Page(self.body, self.url, content_type=self.headers.get("content-type", ""))


@dataclass(frozen=True, slots=True)
class Result:
    """One result; `url` may still be a redirect that only the engine can resolve; `date` is its words, or ISO 8601."""

    url: str
    title: str
    snippet: str = ""
    date: str = ""
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """One of four things; `reason` says by what it is known. A changed layout may carry results of the generic rule."""

    kind: Kind
    results: tuple[Result, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine: its manners and two functions.

    `request` takes the query and the operator's keys by their names. `results` raises BlockedError or NoResultsError
    where the engine says so in its own way. `carry` is for engines whose further pages need something out of the answer
    before: empty if there is no further page. `warm_up` is asked first where queries need its cookies.
    """

    about: About
    request: Callable[[Query, Mapping[str, str]], Asking]
    results: Callable[[Reply], list[Result]]
    is_html: bool = True
    carry: Callable[[Reply], Mapping[str, str]] | None = None
    warm_up: Asking | None = None


def key_of(keys: Mapping[str, str], name: str) -> str:
    """Raises KeyMissingError with the name of the environment variable to set."""
    if not keys.get(name):
        raise KeyMissingError(f"Set the environment variable {name} to use this engine.")
    return keys[name]
