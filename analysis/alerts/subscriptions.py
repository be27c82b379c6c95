"""Subscriptions: what has come that matches a query, in one message for each stretch of time."""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from analysis.alerts.alert_rules import SubscriptionRule
from analysis.alerts.occurrences import Look, Occurrence, Standing
from analysis.search import Finder, SearchMatch, hits, verified
from crawler.config import with_values
from pipelines.stores.base import Condition, Store
from pipelines.stores.tables import PAGES

_SECONDS = {"now": 300, "hour": 3_600, "day": 86_400}
_LATE, _SETTLED = timedelta(days=7), timedelta(minutes=1)
"""Pages count when they are collected, if they were published in the week before; their rows are written within a minute."""
_MAX_READ, _BATCH = 2_000, 500
"""If more texts of a week match, the numbers of a message are those of the ones published last, and it says "at least"."""
_LISTED = 20


def subscription_look(store: Store, rule: SubscriptionRule, since: datetime, until: datetime, searcher: Finder) -> Look:
    """Each stretch that ended from `since` to `until` and had texts; and the number of texts that the next one has."""
    first, last = (f"{at.astimezone(UTC):%Y-%m-%dT%H:%M}" for at in (since - _LATE, until + timedelta(minutes=1)))
    topic = f' topic:"{rule.topic}"' if rule.topic else ""
    query = f"({rule.term}){topic} since:{first} until:{last}"
    matching = verified(store, searcher.search(query, until, "published"), query, _MAX_READ)
    found, cut = matching.part(0, _MAX_READ), len(matching) > _MAX_READ
    ended: dict[datetime, list[SearchMatch]] = {}
    for at, match in _came(store, found):
        ended.setdefault(_end(rule, at), []).append(match)
    shown = [
        _occurrence(store, rule, end, ended[end], query, cut=cut)
        for end in sorted(ended)
        if since < end <= until - _SETTLED
    ]
    waiting = sum(len(texts) for end, texts in ended.items() if end > until - _SETTLED)
    return Look([each for each in shown if each], Standing.of(waiting, 1))


def _came(store: Store, found: Sequence[SearchMatch]) -> list[tuple[datetime, SearchMatch]]:
    """When each page was collected, and each post written."""
    keys = sorted({each.page for each in found})
    fetched = {
        row["key"]: datetime.fromisoformat(row["fetched_at"])
        for at in range(0, len(keys), _BATCH)
        for row in store.select(PAGES, [Condition("key", "in", keys[at : at + _BATCH])], columns=["key", "fetched_at"])
        if row["fetched_at"]
    }
    moments = [datetime.fromtimestamp(each.seconds, UTC) if each.record else fetched.get(each.page) for each in found]
    return [(at, match) for at, match in zip(moments, found, strict=True) if at]


def _end(rule: SubscriptionRule, at: datetime) -> datetime:
    """The end of the stretch that this moment is in."""
    if rule.every != "day":
        width = _SECONDS[rule.every]
        return datetime.fromtimestamp((at.timestamp() // width + 1) * width, UTC)
    zone = ZoneInfo(rule.zone)
    day = at.astimezone(zone).date()
    today, tomorrow = (
        datetime.combine(each, time.fromisoformat(rule.at), zone).astimezone(UTC)
        for each in (day, day + timedelta(days=1))
    )
    return today if at < today else tomorrow


def _occurrence(
    store: Store, rule: SubscriptionRule, end: datetime, found: list[SearchMatch], query: str, *, cut: bool
) -> Occurrence | None:
    shown = list(hits(store, found[:_LISTED], query, exact=True))
    if not shown:
        return None
    pages, listed = len({each.page for each in found}), [[hit.title or hit.url, hit.url] for hit in shown]
    count = with_values("{n} {n|text|texts} on {pages} {pages|page|pages}", {"n": len(found), "pages": pages})
    text = "\n".join(["At least " * cut + count, *(f"{title} {url}" for title, url in listed)])
    facts = {"count": len(found), "page_count": pages, "cut": cut, "listed": listed}
    subject, begin = end.isoformat(timespec="minutes"), end - timedelta(seconds=_SECONDS[rule.every])
    return Occurrence(subject, begin, end, end, float(len(found)), rule.term, text, shown[0].url, facts)
