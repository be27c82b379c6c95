"""Events beside simple methods: python -m benchmarks.event_methods [--shared ../shared]

Single pass, DBSCAN and average link get cosines of TF-IDF whose rarity is counted over the whole stream, and of each stream that limit
and span (reports further apart are not alike) which are best on the other streams. B³ over groups of two and more / F1 of pairs; in
brackets the middle 90 % of the difference to average link, by drawing the labelled events again. "Ours, transferred" has the limit and the
days that are best on the other streams of the same kind (bare titles or texts, in Chinese or in letters); "shipped" has those of the
package, which were chosen with most of these streams in view.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analysis.events import Clusters, Settings
from analysis.events.agreement import Agreement, agreement
from benchmarks.event_rivals import average_link, dbscan, single_pass
from benchmarks.event_streams import Stream, likeness, streams

_METHODS: dict[str, Callable[[NDArray[np.float64], float], list[int]]] = {
    "single pass": single_pass, "DBSCAN": dbscan, "average link": average_link,
}  # fmt: skip
_LIMITS = (0.04, 0.06, 0.08, 0.1, 0.12, 0.15, 0.18, 0.22, 0.26, 0.3, 0.35, 0.4, 0.5, 0.6)
_SPANS = (5, 60)
_DRAWN = 200
_FACTORS, _DAYS = (0.75, 0.85, 0.92, 1.0, 1.1, 1.2, 1.35), (4.0, 8.0, 14.0, 30.0, 1_000.0)
Groups = list[str]


def ours(stream: Stream, settings: Settings | None = None) -> Groups:
    """The events of our method, online."""
    clusters = Clusters(settings)
    return [clusters.add(report).event for report in stream.reports]


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
        (span, least): [str(each) for each in _METHODS[method](near[span], least)]
        for span in _SPANS
        for least in _LIMITS
    }


def _value(found: Agreement) -> float:
    return (found.groups + found.pairs) / 2


def transferred(every: Sequence[Stream], found: Sequence[dict[tuple[int, float], Groups]]) -> list[Groups]:
    """The groups of each stream with what is best on the others, given those with everything that is tried."""
    values = [
        {key: _value(agreement(stream.events, groups)) for key, groups in each.items()}
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
        low, high = difference(stream.events, moved[place], rivals["average link"][place])
        groups = (ours(stream), moved[place], *(each[place] for each in rivals.values()))
        every_cell.append([agreement(stream.events, each) for each in groups])
        first, second, *others = map(_shown, every_cell[-1])
        rows.append(f"| {stream.name} | {first} | {second} ({low:+.2f} to {high:+.2f}) | {' | '.join(others)} |")
    columns = zip(*every_cell, strict=True)
    means = [np.mean([(each.groups, each.pairs) for each in column], axis=0) for column in columns]
    rows.append(f"| mean | {' | '.join(f'{groups:.3f}/{pairs:.3f}' for groups, pairs in means)} |")
    return "\n".join(rows)


def _shown(found: Agreement) -> str:
    return f"{found.groups:.3f}/{found.pairs:.3f}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--shared", type=Path, default=Path("../shared"))
    data = options.parse_args().shared / "data"
    if not data.is_dir():
        raise SystemExit(f"{data} is missing: the labelled streams are made of it")
    print(table(list(streams(data))))


if __name__ == "__main__":
    main()
