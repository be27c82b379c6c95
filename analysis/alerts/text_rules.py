"""Rules on terms and places, evaluated by the search index."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np

from analysis.alerts.alert_rules import PlaceRule, TermRule
from analysis.alerts.occurrences import Look, Occurrence, Standing, over, windows
from analysis.jobs import read_pages
from analysis.names import codes_of
from analysis.search import Finder, Hit, SearchMatch, hits, verified
from crawler.config import with_values
from pipelines.stores.analysis_tables import READINGS
from pipelines.stores.base import Store

_MAX_READ_PAGES = 2_000
"""Above this number of candidates, phrases are not verified and every candidate counts."""
_SHOWN_SITES = 3


def term_look(store: Store, rule: TermRule, since: datetime, until: datetime, searcher: Finder) -> Look:
    """Spans in which the term was frequent enough; and the number of texts in the rule's hours before `until`."""
    query = _query(rule, since - timedelta(hours=rule.hours), until)
    return _look(store, rule, _in_order(store, searcher, query, until), query, since, until, f"{rule.term}")


def place_look(store: Store, rule: PlaceRule, since: datetime, until: datetime, searcher: Finder) -> Look:
    """The same for pages that name the place, or one inside it."""
    prefixes = tuple(_prefix(code) for code in codes_of(rule.place))
    query = _query(rule, since - timedelta(hours=rule.hours), until)
    found = _in_order(store, searcher, query, until)
    named = [each for each in found if not each.record and _names(store, each.page, rule.place, prefixes)]
    return _look(store, rule, named, query, since, until, f"{rule.place}: {rule.term}")


def _query(rule: TermRule | PlaceRule, since: datetime, until: datetime) -> str:
    topic = f' topic:"{rule.topic}"' if rule.topic else ""
    first, last = (f"{time.astimezone(UTC):%Y-%m-%dT%H:%M}" for time in (since, until + timedelta(minutes=1)))
    return f"({rule.term}){topic} since:{first} until:{last}"


def _in_order(store: Store, searcher: Finder, query: str, until: datetime) -> list[SearchMatch]:
    """Matches, oldest first; texts are read only to verify phrases."""
    return list(verified(store, searcher.search(query, until, "published"), query, _MAX_READ_PAGES))[::-1]


def _prefix(code: str) -> str:
    """The common prefix of the codes of all divisions inside."""
    return code[:2] if code.endswith("0000") else code[:4] if code.endswith("00") else code


def _names(store: Store, page: str, place: str, prefixes: tuple[str, ...]) -> bool:
    row = store.get(READINGS, page)
    found = [each for each in (row or {}).get("names") or () if each[2] == "place"]
    if prefixes and any(len(each) > 3 and str(each[3]).startswith(prefixes) for each in found):
        return True
    return bool(row) and not prefixes and _has_text(store, page, place)


def _has_text(store: Store, page: str, place: str) -> bool:
    (stored,) = read_pages(store, [page])
    return place in stored.text("title") or place in stored.text("body")


def _look(
    store: Store, rule: TermRule | PlaceRule, found: Sequence[SearchMatch], query: str, since: datetime, until: datetime, what: str
) -> Look:  # fmt: skip
    begin = (until - timedelta(hours=rule.hours)).timestamp()
    count = sum(begin <= each.seconds <= until.timestamp() for each in found)
    return Look(list(_spans(store, rule, found, query, since, until, what)), Standing.of(count, rule.count))


def _spans(
    store: Store, rule: TermRule | PlaceRule, found: Sequence[SearchMatch], query: str, since: datetime, until: datetime, what: str
) -> Iterator[Occurrence]:  # fmt: skip
    times = np.array([each.seconds for each in found], np.int64)
    for first, full, last in windows(times, rule.hours, rule.count):
        begin, noticed, latest = (datetime.fromtimestamp(int(times[place]), UTC) for place in (first, full, last))
        end = over(latest, until, rule.hours)
        if noticed > until or (end is not None and noticed < since):
            continue
        count = last + 1 - first
        chosen = _shown(store, found, query, first, last)
        titles = "; ".join(dict.fromkeys(hit.title for hit in chosen[-_SHOWN_SITES:] if hit.title))
        pages = len({each.page for each in found[first : last + 1]})
        found_texts = with_values("{n} {n|text|texts} on {pages} {pages|page|pages}", {"n": count, "pages": pages})
        text = f"{found_texts} since {begin:%Y-%m-%d %H:%M} UTC, the last: {titles}"
        facts = {"count": count, "page_count": pages, "pages": [hit.url for hit in chosen[:_SHOWN_SITES]]}
        link = chosen[0].url if chosen else ""
        yield Occurrence("", begin, noticed, end, float(count), what, text, link, facts)


def _shown(store: Store, found: Sequence[SearchMatch], query: str, first: int, last: int) -> list[Hit]:
    """The first and last texts of a span; only these are read."""
    ends = sorted(
        {*range(first, min(last + 1, first + _SHOWN_SITES)), *range(max(first, last + 1 - _SHOWN_SITES), last + 1)}
    )
    return list(hits(store, [found[place] for place in ends], query, exact=True))
