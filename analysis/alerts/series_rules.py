"""Bursts, and moods that fall: rules about counts by hour."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from analysis.alerts.alert_rules import BurstRule, MoodRule
from analysis.alerts.occurrences import Look, Occurrence, Standing
from analysis.counts import Measure, read_series
from analysis.mood import wilson
from analysis.trend import WARM_UP, Trend, latest_against_needed, needed, read_trend
from pipelines.stores.base import Store

_BASE_DAYS = 14
_HOUR = timedelta(hours=1)


def burst_look(store: Store, rule: BurstRule, since: datetime, until: datetime) -> Look:
    """Bursts that were noticed in the span or continue; and the count of the burst, or the last one against what would begin a burst."""
    dimension, _, value = rule.of.partition("=")
    begin = min(since, until - timedelta(days=_BASE_DAYS))
    trend = read_trend(
        store, begin, until, topic=rule.topic, dimension=dimension, value=value, measure=_measure(rule.posts)
    )
    what = value or rule.topic or "all topics"
    return Look(list(_bursts(trend, rule, what, since, until)), _burst_standing(trend))


def _burst_standing(trend: Trend) -> Standing:
    burst = next((each for each in trend.bursts if each.end is None), None)
    if burst:
        return Standing(burst.count, min(burst.count, needed(burst.usual)), True)
    count, enough = latest_against_needed(trend.series.counts, trend.usual)
    return Standing(count, enough, False, "young_series" if trend.collected_hours < WARM_UP else "")


def _bursts(trend: Trend, rule: BurstRule, what: str, since: datetime, until: datetime) -> Iterator[Occurrence]:
    for burst in trend.bursts:
        noticed = min(until, trend.at(burst.noticed) + _HOUR)
        if noticed < since and burst.end is not None:
            continue
        end = None if burst.end is None else trend.at(burst.end)
        things = "posts" if rule.posts else "pages"
        text = f"{burst.count} {things} since {trend.at(burst.start):%Y-%m-%d %H:%M} UTC, usual {burst.usual:.0f}"
        facts = {"count": burst.count, "usual": round(burst.usual, 1), "topic": rule.topic, "of": rule.of}
        title = f"Much more than usual of {what}"
        yield Occurrence("", trend.at(burst.start), noticed, end, float(burst.count), title, text, "", facts)


def mood_look(store: Store, rule: MoodRule, since: datetime, until: datetime) -> Look:
    """Runs of hours at the end of windows whose share of negative texts is significantly higher than before; and what that share is at
    least, against what it must be at least."""
    begin = since - timedelta(days=_BASE_DAYS, hours=2 * rule.hours)
    counts = {
        label: read_series(
            store, begin, until, topic=rule.topic, dimension="mood", value=label, measure=_measure(rule.posts)
        )
        for label in ("positive", "neutral", "negative")
    }
    negative = counts["negative"].counts
    known = negative + counts["positive"].counts + counts["neutral"].counts
    now, sizes = _sums(negative, 0, rule.hours), _sums(known, 0, rule.hours)
    before = _sums(negative, rule.hours, 24 * _BASE_DAYS) / np.maximum(1, _sums(known, rule.hours, 24 * _BASE_DAYS))
    enough = (sizes >= rule.least) & (_sums(known, rule.hours, 24 * _BASE_DAYS) >= rule.least)
    start = counts["negative"].start
    first = -(-(since - start) // _HOUR)
    sure = [wilson(int(negative), int(size))[0] for negative, size in zip(now, sizes, strict=True)]
    met = [bool(enough[hour]) and sure[hour] >= float(before[hour]) + rule.rise for hour in range(len(known))]
    found = list[Occurrence]()
    for low, high in _stretches(met, rule.hours):
        if low < first and high != len(met) - 1:
            continue
        share, usual = now[high] / sizes[high], float(before[low])
        text = f"{share:.0%} of {sizes[high]} texts in {rule.hours} h are negative; {usual:.0%} in the {_BASE_DAYS} days before"
        facts = {"share": round(float(share), 3), "before": round(usual, 3), "texts": int(sizes[high])}
        end = None if high == len(met) - 1 else start + (high + 1) * _HOUR
        noticed = min(until, start + (low + 1) * _HOUR)
        title = f"Mood falls: {rule.topic or 'all topics'}"
        found.append(Occurrence("", start + low * _HOUR, noticed, end, float(now[high]), title, text, "", facts))
    note = "" if enough[-1] else "few_texts"
    return Look(found, Standing(sure[-1], min(1.0, float(before[-1]) + rule.rise), met[-1], note))


def _measure(posts: bool) -> Measure:
    return "posts" if posts else "pages"


def _sums(counts: NDArray[np.int64], skip: int, width: int) -> NDArray[np.int64]:
    """For each hour, the sum of the `width` hours that end `skip` hours before its end."""
    sums = np.concatenate([[0], np.cumsum(counts)])
    stop = np.maximum(0, np.arange(1, len(counts) + 1) - skip)
    return np.asarray(sums[stop] - sums[np.maximum(0, stop - width)], np.int64)


def _stretches(met: list[bool], gap: int) -> Iterator[tuple[int, int]]:
    """First and last hour of each run of true values; shorter gaps are bridged."""
    hours = [hour for hour, is_met in enumerate(met) if is_met]
    first = 0
    for place, hour in enumerate(hours):
        if place + 1 == len(hours) or hours[place + 1] - hour > gap:
            yield hours[first], hour
            first = place + 1
