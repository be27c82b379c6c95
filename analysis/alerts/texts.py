"""Terms in texts, and places with a term: rules about what the search index finds."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np

from analysis.alerts.occurrences import Occurrence, over, windows
from analysis.alerts.rules import PlaceRule, TermRule
from analysis.names.divisions import codes_of
from analysis.search import Hit, Searcher, hits, verified
from pipelines.stores.analysis_tables import READINGS
from pipelines.stores.base import Store

_MOST_HITS = 2_000
_SHOWN = 3


def term_occurrences(
    store: Store, rule: TermRule, since: datetime, until: datetime, searcher: Searcher
) -> Iterator[Occurrence]:
    """Stretches in which the term was frequent enough."""
    found = _hits(store, searcher, rule, since - timedelta(hours=rule.hours), until)
    yield from _occurrences(rule, found, since, until, f"{rule.term}")


def place_occurrences(
    store: Store, rule: PlaceRule, since: datetime, until: datetime, searcher: Searcher
) -> Iterator[Occurrence]:
    """The same for pages that name the place, or one inside it."""
    prefixes = tuple(_prefix(code) for code in codes_of(rule.place))
    found = [
        hit
        for hit in _hits(store, searcher, rule, since - timedelta(hours=rule.hours), until)
        if not hit.record and _names(store, hit.page, rule.place, prefixes)
    ]
    yield from _occurrences(rule, found, since, until, f"{rule.place}: {rule.term}")


def _hits(store: Store, searcher: Searcher, rule: TermRule | PlaceRule, since: datetime, until: datetime) -> list[Hit]:
    """In the order of time; at most the best `_MOST_HITS`."""
    topic = f' topic:"{rule.topic}"' if rule.topic else ""
    first, last = (f"{time.astimezone(UTC):%Y-%m-%dT%H:%M}" for time in (since, until + timedelta(minutes=1)))
    query = f"({rule.term}){topic} since:{first} until:{last}"
    ranked = verified(store, searcher.search(query, until), query)
    found = [hit for hit, _ in zip(hits(store, ranked, query), range(_MOST_HITS), strict=False) if hit.at]
    return sorted(found, key=lambda hit: hit.at)


def _prefix(code: str) -> str:
    """What the codes of all divisions inside begin with."""
    return code[:2] if code.endswith("0000") else code[:4] if code.endswith("00") else code


def _names(store: Store, page: str, place: str, prefixes: tuple[str, ...]) -> bool:
    row = store.get(READINGS, page)
    found = [each for each in (row or {}).get("names") or () if each[2] == "place"]
    if prefixes and any(len(each) > 3 and str(each[3]).startswith(prefixes) for each in found):
        return True
    return bool(row) and not prefixes and _has_text(store, page, place)


def _has_text(store: Store, page: str, place: str) -> bool:
    from analysis.jobs import read_pages

    (stored,) = read_pages(store, [page])
    return place in stored.text("title") or place in stored.text("body")


def _occurrences(
    rule: TermRule | PlaceRule, found: Sequence[Hit], since: datetime, until: datetime, what: str
) -> Iterator[Occurrence]:
    moments = [datetime.fromisoformat(hit.at) for hit in found]
    times = np.array([moment.timestamp() for moment in moments], np.int64)
    for first, full, last in windows(times, rule.hours, rule.count):
        if not since <= moments[full] <= until:
            continue
        chosen = found[first : last + 1]
        titles = "; ".join(dict.fromkeys(hit.title for hit in chosen[-_SHOWN:] if hit.title))
        text = f"{len(chosen)} texts since {moments[first]:%Y-%m-%d %H:%M} UTC, the last: {titles}"
        facts = {"count": len(chosen), "pages": [hit.url for hit in chosen[:_SHOWN]]}
        end = over(moments[last], until, rule.hours)
        yield Occurrence("", moments[first], moments[full], end, float(len(chosen)), what, text, chosen[0].url, facts)
