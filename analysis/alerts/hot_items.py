"""Items of hot lists: those that enter one, and those among its first."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from analysis.alerts.alert_rules import EnteredRule, RankRule
from analysis.alerts.occurrences import Look, Occurrence, Standing, going
from pipelines.rankings import ListSeries, read_lists
from pipelines.stores.base import Store

_BEFORE = timedelta(days=1)
"""An item that was seen in this time before the span is not new."""
_MAX_ITEMS = 200
_SHOWN_LISTS = 3


class _Stay(NamedTuple):
    """When an item of one list met the rule: first and last, and whether still at the list's last visit."""

    source: str
    title: str
    url: str
    first: int
    last: int
    is_there: bool
    rank: int


def hot_look(store: Store, rule: EnteredRule | RankRule, since: datetime, until: datetime) -> Look:
    """Items that met the rule in the span or still do, each once over all lists; and the number of those that do now."""
    stays: dict[str, list[_Stay]] = {}
    for series in read_lists(store, since - _BEFORE, until):
        if not rule.sources or series.source in rule.sources:
            for stay in _stays(series, rule):
                stays.setdefault("".join(stay.title.split()).lower(), []).append(stay)
    found = [_occurrence(subject, each) for subject, each in stays.items()]
    found = [each for each in found if each.end is None or each.noticed >= since]
    found = sorted(found, key=lambda each: (-each.size, each.noticed))[:_MAX_ITEMS]
    return Look(found, Standing.of(going(found), 1))


def _stays(series: ListSeries, rule: EnteredRule | RankRule) -> Iterator[_Stay]:
    words = [word.lower() for word in rule.words]
    limit = rule.rank if isinstance(rule, RankRule) else None
    last_visit = len(series.at) - 1
    for number, (_, title, url) in enumerate(series.items):
        if words and not any(word in title.lower() for word in words):
            continue
        of_item = series.item == number
        visits = series.visit[of_item if limit is None else of_item & (series.rank <= limit)]
        if not len(visits) or (limit is None and visits[0] == 0):  # what the first visit shows may be old
            continue
        times = series.at[visits]
        best = int(series.rank[of_item].min())
        yield _Stay(series.source, title, url, int(times[0]), int(times[-1]), bool(visits[-1] == last_visit), best)


def _occurrence(subject: str, stays: list[_Stay]) -> Occurrence:
    best = sorted(stays, key=lambda stay: stay.rank)
    title, url = best[0].title, next((stay.url for stay in best if stay.url), "")
    first, last = (
        datetime.fromtimestamp(each, UTC) for each in (min(s.first for s in stays), max(s.last for s in stays))
    )
    ranks = [[stay.source, stay.rank] for stay in best[:_SHOWN_LISTS]]
    lists = "; ".join(f"{name} rank {rank}" for name, rank in ranks)
    text = (
        f"On {len(stays)} {'list' if len(stays) == 1 else 'lists'} since {first:%Y-%m-%d %H:%M} UTC, at best: {lists}"
    )
    end = None if any(stay.is_there for stay in stays) else last
    return Occurrence(
        subject, first, first, end, float(len(stays)), f"Hot: {title}", text, url, {"item": title, "ranks": ranks}
    )
