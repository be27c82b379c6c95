"""Sites without new pages although their usual rate predicts some."""

import itertools
from collections.abc import Iterator
from datetime import datetime, timedelta

import numpy as np

from analysis.alerts.alert_rules import SilentRule
from analysis.alerts.occurrences import Look, Occurrence, Standing, going
from analysis.counts import Series, read_series, read_totals
from analysis.spans import LOCAL
from analysis.trend import expected
from pipelines.stores.base import Condition, Store
from pipelines.stores.instant_columns import utc_text
from pipelines.stores.watch_tables import WATCH_SOURCES

_HISTORY = timedelta(days=28)
_HOUR = timedelta(hours=1)
_MAX_SITES = 500
_MIN_USUAL_SHARE = 0.2
"""Share of the usual total of all sites; below it the crawler is silent, not the site."""


def silent_look(store: Store, rule: SilentRule, since: datetime, until: datetime) -> Look:
    """Silences that were noticed in the span or continue; and the number of sites that are silent now."""
    found = list(_silent(store, rule, since, until))
    return Look(found, Standing.of(going(found), 1))


def _silent(store: Store, rule: SilentRule, since: datetime, until: datetime) -> Iterator[Occurrence]:
    begin = since - _HISTORY
    total = read_series(store, begin, until)
    for host in rule.sites or _lively(store, begin, until):
        series = read_series(store, begin, until, dimension="host", value=host)
        yield from _silences(store, rule, host, series, total, since, until)


def _lively(store: Store, begin: datetime, until: datetime) -> list[str]:
    """Hosts with at least one page a day, largest first."""
    days = max(1, (until - begin).days)
    totals = read_totals(store, begin, until + timedelta(days=1), "host")
    found = sorted(((count, host) for host, count in totals.items() if count >= days), reverse=True)
    return [host for _, host in found[:_MAX_SITES]]


def _silences(
    store: Store, rule: SilentRule, host: str, series: Series, total: Series, since: datetime, until: datetime
) -> Iterator[Occurrence]:
    seen = np.flatnonzero(series.counts)
    if not len(seen):
        return
    start = int(seen[0])
    first = series.start.astimezone(LOCAL) + start * _HOUR
    counts, all_ = series.counts[start:], total.counts[start:]
    hour = first.weekday() * 24 + first.hour
    usual, usual_all = expected(counts, None, hour), expected(all_, None, hour)
    places = [*np.flatnonzero(counts).tolist(), len(counts)]
    for before, after in itertools.pairwise(places):
        missed = np.cumsum(usual[before + 1 : after])
        full = int(np.searchsorted(missed, rule.expected))
        noticed = max(full, rule.hours - 1)
        if noticed >= len(missed):
            continue
        came, due = (
            int(all_[before + 1 : before + 2 + noticed].sum()),
            float(usual_all[before + 1 : before + 2 + noticed].sum()),
        )
        if came < _MIN_USUAL_SHARE * due:
            continue
        last, at = series.start + (start + before) * _HOUR, series.start + (start + before + 2 + noticed) * _HOUR
        end = None if after == len(counts) else series.start + (start + after) * _HOUR
        is_shown = end is None or since <= at
        if not is_shown or at > until + _HOUR or (end is None and not _is_ours(store, host, last, until)):
            continue
        text = f"Nothing new since {last:%Y-%m-%d %H:%M} UTC; about {missed[-1]:.0f} pages were expected"
        facts = {"site": host, "expected": round(float(missed[-1]), 1)}
        yield Occurrence(
            host, last, min(at, until), end, float(missed[-1]), f"Silent: {host}", text, f"https://{host}/", facts
        )


def _is_ours(store: Store, host: str, last: datetime, now: datetime) -> bool:
    """Whether the host's watch, if any, has visited it recently and found nothing new since."""
    rows = [row for row in store.select(WATCH_SOURCES, [Condition("host", "=", host)]) if row["visits"]]
    if not rows:
        return True
    last_new = max((row["last_new_at"] or "" for row in rows), default="")
    visited = max((row["visited_at"] or "" for row in rows), default="")
    middle = utc_text(last + (now - last) / 2)
    return last_new <= middle <= visited
