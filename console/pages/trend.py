"""Trend: up to five words, topics, places or people by day or week; and the words of the week."""

import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from math import floor, log10
from typing import Any

from analysis.search import Finder, has_index
from analysis.trend import has_before
from console.frame.page import ConsolePage, Export, Param
from console.frame.request_context import RequestContext
from console.queries.cloud import DAYS, cloud
from console.queries.trend import (
    KINDS,
    MIN_DAILY_PAGES_FOR_SHARES,
    Wanted,
    collecting_since,
    compared,
    counted_topics,
    days_of,
    line,
    totals,
    wanted,
)
from pipelines.stores.base import Column, MutableRow

COLUMNS = [
    *(Column(name) for name in ("begin", "name", "kind")),
    *(Column(name, "integer") for name in ("pages", "all_pages")),
    Column("share", "real"),
]
_DEFAULT_NAMES = 3
_WEEK_SECONDS, _MAX_WEEKS = 15.0, 64


def _week(ctx: RequestContext, finder: Finder | None, topics: Sequence[str]) -> Mapping[str, Any]:
    """The words of the week; fifty people who look at them within seconds are one question to the index."""
    weeks, key = ctx.app.weeks, (topics[0], str(ctx.zone), ctx.now.date().isoformat())
    at, known = weeks.get(key, (float("-inf"), {}))
    if finder is None or time.monotonic() - at > _WEEK_SECONDS:
        known = cloud(ctx.app.store, finder, topics, ctx.now, ctx.zone)
        if len(weeks) >= _MAX_WEEKS:
            weeks.clear()
        weeks[key] = time.monotonic(), known
    return known


def _view(ctx: RequestContext) -> Mapping[str, Any]:
    store, topic = ctx.app.store, ctx.params.get("topic", "")
    names = counted_topics(store)
    topics = [topic] if topic else ["", *names]
    since = collecting_since(store, ctx.now)
    days = days_of(ctx.params, ctx.zone, ctx.now, since)
    finder = ctx.app.search if has_index(ctx.app.search) else None
    week = dict(_week(ctx, finder, topics))
    week["has_before"] = has_before(int((ctx.now - since) / timedelta(hours=1)), DAYS * 24)
    wishes = wanted(ctx.params.get("of", "")) or [
        Wanted(tag["kind"], tag["text"]) for tag in week["tags"][:_DEFAULT_NAMES]
    ]
    lines = [line(store, finder, wish, days, topics) for wish in wishes]
    is_collected = compared(lines, days, since)
    every = totals(store, finder, days, topic)
    for each in lines:
        each["shares"] = [
            round(count / total, 5) if total else 0.0 for count, total in zip(each["counts"], every, strict=True)
        ]
    return {
        "by": days.by,
        "has_before": is_collected,
        "since": since.isoformat(timespec="minutes"),
        "tops": {kind: _top(max((max(each[kind]) for each in lines), default=0)) for kind in ("counts", "shares")},
        "from": days.first.isoformat(),
        "to": days.last.isoformat(),
        "starts": [day.isoformat() for day in days.starts],
        "lines": lines,
        "totals": every,
        "is_small": bool(lines) and max(max(each["counts"]) for each in lines) < MIN_DAILY_PAGES_FOR_SHARES,
        "topics": names,
        "cloud": week,
    }


def _top(highest: float) -> float:
    """Where an axis ends whose half is as round a number."""
    if highest <= 0:
        return 1
    unit = 10 ** floor(log10(highest))
    top = next(n * unit for n in (1, 2, 3, 4, 5, 6, 8, 10) if n * unit >= highest * (1 - 1e-9))
    return int(top) + int(top) % 2 if isinstance(highest, int) else top


def _rows(ctx: RequestContext) -> Iterator[MutableRow]:
    data = _view(ctx)
    for each in data["lines"]:
        for begin, count, total, share in zip(
            data["starts"], each["counts"], data["totals"], each["shares"], strict=True
        ):
            yield {
                "begin": begin,
                "name": each["name"],
                "kind": each["kind"],
                "pages": count,
                "all_pages": total,
                "share": share,
            }


PAGE = ConsolePage(
    name="trend",
    is_costly=True,
    path="/trend",
    view=_view,
    group="look",
    params=(
        Param(
            "of",
            says=f"at most five, with commas between; each may begin with {', '.join(f'{kind}:' for kind in KINDS)}",
        ),
        Param("topic", says="only pages of this topic"),
        Param("from", "date", says="first day; thirty days are shown if it is not given"),
        Param("to", "date", says="last day; today if it is not given"),
        Param("by", "choice", ("day", "week")),
        Param("as", "choice", ("count", "share"), says="share: of all pages of the day or week"),
    ),
    export=Export(COLUMNS, _rows),
)
