"""Bursts in the counts of the living web: how many events are noticed in time, and how many alarms are false.

    python -m benchmarks.trend [--seeds 1 2 3 4 5] [--topics 60] [--weeks 4]

The articles of a simulated web are divided into topics by chance, events as a whole; each topic's counts have the rhythm of day and week,
and articles that follow others. An event with ten reports or more is found if a burst of its topic is noticed between its first report
and an hour after its tenth. An alarm is false if no such event had reports in the six hours before it. Beside it, the same with a fixed
threshold: an hour with more than three times the mean of the hours before. Both look every quarter of an hour at the hours until then.
The limits of bursts were chosen on seeds 6 and 7.
"""

import argparse
import zlib
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.trend.baseline import expected
from analysis.trend.bursts import find_bursts
from benchmarks.living import world_of

_HOUR = 3_600.0
_WARM_UP_DAYS = 7
_AFTER = 6 * _HOUR
_LOOKS = 4
"""In an hour."""
Finder = Callable[[NDArray[np.int64], NDArray[np.int64], int], list[int]]


@dataclass(frozen=True, slots=True)
class Topic:
    """Seconds from the first hour: all articles, and the reports of each event in order."""

    articles: NDArray[np.float64]
    events: list[list[float]]


def topics_of(world: Any, topics: int) -> list[Topic]:
    """The articles of a web, divided by chance; reports of one event are in one topic."""
    articles: defaultdict[int, list[float]] = defaultdict(list)
    events: defaultdict[int, list[float]] = defaultdict(list)
    for site in world.sites:
        for number, at in enumerate(getattr(site, "t", ())):
            event = site.event[number] if hasattr(site, "event") else None
            key = f"e{event.number}" if event else f"{site.number}.{number}"
            topic = zlib.crc32(f"{world.seed} {key}".encode()) % topics
            articles[topic].append(at + world.history * 86_400)
            if event:
                events[event.number].append(at + world.history * 86_400)
    by_topic: defaultdict[int, list[list[float]]] = defaultdict(list)
    for number, times in events.items():
        by_topic[zlib.crc32(f"{world.seed} e{number}".encode()) % topics].append(sorted(times))
    return [Topic(np.sort(np.array(articles[topic])), by_topic[topic]) for topic in range(topics)]


def hourly(times: NDArray[np.float64], hours: int, shift: float) -> NDArray[np.int64]:
    """Counts of hours that begin at `shift` seconds."""
    places = ((times - shift) // _HOUR).astype(np.int64)
    return np.bincount(places[(places >= 0) & (places < hours)], minlength=hours)


def noticed(topic: Topic, everything: NDArray[np.float64], hours: int, find: Finder) -> list[float]:
    """When bursts are noticed, in seconds, at most one in six hours."""
    found: list[float] = []
    for look in range(_LOOKS):  # hours that end at each quarter are what somebody who looks then would see
        shift = look * _HOUR / _LOOKS
        counts, total = (hourly(times, hours - 1, shift) for times in (topic.articles, everything))
        found += [(hour + 1) * _HOUR + shift for hour in find(counts, total, look)]
    alarms: list[float] = []
    for at in sorted(found):
        if not alarms or at - alarms[-1] > _AFTER:
            alarms.append(at)
    return alarms


def own(counts: NDArray[np.int64], total: NDArray[np.int64], look: int) -> list[int]:
    """Bursts against the baseline."""
    first_hour = (7 * 24 - 3 * 24) % (7 * 24)  # three days before a Monday
    return [burst.noticed for burst in find_bursts(counts, expected(counts, total, first_hour))]


def threshold(counts: NDArray[np.int64], total: NDArray[np.int64], look: int) -> list[int]:
    """Hours with more than three times the mean so far, and the hour before without."""
    mean = np.concatenate([[0.0], np.cumsum(counts)[:-1]]) / np.maximum(1, np.arange(len(counts)))
    above = counts > 3 * np.maximum(mean, 1 / 48)
    return [int(hour) for hour in np.flatnonzero(above & ~np.concatenate([[False], above[:-1]]))]


def score(topics: Sequence[Topic], hours: int, find: Finder) -> tuple[int, int, int, int]:
    """Events of ten reports, those found in time, alarms, false alarms; after the first week."""
    everything = np.sort(np.concatenate([topic.articles for topic in topics]))
    begin, end = _WARM_UP_DAYS * 24 * _HOUR, (hours - 2) * _HOUR
    events = found = alarms_all = false = 0
    for topic in topics:
        alarms = [at for at in noticed(topic, everything, hours, find) if at >= begin]
        big = [times for times in topic.events if len(times) >= 10]
        for times in big:
            if begin <= times[0] and times[9] + _HOUR < end:
                events += 1
                found += any(times[0] <= at <= times[9] + _HOUR for at in alarms)
        alarms_all += len(alarms)
        false += sum(not any(at - _AFTER <= time <= at for times in big for time in times) for at in alarms)
    return events, found, alarms_all, false


def main() -> None:
    """See the module's text."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--seeds", type=int, nargs="*", default=[1, 2, 3, 4, 5])
    ask.add_argument("--topics", type=int, default=60)
    ask.add_argument("--weeks", type=int, default=4)
    args = ask.parse_args()
    sums = {name: np.zeros(4, np.int64) for name in ("bursts", "3 x mean")}
    for seed in args.seeds:
        world = world_of(seed, args.weeks * 7 * 24)
        topics, hours = topics_of(world, args.topics), int(args.weeks * 7 * 24 + world.history * 24)
        for name, find in (("bursts", own), ("3 x mean", threshold)):
            result = np.array(score(topics, hours, find))
            sums[name] += result
            _print(f"seed {seed} {name}", result, args.topics * (hours / 24 - _WARM_UP_DAYS) / 7)
    if len(args.seeds) > 1:
        for name, result in sums.items():
            _print(f"all {name}", result, len(args.seeds) * args.topics * (hours / 24 - _WARM_UP_DAYS) / 7)


def _print(name: str, result: NDArray[np.int64], topic_weeks: float) -> None:
    events, found, alarms, false = result.tolist()
    print(
        f"{name:18} events {events:4}  in time {found / max(1, events):.3f}  alarms {alarms:5}  "
        f"false a week and topic {false / topic_weeks:.3f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
