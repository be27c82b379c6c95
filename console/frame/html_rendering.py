"""HTML rendering: Jinja with autoescaping, and template helpers."""

import json
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from analysis.search import word_query
from console.access.people import Person
from console.access.sessions import form_token
from console.frame.app_context import AppContext
from console.frame.date_ranges import is_weekend, last_day, stretch
from console.frame.moments import duration, moment, published_of
from console.frame.page import ConsolePage
from console.frame.request_context import RequestContext
from console.frame.word_catalogue import catalogue
from pipelines.stores.base import StoreError

GROUPS = ("look", "collect", "manage")
_WAITS_SECONDS = 15.0
_MAX_MARKED = 100
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}")


@cache
def templates() -> Environment:
    """Every template escapes every value, also those whose names do not end in html."""
    made = Environment(
        loader=PackageLoader("console"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters |= {
        "number": number,
        "bounded": bounded,
        "web": web_address,
        "plain": plain_address,
        "language": language_tag,
        "pretty": pretty,
    }
    return made


def prepare() -> None:
    """Read the words and compile every template (about half a second), so that first requests are fast."""
    catalogue()
    for name in templates().list_templates():
        templates().get_template(name)


def number(value: Any, digits: int = 0) -> str:
    """1,840; −3; 0.71; — for nothing."""
    if value is None or value == "":
        return "—"
    text = f"{value:,.{digits}f}" if isinstance(value, float) else f"{value:,}"
    return text.replace("-", "−")


def bounded(count: int, most: int) -> int | str:
    """A count that went no further than `most`: 1,000+ where it ended there."""
    return count if count < most else f"{most:,}+"


def web_address(value: Any) -> str:
    """The URL if it may be linked (http and https only), else ""."""
    text = str(value or "")
    harmless = text.lower().startswith(("http://", "https://")) and not any(ord(char) < 33 for char in text)
    return text if harmless else ""


def plain_address(url: str) -> str:
    """A URL as people read it: without scheme and the last slash."""
    return re.sub(r"^https?://(.*?)/?$", r"\1", url, flags=re.IGNORECASE | re.DOTALL)


def language_tag(value: Any) -> str:
    """The language tag for HTML, "" if it is invalid."""
    text = str(value or "")
    return text if _LANGUAGE.fullmatch(text) else ""


def pretty(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


@dataclass(slots=True)
class DecisionBacklog:
    """Number of pending decisions by page, cached for 15 seconds."""

    pages: Sequence[ConsolePage]
    _counts: dict[str, int] = field(default_factory=dict)
    _at: float = float("-inf")

    def counts(self, app_context: AppContext) -> Mapping[str, int]:
        if time.monotonic() - self._at > _WAITS_SECONDS:
            self._at = time.monotonic()
            with suppress(StoreError):  # the page itself shows the error
                self._counts = {page.name: page.waits(app_context) for page in self.pages if page.waits}
        return self._counts


@dataclass(frozen=True, slots=True)
class TemplateRenderer:
    """Renders a page's data in the layout with the navigation."""

    pages: Sequence[ConsolePage]
    waiting: DecisionBacklog

    def page(self, ctx: RequestContext, page: ConsolePage, data: Mapping[str, Any], **more: Any) -> str:
        return self.template(ctx, f"{page.name}.html", page=page, data=data, **more)

    def template(self, ctx: RequestContext, name: str, **more: Any) -> str:
        waits = self.waiting.counts(ctx.app) if ctx.person.name else {}
        shared: dict[str, Any] = {
            "page": None,
            "data": {},
            "note": None,
            "malformed": (),
            "secret": "",
            "undoable": self._undoable(),
            "waits": waits,
            "navigation": self._navigation(ctx.person),
        }
        return templates().get_template(name).render(**helpers(ctx) | shared | more)

    def _undoable(self) -> frozenset[str]:
        return frozenset(f"{page.name}.{action.name}" for page in self.pages for action in page.actions if action.undo)

    def _navigation(self, person: Person) -> dict[str, list[ConsolePage]]:
        seen = [page for page in self.pages if person.may(page.role)] if person.name else []
        return {group: [page for page in seen if page.group == group] for group in GROUPS}


class _Given(dict[str, Any]):
    """The given filters; None for others."""

    def __missing__(self, name: str) -> None:
        return None


def helpers(ctx: RequestContext) -> dict[str, Any]:
    """Variables and functions available to every template."""
    return {
        "t": ctx.words,
        "ctx": ctx,
        "person": ctx.person,
        "url": ctx.url,
        "here": ctx.here,
        "params": _Given(ctx.params),
        "form_token": form_token(ctx.cookie),
        "moment": partial(moment, words=ctx.words, zone=ctx.zone, now=ctx.now),
        "published_of": published_of,
        "word_query": word_query,
        "duration": partial(duration, words=ctx.words),
        "marked": marked,
        "own_first": partial(own_first, topics=ctx.person.topics),
        "stretch": partial(stretch, words=ctx.words),
        "last_day": last_day,
        "is_weekend": is_weekend,
    }


def own_first(rows: Sequence[Any], name: str = "", *, topics: Sequence[str]) -> Sequence[Any]:
    """Rows, or names of topics, with those of the person's own topics first; else as they were."""
    return sorted(rows, key=lambda row: (row[name] if name else row) not in topics) if topics else rows


def marked(text: str, words: Sequence[str]) -> list[tuple[str, bool]]:
    """The text in pieces, each with whether it is one of the words; of two words at one place the longer counts."""
    pattern = _any_of(tuple(words[:_MAX_MARKED]))
    if pattern is None:
        return [(text, False)]
    return [(piece, place % 2 == 1) for place, piece in enumerate(pattern.split(text)) if piece]


@lru_cache(maxsize=64)
def _any_of(words: tuple[str, ...]) -> re.Pattern[str] | None:
    """Of two words at one place the longer."""
    wanted = sorted(filter(None, words), key=len, reverse=True)
    return re.compile(f"({'|'.join(map(re.escape, wanted))})", re.IGNORECASE) if wanted else None
