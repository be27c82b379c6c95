"""Events beside simple methods: python -m benchmarks.event_methods [--shared ../shared] [--warm | --together]

Single pass, DBSCAN and average link get cosines of TF-IDF whose rarity is counted over the whole stream, and of each stream that limit
and span (reports further apart are not alike) which are best on the other streams. B³ over groups of two and more / F1 of pairs; in
brackets the middle 90 % of the difference of "ours, transferred" to each method, by drawing the labelled events again. "Ours,
transferred" has the limit and the days that are best on the other streams of the same kind (bare titles or texts, in Chinese or in
letters); "shipped" has those of the package, which were chosen with most of these streams in view.

--warm: the second half of each stream alone, then the same after its first half (at most 200 reports), which all methods read.
--together: all streams as topics of one store that begin on one day; rarity counted over all, and by topic.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analysis.events import Clusters, Settings
from analysis.events.agreement import Agreement, agreement
from analysis.events.reading import reading_of, topic_number
from benchmarks.event_rivals import average_link, dbscan, single_pass
from benchmarks.event_streams import Stream, likeness, streams

_METHODS: dict[str, Callable[[NDArray[np.float64], float], list[int]]] = {
    "single pass": single_pass, "DBSCAN": dbscan, "average link": average_link,
}  # fmt: skip
_LIMITS = (0.04, 0.06, 0.08, 0.1, 0.12, 0.15, 0.18, 0.22, 0.26, 0.3, 0.35, 0.4, 0.5, 0.6)
_SPANS = (5, 60)
_DRAWN = 200
_FIRST_DAY = datetime(2026, 1, 1)
_FACTORS, _DAYS = (0.75, 0.85, 0.92, 1.0, 1.1, 1.2, 1.35), (4.0, 8.0, 14.0, 30.0, 1_000.0)
Groups = list[str]


def ours(stream: Stream, settings: Settings | None = None) -> Groups:
    """The events of our method, online."""
    clusters = Clusters(settings)
    return [clusters.add(report).event for report in stream.reports][stream.begin :]


def together(every: Sequence[Stream], *, by_topic: bool) -> list[Groups]:
    """The events of all streams as topics of one store."""
    reports = [
        (report.time - stream.reports[0].time + _FIRST_DAY, at, place, report)
        for at, stream in enumerate(every)
        for place, report in enumerate(stream.reports)
    ]
    clusters, found = Clusters(), [[""] * len(stream.reports) for stream in every]
    for time, at, place, report in sorted(reports, key=lambda each: each[:3]):
        days = (time.toordinal() - report.time.toordinal() + day for day in report.days)
        reading = reading_of(replace(report, time=time, days=tuple(days)))
        topic = topic_number(every[at].name) if by_topic else 0
        found[at][place] = clusters.place(f"{at} {place}", replace(reading, topic=topic))[0].event
    return found


def kind_of(stream: Stream) -> str:
    """The name of the limits that most reports of a stream have."""
    kinds = {
        (True, True): "title",
        (True, False): "title_in_letters",
        (False, True): "chinese",
        (False, False): "letters",
    }
    return kinds[Counter((report.short, report.chinese) for report in stream.reports).most_common(1)[0][0]]


def with_limits(stream: Stream) -> dict[tuple[int, float], Groups]:
    """The events of our method with other limits and days for the stream's kind."""
    kind, shipped = kind_of(stream), Settings()
    limits = getattr(shipped, kind)
    found = {}
    for place, factor in enumerate(_FACTORS):
        for days in _DAYS:
            tried: dict[str, object] = {kind: replace(limits, event=limits.event * factor, days=days)}
            found[place, days] = ours(stream, replace(shipped, **tried))
    return found


def grouped(stream: Stream, method: str) -> dict[tuple[int, float], Groups]:
    """The groups of a method with each span and limit."""
    alike, days = likeness(stream), stream.days()
    near = {span: np.where(np.abs(days[:, None] - days[None, :]) > span, 0.0, alike) for span in _SPANS}
    return {
        (span, least): [str(each) for each in _METHODS[method](near[span], least)][stream.begin :]
        for span in _SPANS
        for least in _LIMITS
    }


def _value(found: Agreement) -> float:
    return (found.groups + found.pairs) / 2


def transferred(every: Sequence[Stream], found: Sequence[dict[tuple[int, float], Groups]]) -> list[Groups]:
    """The groups of each stream with what is best on the others, given those with everything that is tried."""
    values = [
        {key: _value(agreement(stream.measured, groups)) for key, groups in each.items()}
        for stream, each in zip(every, found, strict=True)
    ]
    kept = []
    for place, each in enumerate(found):
        others = [value for at, value in enumerate(values) if at != place]
        kept.append(each[max(each, key=lambda key: sum(value[key] for value in others))])
    return kept


def difference(labels: Sequence[str], one: Sequence[str], other: Sequence[str]) -> tuple[float, float]:
    """5th and 95th percentile of how much better the first grouping is, over draws of the labelled events."""
    draw, places = np.random.default_rng(1), dict[str, list[int]]()
    for place, label in enumerate(labels):
        places.setdefault(label, []).append(place)
    events, found = list(places.values()), list[float]()
    for _ in range(_DRAWN):
        drawn = [
            (n, place) for n, at in enumerate(draw.integers(len(events), size=len(events))) for place in events[at]
        ]
        truth = [str(n) for n, _ in drawn]
        found.append(
            float(np.subtract(*(_value(agreement(truth, [groups[at] for _, at in drawn])) for groups in (one, other))))
        )
    return float(np.percentile(found, 5)), float(np.percentile(found, 95))


def table(every: Sequence[Stream]) -> str:
    """Rows of Markdown."""
    kinds = [kind_of(stream) for stream in every]
    moved: dict[int, Groups] = {}
    for kind in set(kinds):
        places = [place for place, other in enumerate(kinds) if other == kind]
        alike = [every[place] for place in places]
        moved |= dict(zip(places, transferred(alike, [with_limits(stream) for stream in alike]), strict=True))
    rivals = {method: transferred(every, [grouped(stream, method) for stream in every]) for method in _METHODS}
    rows = [f"| stream | ours, shipped | ours, transferred | {' | '.join(rivals)} |", f"|{'---|' * (len(rivals) + 3)}"]
    every_cell = list[list[Agreement]]()
    for place, stream in enumerate(every):
        others = [each[place] for each in rivals.values()]
        every_cell.append([agreement(stream.measured, each) for each in (ours(stream), moved[place], *others)])
        spans = ["", "", *(_span(stream.measured, moved[place], other) for other in others)]
        rows.append(f"| {stream.name} | {' | '.join(map(str.__add__, map(_shown, every_cell[-1]), spans))} |")
    columns = zip(*every_cell, strict=True)
    means = [np.mean([(each.groups, each.pairs) for each in column], axis=0) for column in columns]
    rows.append(f"| mean | {' | '.join(f'{groups:.3f}/{pairs:.3f}' for groups, pairs in means)} |")
    return "\n".join(rows)


def _span(labels: Sequence[str], one: Sequence[str], other: Sequence[str]) -> str:
    return " ({:+.2f} to {:+.2f})".format(*difference(labels, one, other))


def _table_together(every: Sequence[Stream]) -> str:
    columns = [together(every, by_topic=by_topic) for by_topic in (False, True)]
    cells = [[agreement(stream.events, groups[n]) for groups in columns] for n, stream in enumerate(every)]
    means = [np.mean([(each.groups, each.pairs) for each in column], axis=0) for column in zip(*cells, strict=True)]
    return "\n".join((
        "| stream | rarity over all topics | by topic |\n|---|---|---|",
        *(f"| {stream.name} | {' | '.join(map(_shown, row))} |" for stream, row in zip(every, cells, strict=True)),
        f"| mean | {' | '.join(f'{groups:.3f}/{pairs:.3f}' for groups, pairs in means)} |",
    ))  # fmt: skip


def _shown(found: Agreement) -> str:
    return f"{found.groups:.3f}/{found.pairs:.3f}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--shared", type=Path, default=Path("../shared"))
    options.add_argument("--warm", action="store_true")
    options.add_argument("--together", action="store_true")
    given = options.parse_args()
    data = given.shared / "data"
    if not data.is_dir():
        raise SystemExit(f"{data} is missing: the labelled streams are made of it")
    every = list(streams(data))
    if given.together:
        print(_table_together(every))
        return
    for warm in (False, True) if given.warm else ():
        print(f"second half {'after the first' if warm else 'alone'}\n")
        print(table([stream.second_half(warm=warm) for stream in every]), flush=True)
    if not given.warm:
        print(table(every))


if __name__ == "__main__":
    main()
